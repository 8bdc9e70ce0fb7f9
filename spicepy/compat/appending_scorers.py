"""Scorers that are filled image by image, `scorer += (candidate, references)`."""

from collections import defaultdict
from collections.abc import Sequence
from copy import copy
from typing import Any, Self

import numpy as np

from spicepy.common.errors import InputError, brief
from spicepy.compat.coco_samples import mean_and_scores
from spicepy.compat.scorers import Bleu
from spicepy.metrics.base import Array
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.ngrams.grams import ORDERS
from spicepy.tokenization.samples import TokenisedSample


class Appending:
    """Parts that `BleuScorer` and `CiderScorer` have in common."""

    def __init__(self, test: str | None, refs: Sequence[str] | None) -> None:
        self.samples: list[TokenisedSample] = []
        if test is not None or refs is not None:
            self.append(test, refs)

    def append(self, test: object, refs: object) -> None:
        """Add an image: one candidate, a string, and its references."""
        number = len(self.samples)
        if not isinstance(test, str):
            raise InputError(
                f"image {number}: the candidate is {brief(test)}, no string"
            )
        if not isinstance(refs, list | tuple) or not refs:
            raise InputError(
                f"image {number}: the references are {brief(refs)}; they must be a "
                "list of strings"
            )
        self.samples.append(TokenisedSample(number, test, tuple(refs)))

    def cook_append(self, test: object, refs: object) -> None:
        """Add an image, as `append` does."""
        self.append(test, refs)

    def copy(self) -> Self:
        """Return another scorer with the same images."""
        other = copy(self)
        other.samples = list(self.samples)
        return other

    def size(self) -> int:
        """Return the number of images added."""
        return len(self.samples)

    def __iadd__(self, other: Any) -> Self:
        """Add an image (candidate, references), or the images of another scorer."""
        if isinstance(other, tuple):
            self.append(*other)
        else:
            for sample in other.samples:
                self.append(sample.candidate, sample.references)
        return self


class BleuScorer(Appending):
    """BLEU as coco-caption computes it (up to order `n`), with the closest length."""

    def __init__(
        self,
        test: str | None = None,
        refs: Sequence[str] | None = None,
        n: int = 4,
        special_reflen: None = None,
    ) -> None:
        if special_reflen is not None:
            raise InputError("BleuScorer(special_reflen=…): is not supported")
        self.n = n
        self._bleu = Bleu(n)
        super().__init__(test, refs)

    def compute_score(
        self, option: str | None = None, verbose: int = 0
    ) -> tuple[list[float], list[list[float]]]:
        """Return the corpus scores and the images', a list for each order."""
        # The only option is "closest" (or None); `verbose` prints lengths and n-grams.
        if option not in (None, "closest"):
            raise InputError(f"option {option!r}: only 'closest' is supported")
        return self._bleu.scores(self.samples, verbose)


Gram = tuple[str, ...]


class CiderScorer(Appending):
    """CIDEr-D, which coco-caption calls CIDEr, with the images' own frequencies.

    `test` and `refs` are the first image, if any; `n` is 4 and `sigma` 6.
    `document_frequency` is n-gram -> the number of images with it in a reference, as
    `compute_doc_freq` counts them.
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
        """Add an image; without a candidate (None) for `compute_doc_freq` alone."""
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
