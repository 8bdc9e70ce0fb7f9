"""Lists of words without further logic, a dataclass for each subject.

In: tables of `grammars/diagnosis.toml`, whose entries have the names of the attributes.
Out: the dataclasses, which `load_lexicon` makes.
"""

from collections.abc import Mapping
from dataclasses import dataclass


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
        alike: Groups of verbs for one activity: "eat", "graze".
        perching: Nouns for animals of which "sit" and "stand" mean the same.

    Source: Levin 1993, English Verb Classes, chapter 50 (posture).
    """

    light: frozenset[str]
    vague: frozenset[str]
    postures: Mapping[str, int]
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
        seen: Participles after which "can" is no supposition: "can be seen".
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
