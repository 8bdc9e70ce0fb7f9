"""Overview: the scores and their distributions as the page draws them.

In: a comparison, evaluations. Out: small values for the templates; shares are in 0-1.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from spicepy.diagnosis.results.paired import Pair, best
from spicepy.evaluation.comparison import Comparison
from spicepy.evaluation.evaluation import Evaluation

BINS = 20


@dataclass(frozen=True, slots=True)
class Histogram:
    """One score's distribution: `shares[system][bin]` of its defined images."""

    title: str
    high: float
    shares: tuple[tuple[float, ...], ...]
    defined: tuple[int, ...]

    @property
    def top(self) -> float:
        """The largest share, for the scale."""
        return max((s for row in self.shares for s in row), default=0.0) or 1.0


def titles(comparison: Comparison) -> dict[str, str]:
    """Return every score's key and its title, in the paper's order."""
    return {
        key: comparison.titles.get(key, key.upper()) for key in comparison.intervals
    }


def without(comparison: Comparison, keys: Collection[str]) -> Comparison:
    """Return a comparison without some scores."""
    return replace(
        comparison,
        intervals={k: v for k, v in comparison.intervals.items() if k not in keys},
        tests=tuple(test for test in comparison.tests if test.key not in keys),
    )


def clearly_best(comparison: Comparison) -> dict[str, int | None]:
    """Return for each score the system that is significantly better than all others."""
    numbers = {name: k for k, name in enumerate(comparison.systems)}
    p_values: dict[str, dict[Pair, float]] = {key: {} for key in comparison.intervals}
    for test in comparison.tests:
        pair = numbers[test.first], numbers[test.second]
        p_values[test.key][pair] = test.corrected_randomization
    return {
        key: best(
            [i.score for i in intervals], p_values[key], key not in comparison.falling
        )
        for key, intervals in comparison.intervals.items()
    }


def axis(high: float) -> tuple[float, tuple[float, ...]]:
    """Return a round upper end of a scale from 0, and its ticks."""
    steps = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
    step = next((s for s in steps if high / s <= 6), 10)
    count = max(1, int(np.ceil(high / step - 1e-9)))
    return count * step, tuple(k * step for k in range(count + 1))


def bars(comparison: Comparison) -> dict[str, Any]:
    """Return SPICE's categories, or else all scores, with their intervals."""
    named = titles(comparison)
    intervals = {
        named[key]: comparison.intervals[key]
        for key in comparison.titles or comparison.intervals
        if any(i.score == i.score for i in comparison.intervals[key])
    }
    finite = [i.high for each in intervals.values() for i in each if i.high == i.high]
    high, ticks = axis(max(finite, default=1.0) or 1.0)
    return {"groups": intervals, "high": high, "ticks": ticks}


def histograms(
    systems: Mapping[str, Evaluation], names: Mapping[str, str]
) -> list[Histogram]:
    """Return the distribution of every score over the images."""
    histograms = []
    for key, title in names.items():
        columns = []
        for evaluation in systems.values():
            scores = evaluation.image_scores(key).values()
            columns.append(np.array([s for s in scores if s is not None], float))
        high = max((float(c.max()) for c in columns if len(c)), default=1.0)
        high = 1.0 if high <= 1 else axis(high)[0]
        shares = tuple(
            tuple((np.histogram(c, BINS, (0, high))[0] / max(1, len(c))).tolist())
            for c in columns
        )
        histograms.append(Histogram(title, high, shares, tuple(map(len, columns))))
    return histograms
