"""Columns of numbers that grow, and the places of each span and group in them.

In: numbers by span and group. Out: the columns, and where those of each pair begin.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.bundled.arithmetic import Ints

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
