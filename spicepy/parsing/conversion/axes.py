"""Ways from a node of a tree to others: its children, its sisters, its mother."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from spicepy.parsing.conversion.labels import Labels
from spicepy.parsing.conversion.linked import Linked

Nodes = Sequence[Linked]


def through(labels: Labels) -> Callable[[Linked], Nodes]:
    """Return the axis of children, and children of children with such labels."""

    def reached(node: Linked) -> Nodes:
        nodes = list(node.children)
        for child in node.children:
            if labels[child.label]:
                nodes += reached(child)
        return nodes

    return reached


def children(node: Linked) -> Nodes:
    """Return the children of a node."""
    return node.children


def left(node: Linked) -> Nodes:
    """Return the sisters before a node."""
    return node.mother.children[: node.place] if node.mother else ()


def right(node: Linked) -> Nodes:
    """Return the sisters after a node."""
    return node.mother.children[node.place + 1 :] if node.mother else ()


def sisters(node: Linked) -> Nodes:
    """Return the other children of a node's mother."""
    return [*left(node), *right(node)]


def within(node: Linked) -> Nodes:
    """Return all nodes below a node."""
    nodes = list(node.children)
    for child in node.children:
        nodes += within(child)
    return nodes


def opening(node: Linked) -> Nodes:
    """Return the first child of a node, its first child, and so on."""
    nodes = []
    while node.children:
        node = node.children[0]
        nodes.append(node)
    return nodes


def ending(node: Linked) -> Nodes:
    """Return the last child of a node, its last child, and so on."""
    nodes = []
    while node.children:
        node = node.children[-1]
        nodes.append(node)
    return nodes


def heads(node: Linked) -> Nodes:
    """Return the test head of a node, its test head, and so on, down to a tag."""
    nodes = []
    while node.test_head is not None:
        node = node.test_head
        nodes.append(node)
    return nodes


def child_at(place: int) -> Callable[[Linked], Linked | None]:
    """Return the step to the child at a place."""

    def step(node: Linked) -> Linked | None:
        return node.children[place] if place < len(node.children) else None

    return step


def last(node: Linked) -> Linked | None:
    """Return the last child of a node."""
    return node.children[-1] if node.children else None


def only(node: Linked) -> Linked | None:
    """Return the only child of a node."""
    return node.children[0] if len(node.children) == 1 else None


def following(node: Linked) -> Linked | None:
    """Return the sister directly after a node."""
    if node.mother is None or node.place + 1 == len(node.mother.children):
        return None
    return node.mother.children[node.place + 1]


def previous(node: Linked) -> Linked | None:
    """Return the sister directly before a node."""
    if node.mother is None or node.place == 0:
        return None
    return node.mother.children[node.place - 1]


SINGLE: Final[Mapping[str, Callable[[Linked], Linked | None]]] = {
    "first": child_at(0),
    "second": child_at(1),
    "third": child_at(2),
    "last": last,
    "only": only,
    "next": following,
    "prev": previous,
    "mother": lambda node: node.mother,
    "head": lambda node: node.test_head,
}
"""Axes with at most one node; `head` is the test head."""

SEVERAL: Final[Mapping[str, Callable[[Linked], Nodes]]] = {
    "child": children,
    "left": left,
    "right": right,
    "sister": sisters,
    "within": within,
    "opening": opening,
    "ending": ending,
    "heads": heads,
}
"""Axes with any number of nodes."""
