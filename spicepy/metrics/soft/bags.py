"""Bags of words: sums of the words' vectors, and the cosine of two sums.

In: words of captions and a `WordVectors`. Out: `Bags`, and cosines between them.

A word that is not in the table is orthogonal to all other words: it is similar to
itself only. Of such words, only the number of occurrences is kept.

Vectors are whole numbers and cosines are rounded (`fixed`), so that no sum depends
on its order: a score is the same alone and in any batch, process and thread.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
    """Sums of word vectors.

    Attributes:
        sums: (bags, dimensions).
        squares: Squared lengths, unknown words included, (bags,).
        unknown: Bag -> how often each word occurs that the table does not have.
        unit: Squared length of an unknown word, a whole number.
    """

    sums: Array
    squares: Array
    unknown: Mapping[int, Counter[str]]
    unit: int

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


def _common(one: Counter[str] | None, other: Counter[str] | None) -> int:
    """Return the product of two bags of unknown words, in units of a word's square."""
    if one is None or other is None:
        return 0
    return sum(count * other[word] for word, count in one.items())


@dataclass(frozen=True, slots=True)
class Texts:
    """Words of texts as rows of a table.

    Attributes:
        rows: Rows of all texts, one after the other.
        sizes: Words of each text.
        unknown: Place in `rows` -> a word that the table does not have.
        table: The table.
    """

    rows: Ints
    sizes: Ints
    unknown: Mapping[int, str]
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
