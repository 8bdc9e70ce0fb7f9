"""Correlation coefficients, the share of ties, and a test of two correlations.

In: two arrays of equal length, free of NaN; for the test, three Pearson correlations.
Out: numbers from scipy.stats (intervals: `spicepy.study.intervals`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from spicepy.common.errors import InputError, shown
from spicepy.common.lazy_imports import LazyModule
from spicepy.metrics.base import Array

stats = LazyModule("scipy.stats", "a study of correlations")

COEFFICIENTS: Mapping[str, Callable[[Array, Array], Any]] = {
    "kendall-b": lambda x, y: stats.kendalltau(x, y, variant="b"),
    "kendall-c": lambda x, y: stats.kendalltau(x, y, variant="c"),
    "spearman": lambda x, y: stats.spearmanr(x, y),
    "pearson": lambda x, y: stats.pearsonr(x, y),
}
"""Coefficients by name; each gives (-1 to 1, two-sided p-value)."""

SYMBOLS = {"kendall-b": "τ-b", "kendall-c": "τ-c", "spearman": "ρ", "pearson": "r"}


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A correlation, -1 to 1, its p-value and percentile interval.

    NaN where undefined: fewer than two points or a constant side. The interval is also
    NaN without resampling.
    """

    name: str
    value: float
    p_value: float
    low: float = float("nan")
    high: float = float("nan")


def check_coefficient(name: str) -> str:
    """Return the name itself.

    Raises:
        InputError: There is no such coefficient; the message names them all.
    """
    if name not in COEFFICIENTS:
        known = ", ".join(COEFFICIENTS)
        raise InputError(f"unknown coefficient {shown(name)}; known: {known}")
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
    return float(value), float(p_value)


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
