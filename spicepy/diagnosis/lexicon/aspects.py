"""Aspects of objects: number, colour, size, material, gender and age.

In: the tables `colors`, `sizes`, `materials` and `near_colors` of
`grammars/diagnosis.toml`. Out: `AspectValues`: the values of words, and which values
contradict each other.

Sections that belong to it:

* Opposites: words that exclude each other.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from spicepy.diagnosis.lexicon.word_lists import cached_method
from spicepy.objects.amounts import load_amount_words

Value = int | str
Aspect = Literal["count", "color", "size", "material", "gender", "age"]
ASPECTS: tuple[Aspect, ...] = ("count", "color", "size", "material", "gender", "age")

_TABLES: Final[Mapping[Aspect, str]] = {
    "color": "colors",
    "size": "sizes",
    "material": "materials",
}


@dataclass(frozen=True)
class AspectValues:
    """The values of words.

    Attributes:
        values: Word -> value, for each aspect.
        large: The sizes of the large side; the others are of the small side.
        near: Colour -> colours that people call by its name as well.
        shades: Nouns of things -> the colour that they are before a noun: "olive".
        patterns: Words that leave the colour of a thing open: "striped".
    """

    values: Mapping[Aspect, Mapping[str, Value]]
    large: frozenset[Value]
    near: Mapping[Value, frozenset[Value]]
    shades: Mapping[str, Value]
    patterns: frozenset[str]

    def of(self, aspect: Aspect, words: Iterable[str]) -> list[Value]:
        """Return the distinct values of words in order; digits are numbers."""
        known = self.values[aspect]
        values: dict[Value, None] = {}
        for word in words:
            if word in known:
                values[known[word]] = None
            elif aspect == "count" and word.isascii() and word.isdecimal():
                values[int(word)] = None
        return list(values)

    @cached_method
    def of_attributes(self, attributes: tuple[str, ...], aspect: Aspect) -> list[Value]:
        """Return the values of attributes and of the single words in them."""
        words = [w for a in attributes for w in (a, *a.replace("-", " ").split())]
        shades = (self.shades[w] for w in words if w in self.shades)
        known = dict.fromkeys(shades) if aspect == "color" else {}
        return list(dict.fromkeys((*self.of(aspect, words), *known)))

    def contradict(self, aspect: Aspect, said: Value, expected: Value) -> bool:
        """Return whether two values exclude each other; "tall" and "big" do not."""
        if aspect == "size":
            return (said in self.large) != (expected in self.large)
        if aspect == "color":
            return said != expected and expected not in self.near.get(said, ())
        return said != expected


def read_aspects(data: Mapping[str, Any]) -> AspectValues:
    """Return the values of aspects from the tables of a lexicon file."""
    return AspectValues(
        values={
            "count": load_amount_words().numbers.cardinals,
            **{aspect: data[table]["values"] for aspect, table in _TABLES.items()},
        },
        large=frozenset(data["sizes"]["large_side"]),
        near=_neighbours(data["near_colors"]["groups"]),
        shades=data["colors"]["shades"],
        patterns=frozenset(data["colors"]["patterns"]),
    )


def _neighbours(groups: Iterable[Iterable[Value]]) -> dict[Value, frozenset[Value]]:
    """Return value -> all values that share a group with it."""
    neighbours: dict[Value, frozenset[Value]] = {}
    for group in groups:
        for value in group:
            neighbours[value] = neighbours.get(value, frozenset()) | frozenset(group)
    return neighbours


# Opposites: words that exclude each other.
#
# In: the table `opposites` of `grammars/diagnosis.toml`, whose sets have sides that
# exclude each other ("open" and "closed"). Out: `Opposites`, which give the side of a
# word in a topic (the time of day, the state of a thing, …).

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
