"""The parser's trees, reshaped for the relations.

The steps are in `edits.toml` and `expressions.toml`. A step names a node by a pattern
and what is done there by some words (`reshaping`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from spicepy.parsing.conversion.labels import Test, base
from spicepy.parsing.conversion.linked import Linked, nodes
from spicepy.parsing.conversion.patterns import Matcher, Patterns
from spicepy.parsing.conversion.reshaping import Operation, read_operation


@dataclass(frozen=True, slots=True)
class Edit:
    """One step: the nodes that it is for and what it does to them."""

    id: str
    at: Matcher
    do: tuple[Operation, ...]


def read_edit(card: Mapping[str, Any], patterns: Patterns) -> Edit:
    """Compile a card of `edits.toml`."""
    return Edit(
        card["id"],
        patterns.matcher(card["at"]),
        tuple(read_operation(text) for text in card["do"]),
    )


Steps = tuple[tuple[int, Test | None], ...]
"""Steps that a node may match: their numbers, and what must hold beside the label."""


class Editor:
    """Applies the steps of a grammar to a tree, in order."""

    def __init__(self, edits: tuple[Edit, ...]) -> None:
        """Take the steps."""
        self.edits = edits
        self._words = frozenset[str]().union(*(edit.at.words or () for edit in edits))
        self._of: dict[tuple[str, str | None], Steps] = {}

    def edit(self, top: Linked) -> None:
        """Reshape a tree: labels without tags of function, then each step."""
        for node in nodes(top):
            node.label = plain_label(node.label)
        number = self._next(top, 0)
        while number is not None:
            apply(self.edits[number], top)
            number = self._next(top, number + 1)

    def _next(self, top: Linked, start: int) -> int | None:
        """Return the first step from `start` on that some node matches."""
        first = len(self.edits)
        for node in nodes(top):
            key = node.label, node.text if node.text in self._words else None
            steps = self._of.get(key)
            if steps is None:
                steps = self._of[key] = self._steps(*key)
            for number, rest in steps:
                if number >= first:
                    break
                if number >= start and (rest is None or rest(node, node)):
                    first = number
                    break
        return first if first < len(self.edits) else None

    def _steps(self, label: str, word: str | None) -> Steps:
        """Return the steps for nodes with a label and a word, in order."""
        return tuple(
            (number, edit.at.rest)
            for number, edit in enumerate(self.edits)
            if edit.at.labels[label]
            and (edit.at.words is None or word in edit.at.words)
        )


def apply(edit: Edit, top: Linked) -> None:
    """Apply a step at the first node that matches, until none does."""
    while True:
        node = next(filter(edit.at, nodes(top)), None)
        if node is None:
            return
        for operation in edit.do:
            operation(node)


@cache
def plain_label(label: str) -> str:
    """Return a label without tags of function, but for times and adverbs.

    >>> plain_label("NP-SBJ"), plain_label("NP-TMP")
    ('NP', 'NP-TMP')
    """
    if label.startswith(("NP", "UCP")):
        for tag in ("-TMP", "-ADV"):
            if tag in label:
                return base(label) + tag
    return base(label)
