"""Whole numbers in; which of them are known, and what is said of them, out."""

from typing import Final

import numpy as np

from spicepy.parsing.bundled.arithmetic import Ints

SPREAD: Final = 0x9E3779B1
"""Knuth (1973, section 6.4): 2 ** 32 by the golden ratio scatters numbers evenly."""
ROOM: Final = 8
"""Places of the table for each key, at least: most searches end at the first one."""


class Lookup:
    """A hash table for many numbers at a time, several times as fast as bisection.

    Args:
        keys: Different whole numbers from 0.
        values: What is said of each.
    """

    def __init__(self, keys: Ints, values: Ints) -> None:
        self._bits = max(1, (len(keys) * ROOM - 1).bit_length())
        # Behind the last place there is room for what would begin anew at the first.
        self._keys = np.full((1 << self._bits) + len(keys) + 1, -1)
        self._values = np.zeros_like(self._keys)
        place, left = self._first(keys), np.arange(len(keys))
        while len(left):
            free = left[self._keys[place[left]] < 0]
            self._keys[place[free]] = keys[free]
            left = left[self._keys[place[left]] != keys[left]]
            place[left] += 1
        self._values[place] = values

    def find(self, keys: Ints) -> tuple[Ints, Ints]:
        """Return the places of known numbers among `keys`, and what is said of them."""
        place, left = self._first(keys), np.arange(len(keys))
        found = np.zeros(len(keys), bool)
        while len(left):
            seen = self._keys[place[left]]
            same = seen == keys[left]
            found[left[same]] = True
            left = left[~same & (seen >= 0)]
            place[left] += 1
        known = np.flatnonzero(found)
        return known, self._values[place[known]]

    def _first(self, keys: Ints) -> Ints:
        """Return the place at which the search for each key begins."""
        scattered: Ints = (keys * SPREAD & 0xFFFFFFFF) >> (32 - self._bits)
        return scattered
