"""SPIDEr: the mean of CIDEr-D and SPICE.

The score of an image is the mean of its CIDEr-D (0-10) and its SPICE (0-1); the corpus
score is the mean of the images, and so the mean of the two corpus scores.

Source: Liu et al. (2017), "Improved Image Captioning via Policy Gradient
optimization of SPIDEr"; the penalty, Zhou et al. (2022), "Can Audio Captions Be
Evaluated with Image Caption Metrics?".
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Self

import numpy as np

from spicepy.common.errors import InputError, counted
from spicepy.metrics import base
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.ngrams.frequencies import HashedFrequencies
from spicepy.metrics.spice import Spice
from spicepy.tokenization.samples import TokenisedSample

Fluency = Callable[[list[str]], Sequence[float]]
"""Tokenised candidates -> the factor on the score of each, e.g. 0.1 for an error."""


class Spider(base.UsesDocumentFrequencies, base.MeanOfImages):
    """SPIDEr of each image and of a corpus; `fluency` gives factors on the scores."""

    def __init__(
        self,
        spice: base.Metric | None = None,
        cider: Cider | None = None,
        *,
        fluency: Fluency | None = None,
    ) -> None:
        self.spice = Spice() if spice is None else spice
        self.cider = Cider() if cider is None else cider
        self.fluency = fluency
        self.span = (self.spice.span + self.cider.span) / 2

    @property
    def keys(self) -> tuple[str, ...]:
        """("spider",), or ("spider-fl",) with a fluency penalty."""
        return ("spider" if self.fluency is None else "spider-fl",)

    def count(self, samples: Sequence[TokenisedSample]) -> base.Statistics:
        """Return rows: the score of each image; details are SPICE's."""
        spice = self.spice.count(samples)
        f = self.spice.image_scores(spice.rows)[:, 0]
        cider = self.cider.image_scores(self.cider.count(samples).rows).ravel()
        scores = (cider + f) / 2
        if self.fluency is not None:
            scores = scores * self._factors([sample.candidate for sample in samples])
        return base.Statistics(spice.image_ids, scores[:, None], spice.details)

    def _factors(self, captions: list[str]) -> base.Array:
        assert self.fluency is not None
        factors = np.asarray(self.fluency(captions), float)
        if factors.shape != (len(captions),):
            raise InputError(
                f"fluency gave factors of shape {factors.shape} for "
                f"{counted(len(captions), 'candidate')}; it must give one number "
                "a candidate"
            )
        return factors

    def for_documents(self, documents: Sequence[Sequence[str]]) -> Self:
        """Return the metric whose CIDEr-D has the documents' frequencies."""
        return self._with(self.cider.for_documents(documents))

    @property
    def required_word_form(self) -> base.WordForm | None:
        """The form of the document frequencies of CIDEr-D."""
        return self.cider.required_word_form

    def with_document_frequencies(
        self, frequencies: Mapping[base.WordForm, HashedFrequencies]
    ) -> Self:
        """Return the metric whose CIDEr-D has the corpus's frequencies."""
        return self._with(self.cider.with_document_frequencies(frequencies))

    def without_caption(self, left_out: Sequence[base.HeldOutCaption]) -> Self:
        """Return the metric whose frequencies lack a caption of each sample's image."""
        return self._with(self.cider.without_caption(left_out))

    def signature(self) -> Mapping[str, str]:
        """Return the signatures of SPICE and CIDEr-D, and of a penalty."""
        cider, spice = self.cider.signature(), dict(self.spice.signature())
        fluency = getattr(self.fluency, "__name__", type(self.fluency).__name__)
        return {
            **spice,
            "metric": "SPIDEr" if self.fluency is None else "SPIDEr-FL",
            "idf": cider["idf"],
            **({} if self.fluency is None else {"fluency": fluency}),
        }

    def _with(self, cider: Cider) -> Self:
        ready = copy(self)
        ready.cider = cider
        return ready
