"""CIDEr-D as a reward: the numbers of self-critical training, batch by batch.

Scores, 0-10, are equal to the last bit to those of the scorer that self-critical
sequence training uses, on the same processor.

    caption ─ n-grams ─ × idf ─▶ a vector for each order ─ summed in the order of
    words, against each reference ─▶ similarity

Source: Vedantam, Zitnick and Parikh (2015), equations 4-5; Rennie et al. (2017),
"Self-critical Sequence Training for Image Captioning".
"""

import json
import math
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from spicepy.common.errors import InputError, SpicepyWarning, check_kind
from spicepy.common.files import load_json, readable
from spicepy.common.threads import LRUCache
from spicepy.metrics.ngrams.cider import NOT_FREQUENCIES, ONE_IMAGE
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.metrics.ngrams.grams import ORDERS
from spicepy.metrics.ngrams.storage import load_arrays, save_arrays
from spicepy.rewards.batches import Reward, Texts, as_json, saved_references
from spicepy.tokenization.samples import TokenisedSample

Gram = tuple[str, ...]
Counts = dict[Gram, int]

_SIGMA: Final = 6.0
_IMAGES: Final = 2_000  # The number of images whose vectors are kept, 50 KB each.
_GRAMS: Final = 300_000  # The number of n-grams whose idf is kept.


@dataclass(frozen=True, slots=True)
class _References:
    """An image's references."""

    # For each n-gram, which references have it how often.
    counts: Mapping[Gram, Sequence[tuple[int, int]]]
    # Norms of each order's vectors, one number per reference.
    norms: Sequence[Sequence[float]]
    bigrams: Sequence[int]  # The number of bigrams of each reference

    @classmethod
    def of(
        cls, counted: Sequence[tuple[Counts, ...]], idf: Mapping[Gram, float]
    ) -> Self:
        """Gather the n-grams of all references, counted one by one."""
        norms = [[_norm(counts, idf) for counts in order] for order in zip(*counted)]
        counts: dict[Gram, list[tuple[int, int]]] = {}
        for at, orders in enumerate(counted):
            for of_order in orders:
                for gram, count in of_order.items():
                    counts.setdefault(gram, []).append((at, count))
        return cls(counts, norms, [sum(orders[1].values()) for orders in counted])


class CiderD(Reward):
    """CIDEr-D of batches of captions, 0-10 each.

    Args:
        frequencies: Document frequencies, or a file of them: `.npz`, `.json`,
            `.json.gz`, or a pickle of self-critical training (`.p`, `.pkl`). None
            counts them in `references`.
        references: Image id -> references, for calls with image ids.
        tokenised: Whether captions are tokens joined by spaces already, here and
            in calls; False tokenises them as coco-caption does.

    Raises:
        InputError: Neither frequencies nor references, or a bad one of them.

    >>> references = {1: ["a dog runs"], 2: ["two cats sleep"]}
    >>> reward = CiderD(references=references)
    >>> reward(["a dog runs", "a cat"], image_ids=[1, 2]).round(2).tolist()
    [7.5, 0.0]
    """

    memory = ("_idf", "_recent")

    def __init__(
        self,
        frequencies: DocumentFrequencies | Path | str | None = None,
        references: Mapping[Any, Sequence[str]] | None = None,
        *,
        tokenised: bool = True,
    ) -> None:
        if frequencies is None and not references:
            raise InputError("CiderD needs document frequencies, or references")
        super().__init__(references, tokenised=tokenised)
        if isinstance(frequencies, Path | str):
            frequencies = DocumentFrequencies.load(frequencies, stemming=False)
        elif frequencies is None:
            images = [TokenisedSample(i, "", r) for i, r in self.references.items()]
            frequencies = DocumentFrequencies.of(images, name="references")
        check_kind("frequencies are", frequencies, DocumentFrequencies, NOT_FREQUENCIES)
        if frequencies.stemming:
            raise InputError("CiderD needs document frequencies of words, not of stems")
        if frequencies.images == 1:
            warnings.warn(ONE_IMAGE, SpicepyWarning, stacklevel=2)
        self.frequencies = frequencies
        self._begin()

    def prepare(self) -> Self:
        """Make the vectors of the first 2,000 images now; return the reward itself."""
        self._ready(islice(self.references.values(), _IMAGES))
        return self

    def save(self, path: Path | str) -> None:
        """Write frequencies and references to one `.npz`, for `load`."""
        save_arrays(
            path,
            self.frequencies,
            references=as_json(self.references).encode(),
            tokenised=json.dumps(self.tokenised).encode(),
        )

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Read what `save` wrote."""
        stored, arrays = load_arrays(path, "references", "tokenised")
        made = cls(DocumentFrequencies.restored(stored))
        with readable(path, "CIDEr-D"):
            saved = (
                load_json(arrays[key].decode("utf-8"), str(path))
                for key in ("tokenised", "references")
            )
            made.tokenised, made.references = saved_references(path, *saved)
        return made

    def _begin(self) -> None:
        self._idf: dict[Gram, float] = {}
        self._recent: LRUCache[Texts, _References] = LRUCache(_IMAGES)

    def _score(self, texts: list[str], of_each: list[Texts]) -> list[float]:
        ready = self._ready(of_each)
        counted = list(map(_count, texts))
        idf = self._inverse(chain.from_iterable(counted))
        return [
            _score(counts, ready[key], idf) for counts, key in zip(counted, of_each)
        ]

    def _ready(self, of_each: Iterable[Texts]) -> dict[Texts, _References]:
        """Return the vectors of references, made where they are not cached."""
        wanted = dict.fromkeys(of_each)
        ready = self._recent.get(wanted)
        new = [texts for texts in wanted if texts not in ready]
        if new:
            counted = {texts: [_count(text) for text in texts] for texts in new}
            of_all = (orders for captions in counted.values() for orders in captions)
            idf = self._inverse(chain.from_iterable(of_all))
            ready |= {t: _References.of(c, idf) for t, c in counted.items()}
        self._recent.keep(ready)
        return ready

    def _inverse(self, counted: Iterable[Counts]) -> Mapping[Gram, float]:
        """Return idf, log(images / frequency); unseen n-grams count as seen once."""
        known = self._idf
        if len(known) > _GRAMS:
            # A new mapping: another thread may be reading the old one.
            known = self._idf = {}
        # A set copies the hashes of a mapping's keys; a tuple would be hashed again.
        new = set[Gram]().union(*counted).difference(known)
        used = self.frequencies
        for n in ORDERS:
            of_order = [gram for gram in new if len(gram) == n]
            frequencies = used.frequency(used.vocabulary.known_codes(of_order), n)
            # By numpy's logarithm, as the original; it can differ from C's.
            inverse = np.log(float(used.images)) - np.log(frequencies.astype(float))
            known.update(zip(of_order, inverse.tolist()))
        return known


def _count(text: str) -> tuple[Counts, ...]:
    """Return the n-grams of a caption and how often it has them, for each order."""
    words = list(map(sys.intern, text.split()))  # n-grams are compared by identity
    counted = []
    for n in ORDERS:
        counts: Counts = {}
        for gram in zip(*(words[at:] for at in range(n))):
            counts[gram] = counts.get(gram, 0) + 1
        counted.append(counts)
    return tuple(counted)


def _norm(counts: Counts, idf: Mapping[Gram, float]) -> float:
    """Return the norm of a vector; squares and their sum in the original's order."""
    total = 0.0
    for gram, count in counts.items():
        total += (count * idf[gram]) ** 2  # by pow: the last bit differs from x * x
    return math.sqrt(total)


@cache
def _penalty(difference: int) -> float:
    """Return the Gaussian of a difference in length, in bigrams."""
    return float(math.e ** (-float(difference**2) / (2 * _SIGMA**2)))


def _score(
    candidate: tuple[Counts, ...], references: _References, idf: Mapping[Gram, float]
) -> float:
    """Return CIDEr-D of a caption; every sum runs in the order of its words."""
    length = sum(candidate[1].values())
    penalties = [_penalty(abs(length - bigrams)) for bigrams in references.bigrams]
    shared = references.counts.get
    total = 0.0
    for counts, norms in zip(candidate, references.norms):
        squares = 0.0
        products = [0.0] * len(norms)
        for gram, count in counts.items():
            inverse = idf[gram]
            weight = count * inverse
            squares += weight**2  # as in `_norm`
            for at, others in shared(gram, ()):
                other = others * inverse
                products[at] += (weight if weight < other else other) * other
        norm = math.sqrt(squares)
        order = 0.0
        for product, other_norm, penalty in zip(products, norms, penalties):
            if norm and other_norm:
                product /= norm * other_norm
            order += product * penalty
        total += order
    return total / len(ORDERS) / len(penalties) * 10.0
