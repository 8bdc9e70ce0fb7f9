"""Alignment: which things of an image's captions may be one and the same.

In: a `Scene`. Out: an `AlignedScene`: `ObjectClass`es, one for all people, one for all
garments of the upper body, one for all dogs …, and the candidate's things that belong
to none.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from spicepy.common.threads import LRUCache
from spicepy.diagnosis.captions.amounts import Amount
from spicepy.diagnosis.captions.caption import Reading, Thing
from spicepy.diagnosis.captions.scene import Scene
from spicepy.diagnosis.lexicon.aspects import Aspect, Value
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.memory import remembered
from spicepy.diagnosis.lexicon.nouns import ABOUT_ONE_THING
from spicepy.diagnosis.thresholds import Thresholds
from spicepy.samples.sample import ImageId

IMAGES: Final = 10_000
"""Images whose references' classes are kept, for the next system."""


@dataclass(eq=False)
class ObjectClass:
    """Things that may be one and the same, text by text.

    Attributes:
        name: The noun that most references use.
        of_reference: For each reference its things of the class.
        of_people: Whether these are people.
        said: The candidate's things of the class.
    """

    name: str
    of_reference: tuple[list[Thing], ...]
    of_people: bool
    said: list[Thing] = field(default_factory=list)

    @cached_property
    def support(self) -> int:
        """The number of references that have such a thing."""
        return sum(map(bool, self.of_reference))

    @cached_property
    def amounts(self) -> list[list[Amount]]:
        """The amounts that each reference has."""
        return [known_amounts(things) for things in self.of_reference]

    @property
    def things(self) -> Iterator[Thing]:
        """All things of the references."""
        for things in self.of_reference:
            yield from things


@dataclass(frozen=True, slots=True)
class AlignedScene:
    """A scene with its object classes: all that a detector of errors looks at.

    Attributes:
        image_id: The image.
        candidate: The candidate, read.
        references: The references, read.
        classes: The classes of the references.
        unmatched: The candidate's things that are in none of them.
        lexicon: Words and what they mean.
        thresholds: Numbers that decide what an error rests on.
        explained: Things, of any text, that an earlier detection is about.
    """

    image_id: ImageId
    candidate: Reading
    references: tuple[Reading, ...]
    classes: Sequence[ObjectClass]
    unmatched: Sequence[Thing]
    lexicon: Lexicon
    thresholds: Thresholds
    explained: frozenset[Thing] = frozenset()

    @property
    def enough(self) -> int:
        """The number of references that must say something."""
        return min(self.thresholds.references, len(self.references))

    @property
    def lemmas(self) -> list[frozenset[str]]:
        """The word forms and lemmas of each reference."""
        return [text.lemmas for text in self.references]

    def values(self, thing: Thing, aspect: Aspect) -> list[Value]:
        """Return the values that a caption gives a thing, one or several."""
        if aspect == "gender":
            return _listed(thing.gender)
        if aspect == "age":
            return _listed(thing.age)
        known = self.lexicon.aspects
        return known.of_attributes(thing.attributes, aspect) if thing.attributes else []

    def values_of(self, attribute: str, aspect: Aspect, noun: str = "") -> list[Value]:
        """Return the values that an attribute gives a noun, one or several."""
        people, own = self.lexicon.people, (attribute,)
        if aspect == "gender":
            return _listed(people.gender(noun, own))
        if aspect == "age":
            return _listed(people.age(noun, own))
        return self.lexicon.aspects.of_attributes(own, aspect)


def _listed(value: str | None) -> list[Value]:
    return [] if value is None else [value]


class Aligner:
    """Finds object classes with a lexicon, and remembers those of references.

    Args:
        lexicon: Words and what they mean.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._memory: LRUCache[tuple[Reading, ...], list[ObjectClass]] = LRUCache(
            IMAGES
        )

    def align(self, scene: Scene, thresholds: Thresholds) -> AlignedScene:
        """Return the scene with its object classes."""
        references = scene.references
        known = self._memory.made(references, lambda: self._of(references))
        classes = [ObjectClass(c.name, c.of_reference, c.of_people) for c in known]
        unmatched: list[Thing] = []
        for thing in scene.candidate.things:
            if self.is_thing(thing.name):
                home = self._closest(thing.name, classes)
                (unmatched if home is None else home.said).append(thing)
        return AlignedScene(
            scene.image_id,
            scene.candidate,
            references,
            classes,
            unmatched,
            self.lexicon,
            thresholds,
        )

    @remembered
    def is_thing(self, name: str) -> bool:
        """Return whether a noun names a thing in the picture, no colour or number."""
        if not self.lexicon.names.no_things.isdisjoint((name, name.rpartition(" ")[2])):
            return False
        if self.lexicon.nouns.is_person(name):
            return True
        of = self.lexicon.aspects.of
        return not of("count", [name]) and not of("color", [name])

    @remembered
    def is_same_class(self, first: str, second: str) -> bool:
        """Return whether a candidate's noun may be about a reference's thing.

        "Surface" tells of nothing in particular, so that no other noun is in its class.
        """
        nouns = self.lexicon.nouns
        if second in nouns.generic:
            return first == second
        region = nouns.region(first)
        if region is not None and region == nouns.region(second):
            return True
        return nouns.grade(first, second) in ABOUT_ONE_THING

    def _of(self, references: Sequence[Reading]) -> list[ObjectClass]:
        """Return the classes of the references alone, the most frequent nouns first."""
        support: Counter[str] = Counter()
        for text in references:
            names = (thing.name for thing in text.things)
            support.update({n: None for n in names if self.is_thing(n)}.keys())
        classes: list[ObjectClass] = []
        of_name: dict[str, ObjectClass] = {}
        for name in sorted(support, key=lambda name: -support[name]):
            home = self._home(name, classes)
            if home is None:
                things: tuple[list[Thing], ...] = tuple([] for _ in references)
                home = ObjectClass(name, things, self.lexicon.nouns.is_person(name))
                classes.append(home)
            of_name[name] = home
        for number, text in enumerate(references):
            for thing in text.things:
                if thing.name in of_name:
                    of_name[thing.name].of_reference[number].append(thing)
        return classes

    def _home(self, name: str, classes: Iterable[ObjectClass]) -> ObjectClass | None:
        generic = self.lexicon.nouns.generic
        if name in generic:
            return None
        fitting = (
            c
            for c in classes
            if c.name not in generic and self.is_same_class(name, c.name)
        )
        return next(fitting, None)

    def _closest(self, name: str, classes: Sequence[ObjectClass]) -> ObjectClass | None:
        """Return the class with the noun itself, else the first that it may be in."""
        for known in classes:
            if any(thing.name == name for thing in known.things):
                return known
        fitting = (
            c
            for c in classes
            if any(self.is_same_class(name, thing.name) for thing in c.things)
        )
        return next(fitting, None)


def stands_in(thing: Thing, readings: Iterable[Reading]) -> bool:
    """Return whether the noun, or its last word, is among the words of a text."""
    names = {thing.head, thing.name, thing.name.replace(" ", "")}
    return any(not names.isdisjoint(reading.lemmas) for reading in readings)


def distinct(things: Sequence[Thing]) -> list[Thing]:
    """Return the things without later ones of the same name, in their order."""
    by_name: Mapping[str, Thing] = {thing.name: thing for thing in reversed(things)}
    return list(by_name.values())[::-1]


def known_amounts(things: Iterable[Thing]) -> list[Amount]:
    """Return the amounts that things have."""
    return [thing.amount for thing in things if thing.amount is not None]
