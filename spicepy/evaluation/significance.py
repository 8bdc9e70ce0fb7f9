"""Confidence and significance from additive statistics; nothing is counted twice.

In: a metric and the `Statistics` of one system (intervals), or the resampled scores
of two systems on the same images (the paired bootstrap; the test by swapped captions
stands in `spicepy.evaluation.randomization`). Both rest on
`spicepy.evaluation.resampling`. Out: intervals, p-values and bounds of differences.
"""

from dataclasses import dataclass
from typing import Any

from spicepy.common.errors import InputError, unknown
from spicepy.common.plain_values import plain
from spicepy.common.settings import SEED, check_settings
from spicepy.evaluation.resampling import (
    Extremes,
    corpus,
    percentiles,
    resampled_scores,
    standard_errors,
)
from spicepy.metrics.base import Array, Metric, Statistics
from spicepy.samples.sample import listed


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
        for each in self.intervals:
            if each.key == key:
                return each
        raise unknown("score", key, (each.key for each in self.intervals))

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

    Args:
        metric: The metric that made the statistics.
        statistics: One row an image.
        samples: Number of resamples, each as large as the corpus.
        seed: Random seed; the same seed gives the same intervals.
        level: Share of resamples inside the interval, 0-1.

    Raises:
        InputError: No image, fewer than two samples or a level outside 0-1.

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

    The p-value is the share of resamples whose difference lies at least as far
    from the observed one as the observed one lies from zero (two-sided), the
    observed corpus counted as one more resample.

    Args:
        scores: Scores of both systems, (keys,).
        drawn: Their differences in the resamples, (samples, keys).
        level: Confidence level of the bounds.

    Source: Koehn 2004, Statistical Significance Tests for Machine Translation
    Evaluation; two-sided form: Efron & Tibshirani 1993, section 16.4.
    """
    observed = scores[0] - scores[1]
    extremes = Extremes.of(observed)
    extremes.add(drawn - observed)
    return extremes.p_values(), percentiles(drawn, level)


def in_same_order(first: Statistics, second: Statistics) -> Statistics:
    """Return the second statistics in the order of the first's images.

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
        only = ((missing, "first"), (extra, "second"))
        differences = (f"{listed(ids)} only in the {name}" for ids, name in only if ids)
        raise InputError(
            f"the two systems describe different images: {', '.join(differences)}"
        )
    order = [positions[image] for image in first.image_ids]
    details = tuple(second.details[i] for i in order) if second.details else ()
    return Statistics(first.image_ids, second.rows[order], details)
