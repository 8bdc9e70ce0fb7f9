"""Approximate randomisation: captions of two systems swapped at random.

In: a metric and the statistics of systems on the same images. Swapping the captions
of an image swaps its two rows, so a shuffle needs only sums of rows: those of the
images that are swapped. They are made once a system and serve every pair.

Out: the p-values of every pair of systems.

Source: Noreen 1989, Computer-Intensive Methods for Testing Hypotheses; Riezler &
Maxwell 2005, On Some Pitfalls in Automatic Evaluation and Significance Testing for
MT, section 4.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from spicepy.evaluation.resampling import Extremes, chunks, corpus
from spicepy.metrics.base import Array, Metric


def shuffled_p_values(
    metric: Metric, systems: Sequence[Array], samples: int, seed: int
) -> dict[tuple[int, int], Array]:
    """The p-value of each key (keys,) for every pair of systems, by their numbers.

    It is the share of shuffles whose difference is at least as large as the observed
    one (two-sided), the observed one counted as a shuffle.

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
