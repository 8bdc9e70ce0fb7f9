"""The similarity of words in captions, by the word vectors of spice-soft.

In: words. Out: cosines of their vectors; the rarity of a word, by its row (rows are
sorted by frequency); and its weight, by the length of its vector. The vectors of words
that exclude each other ("sit", "stand") are far apart in this table, so that only
synonyms have a high cosine.
"""

from collections.abc import Iterable, Set
from functools import cached_property
from math import log1p
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spicepy.diagnosis.lexicon.caching import cached_method
from spicepy.metrics.base import Array
from spicepy.metrics.soft.table import bundled_table

_LENGTH: Final = 200.0  # About the length of the vector of a frequent noun.


class WordSimilarity:
    """Cosines of the bundled word vectors, which are read at first use."""

    @cached_method
    def cosine(self, first: str, second: str) -> float:
        """Return the cosine, -1 to 1; 0 if a word is unknown, 1 if both are equal.

        Raises:
            ResourceError: The bundled table is missing.
        """
        if first == second:
            return 1.0
        rows = bundled_table().rows
        if first not in rows or second not in rows:
            return 0.0
        return float(self._directions[rows[first]] @ self._directions[rows[second]])

    def to_words(
        self, word: str, words: Set[str], rows: NDArray[np.intp] | None = None
    ) -> float:
        """Return the cosine of a word to the most similar one of some words, 0-1.

        Args:
            word: The word.
            words: The words that it is compared with.
            rows: Their rows in the table; by default `rows_of(words)`.
        """
        if word in words:
            return 1.0
        row = bundled_table().rows.get(word)
        near = self.rows_of(words) if rows is None else rows
        if row is None or not len(near):
            return 0.0
        return max(0.0, float((self._directions[near] @ self._directions[row]).max()))

    def rows_of(self, words: Iterable[str]) -> NDArray[np.intp]:
        """Return the rows of those words that the table has, in order."""
        rows = bundled_table().rows
        return np.array(sorted(rows[word] for word in words if word in rows), np.intp)

    @cached_method
    def rarity(self, word: str) -> float:
        """Return how rare a word is in captions, 0-1: the logarithm of its rank."""
        rows = bundled_table().rows
        return log1p(rows.get(word, len(rows))) / log1p(len(rows))

    @cached_method
    def weight(self, word: str) -> float:
        """Return the weight of a word: the length of its vector, 0 if unknown."""
        row = bundled_table().rows.get(word)
        vectors = bundled_table().vectors
        return 0.0 if row is None else float(np.linalg.norm(vectors[row])) / _LENGTH

    def of_text(self, words: Iterable[str]) -> Array:
        """Return the sum of the vectors of words, scaled to length 1 at most."""
        table = bundled_table()
        known = [table.rows[word] for word in words if word in table.rows]
        vector: Array = table.vectors[known].sum(axis=0)
        return vector / max(1.0, float(np.linalg.norm(vector)))

    @cached_property
    def _directions(self) -> Array:
        """The vectors scaled to length 1."""
        vectors = bundled_table().vectors
        lengths = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
        directions: Array = vectors / np.maximum(lengths, 1.0)
        return directions
