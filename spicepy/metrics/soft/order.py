"""The order of words: the similarity of two captions' pairs of neighbouring words.

In: captions as lemmas, and as rows of a table of word vectors. Out: for two captions,
the similarity of their pairs of neighbouring words, by meaning (`Sequences`) and word
for word (`Wordings`). Both are the share of the longer caption's pairs that the other
caption has as well, so that repeated and added words cost.

By meaning, words of little weight (articles, prepositions) are left out: the neighbours
in "a dog chases a cat" are dog chase, chase cat. With S the products of word vectors,
the product of two captions is the sum of S[i, j] S[i + 1, j + 1] over all places i, j:
that of their bags of pairs, if a pair is the tensor product of its two words. Captions
with exchanged roles or repeated words have the right words but other neighbours. Word
for word, all lemmas count: a list of keywords lacks the words between them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from spicepy.metrics.base import Array
from spicepy.metrics.soft.bags import Ints, Texts, fixed


@dataclass(frozen=True, slots=True)
class Sequences:
    """The words of captions that have weight, filled up with 0.

    Attributes:
        vectors: (captions, places, dimensions).
        unknown: (captions, places): numbers from 1 for words that the table does
            not have, 0 for all others.
        unit: Squared length of such a word.
    """

    vectors: Array
    unknown: Ints
    unit: int

    def alike(self, left: Ints, right: Ints, otherwise: Array) -> Array:
        """Return the similarity of order, 0-1; `otherwise` if neither has a pair."""
        places = np.arange(len(self.vectors))
        squares = self._products(places, places)
        longer = np.maximum(squares[left], squares[right])
        products = np.maximum(self._products(left, right), 0)
        return np.where(longer > 0, fixed(products / np.maximum(longer, 1)), otherwise)

    def _products(self, left: Ints, right: Ints) -> Array:
        words = self.vectors[left] @ self.vectors[right].swapaxes(1, 2)
        if self.unknown.any():
            one, other = self.unknown[left][:, :, None], self.unknown[right][:, None]
            words += self.unit * ((one == other) & (one > 0))
        products: Array = (words[:, :-1, :-1] * words[:, 1:, 1:]).sum(axis=(1, 2))
        return products


def sequences(texts: Texts) -> Sequences:
    """Return the words of each text that have weight, in order."""
    table, last = texts.table, len(texts.table.rows)
    matters = ~table.minor[texts.rows]
    owner = np.repeat(np.arange(len(texts.sizes)), texts.sizes)
    sizes = np.bincount(owner[matters], minlength=len(texts.sizes))
    filled = np.arange(sizes.max(initial=0)) < sizes[:, None]
    rows = np.full(filled.shape, last)
    rows[filled] = texts.rows[matters]
    unknown = np.zeros(filled.shape, np.int64)
    if texts.unknown:
        numbers: dict[str, int] = {}
        flat = np.zeros(len(texts.rows), np.int64)
        for place, word in texts.unknown.items():
            flat[place] = numbers.setdefault(word, len(numbers) + 1)
        unknown[filled] = flat[matters]
    return Sequences(table.vectors[rows], unknown, round(table.unknown**2))


@dataclass(frozen=True, slots=True)
class Wordings:
    """Numbers of the pairs of neighbouring lemmas of captions.

    `pairs` is filled up with 0, (captions, places). A pair that a caption has twice
    has two numbers, so that no caption has a number twice.
    """

    pairs: Ints

    def alike(self, left: Ints, right: Ints, otherwise: Array) -> Array:
        """Share of common pairs, 0-1; `otherwise` if neither caption has a pair."""
        sizes = (self.pairs > 0).sum(axis=1)
        longer = np.maximum(sizes[left], sizes[right])
        own, other = self.pairs[left][:, :, None], self.pairs[right][:, None]
        common = ((own == other) & (own > 0)).sum(axis=(1, 2))
        return np.where(longer > 0, fixed(common / np.maximum(longer, 1)), otherwise)


def wordings(texts: Sequence[Sequence[str]]) -> Wordings:
    """Return the pairs of neighbouring words of each text."""
    numbers: dict[tuple[tuple[str, str], int], int] = {}
    rows = []
    for words in texts:
        seen: Counter[tuple[str, str]] = Counter()
        row = []
        for pair in pairwise(words):
            seen[pair] += 1
            row.append(numbers.setdefault((pair, seen[pair]), len(numbers) + 1))
        rows.append(row)
    sizes = np.array(list(map(len, rows)), np.int64)
    pairs = np.zeros((len(rows), sizes.max(initial=0)), np.int64)
    pairs[np.arange(pairs.shape[1]) < sizes[:, None]] = [n for row in rows for n in row]
    return Wordings(pairs)
