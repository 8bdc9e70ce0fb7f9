"""The largest of each group of rows, for many groups at once.

`numpy.maximum.reduceat` along the first axis takes fifty times as long as comparing
whole arrays. Therefore rows are laid out by rank: first the first row of each group,
then the second row of each that has one, and so on, the largest groups in front. The
maximum over ranks is then a few comparisons of whole blocks.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.exact.pcfg import Ints

ROWS: Final = 8
"""Rows of a block; larger groups are cut up, and the maxima of their parts compared."""


class GroupMaximum:
    """The largest value of each group of rows, column by column.

    Attributes:
        order: The rows as they are to be passed: `rows[order]`.
        groups: The groups' numbers in the order of the results.
    """

    def __init__(self, group: Ints) -> None:
        """Lay out rows.

        Args:
            group: The number of the group that each row belongs to, (rows,).
        """
        order = np.argsort(group, kind="stable")
        group = group[order]
        levels: list[tuple[Ints, list[tuple[int, int]]]] = []
        while True:
            place, part = _places(group)
            number = np.cumsum(part) - 1  # of the part of a group
            size = np.bincount(number)
            by_size = np.argsort(-size, kind="stable")
            rank = np.argsort(by_size)[number]  # of a part among parts, by size
            layout = np.lexsort((rank, place % ROWS))
            counts = [int((size > r).sum()) for r in range(int(size.max()))]
            starts = np.cumsum([0, *counts[:-1]]).tolist()
            levels.append((order[layout], list(zip(starts, counts))))
            group = group[part][by_size]
            if len(np.unique(group)) == len(group):
                break
            order = np.argsort(group, kind="stable")
            group = group[order]
        self.order = levels[0][0]
        self.groups = group
        self._levels = levels

    def __call__(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Return the largest rows, (groups, columns); `rows` is overwritten."""
        for level, (order, blocks) in enumerate(self._levels):
            if level:
                rows = rows.take(order, axis=0)
            (_, count), *others = blocks
            best = rows[:count]
            for start, size in others:
                np.maximum(best[:size], rows[start : start + size], out=best[:size])
            rows = best
        return rows


def _places(group: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """Return each row's place in its group, and whether a part begins there."""
    first = np.flatnonzero(np.diff(group, prepend=group[0] - 1))
    sizes = np.diff(first, append=len(group))
    place = np.arange(len(group)) - np.repeat(first, sizes)
    return place, place % ROWS == 0
