"""Resamples of images as weights, and statistics of them.

In: a metric and the rows of one or several systems on the same images. A resample
is a row of weights, so all resamples of a corpus are one matrix product, weights @
rows, and one call of the metric's `corpus_scores`. scipy.stats resamples a function
of raw observations; on sums of rows the same takes a few lines and is hundreds of
times faster.

Out: corpus scores of all resamples; their percentiles, standard errors, p-values.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spicepy.metrics.base import Array, Metric
from spicepy.metrics.totals import total

MetricRows = tuple[Metric, Sequence[Array]]
"""A metric and the rows of each system, all in the same order of images."""

_CELLS = 4_000_000  # The number of weights in memory at a time: 32 MB.
_SUMS = 8 * _CELLS  # The number of sums in memory at a time.
_TIE = 1e-12  # Differences closer than this are equal, since sums are rounded.


def corpus(metric: Metric, rows: Array) -> Array:
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
    """Return corpus scores (samples, keys) of each system; all share the resamples.

    Args:
        metric: The metric that made the rows.
        systems: Rows of each system, all in the same order of images.
        samples: Number of resamples.
        seed: Random seed.
        drawn: Images in each resample; as many as there are by default.
    """
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
    for count in chunks(samples, max(images, drawn)):
        weights = _weights(generator, count, images, drawn)
        for (metric, systems), resampled in zip(measured, scores, strict=True):
            for rows, parts in zip(systems, resampled, strict=True):
                parts.append(metric.corpus_scores(weights @ rows, drawn))
    return [[np.concatenate(parts) for parts in resampled] for resampled in scores]


def _weights(
    generator: np.random.Generator, count: int, images: int, drawn: int
) -> Array:
    """Return the number of draws of each image in each resample: (count, images)."""
    chosen = generator.integers(0, images, (count, drawn))
    chosen += np.arange(count)[:, None] * images
    cells = np.bincount(chosen.ravel(), minlength=count * images)
    return cells.reshape(count, images).astype(np.float64)


def chunks(samples: int, images: int, sums: int = 1) -> Iterator[int]:
    """Yield numbers of resamples that are made at a time, to bound memory.

    Args:
        samples: The number of all resamples.
        images: The number of weights of a resample.
        sums: The number of sums that are kept for each resample of a chunk.
    """
    size = max(1, min(_CELLS // images, _SUMS // sums))
    for start in range(0, samples, size):
        yield min(size, samples - start)


@dataclass(slots=True)
class Extremes:
    """Counts of resampled differences that are as far from zero as the observed one.

    `far` and `defined` count resamples by key, (keys,).
    """

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
        """Return the two-sided p-values by key; the observed difference counts, too."""
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
