"""Scores of many candidates, each against its own references.

In: tokenised samples and metrics. Out: `SampleScores`, one row a sample, one column a
key. All studies score through here, so that a key means the same in each.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spicepy.common.errors import unknown
from spicepy.common.lazy_imports import required
from spicepy.common.progress import advance
from spicepy.evaluation.measured import reference_count, signature_string
from spicepy.metrics.base import Array, LeftOut, Metric, WeighsDocuments
from spicepy.metrics.totals import total
from spicepy.tokenization.samples import TokenisedSample

_BLOCK = 20_000
"""The number of samples counted at once, which bounds memory.

Samples of one image should be neighbours, so that its captions are parsed once.
"""


@dataclass(frozen=True, slots=True)
class SampleScores:
    """Scores of shape (samples, keys); NaN where a metric has none.

    `counted` holds each metric with its additive rows, shape (samples, columns).
    """

    keys: tuple[str, ...]
    values: Array
    signatures: tuple[str, ...]
    counted: tuple[tuple[Metric, Array], ...]

    def __getitem__(self, key: str) -> Array:
        if key not in self.keys:
            raise unknown("score", key, self.keys)
        column: Array = self.values[:, self.keys.index(key)]
        return column

    def corpus(self, rows: NDArray[np.intp]) -> Array:
        """Return corpus scores (keys,) of some of the samples."""
        parts = [
            metric.corpus_scores(total(counts[rows]), len(rows))
            for metric, counts in self.counted
        ]
        return np.concatenate(parts)


def score(
    metrics: Sequence[Metric],
    samples: Sequence[TokenisedSample],
    *,
    documents: Sequence[Sequence[str]],
    left_out: Sequence[LeftOut] | None = None,
) -> SampleScores:
    """Score samples with all metrics.

    Args:
        metrics: Metrics to score with.
        samples: Tokenised samples with distinct ids.
        documents: The tokenised captions of each image of the set, for the document
            frequencies of metrics that weigh n-grams by rarity.
        left_out: For each sample, a caption that does not count in these frequencies,
            with the other captions of its image; None counts all captions.

    Raises:
        ResourceError: scipy, which studies need afterwards, is missing.
    """
    required("scipy.stats", "a study of correlations")
    ready = [
        metric.for_documents(documents)
        if isinstance(metric, WeighsDocuments)
        else metric
        for metric in metrics
    ]
    blocks = [slice(i, i + _BLOCK) for i in range(0, len(samples), _BLOCK)]
    rows: list[list[Array]] = [[] for _ in metrics]
    for done, block in enumerate(blocks):
        for metric, parts in zip(ready, rows, strict=True):
            if left_out is not None and isinstance(metric, WeighsDocuments):
                metric = metric.leaving_out(left_out[block])
            parts.append(metric.count(samples[block]).rows)
        advance("scoring", min((done + 1) * _BLOCK, len(samples)), len(samples))
    whole = tuple(np.concatenate(parts) for parts in rows)
    return SampleScores(
        tuple(key for metric in metrics for key in metric.keys),
        np.concatenate([m.image_scores(r) for m, r in zip(ready, whole)], axis=1),
        tuple(signature_string(m.signature(), reference_count(samples)) for m in ready),
        tuple(zip(ready, whole)),
    )
