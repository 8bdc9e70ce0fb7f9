"""Approximate randomisation: captions of two systems swapped at random.

In: a metric and the statistics of systems on the same images. Swapping the captions of
an image swaps its two rows, so that a shuffle needs only the sums of the rows of the
swapped images. They are computed once for each system and used for every pair.

Out: the p-values of every pair of systems.

Source: Noreen 1989, Computer-Intensive Methods for Testing Hypotheses; Riezler &
Maxwell 2005, On Some Pitfalls in Automatic Evaluation and Significance Testing for
MT, section 4.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from spicepy.common.progress import advance
from spicepy.evaluation.resampling import Extremes, MetricRows, chunks, corpus
from spicepy.metrics.base import Array, Metric
from spicepy.metrics.totals import total

Pair = tuple[int, int]
"""The numbers of two systems."""


def shuffled_p_values(
    metric: Metric, systems: Sequence[Array], samples: int, seed: int
) -> dict[Pair, Array]:
    """Return the p-value of each key (keys,) for every pair of systems.

    It is the share of shuffles whose difference is at least as large as the observed
    one (two-sided), the observed one counted as a shuffle.

    Args:
        metric: The metric that made the rows.
        systems: Rows of each system, all in the same order of images.
        samples: Number of shuffles, the same ones for all pairs.
        seed: Random seed.
    """
    [p_values] = all_shuffled([(metric, systems)], samples, seed)
    return p_values


def all_shuffled(
    measured: Sequence[MetricRows], samples: int, seed: int
) -> list[dict[Pair, Array]]:
    """Return `shuffled_p_values` for several metrics; the shuffles are drawn once."""
    if len(measured[0][1]) < 2:
        return [{} for _ in measured]
    images = len(measured[0][1][0])
    generator = np.random.default_rng(seed)
    counts = [_observed(metric, systems) for metric, systems in measured]
    columns = sum(rows[0].shape[1] for _, rows in measured)
    sizes = list(chunks(samples, images, columns * len(measured[0][1])))
    done, tests = 0, len(sizes) * sum(map(len, counts))
    for count in sizes:
        swapped = generator.integers(0, 2, (count, images)).astype(np.float64)
        for (metric, systems), extremes in zip(measured, counts, strict=True):
            totals = [total(rows) for rows in systems]
            sums = [swapped @ rows for rows in systems]
            for (a, b), extreme in extremes.items():
                moved = sums[b] - sums[a]
                first = metric.corpus_scores(totals[a] + moved, images)
                second = metric.corpus_scores(totals[b] - moved, images)
                extreme.add(first - second)
                done += 1
                advance("testing pairs", done, tests)
    return [{p: e.p_values() for p, e in counted.items()} for counted in counts]


def _observed(metric: Metric, systems: Sequence[Array]) -> dict[Pair, Extremes]:
    """Return the observed difference of each pair."""
    scores = [corpus(metric, rows) for rows in systems]
    pairs = combinations(range(len(systems)), 2)
    return {(a, b): Extremes.of(scores[a] - scores[b]) for a, b in pairs}
