"""Trees as nested values: easy to take apart and to put together in another way."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from spicepy.words.morphology import lemmatize

if TYPE_CHECKING:
    from training.parser.convert import Row

MODIFIERS = {"det", "amod", "compound", "nummod", "nmod:poss", "case", "neg"}
"""Words and phrases before a noun."""


@dataclass(frozen=True)
class Node:
    """A word with its dependents on both sides, in order."""

    word: str
    tag: str
    label: str
    left: tuple["Node", ...] = ()
    right: tuple["Node", ...] = ()

    @property
    def children(self) -> tuple["Node", ...]:
        """All dependents."""
        return self.left + self.right

    @property
    def is_noun(self) -> bool:
        """Whether it is a common noun, and a phrase of its own."""
        left = {x.label for x in self.left}
        return self.tag in ("NN", "NNS") and left <= MODIFIERS

    @property
    def is_plural(self) -> bool:
        """Whether a verb with it as its subject is plural."""
        return (
            self.tag == "NNS"
            or self.word in ("people", "sheep")
            or any(x.label == "conj" for x in self.right)
        )


def leaf(word: str, tag: str, label: str) -> Node:
    """Return a word alone."""
    return Node(word, tag, label)


def tree(rows: "list[Row]") -> Node:
    """Turn rows into a tree."""

    def node(at: int) -> Node:
        word, tag, _, _, label = rows[at]
        below = [n for n, row in enumerate(rows) if row[3] == at + 1]
        left, right = (
            tuple(node(n) for n in below if before == (n < at))
            for before in (True, False)
        )
        return Node(word, tag, label, left, right)

    return node(next(n for n, row in enumerate(rows) if row[3] == 0))


def rows(top: Node) -> "list[Row]":
    """Turn a tree into rows."""
    found: list[tuple[Node, Node | None]] = []

    def walk(node: Node, head: Node | None) -> None:
        for child in node.left:
            walk(child, node)
        found.append((node, head))
        for child in node.right:
            walk(child, node)

    walk(replace(top, label="root"), None)
    # A node is the same object only once: heads are found by identity.
    place = {id(node): at for at, (node, _) in enumerate(found, 1)}
    return [
        (
            x.word,
            x.tag,
            lemmatize(x.word, x.tag),
            place[id(head)] if head else 0,
            x.label,
        )
        for x, head in found
    ]


def has_case(node: Node, words: Iterable[str]) -> bool:
    """Return whether a noun has one of these prepositions, and no other."""
    cases = [x.word for x in node.left if x.label == "case"]
    return len(cases) == 1 and cases[0] in words


def fresh(node: Node) -> Node:
    """Copy a tree, so that each node is an object of its own."""
    left, right = (tuple(map(fresh, side)) for side in (node.left, node.right))
    return replace(node, left=left, right=right)
