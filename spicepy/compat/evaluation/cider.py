"""`Cider`: CIDEr-D with the document frequencies of a set of references."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from spicepy.compat.pycocoevalcap._samples import Captions, samples_of
from spicepy.metrics.base import Array
from spicepy.metrics.ngrams import cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.metrics.totals import total
from spicepy.tokenization.samples import TokenisedSample


class Cider:
    """CIDEr-D with the document frequencies of a set of references.

    Args:
        gts: The set, {id: [reference, …]}, tokenised; by default the references of
            each call.
    """

    def __init__(self, gts: Mapping[Any, Sequence[str]] | None = None) -> None:
        frequencies = None
        if gts is not None:
            images = [
                TokenisedSample(number, "", tuple(references))
                for number, references in enumerate(gts.values())
            ]
            frequencies = DocumentFrequencies.of(images, name="references")
        self._metric = cider.Cider(frequencies=frequencies)

    def compute_score(self, gts: Captions, res: Captions) -> tuple[np.float64, Array]:
        """Return the mean and the scores of the images, in the order of `gts`.

        Raises:
            InputError: See `samples_of`.
        """
        rows = self._metric.count(samples_of(gts, res)).rows
        return self._metric.corpus_scores(total(rows), len(rows))[0], rows[:, 0]

    def __str__(self) -> str:
        return "CIDEr"
