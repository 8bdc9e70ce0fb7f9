"""How alike words are in captions, by the word vectors of spice-soft.

In: words. Out: cosines of their vectors. Words that exclude each other ("sit",
"stand") are far apart in this table, so that it tells another word for the same from
another thing.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spicepy.diagnosis.words import REMEMBERED
from spicepy.metrics.base import Array
from spicepy.metrics.soft.table import bundled_table

TEXTS: Final = 10_000
"""Images of whose references a process keeps the rows, for the next system."""


@lru_cache(REMEMBERED)
def likeness(first: str, second: str) -> float:
    """The cosine, -1 to 1; 0 if a word is unknown, 1 for one and the same word.

    Raises:
        ResourceError: The bundled table is missing.
    """
    if first == second:
        return 1.0
    rows = bundled_table().rows
    if first not in rows or second not in rows:
        return 0.0
    return float(_directions()[rows[first]] @ _directions()[rows[second]])


def support(word: str, texts: Sequence[frozenset[str]]) -> float:
    """How alike the most similar word of some texts is, 0-1."""
    if any(word in text for text in texts):
        return 1.0
    row = bundled_table().rows.get(word)
    near = _rows(tuple(texts))
    if row is None or not len(near):
        return 0.0
    directions = _directions()
    return max(0.0, float((directions[near] @ directions[row]).max()))


@lru_cache(maxsize=TEXTS)
def _rows(texts: tuple[frozenset[str], ...]) -> NDArray[np.intp]:
    """Where the words of some texts stand in the table."""
    rows, words = bundled_table().rows, frozenset().union(*texts)
    return np.array(sorted(rows[word] for word in words if word in rows), np.intp)


@cache
def _directions() -> Array:
    """The vectors at length 1."""
    vectors = bundled_table().vectors
    lengths = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    directions: Array = vectors / np.maximum(lengths, 1.0)
    return directions
