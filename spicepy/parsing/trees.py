"""Dependency trees, which a parser makes of captions."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from spicepy.common.java_hash import buckets
from spicepy.words.morphology import lemmatize

Edge = tuple[str, int, int]
"""(label, head, dependent); positions count from 1, 0 governs the root."""


class Annotations(NamedTuple):
    """A model's annotations of a sentence, one entry per word."""

    # A head is a position from 1, 0 for the root.
    tags: tuple[str, ...] = ()
    heads: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parse:
    """The basic dependency tree of one caption; all tuples have equal length.

    `heads[i]` is the position (from 1) of the head of token i + 1, 0 for a
    root; `labels[i]` is the label of that edge ("root" for a root).
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]


def is_tree(heads: Sequence[int]) -> bool:
    """Return whether every token has a head and every way up ends at the root."""
    reach = {0}
    for token in range(1, len(heads) + 1):
        way = set[int]()
        while token not in reach:
            if token in way or not 0 < token <= len(heads):
                return False
            way.add(token)
            token = heads[token - 1]
        reach |= way
    return True


def with_lemmas(words: Sequence[str], analysis: Annotations) -> Parse:
    """Add the lemmas of words with the tags that they have."""
    tags, heads, labels = analysis
    return Parse(tuple(words), tags, tuple(map(lemmatize, words, tags)), heads, labels)


# A basic tree while it is being rewritten: lists by position, from 1.
#
# Position 0 stands for "above the root"; its label is empty, so that it matches
# nothing.


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
        """Return `children` of `head` in the order of a hash map keyed by position."""
        # The original keeps them in such a map: up to 12 entries, position 16 comes
        # before position 8. Where the last of two case markers names the preposition,
        # this decides.
        size = buckets(self.heads.count(head))
        return sorted(children, key=lambda child: child % size)


# Punctuation marks out of a caption before parsing, and into its tree after.
#
# The bundled parsers were trained on words in lower case, and of punctuation marks on
# the comma at most. So they get words in lower case, and those that read commas get one
# for each mark at which a reader pauses; other marks hang on the root afterwards.

TAGS: Final = {
    **dict.fromkeys(("''", "'", '"'), "''"),
    **dict.fromkeys(("``", "`"), "``"),
    **dict.fromkeys(("-lrb-", "-lcb-", "-lsb-", "(", "{", "["), "-LRB-"),
    **dict.fromkeys(("-rrb-", "-rcb-", "-rsb-", ")", "}", "]"), "-RRB-"),
    ",": ",",
}
"""Mark -> Penn tag; others are "." where they end a sentence, else ":"."""

PAUSES: Final = frozenset(
    [",", ":", ";", "-", "--", "---", "–", "—", "...", "…", "(", ")"]
    + [f"-{side}{kind}b-" for side in "lr" for kind in "rcs"]
)
"""Marks that are read as commas, lower case."""

COMMA: Final = ","

MARK: Final = re.compile(r"(?:-[lr][rcs]b-|[^\w$%&#@+=/])+")
"""Tokens that are not words; signs that are read aloud ("&", "%") are words."""


@lru_cache(maxsize=100_000)
def mark_tag(word: str) -> str:
    """Return the Penn tag of a punctuation mark (also of several), "" for a word."""
    lower = word.lower()
    if not MARK.fullmatch(lower):
        return ""
    ends = set(lower) <= set(".?!") and lower != "..."
    return TAGS.get(lower) or ("." if ends else ":")


def positions_read(words: Sequence[str], commas: bool) -> list[int]:
    """Return the positions, from 1, of the words, and of commas if they are read."""
    marks = [word.lower() if mark_tag(word) else "" for word in words]
    pauses = PAUSES if commas and not all(marks) else ()
    return [position for position, x in enumerate(marks, 1) if not x or x in pauses]


def drop_unread_marks(words: Sequence[str], positions: Sequence[int]) -> list[str]:
    """Return the words at these positions in lower case, with commas for the marks."""
    read = [words[position - 1] for position in positions]
    return [COMMA if mark_tag(word) else word.lower() for word in read]


def with_punctuation(
    words: Sequence[str], positions: Sequence[int], annotations: Annotations
) -> Annotations:
    """Put the marks that were not read into the analysis of the other words."""
    # These are at `positions`. Marks hang on the root; where no word was read, the
    # first is it. Marks that were read keep their heads.
    tags = [mark_tag(word) for word in words]
    if not any(tags):
        return annotations
    root = positions[annotations.heads.index(0)] if positions else 1
    heads = [root] * len(words)
    labels = ["punct"] * len(words)
    for position, tag, head, label in zip(positions, *annotations, strict=True):
        heads[position - 1] = positions[head - 1] if head else 0
        if not tags[position - 1]:
            tags[position - 1], labels[position - 1] = tag, label
    heads[root - 1], labels[root - 1] = 0, "root"
    return Annotations(tuple(tags), tuple(heads), tuple(labels))
