"""The points of a scatter plot, with near points joined to one.

In: scores and ratings. Out: a `Scatter` of limited size with the numbers of joined
points and the regression line.
"""

from dataclasses import dataclass

import numpy as np

from spicepy.common.lazy_imports import LazyModule
from spicepy.metrics.base import Array

stats = LazyModule("scipy.stats", "a study of correlations")

_ALL = 200  # Up to so many distinct points are kept as they are.
_CELLS = 30  # Otherwise points are moved to a grid of so many cells a side.


@dataclass(frozen=True, slots=True)
class Scatter:
    """Points and their regression line, rating = intercept + slope * score.

    `captions[i]` of them lie at (`scores[i]`, `ratings[i]`), or within a 60th of the
    range around it. The line is NaN where it is undefined.
    """

    scores: tuple[float, ...]
    ratings: tuple[float, ...]
    captions: tuple[int, ...]
    slope: float
    intercept: float


NOTHING = Scatter((), (), (), float("nan"), float("nan"))


def scatter_of(scores: Array, ratings: Array) -> Scatter:
    """Return the points, at most 900 of them.

    Args:
        scores: Scores of the captions or systems.
        ratings: People's ratings of them, in the same order.
    """
    if not len(scores):
        return NOTHING
    both = np.column_stack([scores, ratings])
    places, counts = np.unique(both, axis=0, return_counts=True)
    if len(places) > _ALL:
        cells = np.column_stack([_binned(scores), _binned(ratings)])
        places, counts = np.unique(cells, axis=0, return_counts=True)
    return Scatter(
        tuple(places[:, 0].tolist()),
        tuple(places[:, 1].tolist()),
        tuple(counts.tolist()),
        *line(scores, ratings),
    )


def line(scores: Array, ratings: Array) -> tuple[float, float]:
    """Return the slope and intercept of a least squares fit; NaN where undefined."""
    if len(scores) < 2 or not np.ptp(scores):
        return float("nan"), float("nan")
    fitted = stats.linregress(scores, ratings)
    return float(fitted.slope), float(fitted.intercept)


def _binned(values: Array) -> Array:
    """Return each value moved to the middle of its cell; few distinct ones stay."""
    if len(np.unique(values)) <= _CELLS:
        return values
    low, width = values.min(), np.ptp(values) / _CELLS
    cells = np.minimum(np.floor((values - low) / width), _CELLS - 1)
    middle: Array = low + (cells + 0.5) * width
    return middle
