"""Verbs: postures, and verbs that go along with other activities.

In: the table `activities` of `grammars/diagnosis.toml`. Out: `Activities`.

Source: Levin 1993, English Verb Classes, chapter 50 (posture).
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Activities:
    """Verbs by what they exclude.

    Attributes:
        light: Verbs that go along with other activities: "hold".
        vague: Verbs that do so without an object: "play".
        postures: Verb of posture -> number of its group; one is in one group only.
        perching: Animals that sit and stand alike, as nouns.
    """

    light: frozenset[str]
    vague: frozenset[str]
    postures: Mapping[str, int]
    perching: tuple[str, ...]

    def is_telling(self, verb: str) -> bool:
        """Return whether a verb excludes others, with or without an object."""
        return verb not in self.light and verb not in self.vague
