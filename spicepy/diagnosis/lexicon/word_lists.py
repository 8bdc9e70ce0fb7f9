"""Lists of words with hardly any logic, a dataclass for each subject.

In: tables of `grammars/diagnosis.toml`, whose entries have the names of the attributes.
Out: the dataclasses, which `load_lexicon` makes.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from types import MethodType
from typing import (
    Any,
    Concatenate,
    Final,
    Generic,
    Literal,
    ParamSpec,
    TypeVar,
)

from spicepy.objects.amounts import load_amount_words


@dataclass(frozen=True)
class Relations:
    """Relations between things (tables: `symmetric` and `belonging`)."""

    symmetric: frozenset[str]  # Relations that hold in both directions: "near"
    # Prepositions that make a verb's relation symmetric: "next to" in "park next to".
    after_verbs: tuple[str, ...]
    # Relations of someone to a garment or a part of the body: "wear".
    belonging: frozenset[str]

    def is_symmetric(self, how: str) -> bool:
        """Return whether a relation is symmetric: "near", "park next to"."""
        after_verb = any(how.endswith(f" {p}") for p in self.after_verbs)
        return how in self.symmetric or after_verb


@dataclass(frozen=True)
class Activities:
    """Verbs by the activities that they exclude.

    Table: `activities`.

    Source: Levin 1993, English Verb Classes, chapter 50 (posture).
    """

    light: frozenset[str]  # Verbs that are compatible with other activities: "hold"
    vague: frozenset[str]  # Verbs that are so without an object: "play"
    # Verb of posture -> number of its group; postures of different groups exclude each
    # other.
    postures: Mapping[str, int]
    moving: frozenset[str]  # Verbs of motion, which exclude postures: "walk"
    # Verb -> whether it is of vehicles at rest (1) or under way (0).
    vehicles: Mapping[str, int]
    # Verb or noun -> the number of its sport; sports exclude each other.
    sports: Mapping[str, int]
    # Groups of verbs for one activity: "eat", "graze".
    alike: tuple[frozenset[str], ...]
    # Nouns for animals of which "sit" and "stand" mean the same.
    perching: tuple[str, ...]
    # Verb -> words for what it is a part of: "hit" -> "tennis".
    parts: Mapping[str, frozenset[str]]

    def is_exclusive(self, verb: str) -> bool:
        """Return whether a verb excludes others, with or without an object."""
        return verb not in self.light and verb not in self.vague

    def are_alike(self, first: str, second: str) -> bool:
        """Return whether two verbs name one activity."""
        return any(first in verbs and second in verbs for verbs in self.alike)

    def is_part(self, verb: str, words: frozenset[str]) -> bool:
        """Return whether a deed is a part of what one of some words names."""
        return not words.isdisjoint(self.parts.get(verb, ()))


@dataclass(frozen=True)
class Unsaid:
    """Words about things in the picture without a name, and names without a thing."""

    # Tables: `implied`, `backgrounds` and `garments`.
    implied: Mapping[str, frozenset[str]]  # Noun -> words that each imply the thing
    # Nouns for things that most pictures have and few captions name.
    backgrounds: frozenset[str]
    outer: frozenset[str]  # Garments that are worn over others
    any_garment: frozenset[str]  # Words for clothes of every sort


@dataclass(frozen=True)
class Speculation:
    """Words that show whether a part of a caption describes the picture."""

    # Table: `speculation`.
    modals: frozenset[str]  # Modal verbs and adverbs of doubt
    # Participles after which "can" is not a supposition: "can be seen".
    seen: frozenset[str]
    words: frozenset[str]  # Words of mood and purpose
    stems: tuple[str, ...]  # The first letters of further such words
    starts: frozenset[str]  # First words of a part that explains
    frames: frozenset[str]  # Words of parts that only introduce others: "in the image"
    showing: frozenset[str]  # Verbs of what a picture shows: "the image shows"
    joining: frozenset[str]  # First words of a part that continues the one before it
    determiners: frozenset[str]  # Words that begin a noun phrase


@dataclass(frozen=True)
class Wording:
    """Words by the positions in which they can stand (table: `wording`)."""

    joining: frozenset[str]  # Words between two members of a list: "and"
    determiners: frozenset[str]  # Words that a noun must follow: "a"
    never_after: frozenset[str]  # Words that never follow a determiner: "is"
    unfinished: frozenset[str]  # Words that no complete caption ends in
    quoting: frozenset[str]  # Words before a text on a sign: "says"


# Methods that cache their results in their object.
#
# The cache belongs to the object, so that two objects never share results.

P = ParamSpec("P")
R = TypeVar("R")

MAX_RESULTS: Final = 1 << 17  # The number of results that a method keeps


class cached_method(Generic[P, R]):
    """Decorate a method so that its object keeps the latest results."""

    def __init__(self, method: Callable[Concatenate[Any, P], R]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type) -> Callable[P, R]:
        # The result hides this descriptor, so that it is made once for an object.
        bound: Callable[P, R] = MethodType(self._method, instance)
        cached: Any = lru_cache(MAX_RESULTS)(bound)
        instance.__dict__[self._name] = cached
        known: Callable[P, R] = cached
        return known


# Names: the dictionary forms of words, and words that name no thing or property.


@dataclass(frozen=True)
class Names:
    """Words as names of things and properties."""

    # Output of the lemmatiser -> dictionary form, where both differ.
    lemmas: Mapping[str, str]
    # Tokens that captioners write for unknown words: "UNK".
    placeholders: frozenset[str]
    # Words that are not part of the noun after them: "others".
    no_modifiers: frozenset[str]
    no_things: frozenset[str]  # Nouns that name no thing in the picture: "background"
    # Words after a noun that only gives a shape: "heart shaped".
    likeness: frozenset[str]
    # Attributes that are not a property of their object: "other".
    no_properties: frozenset[str]
    # Attribute of an animal that is none -> what it is: "stuffed" -> "toy".
    toys: Mapping[str, str]
    # Words that a user's list adds as colours, sizes, materials and patterns; a parser
    # that does not know them takes them for a part of the noun.
    added: frozenset[str]

    @cached_method
    def noun(self, name: str) -> str:
        """Return a noun without the words of `before`; "" for a placeholder."""
        return self.lemma(" ".join(name.split(" ")[len(self.before(name)) :]))

    def before(self, name: str) -> list[str]:
        """Return the first words of a noun that are not part of it."""
        apart = self.no_modifiers, self.placeholders, self.added
        first = name.split(" ")[:-1]
        return list(takewhile(lambda word: any(word in kind for kind in apart), first))

    def lemma(self, word: str) -> str:
        """Return the dictionary form of a word; "" for a placeholder."""
        return "" if word in self.placeholders else self.lemmas.get(word, word)


# Words for people, with the gender and age that they imply.

Gender = Literal["male", "female"]
Age = Literal["child", "young", "adult"]


@dataclass(frozen=True)
class People:
    """Words for people."""

    words: frozenset[str]  # Nouns for one or several persons
    # Nouns that mean no person, though WordNet has them below "person".
    not_words: frozenset[str]
    anyone: frozenset[str]  # Nouns for a person that imply nothing else: "person"
    crowds: frozenset[str]  # Nouns for any number of people
    kin: frozenset[str]  # Nouns that beside a "mother zebra" mean animals: "baby"
    genders: Mapping[str, Gender]  # Word -> gender
    # Lists of nouns and adjectives by name ("child", "small", "old" …).
    ages: Mapping[str, frozenset[str]]

    def gender(
        self, name: str, attributes: Iterable[str], pronouns: Iterable[str] = ()
    ) -> Gender | None:
        """Return the gender by noun, adjective or pronoun; None if it is unknown."""
        head = name.rpartition(" ")[2]
        for word in (head, *attributes, *name.split(), *pronouns):
            if word in self.genders:
                return self.genders[word]
        return None

    def age(self, name: str, attributes: Iterable[str]) -> Age | None:
        """Return the age by noun and adjective; None if it is unknown."""
        # A "little girl" is a child, a "young man" is young.
        head, said = name.rpartition(" ")[2], {*name.split(), *attributes}
        small = not said.isdisjoint(self.ages["small"])
        if head in self.ages["teen"]:
            return "young"
        if head in self.ages["child"]:
            return "child"
        if head in self.ages["young"]:
            return "child" if small else "young"
        if head in self.ages["adult"]:
            return "young" if small else "adult"
        return "adult" if not said.isdisjoint(self.ages["old"]) else None


def read_people(data: Mapping[str, Any]) -> People:
    """Return the words for people from the tables of a lexicon file."""
    people, age = data["people"], data["age"]
    sexes: tuple[Gender, ...] = ("male", "female")
    genders: dict[str, Gender] = {w: sex for sex in sexes for w in data["gender"][sex]}
    groups = load_amount_words().groups
    persons = {*genders, *age["child"], *age["young"], *age["teen"]}
    return People(
        words=frozenset(groups) | {*people["words"], *people["anyone"], *persons},
        not_words=frozenset(people["not_people"]),
        anyone=frozenset(people["anyone"]),
        crowds=frozenset(
            {"people", *(n for n, (_, high) in groups.items() if not high)}
        ),
        kin=frozenset(people["kin"]),
        genders=genders,
        ages={name: frozenset(w) for name, w in age.items() if name != "source"},
    )
