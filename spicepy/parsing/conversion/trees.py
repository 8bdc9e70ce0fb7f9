"""Trees of phrases: `(NP (NP DT NN) (PP IN (NP NN)))`.

A leaf is a tag. Its word is the one at its position in the sentence, which is not part
of the tree.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple


class Node(NamedTuple):
    """A phrase (`word` is -1), or a tag with the position of its word from 0."""

    label: str
    children: "tuple[Node, ...]" = ()
    word: int = -1


# Trees as the conversion reshapes them: nodes linked to their parents and siblings.

ROOT: Final = "ROOT"


@dataclass(slots=True, eq=False, repr=False)
class Linked:
    """A phrase or tag with its parent and its index among its siblings."""

    # `form` is the word of a tag as written, `text` the same in lower case; both are
    # None for a phrase. `test_head` and `head` are children (see `heads`), `leaf` is
    # the tag of the head word; they are set once the tree has its final shape.
    label: str
    children: "list[Linked]"
    parent: "Linked | None" = field(default=None, init=False)
    index: int = field(default=0, init=False)
    word: int = field(default=-1, init=False)
    form: str | None = field(default=None, init=False)
    text: str | None = field(default=None, init=False)
    head: "Linked | None" = field(default=None, init=False)
    test_head: "Linked | None" = field(default=None, init=False)
    leaf: "Linked" = field(init=False)

    def __post_init__(self) -> None:
        adopt(self)

    def __repr__(self) -> str:
        """Show the tree in brackets."""
        if not self.children:
            return f"{self.label}/{self.form}"
        return f"({self.label} {' '.join(map(repr, self.children))})"


def adopt(parent: Linked) -> None:
    """Set the parent and the indices of the children of a phrase."""
    for index, child in enumerate(parent.children):
        child.parent = parent
        child.index = index


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
    """Return the nodes of a tree, parents before children, from left to right."""
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


def group(parent: Linked, start: int, end: int, label: str) -> Linked:
    """Put the children of a phrase from `start` to `end` below a new phrase there."""
    phrase = Linked(label, parent.children[start:end])
    parent.children[start:end] = [phrase]
    adopt(parent)
    return phrase


def replace(node: Linked, others: "list[Linked]") -> None:
    """Put other nodes in the place of a node."""
    parent = node.parent
    assert parent is not None
    parent.children[node.index : node.index + 1] = others
    adopt(parent)
