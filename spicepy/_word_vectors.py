"""The parser's encoder, with the vector of every word computed only once.

A word's vector (before the layers that look at its neighbours) depends on the
word alone, and captions repeat their words: a table saves the first layers for
all but new words. In: sentences. Out: one (tokens, width) array for each.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

LARGEST: Final = 100_000
"""Words in the table before it is started afresh."""


class WordVectors:
    """The word table of one encoder and the layers above it.

    Args:
        encoder: A thinc chain whose last layer looks at neighbours and whose
            other layers do not.
        make_doc: Builds the spaCy `Doc` of some words.
    """

    def __init__(self, encoder: Any, make_doc: Callable[[list[str]], Any]) -> None:
        *self._embed, self._encode = encoder.layers
        self._make_doc = make_doc
        self._rows: dict[str, int] = {}
        self._table: Array | None = None

    def encode(self, sentences: Sequence[list[str]]) -> list[Array]:
        """Return the token vectors of each sentence (none of them empty)."""
        words = [word for sentence in sentences for word in sentence]
        self._learn(list(dict.fromkeys(words)))
        assert self._table is not None
        vectors = self._table[[self._rows[word] for word in words]]
        ends = np.cumsum([len(sentence) for sentence in sentences])[:-1]
        encoded: list[Array] = self._encode.predict(np.split(vectors, ends))
        return encoded

    def _learn(self, words: list[str]) -> None:
        if len(self._rows) + len(words) > LARGEST:
            self._rows, self._table = {}, None
        new = [word for word in words if word not in self._rows]
        if not new:
            return
        values: Any = [self._make_doc(new)]
        for layer in self._embed:
            values = layer.predict(values)
        rows = [values[0]] if self._table is None else [self._table, values[0]]
        self._rows.update(zip(new, range(len(self._rows), len(self._rows) + len(new))))
        self._table = np.vstack(rows)
