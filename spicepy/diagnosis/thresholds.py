"""Thresholds of the error analysis."""

from dataclasses import dataclass
from typing import Final

SUPPORT: Final = 3
"""How many references must have an object before a candidate misses it, by default."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How much evidence an error needs.

    Attributes:
        references: How many references must contradict a candidate before it is wrong;
            all of them if there are fewer.
        missed: How many references must have an object before a candidate misses it:
            most of five.
        same_word: Two words are synonyms from this cosine on, 0-1.
        small_number: Captions usually name every person if there are at most so many.
    """

    references: int = 2
    missed: int = SUPPORT
    same_word: float = 0.6
    small_number: int = 4
