"""How alike two words are in captions, by the word vectors of spice-soft.

In: two words. Out: the cosine of their vectors. Words that exclude each other ("sit",
"stand") are far apart in this table, so that it tells another word for the same from
another thing.
"""

from functools import cache

import numpy as np

from spicepy.metrics.soft.table import bundled_table


@cache
def likeness(first: str, second: str) -> float:
    """The cosine, -1 to 1; 0 if a word is unknown, 1 for one and the same word.

    Raises:
        ResourceError: The bundled table is missing.
    """
    if first == second:
        return 1.0
    table = bundled_table()
    if first not in table.rows or second not in table.rows:
        return 0.0
    a, b = table.vectors[table.rows[first]], table.vectors[table.rows[second]]
    lengths = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / lengths if lengths else 0.0
