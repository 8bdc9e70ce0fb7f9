"""CIDEr and CIDEr-D: the similarity of n-gram vectors weighted by tf-idf.

The score of an image is 0-10; the corpus score is the mean of the images.

Edge cases:

* empty candidate, or one that shares no n-gram with a reference: 0.
* empty reference: adds 0 to the mean over references.
* fewer than n words: the n-gram vector is empty and order n adds 0, so a
  candidate equal to its references reaches 10 only with at least 4 words.
* one image in the frequencies: every idf is log(1) = 0 and so is every score;
  a `SpicepyWarning` says so. Use saved frequencies or `idf=False`.
* repeating a whole corpus with new ids changes no score, unless a candidate has
  n-grams that no reference has: these count as seen in one image.
"""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import lru_cache, reduce
from operator import add
from typing import Literal, Self

import numpy as np

from spicepy.common.errors import InputError, SpicepyWarning, check_kind
from spicepy.metrics import base
from spicepy.metrics.ngrams.frequencies import (
    DocumentFrequencies,
    HashedFrequencies,
    porter_stem,
)
from spicepy.metrics.ngrams.grams import (
    ORDERS,
    CaptionTable,
    Floats,
    GramTable,
    GramVocabulary,
    Ints,
    chunks,
    count_grams,
    encode,
)
from spicepy.tokenization.samples import TokenisedSample

# Inverse document frequencies of the n-grams of a table of captions.
#
# With a caption left out, frequencies need not be counted anew for every fold: an
# n-gram that only this caption of its image has occurs in one image less. No reference
# of the sample has it, so only the candidate's own vector changes.

Inverse = Callable[[CaptionTable, GramTable, int], Floats]
"""Captions, their n-grams and n -> the idf of every row of n-grams."""


def left_out_inverse(
    frequencies: DocumentFrequencies,
    samples: Sequence[TokenisedSample],
    left_out: Sequence[base.HeldOutCaption],
) -> Inverse:
    """Return the idf without one caption of each sample's image."""
    # The numbers equal those of frequencies counted without the caption. The captions
    # left out are in the order of the samples.
    both = list(zip(samples, left_out, strict=True))
    vocabulary = frequencies.vocabulary
    out = encode([replace(s, references=(c,)) for s, (c, _) in both], vocabulary)
    others = encode([replace(s, references=o) for s, (_, o) in both], vocabulary)
    fewer = tuple(np.maximum(counts - 1, 1) for counts in frequencies.counts)
    whole, reduced = frequencies.idf, replace(frequencies, counts=fewer).idf

    def inverse(table: CaptionTable, grams: GramTable, n: int) -> Floats:
        only = np.setdiff1d(_shared(out, grams, n), _shared(others, grams, n))
        images = len(table.candidates)
        keys = grams.gram * images + table.image[grams.caption]
        rows = table.is_candidate[grams.caption] & np.isin(keys, only)
        return np.where(rows, reduced(table, grams, n), whole(table, grams, n))

    return inverse


def _shared(table: CaptionTable, grams: GramTable, n: int) -> Ints:
    """Return candidates' n-grams that a reference has, as gram × images + image."""
    counted = count_grams(table, n)
    rows = counted.candidate_rows
    gram = np.searchsorted(grams.codes, counted.codes[counted.gram[rows]])
    return np.unique(gram * len(table.candidates) + table.image[counted.caption[rows]])


# The similarity of two captions' n-grams, as in CIDEr and CIDEr-D.
#
# Source: Vedantam, Zitnick and Parikh (2015), "CIDEr: Consensus-based Image Description
# Evaluation", equations 1 and 2 (CIDEr) and 4 (CIDEr-D).

_SIGMA = 6.0


def cosines(
    table: CaptionTable, n: int, inverse: Inverse | None, *, damped: bool
) -> Floats:
    """Return cosines of the vectors of n-grams, 0-1: (references,)."""
    # `inverse` are inverse document frequencies; None weighs all alike. In CIDEr-D,
    # which is `damped`, weights are clipped to the reference's, and a difference in
    # length costs.
    grams = count_grams(table, n)
    weights = grams.count.astype(float)
    if inverse is not None:
        weights = weights * inverse(table, grams, n)
    squares = np.zeros(len(table.words))
    squares[grams.position] = weights * weights
    norms = np.sqrt(np.bincount(table.caption, squares, len(table.image)))
    products = _products(table, grams, weights, damped=damped)[table.references]
    candidates = table.candidates[table.image[table.references]]
    scales = norms[candidates] * norms[table.references]
    cosine: Floats = np.divide(products, scales, products, where=scales != 0)
    return cosine * _length_penalty(table) if damped else cosine


def _products(
    table: CaptionTable, grams: GramTable, weights: Floats, *, damped: bool
) -> Floats:
    """Return inner products of all captions with their candidates."""
    # Each product goes to a slot of its own, a row of candidate-length slots a caption,
    # so that it is summed in the order of the candidate's words.
    rows, own_rows = grams.reference_rows, grams.candidate_rows
    reference, own = weights[rows], weights[own_rows]
    caption, candidate = grams.caption[rows], grams.caption[own_rows]
    if damped:
        own = np.minimum(own, reference)
    sizes = table.lengths[table.candidates][table.image]
    slots = np.cumsum(sizes) - sizes
    terms = np.zeros(int(sizes.sum()))
    offset = grams.position[own_rows] - table.starts[candidate]
    terms[slots[caption] + offset] = own * reference
    captions = np.arange(len(sizes))
    return np.bincount(np.repeat(captions, sizes), terms, len(sizes)).astype(float)


@lru_cache(maxsize=1)
def _length_penalty(table: CaptionTable) -> Floats:
    """Return a Gaussian of the difference in bigrams from the candidate."""
    bigrams = np.maximum(table.lengths - 1, 0)
    candidates = table.candidates[table.image[table.references]]
    difference = np.abs(bigrams[candidates] - bigrams[table.references])
    # By math.e ** x, as coco-caption has it: the last bit of exp(x) differs.
    most = int(difference.max(initial=0))
    penalty = [math.e ** (-float(d * d) / (2 * _SIGMA**2)) for d in range(most + 1)]
    penalties: Floats = np.array(penalty)[difference]
    return penalties


_FLOOR = 1e-9  # The least score of an order in the geometric mean.
ONE_IMAGE = (
    "CIDEr: the document frequencies are those of one image, so every idf is "
    "log(1/1) = 0 and every score 0; give frequencies of a larger set"
)


NOT_FREQUENCIES = "give DocumentFrequencies: see DocumentFrequencies.load and .of"


class Cider(base.UsesDocumentFrequencies, base.MeanOfImages):
    """CIDEr-D as coco-caption computes it, or CIDEr as first published.

    Args:
        damped: True for CIDEr-D (no stemming, n-gram weights clipped to the
            reference's, a Gaussian penalty on the difference in length, sigma
            6), False for CIDEr (Porter stems, plain cosine).
        stemming: Whether words are reduced to Porter stems; as the paper says by
            default (CIDEr yes, CIDEr-D no). Published figures of CIDEr are
            often without.
        frequencies: Document frequencies; by default those of the references
            of the samples counted. Parts counted apart need common ones.
        orders: The combination of the scores of n = 1..4: "mean" (the metric),
            "exp" (exponential of the mean logarithm, as in BLEU; a score of 0 is
            taken for 1e-9, unless all are 0), or "separate" (four numbers instead
            of one); a number from 1 to 4 takes the score of that n alone.
        references: "mean" over references, or the "max", for each n.
        idf: False weighs all n-grams alike.
        scale: The factor on all scores; 1 for the raw mean.

    Raises:
        InputError: Frequencies with the wrong stemming; an unknown value.

    Note:
        Lengths in the penalty are numbers of bigrams, as in coco-caption.

    Source: Vedantam, Zitnick and Parikh (2015), "CIDEr: Consensus-based Image
        Description Evaluation", equations 1-3 (CIDEr) and 4-5 (CIDEr-D).
    """

    def __init__(
        self,
        *,
        damped: bool = True,
        stemming: bool | None = None,
        frequencies: DocumentFrequencies | None = None,
        orders: Literal["mean", "exp", "separate", 1, 2, 3, 4] = "mean",
        references: Literal["mean", "max"] = "mean",
        idf: bool = True,
        scale: float = 10.0,
    ) -> None:
        if orders not in ("mean", "exp", "separate", *ORDERS):
            raise InputError(f"orders {orders!r}: must be mean, exp, separate or 1-4")
        if references not in ("mean", "max"):
            raise InputError(f"references {references!r}: must be mean or max")
        stemming = not damped if stemming is None else stemming
        known = DocumentFrequencies | HashedFrequencies | None
        check_kind("frequencies are", frequencies, known, NOT_FREQUENCIES)
        if frequencies is not None and frequencies.stemming != stemming:
            need = "with" if stemming else "without"
            raise InputError(
                f"{'CIDEr-D' if damped else 'CIDEr'} needs document frequencies "
                f"{need} stemming; those of {frequencies.name!r} are not"
            )
        self.damped = damped
        self.stemming = stemming
        self.frequencies: DocumentFrequencies | HashedFrequencies | None = frequencies
        self.orders = orders
        self.references = references
        self.idf = idf
        self.scale = self.span = scale
        self._left_out: tuple[base.HeldOutCaption, ...] = ()
        self._own = False  # the frequencies are those of the corpus scored

    @property
    def keys(self) -> tuple[str, ...]:
        """The numbers: "cider-d" or "cider", variants with a suffix."""
        key = "cider-d" if self.damped else "cider"
        if self.stemming == self.damped:
            key += "-stemmed" if self.stemming else "-unstemmed"
        key += "-exp" if self.orders == "exp" else ""
        key += "-max" if self.references == "max" else ""
        key += "" if self.idf else "-no-idf"
        key += "" if self.scale == 10 else "-raw" if self.scale == 1 else "-scaled"
        if self.orders in ("mean", "exp"):
            return (key,)
        return tuple(f"{key}-{n}" for n in self._scored)

    @property
    def _scored(self) -> Sequence[int]:
        """The lengths of n-grams that are scored."""
        return (self.orders,) if isinstance(self.orders, int) else ORDERS

    def count(self, samples: Sequence[TokenisedSample]) -> base.Statistics:
        """Return rows: the scores of each image.

        Sub-sets and bootstrap samples of the rows keep the frequencies used.

        Raises:
            InputError: An image has no references.
        """
        frequencies, table = self.frequencies, None
        parts = list(chunks(samples))
        if frequencies is None and len(parts) == 1:
            vocabulary = GramVocabulary(porter_stem) if self.stemming else None
            table = encode(parts[0], vocabulary)
            frequencies = DocumentFrequencies.empty(
                stemming=self.stemming, name="corpus", vocabulary=table.vocabulary
            ).add(table)
        elif frequencies is None:
            frequencies = DocumentFrequencies.of(samples, stemming=self.stemming)
        if self.idf and frequencies.images == 1:
            warnings.warn(ONE_IMAGE, SpicepyWarning, stacklevel=2)
        rows, start = [], 0
        for part in parts:
            inverse: Inverse = frequencies.idf
            if self._left_out and isinstance(frequencies, DocumentFrequencies):
                left_out = self._left_out[start : start + len(part)]
                inverse = left_out_inverse(frequencies, part, left_out)
            encoded = table or frequencies.table(part)
            rows.append(self._rows(encoded, inverse))
            start += len(part)
        return base.stack_statistics(samples, rows)

    def for_documents(self, documents: Sequence[Sequence[str]]) -> Self:
        """Return the metric with the documents' frequencies, unless it has its own."""
        if self.frequencies is not None:
            return self
        images = [TokenisedSample(i, "", tuple(d)) for i, d in enumerate(documents)]
        ready = copy(self)
        ready.frequencies = DocumentFrequencies.of(
            images, stemming=self.stemming, name="set"
        )
        return ready

    @property
    def required_word_form(self) -> base.WordForm | None:
        """Return the missing frequencies: of stems, of words, or None."""
        given = self.frequencies is not None
        return None if given else base.WordForm.of(stemming=self.stemming)

    def with_document_frequencies(
        self, frequencies: Mapping[base.WordForm, HashedFrequencies]
    ) -> Self:
        """Return the metric with the corpus's frequencies and the same signature."""
        if self.frequencies is not None:
            return self
        ready = copy(self)
        ready.frequencies = frequencies[base.WordForm.of(stemming=self.stemming)]
        ready._own = True
        return ready

    def without_caption(self, left_out: Sequence[base.HeldOutCaption]) -> Self:
        """Return the metric whose frequencies lack one caption of each sample's image.

        Raises:
            InputError: It has no frequencies yet (`for_documents`).
        """
        if self.frequencies is None:
            raise InputError("captions are left out of frequencies; there are none")
        ready = copy(self)
        ready._left_out = tuple(left_out)
        return ready

    def _rows(self, table: CaptionTable, inverse: Inverse) -> base.Array:
        """Return scores of the images of a table: (images, keys)."""
        columns = [
            cosines(table, n, inverse if self.idf else None, damped=self.damped)
            for n in self._scored
        ]
        scores = self._over_references(np.column_stack(columns), table)
        if self.orders == "mean":
            scores = _mean_of_orders(scores)
        if self.references == "mean":
            scores = scores / np.bincount(table.image[table.references])[:, None]
        if self.orders == "exp":
            scores = _geometric_mean(scores)
        return scores * self.scale

    def _over_references(self, scores: Floats, table: CaptionTable) -> Floats:
        """Sum or maximum over references: (references, n) -> (images, n)."""
        if self.references == "max":
            return np.maximum.reduceat(scores, table.reference_starts, axis=0)
        image, images = table.image[table.references], len(table.candidates)
        return np.column_stack([np.bincount(image, x, images) for x in scores.T])

    def signature(self) -> Mapping[str, str]:
        """Return everything that can change the numbers."""
        used = None if self._own else self.frequencies
        return {
            "metric": "CIDEr-D" if self.damped else "CIDEr",
            "stem": "porter-nltk" if self.stemming else "none",
            "idf": "none" if not self.idf else "corpus" if used is None else used.label,
            "orders": "exp-floor-1e-9" if self.orders == "exp" else str(self.orders),
            "references": self.references,
            "scale": f"{self.scale:g}",
        }


def _mean_of_orders(scores: Floats) -> Floats:
    """Return the mean, added up in the order of n: (images, 4) -> (images, 1)."""
    sums: Floats = reduce(add, scores.T)
    return (sums / len(ORDERS))[:, None]


def _geometric_mean(scores: Floats) -> Floats:
    """Return the geometric mean: (images, 4) -> (images, 1)."""
    # Most captions share no sequence of four words with any reference. If one 0 made
    # the whole 0, most pairs of captions would be tied; the paper finds this mean only
    # slightly worse than the sum.
    means = base.exponential(
        _mean_of_orders(base.logarithm(np.maximum(scores, _FLOOR)))
    )
    return np.where(scores.any(axis=1, keepdims=True), means, 0.0)
