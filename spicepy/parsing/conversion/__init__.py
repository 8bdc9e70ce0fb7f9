"""Trees of phrases to basic dependencies, as the original converts them.

    (NP (NP DT NN) (PP IN (NP NN)))     a tree (`trees`) and its words

    editing        reshapes the tree: expressions of several words, flat coordinations
    heads          finds the head of each phrase
    relations      links head words by patterns of phrases
    finishing      links what is left, chooses the root, settles labels

    2 0 4 2, det root case nmod

Tables (`grammars/english-pcfg`) define heads, expressions and relations in a small
language of patterns (`syntax`, `patterns`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from spicepy.common.resources import read_table
from spicepy.parsing.conversion.editing import Editor, read_edit
from spicepy.parsing.conversion.heads import HeadFinder, read_special
from spicepy.parsing.conversion.patterns import Patterns
from spicepy.parsing.conversion.relations import (
    Infinitives,
    Labelled,
    RelationFinder,
    finish,
    read_relation,
    settle,
)
from spicepy.parsing.conversion.trees import (
    Node,
    link,
    nodes,
    read_brackets,
    write_brackets,
)

# The heads and labels of a tree of phrases.
#
# In: a tree of phrases and its words; the rules in the tables of `grammars/english-
# pcfg`, compiled when they are first needed. Out: heads and labels.

FOLDER = "english-pcfg"


@dataclass(frozen=True, slots=True)
class ConversionRules:
    """All data of the conversion, in the order in which they are used."""

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


def dependencies(
    root: Node, words: Sequence[str], tags: Sequence[str] | None = None
) -> tuple[list[int], list[str]]:
    """Convert a tree of phrases to basic dependencies (Universal Dependencies v1).

    Args:
        root: The tree, with or without a node ROOT above it.
        words: Its words, in order.
        tags: Tags that decide which words stay outside the tree and which are
            question words; by default those of the tree.

    Returns:
        The head of each word, as a position from 1, 0 for the root and -1 for a word
        outside the tree (a mark), and the label of each word ("_" outside).
    """
    grammar = rules()
    top = link(root, words)
    if tags is None:
        tags = [node.label for node in nodes(top) if not node.children]
    outside = frozenset(i for i, tag in enumerate(tags) if tag in grammar.outside)
    grammar.editor.edit(top)
    grammar.heads.find(top)
    linked = grammar.relations.edges(top, outside)
    edges = {
        (governor, word): grammar.relations.label(linked.labels[word])
        for word, governor in linked.governor.items()
    }
    root_word = finish(top, edges, outside)
    settle(edges, words, tags, grammar.infinitives)
    return written(edges, root_word, len(words))


def written(
    edges: Labelled, root: int | None, size: int
) -> tuple[list[int], list[str]]:
    """Return the head and label of each word; of two governors the later one counts."""
    heads = [-1] * size
    labels = ["_"] * size
    if root is not None:
        heads[root], labels[root] = 0, "root"
    for (governor, word), label in sorted(edges.items()):
        heads[word], labels[word] = governor + 1, label
    return heads, labels


__all__ = [
    "Node",
    "dependencies",
    "read_brackets",
    "write_brackets",
]
