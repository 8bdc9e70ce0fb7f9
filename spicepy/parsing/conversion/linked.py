"""Trees as the conversion reshapes them: nodes linked to their mothers and sisters."""

from collections.abc import Sequence
from typing import Final

from spicepy.parsing.conversion.trees import Node

ROOT: Final = "ROOT"


class Linked:
    """A phrase or tag with its mother and its place among its sisters.

    `form` is the word of a tag as written, `text` the same in lower case; both are
    None for a phrase. `test_head` and `head` are children (see `heads`), `leaf` is
    the tag of the head word; they are set once the tree has its final shape.
    """

    __slots__ = (
        "children",
        "form",
        "head",
        "label",
        "leaf",
        "mother",
        "place",
        "test_head",
        "text",
        "word",
    )

    label: str
    children: "list[Linked]"
    mother: "Linked | None"
    place: int
    word: int
    form: str | None
    text: str | None
    head: "Linked | None"
    test_head: "Linked | None"
    leaf: "Linked"

    def __init__(self, label: str, children: "list[Linked]") -> None:
        self.label = label
        self.children = children
        self.mother = None
        self.place = 0
        self.word = -1
        self.form = self.text = None
        self.head = self.test_head = None
        adopt(self)

    def __repr__(self) -> str:
        """Show the tree in brackets."""
        if not self.children:
            return f"{self.label}/{self.form}"
        return f"({self.label} {' '.join(map(repr, self.children))})"


def adopt(mother: Linked) -> None:
    """Set the mother and the places of the children of a phrase."""
    for place, child in enumerate(mother.children):
        child.mother = mother
        child.place = place


def link(root: Node, words: Sequence[str]) -> Linked:
    """Copy a tree into linked nodes, below one node ROOT."""
    top = _link(root, words)
    if root.label in ("", ROOT, "TOP"):
        top.label = ROOT
        return top
    return Linked(ROOT, [top])


def _link(node: Node, words: Sequence[str]) -> Linked:
    label, children, word = node
    below = []
    for child in children:
        below.append(_link(child, words))
    copy = Linked(label, below)
    if word >= 0:
        copy.word = word
        copy.form = words[word]
        copy.text = copy.form.lower()
        copy.leaf = copy
    return copy


def nodes(top: Linked) -> list[Linked]:
    """Return the nodes of a tree, mothers before children, from left to right."""
    nodes: list[Linked] = []
    _collect(top, nodes)
    return nodes


def _collect(node: Linked, nodes: list[Linked]) -> None:
    nodes.append(node)
    for child in node.children:
        if child.children:
            _collect(child, nodes)
        else:
            nodes.append(child)


def group(mother: Linked, start: int, end: int, label: str) -> Linked:
    """Put the children of a phrase from `start` to `end` below a new phrase there."""
    phrase = Linked(label, mother.children[start:end])
    mother.children[start:end] = [phrase]
    adopt(mother)
    return phrase


def replace(node: Linked, others: "list[Linked]") -> None:
    """Put other nodes in the place of a node."""
    mother = node.mother
    assert mother is not None
    mother.children[node.place : node.place + 1] = others
    adopt(mother)
