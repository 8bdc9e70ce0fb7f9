"""A basic tree while it is being rewritten: lists by position, from 1.

Position 0 stands for "above the root"; its label is empty, so that it matches
nothing.
"""

from collections.abc import Iterable, Sequence

from spicepy.common.java_hash import buckets
from spicepy.parsing.trees import Edge, Parse


class MutableTree:
    """The heads, labels, tags and lower-case words of one caption."""

    __slots__ = ("heads", "labels", "tags", "words")

    def __init__(self, parse: Parse) -> None:
        self.heads = [0, *parse.heads]
        self.labels = ["", *parse.labels]
        self.tags = ["", *parse.tags]
        self.words = ["", *map(str.lower, parse.words)]
        self.heads[0] = -1

    def edges(self) -> Iterable[Edge]:
        """Return (label, head, position) in the order of positions."""
        return zip(self.labels[1:], self.heads[1:], range(1, len(self.words)))

    def children(self, head: int, label: str | None = None) -> list[int]:
        """Return the positions below `head`, in order; with `label`, only those."""
        heads, labels = self.heads, self.labels
        return [
            child
            for child in range(1, len(heads))
            if heads[child] == head and (label is None or labels[child] == label)
        ]

    def has_children(self, head: int, label: str | None = None) -> bool:
        """Return whether anything hangs below `head` (with that label)."""
        if label is None:
            return head in self.heads
        return bool(self.children(head, label))

    def replace(self, old: int, new: int) -> None:
        """Replace `old` by `new`, which gets its head and all its dependents."""
        heads = self.heads
        heads[new] = heads[old]
        for child, head in enumerate(heads):
            if head == old and child != new:
                heads[child] = new

    def join(self, members: Sequence[int], noun: int, label: str) -> None:
        """Hang `members` on `noun` as one expression: first word, then mwe."""
        first, *others = members
        self.heads[first], self.labels[first] = noun, label
        for other in others:
            self.heads[other], self.labels[other] = first, "mwe"

    def expression(self, first: int) -> str:
        """Return the word and its mwe words, joined by "_"."""
        if "mwe" not in self.labels:
            return self.words[first]
        parts = [first, *self.children(first, "mwe")]
        return "_".join(self.words[part] for part in parts)

    def hash_order(self, head: int, children: list[int]) -> list[int]:
        """Return `children` of `head` in the order of a hash map keyed by position.

        The original keeps them in such a map: up to 12 entries, position 16
        comes before position 8. Where the last of two case markers names the
        preposition, this decides.
        """
        places = buckets(self.heads.count(head))
        return sorted(children, key=lambda child: child % places)
