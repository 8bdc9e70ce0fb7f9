"""BLEU-1 to BLEU-4: clipped n-gram precision with a brevity penalty.

Statistics are additive counts per image (matched and proposed n-grams of each order,
both lengths); an image and a corpus are scored by the same formula.

Edge cases (`smoothing=None`, the numbers of coco-caption):

* empty candidate: 0 up to the constants below (BLEU-1 is 1e-6 × exp(-large),
  which is 0); it still adds its references' length to the corpus.
* empty reference: it shares no words; its length 0 counts as a length.
* captions of fewer than n words have no n-grams; an identical pair then scores
  about (1e-6) ** (1 / n) for each missing order, not 1. `smoothing=3` leaves
  missing orders out.
* one image's score is far below the corpus score when an order has no match.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from spicepy.common.errors import InputError
from spicepy.common.resources import required
from spicepy.metrics import base
from spicepy.metrics.ngrams import grams as ngrams
from spicepy.metrics.ngrams.grams import CaptionTable, Floats, Ints, Masks
from spicepy.tokenization.samples import TokenisedSample

# N-grams of candidates that references have, counted without sorting.
#
# The mask of a word has the positions of the word in its image's candidate (bit p:
# position p). Shifted masks of neighbouring words, joined by "and", give the positions
# of n-grams. The first position of an n-gram is its name, so that occurrences are
# counted in a row of counters for each caption:
#
#     candidate   a dog a dog     masks  0101 1010 0101 1010
#     bigrams     a dog  0101 & 1010 >> 1 = 0101: positions 0 and 2, named 0


def clipped_matches(table: CaptionTable, orders: Sequence[int]) -> list[Ints] | None:
    """Count matched n-grams of candidates, each as often as one reference has it."""
    # The result is (images,) for each order, rising from 1 by 1; None if a candidate
    # has more than 64 words, for which masks are too short.
    longest = int(table.lengths[table.candidates].max(initial=0))
    if longest > ngrams.BITS:
        return None
    named = _named(table, len(orders))
    return [_matches(table, numbers, max(longest, 1)) for numbers in named]


def _named(table: CaptionTable, most: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield, by order, the captions and names of n-grams that candidates have."""
    words = ngrams.word_masks(table)
    masks: Masks = words
    for n in range(1, most + 1):
        if n > 1:
            at = ngrams.positions(table, n)  # where n words belong to one caption
            longer = np.zeros_like(words)
            longer[at] = masks[at] & words[at + n - 1] >> np.uint64(n - 1)
            masks = longer
        at = np.flatnonzero(masks)
        bits = masks[at]
        lowest = bits & (~bits + np.uint64(1))
        yield (
            table.caption[at],
            np.bitwise_count(lowest - np.uint64(1)).astype(np.int64),
        )


def _matches(table: CaptionTable, named: tuple[Ints, Ints], width: int) -> Ints:
    """Return matches of each image; names are below `width`."""
    caption, name = named
    images = len(table.candidates)
    keys = table.image[caption] * width + name
    candidate = table.is_candidate[caption]
    counted = np.bincount(keys[candidate], minlength=images * width)
    # A key a reference: its caption and the n-gram.
    others, counts = np.unique((caption * width + name)[~candidate], return_counts=True)
    holder, gram = np.divmod(others, width)
    most = np.zeros(images * width, np.int64)
    np.maximum.at(most, table.image[holder] * width + gram, counts)
    matched: Ints = np.minimum(most, counted).reshape(images, width).sum(axis=1)
    return matched


ORDERS = (1, 2, 3, 4)
_TINY, _SMALL = 1e-15, 1e-9
"""coco-caption adds these to matches and totals so that nothing divides by 0."""


class Bleu(base.CountedByChunks):
    """BLEU of all orders up to 4.

    Args:
        smoothing: None for BLEU as coco-caption computes it, image and corpus.
            1 to 7 smooth each image's score and average the images: 3 is the
            geometric sequence of NIST's mteval, in which the k-th order
            without a match counts 1 / 2**k matches; the others are the
            methods of `nltk.translate.bleu_score.SmoothingFunction`.
        brevity_penalty: False leaves the penalty for short candidates out.

    Raises:
        InputError: No such smoothing; smoothing 1, 2, 4-7 without penalty.

    Note:
        Smoothing 3 has the correction for short candidates of Wang and
        Gaizauskas (2016, footnote 4), read as: a candidate of fewer than n
        words has no n-grams, so order n does not exist and is left out of the
        mean; nothing is invented for it. From 4 words on it equals nltk's
        `method3`. An image without any match scores 0; with smoothing 6, one
        even without a shared trigram. Smoothing 5 and 7 can pass 1.

    Source: Papineni et al. (2002), "BLEU: a Method for Automatic Evaluation
        of Machine Translation", section 2.3; Chen and Cherry (2014), section 2.
    """

    def __init__(
        self, *, smoothing: int | None = None, brevity_penalty: bool = True
    ) -> None:
        if smoothing is not None and smoothing not in range(1, 8):
            raise InputError(f"BLEU smoothing {smoothing!r}: must be None or 1 to 7")
        if smoothing not in (None, 3) and not brevity_penalty:
            raise InputError(
                f"BLEU smoothing {smoothing} always has the brevity penalty; "
                "only None and 3 can do without"
            )
        self.smoothing = smoothing
        self.brevity_penalty = brevity_penalty

    @property
    def keys(self) -> tuple[str, ...]:
        """The numbers: "bleu-1" to "bleu-4", variants with a suffix."""
        suffix = "" if self.smoothing is None else f"-smooth-{self.smoothing}"
        suffix += "" if self.brevity_penalty else "-no-penalty"
        return tuple(f"bleu-{n}{suffix}" for n in ORDERS)

    def _rows(self, samples: Sequence[TokenisedSample]) -> base.Array:
        """Return matches, n-grams of orders 1-4, both lengths; or smoothed scores."""
        if self.smoothing not in (None, 3):
            return np.array([_nltk_scores(s, self.smoothing) for s in samples])
        counts = _counts(ngrams.encode(samples))
        if self.smoothing == 3:
            return _smoothed_scores(counts, self.brevity_penalty)
        return counts

    def image_scores(self, rows: base.Array) -> base.Array:
        """Return BLEU of each image: (images, columns) -> (images, 4)."""
        return self.corpus_scores(rows, 1)

    def corpus_scores(self, totals: base.Array, images: int | base.Array) -> base.Array:
        """Return BLEU of sums of rows: (..., columns) -> (..., 4), range 0-1.

        Smoothed variants give the mean of the images instead.
        """
        if self.smoothing is not None:
            means: base.Array = totals / np.asarray(images, float)[..., None]
            return means
        matches, proposed = totals[..., 0:4], totals[..., 4:8]
        shares: Floats = (matches + _TINY) / (proposed + _SMALL)
        products: Floats = np.multiply.accumulate(shares, axis=-1)
        scores = np.stack(
            [base.power(products[..., n - 1], 1.0 / n) for n in ORDERS], axis=-1
        )
        if self.brevity_penalty:
            scores *= _penalty((totals[..., 8] + _TINY) / (totals[..., 9] + _SMALL))
        return scores

    def signature(self) -> Mapping[str, str]:
        """Return everything that can change the numbers."""
        return {
            "metric": "BLEU",
            "lengths": "closest",
            "smoothing": "none" if self.smoothing is None else str(self.smoothing),
            "penalty": "yes" if self.brevity_penalty else "no",
            "corpus": "summed counts" if self.smoothing is None else "mean of images",
        }


def _counts(table: CaptionTable) -> base.Array:
    """Return matches and n-grams of each order and both lengths, one row per image."""
    length = table.lengths[table.candidates]
    closest = _closest_lengths(table)
    matches = clipped_matches(table, ORDERS) or [
        _counted_matches(table, n) for n in ORDERS
    ]
    proposed = [np.maximum(length - n + 1, 0) for n in ORDERS]
    return np.column_stack([*matches, *proposed, length, closest]).astype(float)


def _counted_matches(table: CaptionTable, n: int) -> Ints:
    """Return `clipped_matches` for candidates of any length."""
    grams = ngrams.count_grams(table, n)
    most = np.zeros(len(grams.count), np.int64)
    np.maximum.at(most, grams.candidate_rows, grams.count[grams.reference_rows])
    matched = np.minimum(most, grams.count)
    image = table.image[grams.caption]
    return np.bincount(image, matched, len(table.candidates)).astype(np.int64)


def _closest_lengths(table: CaptionTable) -> Ints:
    """Return the reference length nearest the candidate's, the shorter of two."""
    lengths, references = table.lengths, table.references
    candidates = lengths[table.candidates][table.image[references]]
    bits = int(lengths.max(initial=0)).bit_length()
    order = np.abs(lengths[references] - candidates) << bits | lengths[references]
    return np.minimum.reduceat(order, table.reference_starts) & (1 << bits) - 1


def _penalty(ratio: Floats) -> Floats:
    """Return exp(1 - 1 / ratio) for short candidates, else 1; a last axis added."""
    return base.exponential(1.0 - 1.0 / np.minimum(ratio, 1.0))[..., None]


def _smoothed_scores(counts: base.Array, penalty: bool) -> base.Array:
    """Return BLEU with smoothing 3 of images: (images, 10) -> (images, 4)."""
    matches, proposed = counts[:, 0:4], counts[:, 4:8]
    exists = proposed > 0
    misses = np.cumsum(exists & (matches == 0), axis=1)
    matches = np.where(matches > 0, matches, np.ldexp(1.0, -misses))
    logs = np.where(exists, base.logarithm(matches / np.maximum(proposed, 1)), 0.0)
    orders = np.maximum(np.cumsum(exists, axis=1), 1)
    scores = base.exponential(np.cumsum(logs, axis=1) / orders)
    if penalty:
        ratio = counts[:, 8] / np.maximum(counts[:, 9], _TINY)
        scores *= _penalty(np.maximum(ratio, _TINY))
    scores[counts[:, 0] == 0] = 0.0
    return scores


def _nltk_scores(sample: TokenisedSample, method: int | None) -> list[float]:
    """Return scores of one image smoothed by a method of nltk; 0 without any match."""
    nltk = required("nltk.translate.bleu_score", f"BLEU with smoothing {method}")
    candidate = sample.candidate.split()
    references = [reference.split() for reference in sample.references]
    if not set(candidate) & set().union(*references):
        return [0.0] * len(ORDERS)
    smooth: Callable[..., object] = getattr(nltk.SmoothingFunction(), f"method{method}")
    weights = [(1.0 / n,) * n for n in ORDERS]
    try:
        scores = nltk.sentence_bleu(references, candidate, weights, smooth)
    except AssertionError:  # Method 6 is defined for a shared trigram only.
        return [0.0] * len(ORDERS)
    return [float(score) for score in scores]
