"""Lists of words without further logic, a dataclass for each subject.

In: tables of `grammars/diagnosis.toml`, whose entries have the names of the attributes.
Out: the dataclasses, which `load_lexicon` makes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from types import MethodType
from typing import Any, Concatenate, Final, Generic, ParamSpec, TypeVar


@dataclass(frozen=True)
class Relations:
    """Relations between things.

    Tables: `symmetric` and `belonging`.

    Attributes:
        symmetric: Relations that hold in both directions: "near".
        after_verbs: Prepositions that make a verb's relation symmetric: "next to" in
            "park next to".
        belonging: Relations of someone to a garment or a part of the body: "wear".
    """

    symmetric: frozenset[str]
    after_verbs: tuple[str, ...]
    belonging: frozenset[str]

    def is_symmetric(self, how: str) -> bool:
        """Return whether a relation is symmetric: "near", "park next to"."""
        after_verb = any(how.endswith(f" {p}") for p in self.after_verbs)
        return how in self.symmetric or after_verb


@dataclass(frozen=True)
class Activities:
    """Verbs by the activities that they exclude.

    Table: `activities`.

    Attributes:
        light: Verbs that are compatible with other activities: "hold".
        vague: Verbs that are so without an object: "play".
        postures: Verb of posture -> number of its group; postures of different groups
            exclude each other.
        moving: Verbs of motion, which exclude postures: "walk".
        vehicles: Verb -> whether it is of vehicles at rest (1) or under way (0).
        sports: Verb or noun -> the number of its sport; sports exclude each other.
        alike: Groups of verbs for one activity: "eat", "graze".
        perching: Nouns for animals of which "sit" and "stand" mean the same.

    Source: Levin 1993, English Verb Classes, chapter 50 (posture).
    """

    light: frozenset[str]
    vague: frozenset[str]
    postures: Mapping[str, int]
    moving: frozenset[str]
    vehicles: Mapping[str, int]
    sports: Mapping[str, int]
    alike: tuple[frozenset[str], ...]
    perching: tuple[str, ...]

    def is_exclusive(self, verb: str) -> bool:
        """Return whether a verb excludes others, with or without an object."""
        return verb not in self.light and verb not in self.vague

    def are_alike(self, first: str, second: str) -> bool:
        """Return whether two verbs name one activity."""
        return any(first in verbs and second in verbs for verbs in self.alike)


@dataclass(frozen=True)
class Unsaid:
    """Words about things in the picture without a name, and names without a thing.

    Tables: `implied`, `backgrounds` and `garments`.

    Attributes:
        implied: Noun -> words that each imply the thing.
        backgrounds: Nouns for things that most pictures have and few captions name.
        outer: Garments that are worn over others.
        any_garment: Words for clothes of every sort.
    """

    implied: Mapping[str, frozenset[str]]
    backgrounds: frozenset[str]
    outer: frozenset[str]
    any_garment: frozenset[str]


@dataclass(frozen=True)
class Speculation:
    """Words that show whether a part of a caption describes the picture.

    Table: `speculation`.

    Attributes:
        modals: Modal verbs and adverbs of doubt.
        seen: Participles after which "can" is not a supposition: "can be seen".
        words: Words of mood and purpose.
        stems: The first letters of further such words.
        starts: First words of a part that explains.
        frames: Words of parts that only introduce others: "in the image".
        showing: Verbs of what a picture shows: "the image shows".
        joining: First words of a part that continues the one before it.
        determiners: Words that begin a noun phrase.
    """

    modals: frozenset[str]
    seen: frozenset[str]
    words: frozenset[str]
    stems: tuple[str, ...]
    starts: frozenset[str]
    frames: frozenset[str]
    showing: frozenset[str]
    joining: frozenset[str]
    determiners: frozenset[str]


@dataclass(frozen=True)
class Wording:
    """Words by the positions in which they can stand.

    Table: `wording`.

    Attributes:
        joining: Words between two members of a list: "and".
        determiners: Words that a noun must follow: "a".
        never_after: Words that never follow a determiner: "is".
        unfinished: Words that no complete caption ends in.
        quoting: Words before a text on a sign: "says".
    """

    joining: frozenset[str]
    determiners: frozenset[str]
    never_after: frozenset[str]
    unfinished: frozenset[str]
    quoting: frozenset[str]


# Names: the dictionary forms of words, and words that name no thing or property.


@dataclass(frozen=True)
class Names:
    """Words as names of things and properties.

    Attributes:
        lemmas: Output of the lemmatiser -> dictionary form, where both differ.
        placeholders: Tokens that captioners write for unknown words: "UNK".
        no_modifiers: Words that are not part of the noun after them: "others".
        no_things: Nouns that name no thing in the picture: "background".
        likeness: Words after a noun that only gives a shape: "heart shaped".
        no_properties: Attributes that are not a property of their object: "other".
        toys: Attribute of an animal that is none -> what it is: "stuffed" -> "toy".
        added: Words that a user's list adds as colours, sizes, materials and patterns;
            a parser that does not know them takes them for a part of the noun.
    """

    lemmas: Mapping[str, str]
    placeholders: frozenset[str]
    no_modifiers: frozenset[str]
    no_things: frozenset[str]
    likeness: frozenset[str]
    no_properties: frozenset[str]
    toys: Mapping[str, str]
    added: frozenset[str]

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


# Methods that cache their results in their object.
#
# The cache belongs to the object, so that two objects never share results.

P = ParamSpec("P")
R = TypeVar("R")

MAX_RESULTS: Final = 1 << 17
"""The number of results that a method keeps."""


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
