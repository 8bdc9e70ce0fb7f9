"""Trees of phrases and their text: `(NP (NP DT NN) (PP IN (NP NN)))`.

A leaf is a tag. Its word is the one at its position in the sentence, which is not part
of the tree; examples may write it behind the tag: `(NP DT/a NN/dog)`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from spicepy.common.errors import InputError, brief


class Node(NamedTuple):
    """A phrase (`word` is -1), or a tag with the position of its word from 0."""

    label: str
    children: "tuple[Node, ...]" = ()
    word: int = -1


def read_brackets(text: str) -> Node:
    """Read a tree whose leaves are tags, with or without words.

    >>> read_brackets("(NP DT NN)")
    Node(label='NP', children=(Node(label='DT', children=(), word=0), \
Node(label='NN', children=(), word=1)), word=-1)
    """
    return read_example(text)[0]


def read_example(text: str) -> tuple[Node, list[str]]:
    """Read a tree and the words behind its tags; a tag alone has the word "".

    >>> read_example("(NP DT/a NN/dog)")[1]
    ['a', 'dog']
    """
    words: list[str] = []
    top: list[Node] = []
    labels: list[str] = []
    above: list[list[Node]] = []
    children = top
    for token in _TOKEN.findall(text):
        if token == ")":
            if not above or not children:
                raise InputError(f"brackets do not match in {brief(text)}")
            phrase = Node(labels.pop(), tuple(children))
            children = above.pop()
            children.append(phrase)
        elif token.startswith("("):
            labels.append(token[1:])
            above.append(children)
            children = []
        else:
            tag, _, word = token.partition("/")
            children.append(Node(tag, (), len(words)))
            words.append(word)
    if above or len(top) != 1:
        raise InputError(f"not one tree: {brief(text)}")
    return top[0], words


_TOKEN = re.compile(r"\([^\s()]*|\)|[^\s()]+")


def write_brackets(node: Node) -> str:
    """Write a tree as text, without words.

    >>> write_brackets(read_brackets("(NP DT/a NN/dog)"))
    '(NP DT NN)'
    """
    if not node.children:
        return node.label
    return f"({node.label} {' '.join(map(write_brackets, node.children))})"


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
