"""Thresholds of the error analysis."""

from dataclasses import dataclass
from typing import Final

SUPPORT: Final = 2
"""References that must say something, by default."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Numbers that decide what an error rests on.

    Attributes:
        references: References that must say something before a candidate is wrong
            about it; all of them if there are fewer.
        never_left_out: A thing is never left out if four people leave it out with at
            most this probability, 0-1.
        seldom_left_out: The same for things that are seldom left out.
        goes_with_scene: From this cosine to a word of the references on, a thing goes
            with the scene and may be there.
        same_word: From this cosine on two words say the same.
        small_number: Up to this number a caption names all people there are.
    """

    references: int = SUPPORT
    never_left_out: float = 0.03
    seldom_left_out: float = 0.07
    goes_with_scene: float = 0.25
    same_word: float = 0.6
    small_number: int = 4
