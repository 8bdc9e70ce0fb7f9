"""A table of whole numbers and their values, which is looked up by arrays.

In: whole numbers. Out: whether they are known, and their values.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.bundled.arithmetic import Ints

KEY_BITS: Final = 32
SPREAD: Final = np.uint32(0x9E3779B1)
"""Knuth (1973, section 6.4): 2 ** 32 by the golden ratio scatters numbers evenly."""
ROOM: Final = 4
"""The number of places of the table for each key, at least: most searches end at the
first one."""


class Lookup:
    """A hash table for many numbers at a time, several times as fast as bisection.

    Numbers are looked for as `scattered` makes them; of a sum, both parts can be
    scattered before they are added up, since it is all modulo 2 ** 32.

    Args:
        keys: Different whole numbers from 1 to less than 2 ** 32.
        values: The value of each key.
    """

    def __init__(self, keys: Ints, values: Ints) -> None:
        if keys.max(initial=0) >> KEY_BITS:
            raise ValueError(f"key {keys.max()}; {KEY_BITS} bits hold less")
        bits = max(1, (len(keys) * ROOM - 1).bit_length())
        self._shift = np.uint32(KEY_BITS - bits)
        # Behind the last place there is room for what would begin anew at the first.
        # No key is scattered to 0.
        self._keys = np.zeros((1 << bits) + len(keys) + 1, np.uint32)
        self._values = np.zeros(len(self._keys), np.intp)
        wanted = scattered(keys)
        place, left = self._first(wanted), np.arange(len(keys))
        while len(left):
            free = left[self._keys[place[left]] == 0]
            self._keys[place[free]] = wanted[free]
            left = left[self._keys[place[left]] != wanted[left]]
            place[left] += 1
        self._values[place] = values

    def find(self, wanted: NDArray[np.uint32]) -> tuple[Ints, Ints]:
        """Return the places of known numbers among scattered ones, and their values."""
        place = self._first(wanted)
        seen = self._keys.take(place)
        same = seen == wanted
        left = np.flatnonzero((seen != 0) & ~same)
        while len(left):
            place[left] += 1
            seen, own = self._keys[place[left]], wanted[left]
            same[left[seen == own]] = True
            left = left[(seen != 0) & (seen != own)]
        known = np.flatnonzero(same)
        return known, self._values.take(place.take(known))

    def _first(self, wanted: NDArray[np.uint32]) -> Ints:
        """Return the place at which the search for each number begins."""
        return (wanted >> self._shift).astype(np.intp)


def scattered(keys: Ints) -> NDArray[np.uint32]:
    """Return the numbers that stand for keys in the table."""
    return keys.astype(np.uint32) * SPREAD
