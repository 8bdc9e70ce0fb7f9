"""Bootstrap intervals of correlation coefficients, resampling whole images.

In: two arrays of points and the image of each point. A resample only changes how often
each point counts. Points are sorted once; a coefficient of weighted points then takes
one pass over the scores for each distinct rating. If there are many distinct ratings,
scipy computes the coefficient of the repeated points.

Out: (low, high) of each coefficient.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spicepy.evaluation.resampling import percentiles
from spicepy.metrics.base import Array
from spicepy.study.coefficients import COEFFICIENTS, coefficient

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
    """Return percentile intervals of all `COEFFICIENTS`, in their order.

    Args:
        x: Scores of the points.
        y: Ratings of the points.
        images: The image of every point; points of an image are drawn together.
        samples: Number of resamples; each draws as many images as there are.
        level: Share of resamples inside the interval, 0-1.
        seed: Random seed.

    Returns:
        (low, high) for each coefficient, NaN where no resample defines it.
    """
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
    """Points with the rank of their score and rating among the distinct ones.

    `levels[k]` holds the points with the k-th rating.
    """

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
    """Return Kendall τ-b and τ-c, Spearman and Pearson of weighted points.

    Args:
        points: The points.
        weights: The multiplicity of each point, whole numbers.

    Returns:
        The coefficients in the order of `COEFFICIENTS`; NaN where undefined.

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
