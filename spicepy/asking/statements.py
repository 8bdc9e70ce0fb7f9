"""Statements: what a caption says, thing by thing and fact by fact.

In: nothing. Out: the values that `reading` makes of captions and `wording` puts as
questions: `Entity`, `Statement` and `Said`.

    "two dogs in red hats"  →  dog · hat (of dog) · dog ×2 · hat: red

A statement is about things that other statements state: its parents. What the colour
of a hat is need not be asked if there is no hat.

Source: Cho et al. 2024, Davidsonian Scene Graph, section 3 (categories and parents).
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from spicepy.asking.prompts import Span
from spicepy.words.wordnet import load_hierarchy

_PEOPLE: Final = ("person", "people", "gathering", "family", "team", "couple")
DESCRIBING: Final = ("JJ", "NN", "VBG", "VBN")
"""Tags of words before a noun that say of what sort it is."""
Category = Literal["entity", "attribute", "relation", "global", "other"]


@dataclass(eq=False, slots=True)
class Entity:
    """A thing of a caption; things are compared by identity.

    Attributes:
        name: Its name as the caption has it, the last word as a lemma.
        place: The position of its last word in the caption, from 1; 0 if unknown.
        words: The words of its name as they stand in the caption.
        tag: The tag of the last word.
        portion: The word for so much of it: "slices" of bread.
        number: How many there are, if the caption gives a number; 0 otherwise.
        article: Whether a proper name has an article: the Eiffel Tower.
        owner: The thing that it is a part of, or that has it.
        whose: Who wears or has it, if others wear or have one as well.
        region: Whether it is only a side of its owner: the back of a house.
        matter: Whether it only says of what sort another thing is: what it is made of.
        stated: Whether the caption says that it is there.
        activity: Whether it is something to do: tennis.
    """

    name: str
    place: int
    words: tuple[str, ...]
    tag: str
    portion: str = ""
    number: int = 0
    article: bool = False
    owner: "Entity | None" = None
    whose: "Entity | None" = None
    region: bool = False
    matter: bool = False
    stated: bool = True
    activity: bool = False

    @property
    def plural(self) -> bool:
        """Whether its noun is in the plural."""
        return self.tag in ("NNS", "NNPS") or self.number > 1

    @property
    def proper(self) -> bool:
        """Whether its name is a proper one."""
        return self.tag == "NNP" and self.name[:1].isupper()

    @property
    def head(self) -> str:
        """The last word of the name."""
        return self.name.rpartition(" ")[2]

    @property
    def first(self) -> int:
        """The position of the first word of its name, from 1."""
        return max(1, self.place - len(self.words) + 1)

    def owns(self, other: "Entity") -> bool:
        """Return whether it owns another thing, or the owner of that."""
        while other.owner is not None:
            other = other.owner
            if other is self:
                return True
        return False


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a caption.

    Attributes:
        category: "entity", "attribute", "relation", "global" or "other".
        detail: The finer category: "whole", "part", "color", "count", "spatial", …
        things: The things it is about: one, the ends of a relation, or none. Two things
            that another one is between are one end.
        value: The attribute, the number in digits, the relation, or what is written.
        places: The positions (from 1) of the words that say it, things left out.
        span: The piece of the caption that it comes from.
        denied: Whether the caption says that it is not so.
        passive: Whether it says what is done to its subject: parked beside a barn.
        share: How many of several things it is said of: one of the men.
    """

    category: Category
    detail: str
    things: tuple[Entity, ...]
    value: str = ""
    places: tuple[int, ...] = ()
    span: Span = (0, 0)
    denied: bool = False
    passive: bool = False
    share: str = ""

    @property
    def members(self) -> tuple[str, ...]:
        """(object), (object, value), (subject, relation, object), or (value) alone."""
        names = [thing.name for thing in self.things]
        if self.category == "entity":
            return (names[0],)
        if self.category == "relation":
            return names[0], self.value, " and ".join(names[1:])
        return (*names, self.value)


@dataclass(frozen=True)
class Said:
    """A caption with its words and statements.

    Attributes:
        caption: The raw caption.
        words, tags, lemmas: Its words.
        sentences: The number of the sentence of each word.
        statements: Its statements; each stands after those about its things.
    """

    caption: str
    words: tuple[str, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    sentences: tuple[int, ...]
    statements: tuple[Statement, ...] = ()

    def tag(self, place: int = 0) -> str:
        """Return the tag of a word, "" for no place."""
        return self.tags[place - 1] if place else ""

    def start(self, thing: Entity, *further: str) -> int:
        """Return where the words before a thing with tags that describe it begin."""
        first = thing.first
        while first > 1 and self.tags[first - 2] in (*DESCRIBING, *further):
            first -= 1
        return first


@cache
def is_living(noun: str) -> bool:
    """Return whether the most frequent sense of a noun is people or an animal."""
    return is_person(noun) or _is_below(noun, "animal")


@cache
def is_clothing(noun: str) -> bool:
    """Return whether the most frequent sense of a noun is clothing, a hat or shoes."""
    return any(_is_below(noun, kind) for kind in ("clothing", "headdress", "footwear"))


@cache
def is_quality(noun: str) -> bool:
    """Return whether a noun names what something is like: serenity, freshness."""
    tops = ("attribute", "state", "feeling")
    return noun.endswith(("ness", "ity")) and any(_is_below(noun, t) for t in tops)


@cache
def may_live(noun: str) -> bool:
    """Return whether some sense of a noun is a person or an animal: a beaver."""
    tops = ("person", "animal")
    return any(_is_below(noun, general, senses=None) for general in tops)


@cache
def is_person(noun: str) -> bool:
    """Return whether the most frequent sense of a noun is a person, or several."""
    return any(_is_below(noun, kind) for kind in _PEOPLE)


def _is_below(noun: str, general: str, senses: int | None = 1) -> bool:
    """Return whether one of the most frequent senses is a kind of a general noun."""
    hierarchy = load_hierarchy()
    wanted = hierarchy.synsets(general)[0]
    own = hierarchy.synsets(noun)[:senses]
    return any(wanted in hierarchy.above(synset) for synset in own)
