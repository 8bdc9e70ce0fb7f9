"""The words of the error analysis.

In: `grammars/diagnosis.toml`. Out: `Words`, what they mean.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

from spicepy.common.shipped import read_table

Value = int | str
Aspect = Literal["count", "color", "size", "material", "gender", "age"]
ASPECTS: tuple[Aspect, ...] = ("count", "color", "size", "material", "gender", "age")

REMEMBERED: Final = 1 << 17
"""Words, or pairs of words, of which a process keeps what it found out."""

_TABLES: Mapping[Aspect, str] = {
    "count": "numbers",
    "color": "colors",
    "size": "sizes",
    "material": "materials",
}


def by_size(value: Value) -> tuple[int, str]:
    """A key for sorting: numbers by size, then words by the alphabet."""
    return (value, "") if isinstance(value, int) else (1_000_000_000, value)


@dataclass(frozen=True, slots=True)
class Words:
    """What the words of `grammars/diagnosis.toml` mean.

    Attributes:
        values: Word -> value, for each aspect.
        large: The sizes of the large side; the others are of the small side.
        near: Colours that may be called by each other's name.
        exact, several, group: Words of quantity: "couple" -> 2; two or more; three
            or more. `uncounted`: for more of what was counted.
        plural_only: A pair of these is one thing.
        same_plural: Their form does not tell how many.
        ends: Words that end a quantity phrase.
        symmetric: Relations that hold both ways; `symmetric_after_verbs`: endings of
            others that do.
        no_things: Nouns that name no thing in the picture.
        no_properties: Attributes that say nothing of their object.
        people: Nouns of persons that WordNet has elsewhere; `not_people` are none.
        anyone: Nouns of persons that say nothing else.
        crowds: Nouns of people -> how many at least; `couples` are exactly two.
        generic: Nouns that any other may stand for.
        underfoot: The families of places that everybody stands on somewhere.
        backgrounds: Nouns of what most pictures have and few captions name.
        hedges: Words after which all is only possible.
        regions: Garments -> the part of the body they cover; what covers all of it
            or any part is with the upper part. `bare`: words for having none there;
            `outer`: garments that are worn over others.
        light: Verbs that go along with other activities, which say them or not;
            `vague` ones do so if they have no object.
        postures: Verbs of posture -> group; nobody is in two of them at once, but
            `perching` animals: nouns.
        sorts: Nouns; things below one of them are siblings.
        kinds: Nouns; a rare noun is left out as often as others below the first that
            it is below.
        confusable: Nouns; a thing below one is taken for another one below it.
        absent: Words before what is not there ("without a shirt").
        apart, also: Noun -> nouns; what is below one of them is never called so, or
            is, against WordNet.
        sites: Nouns; what is below one of them is a place of its own.
        handled: Nouns; what is below one of them tells no place.
        supports: Families of what other things stand on.
        implied: Nouns -> words of which each implies the thing.
        locatives: Prepositions of place.
        full_names: Nouns -> what captions mean by them.
        placeholders: What captioners write for words they do not know: "UNK".
        no_modifiers: Words that are no part of a noun that follows: "others".
        lemmas: Word as the lemmatiser leaves it -> its dictionary form.
        besides: Prepositions of what one is beside, and may be elsewhere as well.
        looking: Verbs whose preposition names no place ("look at a phone").
        any_garment: Words for clothes of every sort.
        belonging: Relations of someone to a garment or a part of the body.
        precision, unsure: Kind of finding -> how often it is right; if it rests on
            little.
        ages: Lists of nouns and adjectives of age.
    """

    values: Mapping[Aspect, Mapping[str, Value]]
    large: frozenset[Value]
    near: Mapping[Value, frozenset[Value]]
    exact: Mapping[str, int]
    several: frozenset[str]
    group: frozenset[str]
    uncounted: frozenset[str]
    plural_only: frozenset[str]
    same_plural: frozenset[str]
    ends: frozenset[str]
    symmetric: frozenset[str]
    symmetric_after_verbs: tuple[str, ...]
    no_things: frozenset[str]
    no_properties: frozenset[str]
    people: frozenset[str]
    not_people: frozenset[str]
    anyone: frozenset[str]
    crowds: frozenset[str]
    couples: frozenset[str]
    generic: frozenset[str]
    regions: Mapping[str, str]
    bare: frozenset[str]
    outer: frozenset[str]
    ages: Mapping[str, frozenset[str]]
    genders: Mapping[str, str]
    young: Mapping[str, str]
    full_names: Mapping[str, str]
    placeholders: frozenset[str]
    no_modifiers: frozenset[str]
    lemmas: Mapping[str, str]
    families: Mapping[str, frozenset[str]]
    sorts: tuple[str, ...]
    kinds: tuple[str, ...]
    confusable: tuple[str, ...]
    absent: frozenset[str]
    implied: Mapping[str, frozenset[str]]
    places: frozenset[str]
    underfoot: frozenset[str]
    sites: tuple[str, ...]
    apart: Mapping[str, tuple[str, ...]]
    also: Mapping[str, tuple[str, ...]]
    handled: tuple[str, ...]
    supports: frozenset[str]
    backgrounds: frozenset[str]
    hedges: frozenset[str]
    light: frozenset[str]
    vague: frozenset[str]
    postures: Mapping[str, int]
    perching: tuple[str, ...]
    locatives: frozenset[str]
    belonging: frozenset[str]
    besides: frozenset[str]
    looking: frozenset[str]
    any_garment: frozenset[str]
    precision: Mapping[str, float]
    unsure: Mapping[str, float]

    def of(self, aspect: Aspect, words: Iterable[str]) -> list[Value]:
        """The values of some words, digits being numbers."""
        known = self.values[aspect]
        found: dict[Value, None] = {}
        for word in words:
            if word in known:
                found[known[word]] = None
            elif aspect == "count" and word.isascii() and word.isdecimal():
                found[int(word)] = None
        return list(found)

    def grown(self, noun: str) -> str:
        """A young animal's grown name: puppy -> dog; others as they are."""
        return self.young.get(noun, noun)

    def families_of(self, first: str, second: str) -> bool:
        """Whether two names, or their last words, are of one family."""
        return not self.family(first).isdisjoint(self.family(second))

    def family(self, noun: str) -> frozenset[str]:
        """The names of a noun's families, or of its last word's."""
        none: frozenset[str] = frozenset()
        head = noun.rpartition(" ")[2]
        return self.families.get(noun) or self.families.get(head, none)

    def contradict(self, aspect: Aspect, said: Value, expected: Value) -> bool:
        """Whether both cannot be true; sizes of one side can ("tall", "big")."""
        if aspect == "size":
            return (said in self.large) != (expected in self.large)
        if aspect == "color":
            return said != expected and expected not in self.near.get(said, ())
        return said != expected


@cache
def load_words() -> Words:
    """Read the word lists.

    Raises:
        ResourceError: The file is missing or damaged.
    """
    return read_table("diagnosis.toml", _words)


def _words(data: Mapping[str, Any]) -> Words:
    quantities, people, age = data["quantities"], data["people"], data["age"]
    genders = {sex: data["gender"][sex] for sex in ("male", "female")}
    persons = (*genders["male"], *genders["female"], *age["child"], *age["young"])
    crowds = frozenset(people["several"])
    couples = frozenset(people["two"])
    return Words(
        values={a: data[t]["values"] for a, t in _TABLES.items()},
        large=frozenset(data["sizes"]["large_side"]),
        near=_neighbours(data["near_colors"]["groups"]),
        exact=quantities["exact"],
        several=frozenset(quantities["several"]),
        group=frozenset(quantities["group"]),
        uncounted=frozenset(quantities["uncounted"]),
        plural_only=frozenset(quantities["plural_only"]),
        same_plural=frozenset(quantities["same_plural"]),
        ends=frozenset(quantities["ends"]),
        symmetric=frozenset(data["symmetric"]["words"]),
        symmetric_after_verbs=tuple(data["symmetric"]["after_verbs"]),
        no_things=frozenset(data["no_things"]["words"]),
        no_properties=frozenset(data["no_properties"]["words"]),
        people=crowds | couples | {*people["words"], *persons},
        not_people=frozenset(people["not_people"]),
        anyone=frozenset(people["anyone"]),
        crowds=crowds,
        couples=couples,
        generic=frozenset(data["generic"]["words"]),
        regions=_regions(data["garments"]),
        bare=frozenset(data["garments"]["bare"]),
        outer=frozenset(data["garments"]["outer"]),
        ages={k: frozenset(v) for k, v in age.items() if k != "source"},
        genders={word: sex for sex, words in genders.items() for word in words},
        young=data["young"]["of"],
        full_names=data["full_names"]["of"],
        placeholders=frozenset(data["names"]["placeholders"]),
        no_modifiers=frozenset(data["names"]["no_modifiers"]),
        lemmas=data["names"]["lemmas"],
        families=_families(data["families"]),
        sorts=tuple(data["sorts"]["words"]),
        kinds=tuple(data["sorts"]["kinds"]),
        confusable=tuple(data["sorts"]["confusable"]),
        absent=frozenset(data["implied"]["absent"]),
        implied={k: frozenset(v) for k, v in data["implied"]["by"].items()},
        places=frozenset(data["places"]["families"]),
        underfoot=frozenset(data["places"]["underfoot"]),
        sites=tuple(data["places"]["sites"]),
        apart={noun: tuple(tops) for noun, tops in data["sorts"]["apart"].items()},
        also={noun: tuple(tops) for noun, tops in data["sorts"]["also"].items()},
        handled=tuple(data["places"]["handled"]),
        supports=frozenset(data["places"]["supports"]),
        backgrounds=frozenset(data["backgrounds"]["words"]),
        hedges=frozenset(data["hedges"]["words"]),
        vague=frozenset(data["activities"]["vague"]),
        light=frozenset(data["activities"]["light"]),
        postures={
            verb: number
            for number, verbs in enumerate(data["activities"]["postures"])
            for verb in verbs
        },
        perching=tuple(data["activities"]["perching"]),
        locatives=frozenset(data["locatives"]["words"]),
        besides=frozenset(data["besides"]["words"]),
        looking=frozenset(data["looking"]["words"]),
        any_garment=frozenset(data["garments"]["any"]),
        belonging=frozenset(data["belonging"]["words"]),
        precision=data["precision"]["values"],
        unsure=data["precision"]["unsure"],
    )


def _neighbours(groups: Iterable[Iterable[Value]]) -> dict[Value, frozenset[Value]]:
    found: dict[Value, frozenset[Value]] = {}
    for group in groups:
        for value in group:
            found[value] = found.get(value, frozenset()) | frozenset(group)
    return found


def _regions(table: Mapping[str, Any]) -> dict[str, str]:
    """Garment -> region."""
    upper = ("upper", "whole", "any")
    return {
        noun: "upper" if name in upper else name
        for name, nouns in table.items()
        if name not in ("source", "bare", "outer")
        for noun in nouns
    }


def _families(table: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Noun -> the names of its families."""
    found: dict[str, frozenset[str]] = {}
    for name, words in table.items():
        for word in words if name != "source" else ():
            found[word] = found.get(word, frozenset()) | {name}
    return found
