"""Trees as the parser made them in, trees reshaped for the relations out.

The steps are in `edits.toml` and `expressions.toml`. A step names a node by a pattern
and what is done there by some words (`reshaping`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from spicepy.parsing.conversion.linked import Linked, nodes
from spicepy.parsing.conversion.patterns import Matcher, Patterns, base
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


class Editor:
    """Applies the steps of a grammar to a tree, in order."""

    def __init__(self, edits: tuple[Edit, ...]) -> None:
        self._edits = edits
        self._for: dict[frozenset[str], tuple[tuple[int, Edit], ...]] = {}

    def edit(self, top: Linked) -> None:
        """Reshape a tree: labels without tags of function, then each step."""
        for node in nodes(top):
            node.label = plain_label(node.label)
        found = list(nodes(top))
        labels = frozenset(node.label for node in found)
        done = -1
        while True:
            for number, edit in self._possible(labels):
                if number > done and apply(edit, found, top):
                    break
            else:
                return
            done = number
            found = list(nodes(top))
            labels = frozenset(node.label for node in found)

    def _possible(self, labels: frozenset[str]) -> tuple[tuple[int, Edit], ...]:
        """Return the steps with a label that occurs in the tree."""
        known = self._for.get(labels)
        if known is None:
            known = self._for[labels] = tuple(
                (number, edit)
                for number, edit in enumerate(self._edits)
                if any(edit.at.labels[label] for label in labels)
            )
        return known


def apply(edit: Edit, found: list[Linked], top: Linked) -> bool:
    """Apply a step until no node matches; tell whether one did."""
    changed = False
    at = 0
    while at < len(found):
        if edit.at(found[at]):
            for operation in edit.do:
                operation(found[at])
            found = list(nodes(top))
            changed = True
            at = 0
        else:
            at += 1
    return changed


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
