"""The rules in the tables of `grammars/english-pcfg`, compiled.

In: the folder of tables. Out: compiled rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from spicepy.common.data_files import read_table
from spicepy.parsing.conversion.editing import Editor, read_edit
from spicepy.parsing.conversion.finishing import Infinitives
from spicepy.parsing.conversion.heads import HeadFinder, read_special
from spicepy.parsing.conversion.patterns import Patterns
from spicepy.parsing.conversion.relations import RelationFinder, read_relation

FOLDER = "english-pcfg"


@dataclass(frozen=True, slots=True)
class ConversionRules:
    """All that the conversion knows, in the order in which it is used."""

    editor: Editor
    heads: HeadFinder
    relations: RelationFinder
    outside: frozenset[str]
    infinitives: Infinitives


@cache
def rules() -> ConversionRules:
    """Read the tables, once.

    Raises:
        ResourceError: A table is missing or damaged.
        GrammarError: A pattern cannot be read.
    """
    words, tests, heads = map(read, ("words", "nodes", "heads"))
    edits, expressions = read("edits"), read("expressions")
    infinitives = read("infinitives")
    lists = words["lists"]
    patterns = Patterns(
        lists,
        {**tests["tests"], **heads["tests"], **edits["tests"]},
        {**words["spelled"], **edits["spelled"]},
    )
    return ConversionRules(
        Editor(
            tuple(
                read_edit(card, patterns)
                for card in (*expressions["edit"], *edits["edit"])
            )
        ),
        HeadFinder(
            heads["categories"],
            [read_special(card, patterns) for card in heads["special"]],
        ),
        RelationFinder(
            [
                read_relation(name, card, patterns)
                for name, card in read("relations").items()
            ]
        ),
        frozenset(lists["outside"].split()),
        Infinitives(
            **{name: frozenset(text.split()) for name, text in infinitives.items()}
        ),
    )


def read(name: str) -> Mapping[str, Any]:
    """Read one table.

    Raises:
        ResourceError: It is missing or damaged.
    """
    return read_table(f"{FOLDER}/{name}.toml", dict)
