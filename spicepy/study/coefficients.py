"""Correlation coefficients, and what weakens them: ties.

In: two arrays of equal length, free of NaN. Out: numbers from scipy.stats
(intervals: `spicepy.study.intervals`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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

    NaN where undefined: fewer than two points or a constant side; the interval
    also where no resampling was asked for.
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
