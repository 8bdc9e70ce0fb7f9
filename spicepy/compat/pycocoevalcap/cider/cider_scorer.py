"""`CiderScorer`: CIDEr-D of images that are added one after the other."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from spicepy.common.errors import InputError
from spicepy.compat._scoring import mean_and_scores
from spicepy.compat.pycocoevalcap._appending import Appending
from spicepy.metrics.base import Array
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.ngrams.vocabulary import ORDERS

Gram = tuple[str, ...]


class CiderScorer(Appending):
    """CIDEr-D, which coco-caption calls CIDEr, with the images' own frequencies.

    Args:
        test, refs: The first image, if any.
        n, sigma: The highest order and the width of the length penalty; 4 and 6.

    Attributes:
        document_frequency: n-gram -> the number of images with it in a reference, as
            `compute_doc_freq` counts them.
        metric: Computes the scores.

    Raises:
        InputError: Another `n` or `sigma`; a bad image.
    """

    def __init__(
        self,
        test: str | None = None,
        refs: Sequence[str] | None = None,
        n: int = 4,
        sigma: float = 6.0,
    ) -> None:
        if n != 4 or sigma != 6:
            raise InputError(f"CiderScorer(n={n!r}, sigma={sigma!r}): only 4 and 6.0")
        super().__init__(test, refs)
        self.document_frequency = defaultdict[Gram, float](float)
        self.metric = Cider()

    @property
    def crefs(self) -> list[tuple[str, ...]]:
        """The references of each image; the original has counts of their n-grams."""
        return [sample.references for sample in self.samples]

    def append(self, test: object, refs: object) -> None:
        """Add an image; without a candidate (None) for `compute_doc_freq` alone.

        Raises:
            InputError: The candidate is no string, or there are no references.
        """
        super().append("" if test is None else test, refs)

    def compute_doc_freq(self) -> None:
        """Count the images with each n-gram in a reference (`document_frequency`)."""
        for references in self.crefs:
            captions = [text.split() for text in references]
            grams = {
                gram
                for words in captions
                for n in ORDERS
                for gram in zip(*(words[at:] for at in range(n)))
            }
            for gram in grams:
                self.document_frequency[gram] += 1

    def compute_score(
        self, option: None = None, verbose: int = 0
    ) -> tuple[np.float64, Array]:
        """Return the mean and the images' scores, 0-10; both arguments are unread."""
        return mean_and_scores(self.metric, self.samples)
