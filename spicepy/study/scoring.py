"""Scores of many candidates, each against its own references.

In: tokenised samples and metrics. Out: `Scores`, one row a sample, one column a
key. All studies score through here, so that a key means the same in each.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spicepy.common.errors import unknown
from spicepy.common.progress import advance
from spicepy.evaluation.evaluation import signature_string
from spicepy.metrics.base import Array, Metric
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.metrics.ngrams.leftout import LeftOut, LeftOutCider
from spicepy.samples.sample import Sample
from spicepy.tokenization.ptb import tokenize

_BLOCK = 20_000
"""Samples counted at once: bounds memory. Those of one image should be neighbours,
so that their captions are parsed and counted once."""


@dataclass(frozen=True, slots=True)
class Scores:
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
        """Corpus scores (keys,) of some of the samples."""
        parts = [
            metric.corpus_scores(counts[rows].sum(axis=0), len(rows))
            for metric, counts in self.counted
        ]
        return np.concatenate(parts)


def tokenized(captions: Sequence[str]) -> dict[str, str]:
    """Every distinct caption with its tokens joined by spaces."""
    distinct = list(dict.fromkeys(captions))
    return dict(zip(distinct, tokenize(distinct), strict=True))


def score(
    metrics: Sequence[Metric],
    samples: Sequence[Sample],
    *,
    documents: Sequence[Sequence[str]],
    left_out: Sequence[LeftOut] | None = None,
) -> Scores:
    """Score samples with all metrics.

    Args:
        metrics: Metrics to score with.
        samples: Tokenised samples with distinct ids.
        documents: The tokenised captions of each image of the set: where
            metrics that weigh n-grams by rarity take document frequencies from.
        left_out: For each sample, a caption that does not count in them, with
            the other captions of its image; None counts all for all.
    """
    ready = [with_documents(metric, documents) for metric in metrics]
    blocks = [slice(i, i + _BLOCK) for i in range(0, len(samples), _BLOCK)]
    rows: list[list[Array]] = [[] for _ in metrics]
    for done, block in enumerate(blocks):
        for metric, parts in zip(ready, rows, strict=True):
            if left_out is not None and isinstance(metric, Cider):
                metric = LeftOutCider(metric, left_out[block])
            parts.append(metric.count(samples[block]).rows)
        advance("scoring", min((done + 1) * _BLOCK, len(samples)), len(samples))
    whole = tuple(np.concatenate(parts) for parts in rows)
    return Scores(
        tuple(key for metric in metrics for key in metric.keys),
        np.concatenate([m.image_scores(r) for m, r in zip(ready, whole)], axis=1),
        tuple(signature_string(m.signature(), _spread(samples)) for m in ready),
        tuple(zip(ready, whole)),
    )


def with_documents(metric: Metric, documents: Sequence[Sequence[str]]) -> Metric:
    """The metric with document frequencies of these documents, if it needs any."""
    if not isinstance(metric, Cider) or metric.frequencies is not None:
        return metric
    images = [Sample(i, "", tuple(own)) for i, own in enumerate(documents)]
    frequencies = DocumentFrequencies.of(images, stemming=metric.stemming, name="set")
    ready = copy(metric)
    ready.frequencies = frequencies
    return ready


def _spread(samples: Sequence[Sample]) -> str:
    """The number of references of a sample, "4" or "4-9"."""
    counts = {len(sample.references) for sample in samples}
    low, high = min(counts), max(counts)
    return str(low) if low == high else f"{low}-{high}"
