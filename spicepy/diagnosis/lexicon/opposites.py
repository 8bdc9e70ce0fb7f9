"""Opposites: words that exclude each other.

In: the table `opposites` of `grammars/diagnosis.toml`, whose sets have sides that
exclude each other ("open" and "closed"). Out: `Opposites`, which give the side of a
word in a topic (the time of day, the state of a thing, …).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Opposition = Literal["time", "weather", "state", "expression", "position"]
OppositeSide = tuple[int, int]
"""The number of a set of sides, and the number of the side in the set."""


@dataclass(frozen=True)
class Opposites:
    """Words that exclude each other.

    Attributes:
        sides: Topic -> word -> side.
    """

    sides: Mapping[str, Mapping[str, OppositeSide]]

    def of(self, topic: Opposition, words: Iterable[str]) -> dict[OppositeSide, str]:
        """Return the sides of words, each with the first word on that side.

        Words of a frozenset are taken in alphabetical order.
        """
        known = self.sides[topic]
        if isinstance(words, frozenset):
            words = sorted(known.keys() & words)
        sides: dict[OppositeSide, str] = {}
        for word in words:
            if word in known:
                sides.setdefault(known[word], word)
        return sides

    def position(self, how: str) -> tuple[OppositeSide, str] | None:
        """Return the side of a relation and its preposition: "lie under", "under"."""
        words = how.split(" ")
        for start in range(len(words)):
            preposition = " ".join(words[start:])
            if (side := self.sides["position"].get(preposition)) is not None:
                return side, preposition
        return None


def excludes(one: OppositeSide, other: OppositeSide) -> bool:
    """Return whether two sides exclude each other."""
    return one[0] == other[0] and one[1] != other[1]


def read_opposites(data: Mapping[str, Any]) -> Opposites:
    """Return the opposites from the table of a lexicon file."""
    return Opposites(
        {
            topic: {
                word: (number, side)
                for number, sides in enumerate(sets)
                for side, words in enumerate(sides)
                for word in words
            }
            for topic, sets in data["opposites"].items()
            if topic != "source"
        }
    )
