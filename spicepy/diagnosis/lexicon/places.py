"""Words of place: nouns that name places, and relations of place.

In: the tables `places`, `locatives`, `besides` and `looking` of
`grammars/diagnosis.toml`. Out: `Places`.

Sections that belong to it:

* Omission: the probability that no reference names a thing in the picture.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from spicepy.diagnosis.lexicon.nouns import ABOUT_ONE_THING, Nouns, is_below
from spicepy.diagnosis.lexicon.word_lists import cached_method


@dataclass(frozen=True)
class Places:
    """Words of place.

    Attributes:
        nouns: The nouns of the lexicon.
        families: Families of nouns that name places.
        underfoot: Families of surfaces that people stand on: a street.
        holders: Hypernyms of nouns for what someone may be in or on: a truck.
        supports: Families of things that other things stand on: a table.
        sites: Hypernyms of nouns for places of their own.
        handled: Hypernyms of nouns for tools, which are no places.
        locatives: Prepositions of place.
        besides: Prepositions of place that do not exclude another place: "near".
        looking: Verbs whose preposition is not one of place: "look at a phone".
    """

    nouns: Nouns
    families: frozenset[str]
    underfoot: frozenset[str]
    holders: tuple[str, ...]
    supports: frozenset[str]
    sites: tuple[str, ...]
    handled: tuple[str, ...]
    locatives: frozenset[str]
    besides: frozenset[str]
    looking: frozenset[str]

    def is_place(self, noun: str) -> bool:
        """Return whether a noun names a place."""
        return not self.nouns.family(noun).isdisjoint(self.families)

    def is_underfoot(self, noun: str) -> bool:
        """Return whether a noun names a surface that people stand on: a street.

        References often leave such a surface out.
        """
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
        """Return whether numbers of two nouns can be compared.

        Not those of a leaf and a plant, nor of pizza and spaghetti, even if a caption
        calls both food.
        """
        nouns = self.nouns
        shared = nouns.family(first) & nouns.family(second)
        graded = nouns.grade(first, second)
        apart = graded == "related" and not shared.isdisjoint(self.families)
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
# In: a noun, and how many references there are. Out: a probability. Almost everybody
# who describes a picture with a horse names it, but few people name a window: a window
# that no reference has may still be in the picture.
#
# `training/words/left_out.py` counts the shares in `grammars/left_out.toml`.

_OTHER: Final = "other"
_PERSON: Final = "person"
_COUNTED: Final = 4
"""The number of people who leave a thing out, in the shares of the file."""


@dataclass(frozen=True)
class Omission:
    """The probabilities that four people all leave a thing out, 0-1.

    Attributes:
        nouns: Frequent noun -> probability.
        sorts: Sort of nouns -> probability, for other nouns.
        order: The sorts; the sort of a noun is the first one that it is below.
        known: The nouns of the lexicon, which decide what is a person.
    """

    nouns: Mapping[str, float]
    sorts: Mapping[str, float]
    order: tuple[str, ...]
    known: Nouns

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
