"""Thresholds of the error analysis."""

from dataclasses import dataclass
from typing import Final

SUPPORT: Final = 3
"""References that must have something before a candidate misses it, by default."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Numbers that decide what an error rests on.

    Attributes:
        references: References that must say something before a candidate is wrong
            about it; all of them if there are fewer.
        missed: The same before a candidate has missed something: most of five.
        same_word: From this cosine on two words say the same.
        small_number: Up to this number a caption names all people there are.
    """

    references: int = 2
    missed: int = SUPPORT
    same_word: float = 0.6
    small_number: int = 4
