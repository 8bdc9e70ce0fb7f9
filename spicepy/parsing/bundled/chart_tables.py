"""Columns of numbers that grow, and the places of each span and group in them.

In: numbers by span and group. Out: the columns, and where those of each pair begin.

Sections that belong to it:

* A table of whole numbers and their values, which is looked up by arrays.
* The tags and phrases that a network's scores leave open.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.bundled.arithmetic import Bools, Ints
from spicepy.parsing.bundled.scores import Group

Numbers = NDArray[np.integer[Any]]


class Columns:
    """Numbers of 32 bits in columns that grow at the end.

    They are too many for the cache: half the room is a tenth of the chart's time.

    Args:
        columns: The number of columns.
    """

    def __init__(self, columns: int) -> None:
        self.size = 0
        self._numbers = np.empty((columns, 1 << 16), np.int32)

    def add(self, *columns: Numbers) -> None:
        """Add entries, one array a column."""
        begin, self.size = self.size, self.size + len(columns[0])
        while self.size > self._numbers.shape[1]:
            self._numbers = np.concatenate([self._numbers] * 2, axis=1)
        for row, values in zip(self._numbers, columns, strict=True):
            row[begin : self.size] = values

    def all(self) -> NDArray[np.int32]:
        """Return (columns, entries)."""
        return self._numbers[:, : self.size]


class SpanTable:
    """Entries of spans and groups; those of one span and group follow each other.

    Args:
        spans, groups: Their numbers.
        columns: The number of values of an entry.

    Attributes:
        entries: The numbers.
        begins, counts: (spans x groups,) where the entries of a span and group are.
        there: (spans, groups) whether there are any.
        filled: (spans,) whether there are any.
    """

    def __init__(self, spans: int, groups: int, columns: int) -> None:
        self.entries = Columns(columns)
        self.begins, self.counts = np.zeros((2, spans * groups), np.int32)
        self.there = np.zeros((spans, groups), bool)
        self.filled = np.zeros(spans, bool)

    def add(self, keys: Ints, *columns: Numbers) -> None:
        """Add entries that are sorted by their keys: span x groups + group."""
        first = first_of(keys)
        spans = keys[first]
        self.begins[spans] = first + self.entries.size
        self.counts[spans] = np.append(first[1:], len(keys)) - first
        self.there.ravel()[spans] = True
        self.filled[spans // self.there.shape[1]] = True
        self.entries.add(*columns)


def first_of(keys: Ints) -> Ints:
    """Return where each of sorted keys begins."""
    new = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    return np.flatnonzero(new)


def expanded(sizes: Numbers) -> tuple[Ints, Ints]:
    """Return for each n, as often as its size, n and a number from 0."""
    which = np.repeat(np.arange(len(sizes)), sizes)
    begins = np.cumsum(sizes) - sizes
    return which, np.arange(len(which)) - begins[which]


# A table of whole numbers and their values, which is looked up by arrays.
#
# In: whole numbers. Out: whether they are known, and their values.

KEY_BITS: Final = 32
SPREAD: Final = np.uint32(0x9E3779B1)
"""Knuth (1973, section 6.4): 2 ** 32 by the golden ratio scatters numbers evenly."""
ROOM: Final = 4
"""The number of places of the table for each key, at least: most searches end at the
first one."""


class Lookup:
    """A hash table for many numbers at a time, several times as fast as bisection.

    Numbers are looked for as `scattered` makes them; of a sum, both parts can be
    scattered before they are added up, since it is all modulo 2 ** 32.

    Args:
        keys: Different whole numbers from 1 to less than 2 ** 32.
        values: The value of each key.
    """

    def __init__(self, keys: Ints, values: Ints) -> None:
        if keys.max(initial=0) >> KEY_BITS:
            raise ValueError(f"key {keys.max()}; {KEY_BITS} bits hold less")
        bits = max(1, (len(keys) * ROOM - 1).bit_length())
        self._shift = np.uint32(KEY_BITS - bits)
        # Behind the last place there is room for what would begin anew at the first.
        # No key is scattered to 0.
        self._keys = np.zeros((1 << bits) + len(keys) + 1, np.uint32)
        self._values = np.zeros(len(self._keys), np.intp)
        wanted = scattered(keys)
        place, left = self._first(wanted), np.arange(len(keys))
        while len(left):
            free = left[self._keys[place[left]] == 0]
            self._keys[place[free]] = wanted[free]
            left = left[self._keys[place[left]] != wanted[left]]
            place[left] += 1
        self._values[place] = values

    def find(self, wanted: NDArray[np.uint32]) -> tuple[Ints, Ints]:
        """Return the places of known numbers among scattered ones, and their values."""
        place = self._first(wanted)
        seen = self._keys.take(place)
        same = seen == wanted
        left = np.flatnonzero((seen != 0) & ~same)
        while len(left):
            place[left] += 1
            seen, sought = self._keys[place[left]], wanted[left]
            same[left[seen == sought]] = True
            left = left[(seen != 0) & (seen != sought)]
        known = np.flatnonzero(same)
        return known, self._values.take(place.take(known))

    def _first(self, wanted: NDArray[np.uint32]) -> Ints:
        """Return the place at which the search for each number begins."""
        return (wanted >> self._shift).astype(np.intp)


def scattered(keys: Ints) -> NDArray[np.uint32]:
    """Return the numbers that stand for keys in the table."""
    return keys.astype(np.uint32) * SPREAD


# The tags and phrases that a network's scores leave open.
#
# In: sentences with a network's scores. Out: their tags and heads that score little
# less than the best.

MOST_TAGS: Final = 4
"""The number of tags that a word may have open."""


@dataclass(frozen=True, slots=True)
class CandidateChoices:
    """The choices that are left open in sentences.

    Attributes:
        sentences: Their words.
        tags: The open tags of each word.
        spans: (sentences, words of the longest + 1, the same) whether the words from
            one place to before another may be a phrase.
    """

    sentences: list[list[str]]
    tags: list[list[list[str]]]
    spans: Bools

    @classmethod
    def joined(cls, parts: Sequence["CandidateChoices"]) -> "CandidateChoices":
        """Put sentences of several lengths together."""
        most = max(part.spans.shape[1] for part in parts)
        return cls(
            [words for part in parts for words in part.sentences],
            [tags for part in parts for tags in part.tags],
            np.concatenate([_padded(part.spans, most) for part in parts]),
        )


def _padded(spans: Bools, places: int) -> Bools:
    more = places - spans.shape[1]
    return np.pad(spans, ((0, 0), (0, more), (0, more)))


def open_choices(
    group: Group, tags: list[str], tag: float, head: float
) -> CandidateChoices:
    """Return the tags and heads that score little less than the best.

    Args:
        group: Sentences with scores.
        tags: Names of tags.
        tag: The difference to the best score that a tag may have, in nats.
        head: The difference to the best score that a head may have, in nats.
    """
    scores = group.scores
    assert scores is not None
    opened = scores.tags > scores.tags.max(axis=2, keepdims=True) - tag
    named = [[[tags[n]] for n in row] for row in scores.tags.argmax(axis=2).tolist()]
    # Few words have several.
    several = np.nonzero(opened.sum(axis=2) > 1)
    best = np.argsort(-scores.tags[several], axis=1, kind="stable")[:, :MOST_TAGS]
    kept = np.take_along_axis(opened[several], best, axis=1)
    rows = zip(*(numbers.tolist() for numbers in (*several, best, kept)))
    for sentence, place, own, which in rows:
        named[sentence][place] = [tags[n] for n in compress(own, which)]
    arcs = scores.arcs > scores.arcs.max(axis=2, keepdims=True) - head
    return CandidateChoices(
        [list(words) for words in group.sentences], named, open_spans(arcs)
    )


def open_spans(arcs: Bools) -> Bools:
    """Return which spans may be a phrase: at most one word has no open head inside.

    Args:
        arcs: (sentences, words, words + 1) open heads, head 0 is the root.
    """
    count, words, _ = arcs.shape
    spans = np.zeros((count, words + 1, words + 1), bool)
    # Open heads before each place, the root's not counted.
    before = np.zeros((count, words, words + 1), np.int16)
    before[:, :, 1:] = arcs[:, :, 1:].cumsum(axis=2)
    all_heads = before[:, :, -1:] + arcs[:, :, :1]
    before_end = np.tri(words, dtype=bool).T
    for begin in range(words):
        ending = before_end[begin:, begin:]
        inside = before[:, begin:, begin + 1 :] - before[:, begin:, begin : begin + 1]
        alone = ((inside == 0) & ending).sum(axis=1) <= 1
        outside = ((all_heads[:, begin:] > inside) & ending).any(axis=1)
        spans[:, begin, begin + 1 :] = alone & outside
    spans[:, 0, words] = True
    spans[:, np.arange(words), np.arange(words) + 1] = True
    return spans
