"""Verbs: postures, and verbs that are compatible with other activities.

In: the table `activities` of `grammars/diagnosis.toml`. Out: `Activities`.

Source: Levin 1993, English Verb Classes, chapter 50 (posture).
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Activities:
    """Verbs by the activities that they exclude.

    Attributes:
        light: Verbs that are compatible with other activities: "hold".
        vague: Verbs that are so without an object: "play".
        postures: Verb of posture -> number of its group; postures of different groups
            exclude each other.
        perching: Nouns for animals of which "sit" and "stand" mean the same.
    """

    light: frozenset[str]
    vague: frozenset[str]
    postures: Mapping[str, int]
    perching: tuple[str, ...]

    def is_telling(self, verb: str) -> bool:
        """Return whether a verb excludes others, with or without an object."""
        return verb not in self.light and verb not in self.vague
