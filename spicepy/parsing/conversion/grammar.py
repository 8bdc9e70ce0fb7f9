"""The tables of `grammars/english-pcfg` in, compiled rules out."""

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from spicepy.common.errors import ResourceError
from spicepy.common.shipped import folder
from spicepy.parsing.conversion.editing import Editor, read_edit
from spicepy.parsing.conversion.heads import HeadFinder, read_special
from spicepy.parsing.conversion.patterns import Patterns
from spicepy.parsing.conversion.relations import Relations, read_relation

FOLDER = "english-pcfg"


@dataclass(frozen=True, slots=True)
class Rules:
    """All that the conversion knows, in the order in which it is used."""

    editor: Editor
    heads: HeadFinder
    relations: Relations
    outside: frozenset[str]
    infinitive: frozenset[str]


@cache
def rules() -> Rules:
    """Read the tables, once.

    Raises:
        ResourceError: A table is missing or damaged.
        GrammarError: A pattern cannot be read.
    """
    words, tests, heads = map(read, ("words", "nodes", "heads"))
    edits, expressions = read("edits"), read("expressions")
    lists = words["lists"]
    patterns = Patterns(
        lists,
        {**tests["tests"], **heads["tests"], **edits["tests"]},
        {**words["spelled"], **edits["spelled"]},
    )
    return Rules(
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
        Relations(
            [
                read_relation(name, card, patterns)
                for name, card in read("relations").items()
            ]
        ),
        frozenset(lists["outside"].split()),
        frozenset(lists["infinitive"].split()),
    )


def read(name: str) -> dict[str, Any]:
    """Read one table.

    Raises:
        ResourceError: It is missing or damaged.
    """
    path = folder() / FOLDER / f"{name}.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ResourceError(f"{path}: cannot be read: {error!r}") from None
