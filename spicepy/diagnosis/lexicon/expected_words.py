"""Expected words: how likely a word is in a caption, given other captions.

In: a word, and the words of other captions of the same picture. Out: its log-odds, with
the other captions and without. If others write of a dog on a couch, "puppy" becomes far
likelier than in a caption of any picture, and "cat" does not, though the word vectors
of both are similar to that of "dog".

The weights were learnt from captions that people wrote
(`training/errors/expected_words.py`).

Sections that belong to it:

* The similarity of words in captions, by the word vectors of spice-soft.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from math import log1p
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spicepy.common.arrays import read_arrays
from spicepy.common.errors import InputError, ResourceError, reason_of
from spicepy.diagnosis.lexicon.word_lists import cached_method
from spicepy.metrics.base import Array
from spicepy.metrics.soft.table import bundled_table

FILE: Final = "expected-words-1.npz"
_WEIGHTS: Final = ("evidence", "use")  # Arrays of 8 bits,
_SCALES: Final = ("evidence_scale", "use_scale")  # to be multiplied by these numbers.


class LogOdds(NamedTuple):
    """The log-odds of a word in a caption.

    Attributes:
        known: Given the other captions of the picture.
        usual: In a caption of any picture.
    """

    known: float
    usual: float


@dataclass(frozen=True, eq=False)
class _Table:
    """The weights of the model.

    Attributes:
        rows: Word -> row of the arrays.
        evidence: Vectors of words in other captions, (words, dimensions).
        use: Vectors of words whose log-odds are wanted, (words, dimensions); their
            product with the weighted sum of `evidence` is added to the usual log-odds.
        usual: Log-odds of the words in a caption of any picture, (words,).
    """

    rows: Mapping[str, int]
    evidence: Array
    use: Array
    usual: Array


class ExpectedWords:
    """Log-odds of words in captions, given others; the table is read when needed."""

    def evidence_of(self, texts: Iterable[Iterable[str]]) -> Array:
        """Return the weighted sum of the `evidence` of other captions' words.

        Args:
            texts: The content words of each caption, as lemmas; see `Reading.content`.

        Raises:
            ResourceError: The table is missing or unusable.
        """
        table = self._table
        words = (word for text in texts for word in frozenset(text))
        counts = Counter(table.rows[word] for word in words if word in table.rows)
        rows = sorted(counts)  # A fixed order makes sums equal in every process.
        weights = np.sqrt([counts[row] for row in rows])
        evidence: Array = weights @ table.evidence[rows] / max(1, counts.total()) ** 0.5
        return evidence

    def log_odds(self, word: str, evidence: Array) -> LogOdds:
        """Return the log-odds of a word.

        A word that is not in the table counts as the rarest one in it.

        Args:
            word: The word, a lemma.
            evidence: The result of `evidence_of` for the other captions.
        """
        row = self._table.rows.get(word)
        if row is None:
            return LogOdds(*(float(self._table.usual.min()),) * 2)
        usual = float(self._table.usual[row])
        return LogOdds(usual + float(evidence @ self._table.use[row]), usual)

    @cached_property
    def _table(self) -> _Table:
        source = resources.files(__package__) / FILE
        try:
            with resources.as_file(source) as path:
                return _read(path)
        except (OSError, InputError) as error:
            raise ResourceError(
                f"the table {source} is unusable: {reason_of(error)}"
            ) from error


def _read(path: Path) -> _Table:
    arrays = read_arrays(path, ("words", *_WEIGHTS, *_SCALES, "usual"))
    evidence, use = (
        arrays[name].astype(np.float64) * arrays[scale]
        for name, scale in zip(_WEIGHTS, _SCALES)
    )
    rows = {str(word): row for row, word in enumerate(arrays["words"])}
    return _Table(rows, evidence, use, arrays["usual"].astype(np.float64))


# The similarity of words in captions, by the word vectors of spice-soft.
#
# In: words. Out: cosines of their vectors; the rarity of a word, by its row (rows are
# sorted by frequency); and its weight, by the length of its vector. The vectors of
# words that exclude each other ("sit", "stand") are far apart in this table, so that
# only synonyms have a high cosine.

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
