"""Correlation coefficients, their intervals, and what weakens them: ties.

In: two arrays of equal length, free of NaN. Out: numbers from scipy.stats, with
percentile intervals over resampled groups of points (all captions of an image).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from spicepy.errors import InputError
from spicepy.metrics.base import Array

Index = NDArray[np.intp]

COEFFICIENTS: Mapping[str, Callable[[Array, Array], Any]] = {
    "kendall-b": lambda x, y: stats.kendalltau(x, y, variant="b"),
    "kendall-c": lambda x, y: stats.kendalltau(x, y, variant="c"),
    "spearman": stats.spearmanr,
    "pearson": stats.pearsonr,
}
"""Coefficients by name; each gives (-1 to 1, two-sided p-value)."""

SYMBOLS = {"kendall-b": "τ-b", "kendall-c": "τ-c", "spearman": "ρ", "pearson": "r"}


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A correlation, -1 to 1, its p-value and percentile interval.

    NaN where undefined: fewer than two points or a constant side; the interval
    also where no resampling was asked for.
    """

    name: str
    value: float
    p_value: float
    low: float = float("nan")
    high: float = float("nan")


def check_coefficient(name: str) -> str:
    """The name itself.

    Raises:
        InputError: There is no such coefficient; the message names them all.
    """
    if name not in COEFFICIENTS:
        known = ", ".join(COEFFICIENTS)
        raise InputError(f"unknown coefficient {name!r}; known: {known}")
    return name


def coefficient(name: str, x: Array, y: Array) -> Coefficient:
    """One coefficient of two arrays of equal length."""
    return Coefficient(name, *_evaluate(check_coefficient(name), x, y))


def with_interval(
    found: Coefficient, x: Array, y: Array, resamples: Sequence[Index], level: float
) -> Coefficient:
    """The coefficient with its percentile interval over resampled points."""
    drawn = [_evaluate(found.name, x[i], y[i])[0] for i in resamples]
    drawn = [value for value in drawn if not np.isnan(value)]
    if not drawn:
        return found
    low, high = np.percentile(drawn, [50 * (1 - level), 50 * (1 + level)])
    return Coefficient(found.name, found.value, found.p_value, float(low), float(high))


def resample(groups: Sequence[object], samples: int, seed: int) -> list[Index]:
    """Positions of the points in each resample of whole groups.

    Args:
        groups: The group (image) of every point.
        samples: Number of resamples; each draws as many groups as there are.
        seed: Of the generator.
    """
    members: dict[object, list[int]] = {}
    for position, group in enumerate(groups):
        members.setdefault(group, []).append(position)
    positions = [np.array(m, dtype=np.intp) for m in members.values()]
    generator = np.random.default_rng(seed)
    return [
        np.concatenate(
            [
                positions[i]
                for i in generator.integers(0, len(positions), len(positions))
            ]
        )
        for _ in range(samples)
    ]


def tied_pairs(values: Array) -> float:
    """Share of all pairs of points that have equal values, 0-1."""
    n = len(values)
    if n < 2:
        return float("nan")
    counts = np.unique(values, return_counts=True)[1].astype(np.float64)
    return float((counts * (counts - 1)).sum() / (n * (n - 1)))


def _evaluate(name: str, x: Array, y: Array) -> tuple[float, float]:
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan"), float("nan")
    value, p_value = COEFFICIENTS[name](x, y)
    return float(value), float(p_value)
