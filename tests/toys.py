"""A toy metric whose scores a reader can check by hand, and images of tuples."""

from collections.abc import Mapping, Sequence

import numpy as np

from spicepy.captions.sample import ImageId
from spicepy.graph.exchange import GraphSample
from spicepy.metrics.base import Array, Metric, Statistics
from spicepy.rules.tuples import Proposals
from spicepy.tokenization.samples import TokenisedSample


class Overlap(Metric):
    """Key "overlap": share of the candidate's words that some reference has.

    Key "length": the candidate's number of words; undefined for one word.
    """

    keys = ("overlap", "length")

    def count(self, samples: Sequence[TokenisedSample]) -> Statistics:
        """One row an image: shared words, words, and a sum and number of lengths."""
        rows = np.zeros((len(samples), 4))
        for row, sample in zip(rows, samples, strict=True):
            words = sample.candidate.split()
            known = {w for reference in sample.references for w in reference.split()}
            shared = sum(word in known for word in words)
            row[:] = shared, len(words), len(words), len(words) > 1
        return Statistics(tuple(s.image_id for s in samples), rows)

    def image_scores(self, rows: Array) -> Array:
        """The keys of single images."""
        return self.corpus_scores(rows, 1)

    def corpus_scores(self, totals: Array, images: int | Array) -> Array:
        """The keys of sums of rows."""
        shared, words, length, known = np.moveaxis(totals, -1, 0)
        overlap = np.divide(shared, words, out=np.zeros_like(words), where=words > 0)
        mean = np.full_like(known, np.nan)
        np.divide(length, known, out=mean, where=known > 0)
        return np.stack([overlap, mean], axis=-1)

    def signature(self) -> Mapping[str, str]:
        """Its name."""
        return {"metric": "overlap"}


def images_of(
    image_ids: Sequence[ImageId],
    candidates: Sequence[Proposals],
    references: Sequence[Sequence[Proposals]],
) -> list[GraphSample]:
    """Images whose candidates and references are tuples already."""
    return list(map(GraphSample, image_ids, candidates, references))
