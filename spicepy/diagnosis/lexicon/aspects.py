"""Aspects of objects: number, colour, size, material, gender and age.

In: the tables `colors`, `sizes`, `materials` and `near_colors` of
`grammars/diagnosis.toml`. Out: `AspectValues`: the values of words, and which values
contradict each other.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, Literal

from spicepy.diagnosis.lexicon.nouns import ABOUT_ONE_THING, Nouns, is_below
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
    """The values of words."""

    values: Mapping[Aspect, Mapping[str, Value]]  # Word -> value, for each aspect
    # The sizes of the large side; the others are of the small side.
    large: frozenset[Value]
    # Colour -> colours that people call by its name as well.
    near: Mapping[Value, frozenset[Value]]
    # Nouns of things -> the colour that they are before a noun: "olive".
    shades: Mapping[str, Value]
    patterns: frozenset[str]  # Words that leave the colour of a thing open: "striped"

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
    def has_value(self, word: str) -> bool:
        """Return whether a word alone gives a value in any aspect."""
        return any(self.of(aspect, [word]) for aspect in self.values)

    @cached_method
    def of_attributes(self, attributes: tuple[str, ...], aspect: Aspect) -> list[Value]:
        """Return the values of attributes and of the single words in them."""
        words = [w for a in attributes for w in (a, *a.replace("-", " ").split())]
        shades = (self.shades[w] for w in words if w in self.shades)
        known = dict.fromkeys(shades) if aspect == "color" else {}
        return list(dict.fromkeys((*self.of(aspect, words), *known)))

    @cached_method
    def valued(self, attributes: tuple[str, ...]) -> tuple[Aspect, ...]:
        """Return the aspects in which attributes have values."""
        return tuple(a for a in self.values if self.of_attributes(attributes, a))

    def contradict(self, aspect: Aspect, said: Value, expected: Value) -> bool:
        """Return whether two values exclude each other; "tall" and "big" do not."""
        if aspect == "size":
            return (said in self.large) != (expected in self.large)
        if aspect == "color":
            return said != expected and expected not in self.near.get(said, ())
        return said != expected


def read_aspects(data: Mapping[str, Any]) -> AspectValues:
    """Return the values of aspects from the tables of a lexicon file."""
    near = data["near_colors"]
    pairs = ((a, b) for a, others in near["around"].items() for b in others)
    return AspectValues(
        values={
            "count": load_amount_words().numbers.cardinals,
            **{aspect: data[table]["values"] for aspect, table in _TABLES.items()},
        },
        large=frozenset(data["sizes"]["large_side"]),
        near=_neighbours(chain(near["groups"], pairs)),
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

Opposition = Literal["time", "weather", "state", "expression", "position"]
OppositeSide = tuple[int, int]
"""The number of a set of sides, and the number of the side in the set."""


@dataclass(frozen=True)
class Opposites:
    """Words that exclude each other."""

    sides: Mapping[str, Mapping[str, OppositeSide]]

    def of(self, topic: Opposition, words: Iterable[str]) -> dict[OppositeSide, str]:
        """Return the sides of words, each with the first word on that side."""
        # Words of a frozenset are taken in alphabetical order.
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


# Words of place: nouns that name places, and relations of place.


@dataclass(frozen=True)
class Places:
    """Words of place."""

    nouns: Nouns  # The nouns of the lexicon
    families: frozenset[str]  # Families of nouns that name places
    # Families of things that are not counted together: plates and bowls
    counted_apart: frozenset[str]
    underfoot: frozenset[str]  # Families of surfaces that people stand on: a street
    # Hypernyms of nouns for what someone may be in or on: a truck.
    holders: tuple[str, ...]
    supports: frozenset[str]  # Families of things that other things stand on: a table
    sites: tuple[str, ...]  # Hypernyms of nouns for places of their own
    handled: tuple[str, ...]  # Hypernyms of nouns for tools, which are not places
    locatives: frozenset[str]  # Prepositions of place
    # Prepositions of place that do not exclude another place: "near".
    besides: frozenset[str]
    # Verbs whose preposition is not one of place: "look at a phone".
    looking: frozenset[str]

    def is_place(self, noun: str) -> bool:
        """Return whether a noun names a place."""
        return not self.nouns.family(noun).isdisjoint(self.families)

    def is_underfoot(self, noun: str) -> bool:
        """Return whether a noun names a surface that people stand on: a street."""
        # References often leave such a surface out.
        return not self.nouns.family(noun).isdisjoint(self.underfoot)

    def is_support(self, noun: str) -> bool:
        """Return whether a noun names something that other things stand on: a table."""
        return not self.nouns.family(noun).isdisjoint(self.supports)

    def is_site(self, noun: str) -> bool:
        """Return whether a noun names a place of its own: a street, a room, a dock."""
        if self.is_place(noun) or self.nouns.is_below_any(noun, self.sites):
            return True
        # A church is a community first, and then the building.
        community = is_below(noun, "social group")
        return community and any(is_below(noun, top, 2) for top in self.sites)

    def is_holder(self, noun: str) -> bool:
        """Return whether a noun names something that someone may be in or on."""
        return self.nouns.is_below_any(noun, self.holders)

    def is_handled(self, noun: str) -> bool:
        """Return whether a noun names a tool, such as a microphone, and no place."""
        return self.nouns.is_below_any(noun, self.handled)

    @cached_method
    def count_alike(self, first: str, second: str) -> bool:
        """Return whether numbers of two nouns can be compared."""
        # Not those of a leaf and a plant, nor of a plate and a bowl, nor of pizza and
        # spaghetti, even if a caption calls both food.
        nouns = self.nouns
        shared = nouns.family(first) & nouns.family(second)
        graded = nouns.grade(first, second)
        families = self.families | self.counted_apart
        apart = graded == "related" and not shared.isdisjoint(families)
        return graded in ABOUT_ONE_THING and not apart

    @cached_method
    def is_locative(self, how: str) -> bool:
        """Return whether a relation ends in a preposition of place: "sit on"."""
        looks = how.split(" ")[0] in self.looking
        return not looks and _ends_in(how, self.locatives)

    @cached_method
    def is_beside(self, how: str) -> bool:
        """Return whether a relation does not exclude another place: "stand near"."""
        return _ends_in(how, self.besides)


def _ends_in(how: str, prepositions: frozenset[str]) -> bool:
    words = how.split(" ")
    return any(" ".join(words[start:]) in prepositions for start in range(len(words)))


# Omission: the probability that no reference names a thing in the picture.
#
# Almost everybody who describes a picture with a horse names it, but few people name a
# window: a window that no reference has may still be in the picture.
#
# `training/words/left_out.py` counts the shares in `grammars/left_out.toml`.

_OTHER: Final = "other"
_PERSON: Final = "person"
_COUNTED: Final = 4
"""The number of people who leave a thing out, in the shares of the file."""


@dataclass(frozen=True)
class Omission:
    """The probabilities that four people all leave a thing out, 0-1."""

    nouns: Mapping[str, float]  # Frequent noun -> probability
    sorts: Mapping[str, float]  # Sort of nouns -> probability, for other nouns
    # The sorts; the sort of a noun is the first one that it is below.
    order: tuple[str, ...]
    known: Nouns  # The nouns of the lexicon, which decide what is a person

    @cached_method
    def left_out(self, noun: str, references: int) -> float:
        """Return the probability that no reference names a thing in the picture, 0-1.

        References are taken to be independent of each other.
        """
        share = self.nouns.get(noun)
        if share is None:
            share = self.nouns.get(noun.rpartition(" ")[2])
        if share is None:
            share = self.sorts.get(self.sort_of(noun), 1.0)
        return float(share ** (references / _COUNTED))

    @cached_method
    def sort_of(self, noun: str) -> str:
        """Return the sort of a noun, "other" if it is below none."""
        if self.known.is_person(noun):
            return _PERSON
        return next((sort for sort in self.order if is_below(noun, sort)), _OTHER)


def read_omission(
    data: Mapping[str, Any], shares: Mapping[str, Any], nouns: Nouns
) -> Omission:
    """Return the shares from the tables of a lexicon file and of `left_out.toml`."""
    order = tuple(data["sorts"]["kinds"])
    return Omission(shares["nouns"], shares["sorts"], order, nouns)
