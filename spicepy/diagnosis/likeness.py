"""How alike words are in captions, by the word vectors of spice-soft.

In: words. Out: cosines of their vectors. Words that exclude each other ("sit",
"stand") are far apart in this table, so that it tells another word for the same from
another thing.
"""

from collections.abc import Iterable
from functools import cache

import numpy as np

from spicepy.metrics.base import Array
from spicepy.metrics.soft.table import bundled_table


@cache
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


def support(word: str, others: Iterable[str]) -> float:
    """How alike the most similar of other words is, 0-1."""
    known = frozenset(others)
    if word in known:
        return 1.0
    rows = bundled_table().rows
    near = [rows[other] for other in known if other in rows]
    if word not in rows or not near:
        return 0.0
    return max(0.0, float((_directions()[near] @ _directions()[rows[word]]).max()))


@cache
def _directions() -> Array:
    """The vectors at length 1."""
    vectors = bundled_table().vectors
    lengths = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    directions: Array = vectors / np.maximum(lengths, 1.0)
    return directions
