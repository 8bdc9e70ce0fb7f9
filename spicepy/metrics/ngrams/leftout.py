"""CIDEr whose document frequencies leave out a caption of each sample's image.

In: a CIDEr metric with the frequencies of a whole data set, and for every sample
the caption to leave out with the other captions of its image. An n-gram that
only the left-out caption of the image has occurs in one image less. No reference
of the sample has it, so only the candidate's own vector changes, and frequencies
need not be counted anew for each fold.

Out: a metric; its scores equal those of frequencies counted without the caption.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from spicepy.metrics.base import Array, Statistics, per_image
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.metrics.ngrams.grams import (
    CaptionTable,
    GramTable,
    chunks,
    count_grams,
    encode,
)
from spicepy.metrics.ngrams.vocabulary import Floats, Ints
from spicepy.samples.sample import Sample

LeftOut = tuple[str, tuple[str, ...]]
"""A left-out caption and the other captions of its image, tokenised."""


class LeftOutCider(Cider):
    """A CIDEr metric that counts each sample without its left-out caption.

    Args:
        metric: With frequencies of the whole set.
        left_out: One entry a sample, in the order of the samples counted.
    """

    def __init__(self, metric: Cider, left_out: Sequence[LeftOut]) -> None:
        super().__init__(
            damped=metric.damped,
            stemming=metric.stemming,
            frequencies=metric.frequencies,
            orders=metric.orders,
            references=metric.references,
            idf=metric.idf,
            scale=metric.scale,
        )
        self._left_out = left_out
        self._with: CaptionTable
        self._without: CaptionTable

    def count(self, samples: Sequence[Sample]) -> Statistics:
        """Rows: the scores of each sample."""
        frequencies = self.frequencies
        assert frequencies is not None
        start, rows = 0, []
        for part in chunks(samples):
            out = self._left_out[start : start + len(part)]
            start += len(part)
            rows.append(self._part(part, out, frequencies))
        return per_image(samples, rows)

    def _part(
        self,
        samples: Sequence[Sample],
        left_out: Sequence[LeftOut],
        frequencies: DocumentFrequencies,
    ) -> Array:
        both = list(zip(samples, left_out, strict=True))
        vocabulary = frequencies.vocabulary
        self._with = encode(
            [replace(s, references=(caption,)) for s, (caption, _) in both], vocabulary
        )
        self._without = encode(
            [replace(s, references=others) for s, (_, others) in both], vocabulary
        )
        return self._rows(encode(samples, vocabulary), frequencies)

    def _inverse(
        self,
        table: CaptionTable,
        grams: GramTable,
        frequencies: DocumentFrequencies,
        n: int,
    ) -> Floats:
        inverse = super()._inverse(table, grams, frequencies, n)
        fewer = tuple(np.maximum(counts - 1, 1) for counts in frequencies.counts)
        reduced = super()._inverse(table, grams, replace(frequencies, counts=fewer), n)
        only = np.setdiff1d(
            _shared(self._with, grams, n), _shared(self._without, grams, n)
        )
        images = len(table.candidates)
        keys = grams.gram * images + table.image[grams.caption]
        rows = table.is_candidate[grams.caption] & np.isin(keys, only)
        return np.where(rows, reduced, inverse)

    def signature(self) -> dict[str, str]:
        """As the metric's, with the correction named."""
        return {**super().signature(), "left-out": "not in idf"}


def _shared(table: CaptionTable, grams: GramTable, n: int) -> Ints:
    """Candidates' n-grams that a reference of `table` has, as gram × images + image."""
    own = count_grams(table, n)
    rows = own.candidate_rows
    gram = np.searchsorted(grams.codes, own.codes[own.gram[rows]])
    return np.unique(gram * len(table.candidates) + table.image[own.caption[rows]])
