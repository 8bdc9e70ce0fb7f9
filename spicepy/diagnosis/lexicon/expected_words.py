"""Expected words: how likely a word is in a caption, given other captions.

In: a word, and the words of other captions of the same picture. Out: its log-odds, with
the other captions and without. If others write of a dog on a couch, "puppy" becomes far
likelier than in a caption of any picture, and "cat" does not, though the word vectors
of both are similar to that of "dog".

The weights were learnt from captions that people wrote
(`training/errors/expected_words.py`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from spicepy.common.arrays import read_arrays
from spicepy.common.errors import InputError, ResourceError, reason_of
from spicepy.metrics.base import Array

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
