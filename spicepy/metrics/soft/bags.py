"""Bags of words: sums of the words' vectors, and the cosine of two sums.

A word that is not in the table is orthogonal to all other words: it is similar to
itself only. Of such words, only the number of occurrences is kept.

Vectors are whole numbers and cosines are rounded (`fixed`), so that no sum depends
on its order: a score is the same alone and in any batch, process and thread.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from spicepy.metrics.base import Array
from spicepy.metrics.soft.table import WordVectors

Ints = NDArray[np.int64]

_STEP = 2.0**-24


def fixed(values: Array) -> Array:
    """Round numbers to multiples of 2 ** -24, whose sums are exact."""
    rounded: Array = np.rint(values / _STEP) * _STEP
    return rounded


@dataclass(frozen=True, slots=True)
class Bags:
    """Sums of word vectors."""

    sums: Array  # (bags, dimensions)
    squares: Array  # Squared lengths, unknown words included, (bags,)
    # Bag -> how often each word occurs that the table does not have.
    unknown: Mapping[int, Counter[str]]
    unit: int  # Squared length of an unknown word, a whole number

    def together(self, members: Ints, sizes: Ints) -> "Bags":
        """Return a bag of each `sizes[i]` consecutive members, numbers of bags."""
        sums = _summed(self.sums[members], sizes)
        unknown: dict[int, Counter[str]] = {}
        if self.unknown:
            groups = np.repeat(np.arange(len(sizes)), sizes)
            for group, member in zip(groups.tolist(), members.tolist()):
                if member in self.unknown:
                    unknown.setdefault(group, Counter()).update(self.unknown[member])
        return Bags.of(sums, unknown, self.unit)

    @classmethod
    def of(cls, sums: Array, unknown: dict[int, Counter[str]], unit: int) -> "Bags":
        """Return bags from sums of known words and counts of unknown ones."""
        squares = np.einsum("ij,ij->i", sums, sums)
        for bag, counts in unknown.items():
            squares[bag] += unit * sum(count**2 for count in counts.values())
        return cls(sums, squares, unknown, unit)


def cosines(left: Bags, lefts: Ints, right: Bags, rights: Ints) -> Array:
    """Return cosines of pairs of bags, 0-1 (negative ones are 0); 0 for empty bags."""
    dots = np.einsum("ij,ij->i", left.sums[lefts], right.sums[rights])
    if left.unknown and right.unknown:
        for place, (one, other) in enumerate(zip(lefts.tolist(), rights.tolist())):
            common = _common(left.unknown.get(one), right.unknown.get(other))
            dots[place] += left.unit * common
    lengths = np.sqrt(left.squares[lefts] * right.squares[rights])
    return fixed(np.maximum(dots, 0) / np.maximum(lengths, 1))


def likeness(own: Sequence[str], other: Sequence[str], table: WordVectors) -> Array:
    """Return similarities of words or phrases, 0-1, 1 for equal ones: (own, other)."""
    phrases = [[phrase.split(" ") for phrase in side] for side in (own, other)]
    left, right = (word_bags(look_up(side, table)) for side in phrases)
    rows, columns = np.indices((len(own), len(other))).reshape(2, -1)
    similar = cosines(left, rows, right, columns).reshape(len(own), len(other))
    equal: Array = np.array([[one == two for two in other] for one in own], float)
    return np.maximum(similar, equal.reshape(similar.shape))


def _common(one: Counter[str] | None, other: Counter[str] | None) -> int:
    """Return the product of two bags of unknown words, in units of a word's square."""
    if one is None or other is None:
        return 0
    return sum(count * other[word] for word, count in one.items())


@dataclass(frozen=True, slots=True)
class Texts:
    """Words of texts as rows of a table."""

    rows: Ints  # Rows of all texts, one after the other
    sizes: Ints  # Words of each text
    unknown: Mapping[int, str]  # Place in `rows` -> a word that the table does not have
    table: WordVectors


def look_up(texts: Sequence[Sequence[str]], table: WordVectors) -> Texts:
    """Return texts with their words' rows."""
    words = [word for text in texts for word in text]
    find, last = table.rows.get, len(table.rows)
    rows = np.array([find(word, last) for word in words], np.int64)
    unknown = {place: words[place] for place in np.flatnonzero(rows == last).tolist()}
    sizes = np.array([len(text) for text in texts], np.int64)
    return Texts(rows, sizes, unknown, table)


def word_bags(texts: Texts) -> Bags:
    """Return one bag for each text."""
    table = texts.table
    unknown: dict[int, Counter[str]] = {}
    if texts.unknown:
        owner = np.repeat(np.arange(len(texts.sizes)), texts.sizes)
        for place, word in texts.unknown.items():
            unknown.setdefault(int(owner[place]), Counter())[word] += 1
    sums = _summed(table.vectors[texts.rows], texts.sizes)
    return Bags.of(sums, unknown, round(table.unknown**2))


def _summed(values: Array, sizes: Ints) -> Array:
    """Return sums of `sizes[i]` consecutive rows each; 0 where there are none."""
    sums = np.zeros((len(sizes), values.shape[1]))
    some = sizes > 0
    if some.any():
        sums[some] = np.add.reduceat(values, (np.cumsum(sizes) - sizes)[some])
    return sums


# The order of words: the similarity of two captions' pairs of neighbouring words.
#
# Both are the share of the longer caption's pairs that the other caption has as well,
# so that repeated and added words cost.
#
# By meaning, words of little weight (articles, prepositions) are left out: the
# neighbours in "a dog chases a cat" are dog chase, chase cat. With S the products of
# word vectors, the product of two captions is the sum of S[i, j] S[i + 1, j + 1] over
# all places i, j: that of their bags of pairs, if a pair is the tensor product of its
# two words. Captions with exchanged roles or repeated words have the right words but
# other neighbours. Word for word, all lemmas count: a list of keywords lacks the words
# between them.


Alike = Callable[[Ints, Ints, Array], Array]
"""From the numbers of captions, two by two, to their similarity, 0-1; the third array
is the similarity of two captions neither of which has a pair of words."""


def alike_by_meaning(texts: Texts) -> Alike:
    """Return the similarity of texts by the pairs of their words that have weight."""
    table, last = texts.table, len(texts.table.rows)
    matters = ~table.minor[texts.rows]
    owner = np.repeat(np.arange(len(texts.sizes)), texts.sizes)
    sizes = np.bincount(owner[matters], minlength=len(texts.sizes))
    filled = np.arange(sizes.max(initial=0)) < sizes[:, None]
    rows = np.full(filled.shape, last)
    rows[filled] = texts.rows[matters]
    # Numbers from 1 for words that the table does not have, 0 for all others.
    unknown = np.zeros(filled.shape, np.int64)
    if texts.unknown:
        numbers: dict[str, int] = {}
        flat = np.zeros(len(texts.rows), np.int64)
        for place, word in texts.unknown.items():
            flat[place] = numbers.setdefault(word, len(numbers) + 1)
        unknown[filled] = flat[matters]
    vectors, unit = table.vectors[rows], round(table.unknown**2)

    def products(left: Ints, right: Ints) -> Array:
        words = vectors[left] @ vectors[right].swapaxes(1, 2)
        if unknown.any():
            one, other = unknown[left][:, :, None], unknown[right][:, None]
            words += unit * ((one == other) & (one > 0))
        shared: Array = (words[:, :-1, :-1] * words[:, 1:, 1:]).sum(axis=(1, 2))
        return shared

    def alike(left: Ints, right: Ints, otherwise: Array) -> Array:
        places = np.arange(len(vectors))
        squares = products(places, places)
        longer = np.maximum(squares[left], squares[right])
        shares = fixed(np.maximum(products(left, right), 0) / np.maximum(longer, 1))
        return np.where(longer > 0, shares, otherwise)

    return alike


def alike_word_for_word(texts: Sequence[Sequence[str]]) -> Alike:
    """Return the similarity of texts by their pairs of neighbouring words."""
    # A pair that a text has twice has two numbers, so that none has a number twice.
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

    def alike(left: Ints, right: Ints, otherwise: Array) -> Array:
        longer = np.maximum(sizes[left], sizes[right])
        own, other = pairs[left][:, :, None], pairs[right][:, None]
        common = ((own == other) & (own > 0)).sum(axis=(1, 2))
        return np.where(longer > 0, fixed(common / np.maximum(longer, 1)), otherwise)

    return alike
