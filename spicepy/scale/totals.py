"""The sums of rows that were counted in blocks, to the last bit as of one array.

In: the rows of the blocks, in order. Out: what `numpy.concatenate(rows).sum(axis=0)`
gives, with one block in memory.

numpy adds the rows of several columns one after the other. A single column it adds
pairwise: it halves the column (the first half a multiple of 8) until at most 128
numbers are left. Both orders are followed here.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from spicepy.metrics.base import Array

_LEAF: Final = 1 << 13
"""Numbers that numpy adds at once; from 128 on any number is right."""


def total(parts: Iterable[Array], images: int) -> Array:
    """The sum of rows over all images.

    Args:
        parts: Rows of consecutive blocks, (images, columns) each.
        images: How many rows there are in all.

    Returns:
        Shape (columns,).
    """
    arriving = iter(parts)
    first = next(arriving)
    if first.shape[1] == 1:
        column = _Column(first, arriving)
        return np.array([column.pairwise(images)])
    found: Array = first.sum(axis=0)
    for rows in arriving:
        found = np.concatenate([found[None], rows]).sum(axis=0)
    return found


class _Column:
    """A column that arrives in parts."""

    def __init__(self, first: Array, rest: Iterator[Array]) -> None:
        self._held, self._rest = first[:, 0], rest

    def pairwise(self, size: int) -> float:
        """The sum of the next `size` numbers."""
        if size <= _LEAF:
            return float(self._take(size).sum())
        half = size // 2
        half -= half % 8
        return self.pairwise(half) + self.pairwise(size - half)

    def _take(self, size: int) -> Array:
        parts, missing = [self._held[:size]], size - len(self._held)
        self._held = self._held[size:]
        while missing > 0:
            rows = next(self._rest)[:, 0]
            parts.append(rows[:missing])
            self._held = rows[missing:]
            missing -= len(parts[-1])
        return np.concatenate(parts)
