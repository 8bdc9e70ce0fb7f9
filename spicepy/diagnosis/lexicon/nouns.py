"""Nouns: how the meanings of two nouns relate, and what sort of thing a noun names.

In: a noun of the candidate and one of a reference, as names ("tennis racket"). Out:
a `Grade`, by WordNet's noun hierarchy and by the families of `grammars/diagnosis.toml`,
which join nouns that captions use alike and WordNet keeps apart.

Source: Miller 1995, WordNet; Wu & Palmer 1994, section 2.3, on common hypernyms.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, Literal

from spicepy.diagnosis.lexicon.word_lists import MAX_RESULTS, People, cached_method
from spicepy.words.wordnet import load_hierarchy

Grade = Literal["same", "more general", "more specific", "related", "sibling", "other"]
"""How the first noun relates to the second; "related" nouns may name one thing."""

ABOUT_ONE_THING: Final = ("same", "more general", "more specific", "related")
"""Grades at which two nouns may be about one thing."""
NAMING: Final = ("same", "more general", "more specific")
"""Grades at which two nouns surely name one thing."""

_SENSES: Final = 2  # The most frequent senses; rare senses join unrelated nouns.
_FAR: Final = 11  # The most steps between a noun and a more general one.
_MAX_STEPS: Final = 2  # The most steps from a sibling to the common hypernym.
_DEPTH: Final = 6  # Common hypernyms of less depth ("artifact") are too general.
_PERSON: Final = "person"
_ANIMAL: Final = "animal"


@dataclass(frozen=True)
class Nouns:
    """The nouns of the lexicon and the relations between nouns."""

    people: People  # Words for people
    generic: frozenset[str]  # Nouns that can mean almost any thing: "thing"
    young: Mapping[str, str]  # Young animal -> grown animal: "puppy" -> "dog"
    # Noun -> the noun that captions mean by it: "racket" -> "racquet".
    full_names: Mapping[str, str]
    # Noun -> names of its families, whose members may name one thing.
    families: Mapping[str, frozenset[str]]
    sorts: tuple[str, ...]  # Hypernyms; two nouns below the same one are siblings
    # Hypernyms; captioners confuse things below the same one.
    confusable: tuple[str, ...]
    # Noun -> hypernyms; captions never use the noun for things below these, though
    # WordNet has them as its hyponyms.
    apart: Mapping[str, tuple[str, ...]]
    # Noun -> hypernyms; captions use the noun for things below these, though WordNet
    # does not.
    also: Mapping[str, tuple[str, ...]]
    # Nouns for what is made for something that may not be there: "stop".
    made_for: frozenset[str]
    # Garment -> the part of the body that it covers; garments that cover all or any
    # part of it are in "upper".
    regions: Mapping[str, str]

    @cached_method
    def grade(self, said: str, meant: str) -> Grade:
        """Return the relation of a candidate's noun to a reference's noun."""
        if not self._meanings(said).isdisjoint(self._meanings(meant)):
            return "same"
        said = self.full_names.get(said, said)
        meant = self.full_names.get(meant, meant)
        first, second = self.grown(said), self.grown(meant)
        if self.is_person(first) and self.is_person(second):
            return self._grade_of_people(first, second)
        if first.endswith(f" {second}") or (first != said and first == second):
            general = first == said and said == second
            return "more general" if general else "more specific"
        if second.endswith(f" {first}") or (second != meant and first == second):
            return "more general"
        if self.is_person(first) != self.is_person(second):
            return "other"
        if first in self.generic:
            return "more general"
        if second in self.generic:
            return "more specific"
        return self._grade_in_hierarchy(first, second)

    def meanings(self, words: Iterable[str]) -> frozenset[int | str]:
        """Return the meanings of some nouns in captions: names and synsets."""
        return frozenset[int | str]().union(*map(self._meanings, words))

    def is_among(self, noun: str, meanings: frozenset[int | str]) -> bool:
        """Return whether a noun has one of the meanings (see `meanings`)."""
        return not self._meanings(noun).isdisjoint(meanings)

    @cached_method
    def _meanings(self, noun: str) -> frozenset[int | str]:
        """Return the meanings of a noun: its full name and most frequent synsets."""
        name = self.full_names.get(noun, noun)
        return frozenset((name, *load_hierarchy().synsets(name)[:_SENSES]))

    def grown(self, noun: str) -> str:
        """Return "dog" for "puppy": the grown animal; other nouns as they are."""
        return self.young.get(noun, noun)

    @cached_method
    def family(self, noun: str) -> frozenset[str]:
        """Return the names of the families of a noun or else of its last word."""
        none: frozenset[str] = frozenset()
        head = noun.rpartition(" ")[2]
        return self.families.get(noun) or self.families.get(head, none)

    def _grade_of_people(self, first: str, second: str) -> Grade:
        """Return the grade of two nouns for people, which may name one person."""
        anyone = self.people.anyone
        if (first in anyone) == (second in anyone):
            return "related"
        return "more general" if first in anyone else "more specific"

    def _grade_in_hierarchy(self, first: str, second: str) -> Grade:
        if self._are_apart(first, second) or self._are_apart(second, first):
            return "sibling" if self.may_be_confused(first, second) else "other"
        if self.is_below_any(first, self.also.get(second, ())):
            return "more specific"
        if self.is_below_any(second, self.also.get(first, ())):
            return "more general"
        low, high = _visible(first), _visible(second)
        one, other = kinds(first, _SENSES), kinds(second, _SENSES)
        related = not (one.isdisjoint(high) and other.isdisjoint(low))
        if related and (grade := _by_hypernyms(first, low, high)) is not None:
            return grade
        apart = _are_compounds_of_one_noun(first, second)
        if not apart and not self.family(first).isdisjoint(self.family(second)):
            return "related"
        alike = _siblings(low, high) or self._sorts(first) & self._sorts(second)
        return "sibling" if alike else "other"

    def _are_apart(self, special: str, general: str) -> bool:
        """Return whether captions never use `general` for `special`; see `apart`."""
        return self.is_below_any(special, self.apart.get(general, ()))

    @cached_method
    def may_be_confused(self, first: str, second: str) -> bool:
        """Return whether captioners confuse two things: two animals, two vehicles."""
        # So are two sorts of one thing: a toothbrush and a hairbrush.
        if _are_sorts_of_one(senses(first), senses(second)):
            return True
        one, other = kinds(first, _SENSES), kinds(second, _SENSES)
        return any(
            not tops.isdisjoint(one) and not tops.isdisjoint(other)
            for tops in self._confusable
        )

    @cached_property
    def _confusable(self) -> list[frozenset[int]]:
        """The synsets of each sort of things that captioners confuse."""
        sorts = ((top, *self.also.get(top, ())) for top in self.confusable)
        return [frozenset(map(_synset, tops)) for tops in sorts]

    @cached_method
    def _sorts(self, noun: str) -> frozenset[str]:
        return frozenset(sort for sort in self.sorts if is_below(noun, sort))

    @cached_method
    def is_person(self, noun: str) -> bool:
        """Return whether a noun means one or several persons."""
        head = noun.rpartition(" ")[2]
        if noun in self.people.words or head in self.people.words:
            return True
        return head not in self.people.not_words and is_below(noun, _PERSON)

    @cached_method
    def is_living(self, noun: str) -> bool:
        """Return whether a noun means a person or an animal."""
        head = noun.rpartition(" ")[2]
        number = _SENSES if head in self.people.not_words else 1
        is_animal = is_below(noun, _ANIMAL, number) and not self.is_body_part(noun)
        return is_animal or self.is_person(noun)

    @cached_method
    def is_below_any(self, noun: str, tops: tuple[str, ...]) -> bool:
        """Return whether a noun's most frequent sense is a kind of one of `tops`."""
        return any(is_below(noun, top) for top in tops)

    def is_worn_or_part(self, noun: str) -> bool:
        """Return whether a noun means clothing or a part of the body."""
        # Their number follows from that of the people.
        return self.is_below_any(noun, ("clothing", "body part", "footwear"))

    @cached_method
    def region(self, noun: str) -> str | None:
        """Return the part of the body that a garment covers; None for other things."""
        if noun in self.regions:
            return self.regions[noun]
        head = noun.rpartition(" ")[2]
        return self.regions.get(head) if self.is_worn_or_part(noun) else None

    @cached_method
    def modifiers(self, noun: str) -> tuple[str, ...]:
        """Return the solid things among the modifiers of a name that WordNet lacks."""
        # WordNet has no "carrot car", so that its carrot is a thing of its own. A
        # person is not: a "passenger plane" may have no passenger aboard; nor is what
        # the thing is made for: a "horse trailer" may have no horse.
        if self.is_name(noun):
            return ()
        absent = self.words_of_others(noun)
        own = [word for word in noun.split(" ")[:-1] if word not in absent]
        return tuple(w for w in own if self.is_solid(w) and not self.is_person(w))

    @cached_method
    def words_of_others(self, noun: str) -> tuple[str, ...]:
        """Return the first words of a name that name other things, perhaps absent."""
        # A bus stop may have no bus, a hot dog is none; but a bus driver has a bus.
        *before, head = noun.split(" ")
        if self.full_names.get(noun, noun) != noun:
            return (*before, head)
        if not before or head not in self.made_for:
            return tuple(before) if before[:1] == ["fire"] else ()
        thing = " ".join(before)
        vehicles = ("vehicle", *self.also.get("vehicle", ()))
        moving = self.is_living(thing) or self.is_below_any(thing, vehicles)
        return tuple(before) if moving else ()

    @cached_method
    def is_compound(self, noun: str) -> bool:
        """Return whether several words name one thing: "ice cream" is no color."""
        return " " in noun and self.is_name(noun) and self.is_solid(noun)

    def is_name(self, noun: str) -> bool:
        """Return whether WordNet has a noun, compounds as a whole: "polar bear"."""
        return bool(load_hierarchy().synsets(noun))

    def is_body_part(self, noun: str) -> bool:
        """Return whether a noun means a part of a body, or its hair."""
        return self.is_below_any(noun, ("body part", "body covering"))

    @cached_method
    def is_solid(self, noun: str) -> bool:
        """Return whether a noun means a thing, an animal or a food."""
        tops = ("physical object", "food", "solid food")
        return any(is_below(noun, top, _SENSES) for top in tops)

    def is_concrete(self, noun: str) -> bool:
        """Return whether a noun means a person or a thing, not an event or an act."""
        return self.is_person(noun) or self.is_solid(noun)

    @cached_method
    def is_event(self, noun: str) -> bool:
        """Return whether all frequent senses of a noun are events: "game"."""
        [event, *_] = load_hierarchy().synsets("event")
        own = senses(self.full_names.get(noun, noun))
        return bool(own) and all(event in load_hierarchy().above(s) for s in own)

    @cached_method
    def is_known(self, noun: str) -> bool:
        """Return whether WordNet has a noun or its last word."""
        return bool(senses(noun)) or self.is_person(noun)


def read_nouns(data: Mapping[str, Any], people: People) -> Nouns:
    """Return the nouns from the tables of a lexicon file."""
    sorts = data["sorts"]
    return Nouns(
        people=people,
        generic=frozenset(data["generic"]["words"]),
        young=data["young"]["of"],
        full_names=data["full_names"]["of"],
        families=_families(data["families"]),
        sorts=tuple(sorts["words"]),
        confusable=tuple(sorts["confusable"]),
        apart={noun: tuple(tops) for noun, tops in sorts["apart"].items()},
        also={noun: tuple(tops) for noun, tops in sorts["also"].items()},
        made_for=frozenset(data["made_for"]["words"]),
        regions=_regions(data["garments"]),
    )


def _families(table: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Return noun -> the names of its families."""
    families: dict[str, frozenset[str]] = {}
    for name, words in table.items():
        for word in words if name != "source" else ():
            families[word] = families.get(word, frozenset()) | {name}
    return families


def _regions(table: Mapping[str, Any]) -> dict[str, str]:
    """Return garment -> region."""
    upper = ("upper", "whole", "any")
    return {
        noun: "upper" if name in upper else name
        for name, nouns in table.items()
        if name not in ("source", "outer")
        for noun in nouns
    }


@lru_cache(MAX_RESULTS)
def senses(noun: str) -> tuple[int, ...]:
    """Return the most frequent synsets of a name or else of its last word."""
    synsets = load_hierarchy().synsets(noun)
    if not synsets and " " in noun:
        synsets = load_hierarchy().synsets(noun.rpartition(" ")[2])
    return synsets[:_SENSES]


@lru_cache(MAX_RESULTS)
def _visible(noun: str) -> tuple[int, ...]:
    """Return the senses that can be in a picture, if any can: no tabular "table"."""
    thing, above = _synset("physical entity"), load_hierarchy().above
    return tuple(s for s in senses(noun) if thing in above(s)) or senses(noun)


@lru_cache(MAX_RESULTS)
def kinds(noun: str, number: int = 1) -> frozenset[int]:
    """Return the first `number` senses of a noun and all that is above them."""
    return frozenset().union(*map(load_hierarchy().above, senses(noun)[:number]))


def is_below(noun: str, top: str, number: int = 1) -> bool:
    """Return whether one of the first `number` senses of a noun is a kind of `top`."""
    return _synset(top) in kinds(noun, number)


@lru_cache(MAX_RESULTS)
def _synset(noun: str) -> int:
    """Return the most frequent sense of a noun that WordNet has."""
    return load_hierarchy().synsets(noun)[0]


def _by_hypernyms(
    noun: str, low: tuple[int, ...], high: tuple[int, ...]
) -> Grade | None:
    """Return the grade of the first senses of which one is above the other, or None."""
    above = load_hierarchy().above
    for i, a in enumerate(low):
        for b in high[: _SENSES - i]:
            if a == b:  # Their last words are synonyms: "passenger plane", "airplane".
                return "more specific" if " " in noun else "more general"
            if 0 < above(a).get(b, 99) <= _FAR:
                return "more specific"
            if 0 < above(b).get(a, 99) <= _FAR:
                return "more general"
    return None


def _are_compounds_of_one_noun(first: str, second: str) -> bool:
    """Return whether two names in WordNet share their last word: golf, soccer ball."""
    (one, _, head), (other, _, last) = first.rpartition(" "), second.rpartition(" ")
    known = load_hierarchy().synsets
    return bool(one and other and head == last and known(first) and known(second))


def _are_sorts_of_one(low: tuple[int, ...], high: tuple[int, ...]) -> bool:
    """Return whether the first senses are just below one specific hypernym."""
    hierarchy = load_hierarchy()
    both = {s for a in low[:1] for s, far in hierarchy.above(a).items() if far == 1}
    both &= {s for b in high[:1] for s, far in hierarchy.above(b).items() if far == 1}
    return any(hierarchy.depth(common) >= _DEPTH for common in both)


def _siblings(low: tuple[int, ...], high: tuple[int, ...]) -> bool:
    """Return whether two senses have a near and specific hypernym in common."""
    if _all_near(low).isdisjoint(_all_near(high)):
        return False
    return any(
        not _near_hypernyms(a).isdisjoint(_near_hypernyms(b))
        for i, a in enumerate(low)
        for b in high[: _SENSES - i]
    )


@lru_cache(MAX_RESULTS)
def _all_near(synsets: tuple[int, ...]) -> frozenset[int]:
    """Return the near and specific hypernyms of some senses together."""
    return frozenset().union(*map(_near_hypernyms, synsets))


@lru_cache(MAX_RESULTS)
def _near_hypernyms(sense: int) -> frozenset[int]:
    """Return the specific synsets at most `_MAX_STEPS` above a sense, or itself."""
    above, depth = load_hierarchy().above(sense), load_hierarchy().depth
    near = (synset for synset, far in above.items() if far <= _MAX_STEPS)
    return frozenset(synset for synset in near if depth(synset) >= _DEPTH)
