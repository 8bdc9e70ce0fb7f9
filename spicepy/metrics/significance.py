"""Confidence and significance from additive statistics; nothing is counted twice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import hypot, inf, sqrt
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from spicepy.captions.sample import listed
from spicepy.common.errors import InputError, brief, find_name
from spicepy.common.json_values import plain
from spicepy.common.progress import advance
from spicepy.common.settings import SEED, Correction, check_settings
from spicepy.metrics.base import Array, Metric, Statistics, total

# Resamples of images as weights, and statistics of them.
#
# A resample is a row of weights, so all resamples of a corpus are one matrix product,
# weights @ rows, and one call of the metric's `corpus_scores`. scipy.stats resamples a
# function of raw observations; on sums of rows the same takes a few lines and is
# hundreds of times faster.


class CorpusScorer(Protocol):
    """A metric whose corpus scores can be computed from shuffled sums."""

    def corpus_scores(self, totals: Array, images: int) -> Array:
        """See `Metric`."""


MetricRows = tuple[Metric, Sequence[Array]]
"""A metric and the rows of each system, all in the same order of images."""
ScorerRows = tuple[CorpusScorer, Sequence[Array]]

_CELLS = 4_000_000  # The number of weights in memory at a time: 32 MB.
_SUMS = 8 * _CELLS  # The number of sums in memory at a time.
_Z = 1.959964  # The normal quantile of a 95 % interval.
_TIE = 1e-12  # Differences closer than this are equal, since sums are rounded.


def corpus(metric: CorpusScorer, rows: Array) -> Array:
    """Return corpus scores (keys,) of a system's rows."""
    return metric.corpus_scores(total(rows), len(rows))


def resampled_scores(
    metric: Metric,
    systems: Sequence[Array],
    samples: int,
    seed: int,
    *,
    drawn: int | None = None,
) -> list[Array]:
    """Return corpus scores (samples, keys) of each system; all share the resamples."""
    # Rows of all systems are in the same order of images. `drawn` is the number of
    # images in each resample; as many as there are by default.
    [scores] = all_resampled([(metric, systems)], samples, seed, drawn=drawn)
    return scores


def all_resampled(
    measured: Sequence[MetricRows], samples: int, seed: int, *, drawn: int | None = None
) -> list[list[Array]]:
    """Return `resampled_scores` for several metrics; the resamples are drawn once."""
    images = len(measured[0][1][0])
    drawn = images if drawn is None else drawn
    generator = np.random.default_rng(seed)
    scores: list[list[list[Array]]] = [[[] for _ in rows] for _, rows in measured]
    every = _stacked(measured)
    for count in chunks(samples, max(images, drawn), every.shape[1]):
        weights = _weights(generator, count, images, drawn)
        sums = _by_system(weights @ every, measured)
        for (metric, _), own, resampled in zip(measured, sums, scores, strict=True):
            for drawn_rows, parts in zip(own, resampled, strict=True):
                parts.append(metric.corpus_scores(drawn_rows, drawn))
    return [[np.concatenate(parts) for parts in resampled] for resampled in scores]


def _stacked(measured: Sequence[ScorerRows]) -> Array:
    """Return the rows of all metrics and systems side by side, for one product."""
    return np.hstack([rows for _, systems in measured for rows in systems])


def _by_system(sums: Array, measured: Sequence[ScorerRows]) -> list[list[Array]]:
    """Return the sums of each metric and system from those of `_stacked` rows."""
    ends = np.cumsum([rows.shape[1] for _, systems in measured for rows in systems])
    parts = iter(np.split(sums, ends[:-1], axis=1))
    return [[np.ascontiguousarray(next(parts)) for _ in own] for _, own in measured]


def _weights(
    generator: np.random.Generator, count: int, images: int, drawn: int
) -> Array:
    """Return the number of draws of each image in each resample: (count, images)."""
    chosen = generator.integers(0, images, (count, drawn))
    chosen += np.arange(count)[:, None] * images
    cells = np.bincount(chosen.ravel(), minlength=count * images)
    return cells.reshape(count, images).astype(np.float64)


def chunks(samples: int, images: int, sums: int = 1) -> Iterator[int]:
    """Yield numbers of resamples that are made at a time, to bound memory."""
    size = max(1, min(_CELLS // images, _SUMS // sums))
    for start in range(0, samples, size):
        yield min(size, samples - start)


@dataclass(slots=True)
class Extremes:
    """Counts of resampled differences that are as far from zero as the observed one."""

    # `far` and `defined` count resamples by key, (keys,).
    observed: Array
    far: Array
    defined: Array

    @classmethod
    def of(cls, observed: Array) -> "Extremes":
        """Return counts of 0 for an observed difference."""
        return cls(observed, np.zeros_like(observed), np.zeros_like(observed))

    def add(self, drawn: Array) -> None:
        """Count further differences, (samples, keys)."""
        defined = ~np.isnan(drawn)
        far = (np.abs(drawn) >= np.abs(self.observed) - _TIE) & defined
        self.far += far.sum(axis=0)
        self.defined += defined.sum(axis=0)

    def p_values(self) -> Array:
        """Return the two-sided p-values by key, the observed difference included."""
        p_values = (self.far + 1) / (self.defined + 1)
        return np.where(np.isnan(self.observed), np.nan, p_values)


def standard_errors(drawn: Array) -> Array:
    """Return the standard deviation of resamples, (samples, keys) -> (keys,)."""
    return _quiet(np.nanstd, drawn, ddof=1)


def percentiles(drawn: Array, level: float) -> tuple[Array, Array]:
    """Return the ends (keys,) of the middle part of (samples, keys)."""
    ends = [50 * (1 - level), 50 * (1 + level)]
    if not np.isnan(drawn).any():  # Most have none, and it is much faster.
        low, high = np.percentile(drawn, ends, axis=0)
        return low, high
    low, high = (_quiet(np.nanpercentile, drawn, q=end) for end in ends)
    return low, high


def _quiet(function: Any, values: Array, **options: Any) -> Array:
    """Return a column-wise nan-function; a column of NaN alone gives NaN, unwarned."""
    result = np.full(values.shape[1], np.nan)
    known = ~np.isnan(values).all(axis=0)
    if known.any():
        result[known] = function(values[:, known], axis=0, **options)
    return result


@dataclass(frozen=True, slots=True)
class Interval:
    """A corpus score with its percentile interval and bootstrap standard error."""

    key: str
    score: float
    low: float
    high: float
    standard_error: float


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Intervals of all keys of a metric, in the metric's order."""

    intervals: tuple[Interval, ...]
    images: int
    samples: int
    seed: int
    level: float

    def __getitem__(self, key: str) -> Interval:
        known = {each.key: each for each in self.intervals}
        return known[find_name("score", key, known)]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, `None` for an undefined number."""
        return dict(plain(self))


def bootstrap(
    metric: Metric,
    statistics: Statistics,
    *,
    samples: int = 1000,
    seed: int = SEED,
    level: float = 0.95,
) -> Bootstrap:
    """Return percentile intervals of the corpus scores, resampling images.

    Each of `samples` is as large as the corpus; `level` (0-1) is the share of them
    inside the interval. The same seed gives the same intervals.

    Source: Efron & Tibshirani 1993, An Introduction to the Bootstrap, ch. 13.
    """
    if not len(statistics.rows):
        raise InputError("no image to resample")
    check_settings(samples, level, seed)
    [drawn] = resampled_scores(metric, [statistics.rows], samples, seed)
    intervals = intervals_of(metric, statistics.rows, drawn, level)
    return Bootstrap(intervals, len(statistics.rows), samples, seed, level)


def intervals_of(
    metric: Metric, rows: Array, drawn: Array, level: float
) -> tuple[Interval, ...]:
    """Return the interval of every key from a system's rows and resampled scores."""
    score, (low, high) = corpus(metric, rows), percentiles(drawn, level)
    error = standard_errors(drawn)
    return tuple(
        Interval(key, *map(float, values))
        for key, *values in zip(metric.keys, score, low, high, error, strict=True)
    )


def tested(
    scores: tuple[Array, Array], drawn: Array, level: float
) -> tuple[Array, tuple[Array, Array]]:
    """Return the paired bootstrap's p-values and bounds (keys,) of a difference.

    The p-value is the share of resamples, `drawn` (samples, keys), whose difference
    lies at least as far from the observed one as the observed one lies from zero
    (two-sided), the observed corpus counted as one more resample.

    Source: Koehn 2004, Statistical Significance Tests for Machine Translation
    Evaluation; two-sided form: Efron & Tibshirani 1993, section 16.4.
    """
    observed = scores[0] - scores[1]
    extremes = Extremes.of(observed)
    extremes.add(drawn - observed)
    return extremes.p_values(), percentiles(drawn, level)


def in_same_order(first: Statistics, second: Statistics) -> Statistics:
    """Return the second statistics in the order of the first's images."""
    if first.image_ids == second.image_ids:
        return second
    positions = {image: i for i, image in enumerate(second.image_ids)}
    missing = [image for image in first.image_ids if image not in positions]
    known = set(first.image_ids)
    extra = [image for image in second.image_ids if image not in known]
    if missing or extra:
        only = ((missing, "first"), (extra, "second"))
        differences = (f"{listed(ids)} only in the {name}" for ids, name in only if ids)
        raise InputError(
            f"the two systems describe different images: {', '.join(differences)}"
        )
    order = [positions[image] for image in first.image_ids]
    details = tuple(second.details[i] for i in order) if second.details else ()
    return Statistics(first.image_ids, second.rows[order], details)


def wilson(hits: float, total: float) -> tuple[float, float] | None:
    """Return the 95 % interval of a share; None without observations.

    Source: Wilson 1927, Probable inference.
    """
    if not total:
        return None
    share, z = hits / total, 1.959964
    middle = share + z * z / (2 * total)
    half = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    return (
        max(0.0, (middle - half) / scale) if hits else 0.0,
        min(1.0, (middle + half) / scale) if hits < total else 1.0,
    )


def share_difference(
    hits: float, total: float, other_hits: float, other_total: float
) -> tuple[float, float] | None:
    """Return the 95 % interval of a share minus another; None without observations.

    Source: Newcombe 1998, Interval estimation for the difference between independent
    proportions, method 10.
    """
    own, other = wilson(hits, total), wilson(other_hits, other_total)
    if own is None or other is None:
        return None
    share, other_share = hits / total, other_hits / other_total
    return (
        share - other_share - hypot(share - own[0], other[1] - other_share),
        share - other_share + hypot(own[1] - share, other_share - other[0]),
    )


# Approximate randomisation: captions of two systems swapped at random.
#
# Swapping the captions of an image swaps its two rows, so that a shuffle needs only the
# sums of the rows of the swapped images. They are computed once for each system and
# used for every pair.
#
# Source: Noreen 1989, Computer-Intensive Methods for Testing Hypotheses; Riezler &
# Maxwell 2005, On Some Pitfalls in Automatic Evaluation and Significance Testing for
# MT, section 4.

Pair = tuple[int, int]  # The numbers of two systems


def shuffled_p_values(
    metric: CorpusScorer, systems: Sequence[Array], samples: int, seed: int
) -> dict[Pair, Array]:
    """Return the p-value of each key (keys,) for every pair of systems."""
    # It is the share of shuffles, the same for all pairs, whose difference is at least
    # as large as the observed one (two-sided), the observed one counted as a shuffle.
    [p_values] = all_shuffled([(metric, systems)], samples, seed)
    return p_values


def all_shuffled(
    measured: Sequence[ScorerRows], samples: int, seed: int
) -> list[dict[Pair, Array]]:
    """Return `shuffled_p_values` for several metrics; the shuffles are drawn once."""
    if len(measured[0][1]) < 2:
        return [{} for _ in measured]
    images = len(measured[0][1][0])
    generator = np.random.default_rng(seed)
    counts = [_observed(metric, systems) for metric, systems in measured]
    every = _stacked(measured)
    sizes = list(chunks(samples, images, every.shape[1]))
    done, tests = 0, len(sizes) * sum(map(len, counts))
    for count in sizes:
        swapped = generator.integers(0, 2, (count, images)).astype(np.float64)
        moving = _by_system(swapped @ every, measured)
        for (metric, systems), extremes, sums in zip(measured, counts, moving):
            totals = [total(rows) for rows in systems]
            for (a, b), extreme in extremes.items():
                moved = sums[b] - sums[a]
                first = metric.corpus_scores(totals[a] + moved, images)
                extreme.add(first - metric.corpus_scores(totals[b] - moved, images))
                done += 1
                advance("testing pairs", done, tests)
    return [{p: e.p_values() for p, e in counted.items()} for counted in counts]


def _observed(metric: CorpusScorer, systems: Sequence[Array]) -> dict[Pair, Extremes]:
    """Return the observed difference of each pair."""
    scores = [corpus(metric, rows) for rows in systems]
    pairs = combinations(range(len(systems)), 2)
    return {(a, b): Extremes.of(scores[a] - scores[b]) for a, b in pairs}


def adjust(p_values: ArrayLike, method: Correction = "holm") -> Array:
    """Correct p-values for their number, in their order; NaN (undefined) is left out.

    "holm" bounds the chance of any false positive, "benjamini-hochberg" their expected
    share, "none" changes nothing.

    Source: Holm 1979; Benjamini & Hochberg 1995 (scipy).
    """
    adjusted = np.array(p_values, dtype=np.float64)
    known = ~np.isnan(adjusted)
    values = adjusted[known]
    if method == "holm":
        order = np.argsort(values, kind="stable")
        factors = np.arange(len(values), 0, -1)
        steps = np.maximum.accumulate(values[order] * factors)
        values[order] = np.minimum(steps, 1.0)
    elif method == "benjamini-hochberg":
        order = np.argsort(values, kind="stable")[::-1]  # the largest first
        shares = len(values) / np.arange(len(values), 0, -1)
        steps = np.minimum.accumulate(values[order] * shares)
        values[order] = np.minimum(steps, 1.0)
    elif method != "none":
        raise InputError(
            f"unknown correction {brief(method)}; known: holm, benjamini-hochberg, none"
        )
    adjusted[known] = values
    return adjusted


@dataclass(frozen=True, slots=True)
class Expectation:
    """A mean over images, such as an expected number of errors per caption."""

    mean: float | None  # The mean; None without images
    # low, high: The ends of its 95 % interval (normal approximation).
    low: float | None
    high: float | None


def expectation(numbers: Sequence[float]) -> Expectation:
    """Return the mean of the images' numbers with its interval."""
    n = len(numbers)
    if not n:
        return Expectation(None, None, None)
    mean = sum(numbers) / n
    spread = sum((x - mean) ** 2 for x in numbers) / max(1, n - 1)
    half = _Z * sqrt(spread / n)
    least = 0.0 if min(numbers) >= 0 else -inf
    return Expectation(mean, max(least, mean - half), mean + half)
