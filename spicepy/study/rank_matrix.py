"""The rank matrix: how alike metrics rank captions, for every pair of keys.

In: scores of shape (points, keys). Out: a `RankMatrix`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spicepy.common.errors import unknown
from spicepy.common.tables import Table
from spicepy.metrics.base import Array
from spicepy.study.coefficients import SYMBOLS, coefficient


@dataclass(frozen=True, slots=True)
class RankMatrix:
    """Rank correlations between keys, over captions or over images.

    `values[i][j]` (-1 to 1) and `p_values[i][j]` belong to keys i and j;
    `points[i][j]` have a score of both. NaN where undefined.
    """

    level: str
    coefficient: str
    keys: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    p_values: tuple[tuple[float, ...], ...]
    points: tuple[tuple[int, ...], ...]

    def between(self, first: str, second: str) -> float:
        """Return the correlation of two keys."""
        for key in (first, second):
            if key not in self.keys:
                raise unknown("score", key, self.keys)
        return self.values[self.keys.index(first)][self.keys.index(second)]

    def table(self, before: str = "") -> Table:
        """Return the matrix with the keys as header and first column.

        Args:
            before: The beginning of the title, such as a data set's name.
        """
        symbol = SYMBOLS[self.coefficient]
        least = max((p for row in self.p_values for p in row if p == p), default=0.0)
        most = max((n for row in self.points for n in row), default=0)
        return Table(
            f"{before}Rank correlation of metrics ({symbol}) per {self.level}",
            ("", *self.keys),
            tuple((key, *row) for key, row in zip(self.keys, self.values, strict=True)),
            (f"largest p-value {least:.2g}", f"up to {most} {self.level}s"),
        )


def rank_rows(level: str, name: str, keys: Sequence[str], scores: Array) -> RankMatrix:
    """Correlate every pair of columns over the rows where both are defined.

    Args:
        level: The unit of a row: "caption" or "image".
        name: "kendall-b" or "spearman" (any of `COEFFICIENTS`).
        keys: Names of the columns.
        scores: Shape (points, keys).
    """
    size = len(keys)
    values = np.full((size, size), np.nan)
    p_values = values.copy()
    points = np.zeros((size, size), dtype=int)
    defined = ~np.isnan(scores)
    for i in range(size):
        for j in range(i, size):
            both = defined[:, i] & defined[:, j]
            result = coefficient(name, scores[both, i], scores[both, j])
            values[i, j] = values[j, i] = result.value
            p_values[i, j] = p_values[j, i] = result.p_value
            points[i, j] = points[j, i] = both.sum()
    return RankMatrix(
        level,
        name,
        tuple(keys),
        tuple(map(tuple, values.tolist())),
        tuple(map(tuple, p_values.tolist())),
        tuple(map(tuple, points.tolist())),
    )
