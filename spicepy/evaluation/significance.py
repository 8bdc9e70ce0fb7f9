"""Confidence and significance from additive statistics; nothing is counted twice.

In: a metric and the `Statistics` of one system (intervals) or of two systems on
the same images (tests). A resample of the images is a row of weights, so all
resamples of a corpus are one matrix product, weights @ rows, and one call of the
metric's `corpus_scores`. scipy.stats offers both methods for a function of raw
observations; on sums of rows they are a few lines and hundreds of times faster.

Out: frozen results with `to_dict()`, seeds and numbers of samples included.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from spicepy.common.errors import InputError, shown, unknown
from spicepy.common.plain import plain
from spicepy.metrics.base import Array, Metric, Statistics
from spicepy.samples.sample import ImageId

Correction = Literal["holm", "benjamini-hochberg", "none"]

SEED = 12345
_CELLS = 4_000_000  # weights held at a time: 32 MB
_TIE = 1e-12  # differences closer than this are equal: sums round


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
        return _by_key(self.intervals, key)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, `None` for an undefined number."""
        return dict(plain(self))


@dataclass(frozen=True, slots=True)
class Difference:
    """first - second of one key, with the two-sided p-value of the test.

    `low` and `high` bound the difference; only the paired bootstrap gives them
    (NaN otherwise).
    """

    key: str
    first: float
    second: float
    difference: float
    p_value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The differences of all keys of a metric between two systems."""

    method: str
    differences: tuple[Difference, ...]
    images: int
    samples: int
    seed: int

    def __getitem__(self, key: str) -> Difference:
        return _by_key(self.differences, key)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, `None` for an undefined number."""
        return dict(plain(self))


Keyed = TypeVar("Keyed", Interval, Difference)


def bootstrap(
    metric: Metric,
    statistics: Statistics,
    *,
    samples: int = 1000,
    seed: int = SEED,
    level: float = 0.95,
) -> Bootstrap:
    """Percentile intervals of the corpus scores, resampling images.

    Args:
        metric: The metric that made the statistics.
        statistics: One row an image.
        samples: Number of resamples, each as large as the corpus.
        seed: Of the generator; the same seed gives the same intervals.
        level: Share of resamples inside the interval, 0-1.

    Raises:
        InputError: No image, fewer than two samples or a level outside 0-1.

    Source: Efron & Tibshirani 1993, An Introduction to the Bootstrap, ch. 13.
    """
    _check(len(statistics.rows), samples, level, seed)
    images = len(statistics.rows)
    score = metric.corpus_scores(statistics.rows.sum(axis=0), images)
    drawn = _bootstrap_scores(metric, [statistics.rows], samples, seed)[0]
    low, high = _percentiles(drawn, level)
    error = _quiet(np.nanstd, drawn, ddof=1)
    intervals = tuple(
        Interval(key, *map(float, values))
        for key, *values in zip(metric.keys, score, low, high, error, strict=True)
    )
    return Bootstrap(intervals, images, samples, seed, level)


def paired_bootstrap(
    metric: Metric,
    first: Statistics,
    second: Statistics,
    *,
    samples: int = 1000,
    seed: int = SEED,
    level: float = 0.95,
) -> PairedTest:
    """Test two systems by resampling their common images.

    The p-value is the share of resamples whose difference lies at least as far
    from the observed one as the observed one lies from zero (two-sided), the
    observed corpus counted as one more resample.

    Args:
        metric: The metric that made both statistics.
        first: Rows of the first system.
        second: Rows of the second, for the same images in any order.
        samples: Number of resamples.
        seed: Of the generator.
        level: Of the interval of the difference, 0-1.

    Raises:
        InputError: The systems describe different images, or see `bootstrap`.

    Source: Koehn 2004, Statistical Significance Tests for Machine Translation
    Evaluation; two-sided form: Efron & Tibshirani 1993, section 16.4.
    """
    second = in_same_order(first, second)
    _check(len(first.rows), samples, level, seed)
    scores = _corpus(metric, first), _corpus(metric, second)
    observed = scores[0] - scores[1]
    drawn = _bootstrap_scores(metric, [first.rows, second.rows], samples, seed)
    differences = drawn[0] - drawn[1]
    p_values = _p_values(differences - observed, observed)
    bounds = _percentiles(differences, level)
    return _paired(
        "paired bootstrap", metric, scores, p_values, bounds, first, (samples, seed)
    )


def approximate_randomization(
    metric: Metric,
    first: Statistics,
    second: Statistics,
    *,
    samples: int = 1000,
    seed: int = SEED,
) -> PairedTest:
    """Test two systems by swapping their captions, image by image, at random.

    The p-value is the share of shuffles whose difference is at least as large
    as the observed one (two-sided), the observed one counted as a shuffle.

    Args:
        metric: The metric that made both statistics.
        first: Rows of the first system.
        second: Rows of the second, for the same images in any order.
        samples: Number of shuffles.
        seed: Of the generator.

    Raises:
        InputError: The systems describe different images, or see `bootstrap`.

    Source: Noreen 1989; Riezler & Maxwell 2005, On Some Pitfalls in Automatic
    Evaluation and Significance Testing for MT, section 4.
    """
    second = in_same_order(first, second)
    images = len(first.rows)
    _check(images, samples, 0.5, seed)
    scores = _corpus(metric, first), _corpus(metric, second)
    observed = scores[0] - scores[1]
    totals = first.rows.sum(axis=0), second.rows.sum(axis=0)
    change = second.rows - first.rows
    generator = np.random.default_rng(seed)
    drawn = []
    for count in _chunks(samples, images):
        moved = generator.integers(0, 2, (count, images)).astype(np.float64) @ change
        drawn.append(
            metric.corpus_scores(totals[0] + moved, images)
            - metric.corpus_scores(totals[1] - moved, images)
        )
    p_values = _p_values(np.concatenate(drawn), observed)
    unknown = np.full_like(observed, np.nan)
    return _paired(
        "approximate randomization",
        metric,
        scores,
        p_values,
        (unknown, unknown),
        first,
        (samples, seed),
    )


def adjust(p_values: ArrayLike, method: Correction = "holm") -> Array:
    """Correct p-values for their number; NaN (an undefined test) is left out.

    Args:
        p_values: One a comparison, 0-1.
        method: "holm" bounds the chance of any false positive,
            "benjamini-hochberg" their expected share, "none" changes nothing.

    Returns:
        Adjusted p-values in the same order: compare them with the level.

    Raises:
        InputError: The method is unknown.

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
            f"unknown correction {shown(method)}; known: holm, benjamini-hochberg, none"
        )
    adjusted[known] = values
    return adjusted


def in_same_order(first: Statistics, second: Statistics) -> Statistics:
    """The second statistics in the order of the first's images.

    Raises:
        InputError: An image is described by one system only.
    """
    if first.image_ids == second.image_ids:
        return second
    positions = {image: i for i, image in enumerate(second.image_ids)}
    missing = [image for image in first.image_ids if image not in positions]
    known = set(first.image_ids)
    extra = [image for image in second.image_ids if image not in known]
    if missing or extra:
        raise InputError(
            "the two systems describe different images: "
            f"{_some(missing)} only in the first, {_some(extra)} only in the second"
        )
    order = [positions[image] for image in first.image_ids]
    details = tuple(second.details[i] for i in order) if second.details else ()
    return Statistics(first.image_ids, second.rows[order], details)


def _paired(
    method: str,
    metric: Metric,
    scores: tuple[Array, Array],
    p_values: Array,
    bounds: tuple[Array, Array],
    statistics: Statistics,
    settings: tuple[int, int],
) -> PairedTest:
    columns = zip(metric.keys, *scores, p_values, *bounds, strict=True)
    differences = tuple(
        Difference(
            key, float(a), float(b), float(a - b), float(p), float(low), float(high)
        )
        for key, a, b, p, low, high in columns
    )
    return PairedTest(method, differences, len(statistics.rows), *settings)


def _corpus(metric: Metric, statistics: Statistics) -> Array:
    return metric.corpus_scores(statistics.rows.sum(axis=0), len(statistics.rows))


def _bootstrap_scores(
    metric: Metric, systems: Sequence[Array], samples: int, seed: int
) -> list[Array]:
    """Corpus scores (samples, keys) of each system; all share the resamples."""
    images = len(systems[0])
    generator = np.random.default_rng(seed)
    scores: list[list[Array]] = [[] for _ in systems]
    for count in _chunks(samples, images):
        weights = _weights(generator, count, images)
        for rows, parts in zip(systems, scores, strict=True):
            parts.append(metric.corpus_scores(weights @ rows, images))
    return [np.concatenate(parts) for parts in scores]


def _weights(generator: np.random.Generator, count: int, images: int) -> Array:
    """(count, images): how often each image is drawn in each resample."""
    drawn = generator.integers(0, images, (count, images))
    drawn += np.arange(count)[:, None] * images
    cells = np.bincount(drawn.ravel(), minlength=count * images)
    return cells.reshape(count, images).astype(np.float64)


def _chunks(samples: int, images: int) -> Iterator[int]:
    size = max(1, _CELLS // images)
    for start in range(0, samples, size):
        yield min(size, samples - start)


def _p_values(drawn: Array, observed: Array) -> Array:
    """Two-sided p-value of each key: (samples, keys), (keys,) -> (keys,)."""
    defined = ~np.isnan(drawn)
    extreme = (np.abs(drawn) >= np.abs(observed) - _TIE) & defined
    p_values = (extreme.sum(axis=0) + 1) / (defined.sum(axis=0) + 1)
    return np.where(np.isnan(observed), np.nan, p_values)


def _percentiles(drawn: Array, level: float) -> tuple[Array, Array]:
    low = _quiet(np.nanpercentile, drawn, q=50 * (1 - level))
    high = _quiet(np.nanpercentile, drawn, q=50 * (1 + level))
    return low, high


def _quiet(function: Any, values: Array, **options: Any) -> Array:
    """A column-wise nan-function; a column of NaN alone gives NaN, unwarned."""
    result = np.full(values.shape[1], np.nan)
    known = ~np.isnan(values).all(axis=0)
    if known.any():
        result[known] = function(values[:, known], axis=0, **options)
    return result


def check_settings(samples: int, level: float, seed: int = SEED) -> None:
    """Refuse numbers that no test can use, before any work.

    Raises:
        InputError: Fewer than two samples, a level outside 0-1, a seed below 0.
    """
    check_seed(seed)
    if samples < 2:
        raise InputError(f"{samples} resamples; at least 2 are needed, 1000 are usual")
    if not 0 < level < 1:
        raise InputError(f"level {level} is not between 0 and 1 (0.95 is usual)")


def check_seed(seed: int) -> None:
    """Refuse a seed that the generator of random numbers does not take.

    Raises:
        InputError: The seed is below 0 or no whole number.
    """
    if not isinstance(seed, Integral) or seed < 0:
        raise InputError(f"seed is {shown(seed)}; it must be a whole number from 0")


def _check(images: int, samples: int, level: float, seed: int) -> None:
    if not images:
        raise InputError("no image to resample")
    check_settings(samples, level, seed)


def _by_key(found: Sequence[Keyed], key: str) -> Keyed:
    for each in found:
        if each.key == key:
            return each
    raise unknown("score", key, (each.key for each in found))


def _some(images: Sequence[ImageId], shown: int = 5) -> str:
    if not images:
        return "none"
    names = ", ".join(repr(image) for image in images[:shown])
    return names + (f" and {len(images) - shown} more" if len(images) > shown else "")
