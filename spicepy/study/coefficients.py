"""Correlation coefficients, the share of ties, and a test of two correlations."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from math import sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from spicepy.common.errors import InputError, brief, find_name
from spicepy.common.resources import LazyModule
from spicepy.common.tables import Table
from spicepy.metrics.base import Array
from spicepy.metrics.significance import percentiles

stats = LazyModule("scipy.stats", "a study of correlations")

COEFFICIENTS: Mapping[str, Callable[[Array, Array], Any]] = {
    "kendall-b": lambda x, y: stats.kendalltau(x, y, variant="b"),
    "kendall-c": lambda x, y: stats.kendalltau(x, y, variant="c"),
    "spearman": lambda x, y: stats.spearmanr(x, y),
    "pearson": lambda x, y: stats.pearsonr(x, y),
}
"""Coefficients by name; each gives (-1 to 1, two-sided p-value)."""

EXACT: Final = 7
"""Up to this many points, p-values come from all orders of the points: the usual
approximations give 0 for three systems in the same order, where 1 / 3 is right."""

SYMBOLS = {"kendall-b": "τ-b", "kendall-c": "τ-c", "spearman": "ρ", "pearson": "r"}


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A correlation, -1 to 1, its p-value and percentile interval."""

    # NaN where undefined: fewer than two points or a constant side. The interval is
    # also NaN without resampling.
    name: str
    value: float
    p_value: float
    low: float = float("nan")
    high: float = float("nan")


def check_coefficient(name: str) -> str:
    """Return the name itself, if it is one."""
    if name not in COEFFICIENTS:
        known = ", ".join(COEFFICIENTS)
        raise InputError(f"unknown coefficient {brief(name)}; known: {known}")
    return name


def coefficient(name: str, x: Array, y: Array) -> Coefficient:
    """Return a coefficient of two arrays of equal length."""
    return Coefficient(name, *_evaluate(check_coefficient(name), x, y))


def tied_pairs(values: Array) -> float:
    """Return the share of all pairs of points that have equal values, 0-1."""
    n = len(values)
    if n < 2:
        return float("nan")
    counts = np.unique(values, return_counts=True)[1].astype(np.float64)
    return float((counts * (counts - 1)).sum() / (n * (n - 1)))


def _evaluate(name: str, x: Array, y: Array) -> tuple[float, float]:
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan"), float("nan")
    value, p_value = COEFFICIENTS[name](x, y)
    return float(value), _exact(name, x, y) if len(x) <= EXACT else float(p_value)


def _exact(name: str, x: Array, y: Array) -> float:
    """Return the share of orders of `y` with a coefficient as far from 0, 0-1.

    Source: Fisher 1935, The Design of Experiments, section 21.
    """
    orders = _orders(len(x))
    if name.startswith("kendall"):
        first, second = np.array(list(combinations(range(len(x)), 2))).T
        signs = np.sign(y[:, None] - y)[orders[:, first], orders[:, second]]
        sums = signs @ np.sign(x[first] - x[second])
    else:
        if name == "spearman":
            x, y = stats.rankdata(x), stats.rankdata(y)
        sums = (y - y.mean())[orders] @ (x - x.mean())
    far = np.abs(sums)
    # The first order is the given one; equal sums may differ by rounding.
    return float((far >= far[0] - 1e-9 * far.max()).mean())


@cache
def _orders(n: int) -> NDArray[np.intp]:
    """Return all orders of n points, the given one first."""
    return np.array(list(permutations(range(n))))


def williams_test(
    r_first: float, r_second: float, r_between: float, n: int
) -> tuple[float, float]:
    """Test whether one of two dependent correlations is larger.

    Args:
        r_first: Correlation of the first metric with the human scores, -1 to 1.
        r_second: Correlation of the second metric with the same human scores.
        r_between: Correlation of the two metrics with each other.
        n: Number of points (systems); fewer than 4 leave the test undefined.

    Returns:
        t with n - 3 degrees of freedom (positive if the first is larger) and
        its two-sided p-value; both NaN where undefined.

    Source: Williams 1959, The Comparison of Regression Variables; formula as in
    Steiger 1980, Tests for Comparing Elements of a Correlation Matrix, eq. 7.
    """
    if n < 4 or not max(abs(r_first), abs(r_second), abs(r_between)) <= 1:
        return float("nan"), float("nan")
    if r_first == r_second:
        return 0.0, 1.0
    determinant = (
        1 - r_first**2 - r_second**2 - r_between**2 + 2 * r_first * r_second * r_between
    )
    mean = (r_first + r_second) / 2
    spread = 2 * determinant * (n - 1) / (n - 3) + mean**2 * (1 - r_between) ** 3
    if spread <= 0:
        return float("nan"), float("nan")
    statistic = (r_first - r_second) * sqrt((n - 1) * (1 + r_between) / spread)
    return statistic, float(2 * stats.t.sf(abs(statistic), n - 3))


# Bootstrap intervals of correlation coefficients, resampling whole images.
#
# A resample only changes how often each point counts. Points are sorted once; a
# coefficient of weighted points then takes one pass over the scores for each distinct
# rating. If there are many distinct ratings, scipy computes the coefficient of the
# repeated points.

_LEVELS = 100  # With more distinct ratings than this, scipy is faster.


def bootstrap_intervals(
    x: Array,
    y: Array,
    images: Sequence[Hashable],
    *,
    samples: int,
    level: float,
    seed: int,
) -> list[tuple[float, float]]:
    """Return percentile intervals (low, high) of all `COEFFICIENTS`, in their order."""
    # A resample draws as many images, each with all its points, as there are. `level`
    # is the share of resamples inside the interval; NaN where no resample defines it.
    if not len(x):
        return [(float("nan"), float("nan"))] * len(COEFFICIENTS)
    points = weighable(x, y)
    drawn = []
    for weights in resamples(images, samples, seed):
        if len(points.levels) <= _LEVELS:
            drawn.append(weighted_coefficients(points, weights))
        else:
            counts = weights.astype(np.intp)
            both = np.repeat(x, counts), np.repeat(y, counts)
            drawn.append([coefficient(n, *both).value for n in COEFFICIENTS])
    low, high = percentiles(np.array(drawn), level)
    return list(zip(low.tolist(), high.tolist()))


def resamples(images: Sequence[Hashable], samples: int, seed: int) -> Iterator[Array]:
    """Yield how often each point counts in each resample of whole images."""
    numbers: dict[Hashable, int] = {}
    image = np.array([numbers.setdefault(i, len(numbers)) for i in images])
    generator = np.random.default_rng(seed)
    for _ in range(samples):
        drawn = generator.integers(0, len(numbers), len(numbers))
        counts = np.bincount(drawn, minlength=len(numbers))
        yield counts[image].astype(np.float64)


@dataclass(frozen=True, slots=True)
class Points:
    """Points with the rank of their score and rating among the distinct ones."""

    # `levels[k]` holds the points with the k-th rating.
    x: Array
    y: Array
    x_rank: NDArray[np.intp]
    y_rank: NDArray[np.intp]
    levels: tuple[NDArray[np.intp], ...]


def weighable(x: Array, y: Array) -> Points:
    """Return points ready for `weighted_coefficients`."""
    x_rank = np.unique(x, return_inverse=True)[1]
    y_rank = np.unique(y, return_inverse=True)[1]
    ends = np.cumsum(np.bincount(y_rank))[:-1]
    levels = np.split(np.argsort(y_rank, kind="stable"), ends)
    return Points(x - x.mean(), y - y.mean(), x_rank, y_rank, tuple(levels))


def weighted_coefficients(points: Points, weights: Array) -> list[float]:
    """Return `COEFFICIENTS`, in their order, of weighted points; NaN where undefined.

    Source: Kendall & Gibbons 1990, Rank Correlation Methods, ch. 3; Stuart 1953.
    """
    by_x: Array = np.bincount(points.x_rank, weights).astype(np.float64)
    by_y: Array = np.bincount(points.y_rank, weights).astype(np.float64)
    smaller = min(np.count_nonzero(by_x), np.count_nonzero(by_y))
    if smaller < 2:
        return [float("nan")] * len(COEFFICIENTS)
    agreeing = _agreeing(points, weights, by_x)
    n = float(by_x.sum())
    untied = [(n * n - float((by**2).sum())) / 2 for by in (by_x, by_y)]
    ranks = _ranks(by_x)[points.x_rank], _ranks(by_y)[points.y_rank]
    return [
        agreeing / float(np.sqrt(untied[0] * untied[1])),
        2 * agreeing * smaller / (n * n * (smaller - 1)),
        _pearson(*ranks, weights),
        _pearson(points.x, points.y, weights),
    ]


def _agreeing(points: Points, weights: Array, by_x: Array) -> float:
    """Return pairs ordered alike by score and rating, less those ordered otherwise."""
    lower = np.cumsum(by_x) - by_x
    with_lower_rating = np.zeros_like(by_x)
    total = 0.0
    for members in points.levels:
        here = np.bincount(points.x_rank[members], weights[members], len(by_x))
        lower_here = np.cumsum(here) - here
        total += float((here * (2 * with_lower_rating + lower_here - lower)).sum())
        with_lower_rating += lower_here
    return total


def _ranks(counts: Array) -> Array:
    """Return mean rank of each value, given how often it counts."""
    ranks: Array = np.cumsum(counts) - counts + (counts + 1) / 2
    return ranks


def _pearson(x: Array, y: Array, weights: Array) -> float:
    n = weights.sum()
    x = x - (weights * x).sum() / n
    y = y - (weights * y).sum() / n
    spread = np.sqrt((weights * x * x).sum() * (weights * y * y).sum())
    return float((weights * x * y).sum() / spread)


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
        found = (find_name("score", key, self.keys) for key in (first, second))
        row, column = map(self.keys.index, found)
        return self.values[row][column]

    def table(self, before: str = "") -> Table:
        """Return the matrix as a table, whose title begins with such as a data set."""
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
    """Correlate every pair of columns over the rows where both are defined."""
    # `level` is the unit of a row, "caption" or "image"; scores are (points, keys).
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
