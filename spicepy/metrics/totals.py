"""The sums of rows of statistics: the one order in which they are added.

In: rows of statistics, whole or in the blocks in which they were counted. Out: the sum
of each column, with the bits of `numpy.sum` of that column alone, whatever the other
columns are. A mean of scores then has the bits of `numpy.mean`, by which pycocoevalcap
computes the scores of a corpus, and all ways to compute a corpus score (in memory, in
blocks, by `spicepy.compat`) agree.

numpy adds a column pairwise: it halves the column (the first half a multiple of 8)
until at most 128 numbers are left.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from spicepy.metrics.base import Array

_LEAF: Final = 1 << 13
"""Numbers that numpy adds at once; from 128 on any number is right."""


def total(rows: Array) -> Array:
    """Return the sum of rows over all images: (images, columns) -> (columns,)."""
    columns = np.ascontiguousarray(rows.T)
    return np.array([column.sum() for column in columns], np.float64)


def total_of_parts(parts: Iterable[Array], images: int) -> Array:
    """Return `total` of all rows with little more than one part in memory.

    Args:
        parts: Rows of consecutive blocks, (images, columns) each.
        images: The number of rows of all parts.

    Returns:
        Shape (columns,).
    """
    return _Rows(iter(parts)).pairwise(images)


class _Rows:
    """Rows that arrive in parts."""

    def __init__(self, parts: Iterator[Array]) -> None:
        self._held, self._rest = next(parts), parts

    def pairwise(self, size: int) -> Array:
        """Return the sum of the next `size` rows."""
        if size <= _LEAF:
            return total(self._take(size))
        half = size // 2
        half -= half % 8
        first = self.pairwise(half)
        return first + self.pairwise(size - half)

    def _take(self, size: int) -> Array:
        parts, missing = [self._held[:size]], size - len(self._held)
        self._held = self._held[size:]
        while missing > 0:
            rows = next(self._rest)
            parts.append(rows[:missing])
            self._held = rows[missing:]
            missing -= len(parts[-1])
        return np.concatenate(parts)
