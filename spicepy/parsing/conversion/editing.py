"""The parser's trees, reshaped for the relations.

The steps are in `edits.toml` and `expressions.toml`. A step names a node by a pattern
and what is done there by some words (`OPERATIONS`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from spicepy.parsing.conversion import coordination
from spicepy.parsing.conversion.labels import Test, base
from spicepy.parsing.conversion.linked import Linked, adopt, group, nodes, replace
from spicepy.parsing.conversion.patterns import Matcher, Patterns

Operation = Callable[[Linked], None]


@dataclass(frozen=True, slots=True)
class Edit:
    """One step: the nodes that it concerns and its operations."""

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


def read_operation(text: str) -> Operation:
    """Return the function that the words of an operation stand for.

    Raises:
        KeyError: There is no such operation.
    """
    name, *rest = text.split()
    if text in WHOLE:
        return WHOLE[text]
    return OPERATIONS[name](*rest)


def wrap(which: str, label: str) -> Operation:
    """Put nodes below a new phrase.

    `which` is the number of nodes from this one on, "next" for the next sister alone,
    "right" for all sisters after this node, or "all" for these and the node.
    """

    def operation(node: Linked) -> None:
        mother, place = mother_of(node), node.place
        if which == "next":
            group(mother, place + 1, place + 2, label)
        elif which == "right":
            group(mother, place + 1, len(mother.children), label)
        elif which == "all":
            group(mother, place, len(mother.children), label)
        else:
            group(mother, place, place + int(which), label)

    return operation


def relabel(*words: str) -> Operation:
    """Give a node, or its mother, another label; `PP~` keeps a tag of function."""
    new = words[-1]

    def operation(node: Linked) -> None:
        target = mother_of(node) if words[0] == "mother" else node
        kept = target.label[len(base(target.label)) :] if new.endswith("~") else ""
        target.label = new.removesuffix("~") + kept

    return operation


def dissolve(which: str = "") -> Operation:
    """Put the children of a node in its place; of its next sister or nth child."""

    def operation(node: Linked) -> None:
        target = node
        if which == "next":
            target = mother_of(node).children[node.place + 1]
        elif which:
            target = node.children[int(which) - 1]
        replace(target, target.children)

    return operation


def into_next(node: Linked) -> None:
    """Make a node the first child of its next sister."""
    following = mother_of(node).children[node.place + 1]
    replace(node, [])
    following.children.insert(0, node)
    adopt(following)


def join_previous(node: Linked) -> None:
    """Move the children of a node to the end of its previous sister."""
    previous = mother_of(node).children[node.place - 1]
    previous.children += node.children
    adopt(previous)
    replace(node, [])


def mother_of(node: Linked) -> Linked:
    """Return the mother of a node that has one."""
    assert node.mother is not None
    return node.mother


WHOLE: Final[Mapping[str, Operation]] = {
    "into next": into_next,
    "join previous": join_previous,
    "conjoin": coordination.conjoin,
    "divide": coordination.divide,
    "divide but also": coordination.divide_but_also,
}

OPERATIONS: Final[Mapping[str, Callable[..., Operation]]] = {
    "wrap": wrap,
    "relabel": relabel,
    "dissolve": dissolve,
}
