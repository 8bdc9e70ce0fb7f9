"""Approximate randomisation: captions of two systems swapped at random.

In: a metric and the statistics of systems on the same images. Swapping the captions
of an image swaps its two rows, so a shuffle needs only sums of rows: those of the
images that are swapped. They are made once a system and serve every pair.

Out: a `PairedTest`; for several systems, the p-values of every pair.

Source: Noreen 1989, Computer-Intensive Methods for Testing Hypotheses; Riezler &
Maxwell 2005, On Some Pitfalls in Automatic Evaluation and Significance Testing for
MT, section 4.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from spicepy.common.settings import SEED
from spicepy.evaluation.resampling import Extremes, chunks, corpus
from spicepy.evaluation.significance import (
    PairedTest,
    check_drawing,
    in_same_order,
    paired,
)
from spicepy.metrics.base import Array, Metric, Statistics


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
    """
    second = in_same_order(first, second)
    check_drawing(len(first.rows), samples, 0.5, seed)
    rows = [first.rows, second.rows]
    [p_values] = shuffled_p_values(metric, rows, samples, seed).values()
    scores = corpus(metric, first.rows), corpus(metric, second.rows)
    unknown = np.full_like(p_values, np.nan)
    return paired(
        "approximate randomization",
        metric,
        scores,
        p_values,
        (unknown, unknown),
        first,
        (samples, seed),
    )


def shuffled_p_values(
    metric: Metric, systems: Sequence[Array], samples: int, seed: int
) -> dict[tuple[int, int], Array]:
    """The p-value of each key (keys,) for every pair of systems, by their numbers.

    Args:
        metric: The metric that made the rows.
        systems: Rows of each system, all in the same order of images.
        samples: Number of shuffles, the same ones for all pairs.
        seed: Of the generator.
    """
    if len(systems) < 2:
        return {}
    images = len(systems[0])
    totals = [rows.sum(axis=0) for rows in systems]
    scores = [corpus(metric, rows) for rows in systems]
    pairs = list(combinations(range(len(systems)), 2))
    counts = {pair: Extremes.of(scores[pair[0]] - scores[pair[1]]) for pair in pairs}
    generator = np.random.default_rng(seed)
    for count in chunks(samples, images):
        swapped = generator.integers(0, 2, (count, images)).astype(np.float64)
        sums = [swapped @ rows for rows in systems]
        for a, b in pairs:
            moved = sums[b] - sums[a]
            first = metric.corpus_scores(totals[a] + moved, images)
            second = metric.corpus_scores(totals[b] - moved, images)
            counts[a, b].add(first - second)
    return {pair: extremes.p_values() for pair, extremes in counts.items()}
