"""Alignment: group the things in an image's captions that may be one and the same.

In: a `Scene`. Out: an `AlignedScene`, which has `ObjectClass`es (one for all people,
one for all garments of the upper body, one for all dogs …) and those things of the
candidate that belong to no class.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, TypeVar

from spicepy.captions.sample import ImageId
from spicepy.common.threads import LRUCache
from spicepy.diagnosis.captions.caption import Reading, Scene, Thing
from spicepy.diagnosis.captions.items import aspects_of_thing, values_of_thing
from spicepy.diagnosis.findings import Thresholds
from spicepy.diagnosis.lexicon.aspects import ASPECTS, Aspect, Value
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.nouns import ABOUT_ONE_THING
from spicepy.diagnosis.lexicon.word_lists import cached_method
from spicepy.objects.amounts import Amount

# Object classes: things of several captions that may be one and the same.
#
# The candidate's things are added to a copy.


@dataclass(frozen=True, slots=True)
class ExpectedValues:
    """The colours (sizes, …) that the references give the things of a class."""

    aspect: Aspect  # The aspect
    object: str  # The name of the class
    numbers: Counter[Value]  # Value -> the number of references that say it
    support: int  # The number of references that give a value; some give several

    @property
    def most_said(self) -> Value:
        """The value that most references say."""
        return self.numbers.most_common(1)[0][0]


@dataclass(slots=True, eq=False)
class ObjectClass:
    """Things of several captions that may be one and the same."""

    name: str  # The noun that most references use
    # For each reference, its things of the class.
    of_reference: Sequence[Sequence[Thing]]
    of_people: bool  # Whether the things are people
    names: Counter[str]  # Noun of the references -> the number of things that have it
    # These nouns, their last words and their spellings as one word.
    forms: frozenset[str]
    support: int  # The number of references that have such a thing
    amounts: Sequence[Sequence[Amount]]  # For each reference, the amounts of its things
    # The amounts of those references that give a number in words.
    explicit: Sequence[Sequence[Amount]]
    # Aspect -> the values that the references give such a thing; without aspects of
    # which they give none.
    expected: Mapping[Aspect, ExpectedValues]
    # The candidate's things of the class.
    said: list[Thing] = field(default_factory=list)

    @property
    def things(self) -> list[Thing]:
        """All things of the references."""
        return [thing for things in self.of_reference for thing in things]

    def is_together_with(self, other: "ObjectClass") -> bool:
        """Return whether a reference has things of both classes."""
        pairs = zip(self.of_reference, other.of_reference, strict=True)
        return any(a and b for a, b in pairs)

    def of_candidate(self, said: list[Thing]) -> "ObjectClass":
        """Return the class with things of a candidate."""
        return replace(self, said=said)


def class_of(
    name: str, of_reference: Sequence[Sequence[Thing]], lexicon: Lexicon
) -> ObjectClass:
    """Return a class, without any thing of a candidate."""
    # `name` is the noun that most references use, `of_reference` has their things.
    things = [thing for things in of_reference for thing in things]
    # Most classes have no value at all.
    valued = {aspect for t in things for aspect in aspects_of_thing(t, lexicon)}
    every = [
        _expected(aspect, name, of_reference, lexicon)
        for aspect in ASPECTS
        if aspect in valued
    ]
    amounts = [known_amounts(own) for own in of_reference]
    return ObjectClass(
        name,
        of_reference,
        lexicon.nouns.is_person(name),
        Counter(thing.name for thing in things),
        frozenset(form for thing in things for form in _forms(thing)),
        sum(map(bool, of_reference)),
        amounts,
        [own for own in amounts if any(amount.in_words for amount in own)],
        {values.aspect: values for values in every},
    )


def _expected(
    aspect: Aspect, name: str, of_reference: Sequence[Sequence[Thing]], lexicon: Lexicon
) -> ExpectedValues:
    """Return the values of a class in an aspect in which a reference gives one."""
    own = [
        dict.fromkeys(v for t in things for v in values_of_thing(t, aspect, lexicon))
        for things in of_reference
    ]
    numbers = Counter(value for values in own for value in values)
    return ExpectedValues(aspect, name, numbers, sum(map(bool, own)))


def _forms(thing: Thing) -> tuple[str, str, str]:
    """Return a noun, its last word, and its spelling as one word."""
    return thing.name, thing.head, thing.name.replace(" ", "")


def is_named_in(thing: Thing, words: frozenset[str]) -> bool:
    """Return whether the words of a caption include a thing's noun or its last word."""
    return not words.isdisjoint(_forms(thing))


def is_named_whole_in(thing: Thing, words: frozenset[str], lexicon: Lexicon) -> bool:
    """Return whether the words of a caption include a thing's noun."""
    # The last word is enough for names that WordNet lacks: "wooden table", but not
    # "polar bear".
    if not is_named_in(thing, words):
        return False
    parts = frozenset(thing.name.split(" "))
    return parts <= words or not lexicon.nouns.is_name(thing.name)


def distinct(things: Sequence[Thing]) -> list[Thing]:
    """Return the first thing of each name, in order."""
    by_name: Mapping[str, Thing] = {thing.name: thing for thing in reversed(things)}
    return list(by_name.values())[::-1]


def known_amounts(things: Iterable[Thing]) -> list[Amount]:
    """Return the amounts of those things whose amount is known."""
    return [thing.amount for thing in things if thing.amount is not None]


IMAGES: Final = 10_000
"""The number of images whose pooled references are kept for the next system."""

T = TypeVar("T")


class PooledReferences:
    """The references of an image taken together, shared by all its candidates.

    Args:
        texts: The readings of the references.
        classes: Their object classes.
        lexicon: The words of the error analysis.
    """

    def __init__(
        self, texts: Sequence[Reading], classes: Sequence[ObjectClass], lexicon: Lexicon
    ) -> None:
        self.texts, self.classes, self.lexicon = texts, classes, lexicon
        self.words = frozenset[str]().union(*(text.lemmas for text in texts))
        self._results: dict[object, Any] = {}

    @cached_property
    def content(self) -> tuple[str, ...]:
        """The distinct nouns, verbs, adjectives and numbers of the references."""
        return tuple(dict.fromkeys(w for text in self.texts for w in text.content))

    @cached_property
    def meanings(self) -> frozenset[int | str]:
        """The meanings of these words in captions; see `Nouns.meanings`."""
        return self.lexicon.nouns.meanings(self.content)

    @cached_property
    def near(self) -> Callable[[str], float]:
        """A function: word -> its cosine to the references' most similar word, 0-1."""
        return self.lexicon.similarity.to_words(self.words)

    def once(self, compute: Callable[["PooledReferences"], T]) -> T:
        """Return the result of a function of the references, computed only once."""
        if compute not in self._results:
            self._results[compute] = compute(self)
        result: T = self._results[compute]
        return result


@dataclass(frozen=True, slots=True)
class AlignedScene:
    """A scene with its object classes: the input of every detector of errors."""

    image_id: ImageId  # The image
    candidate: Reading  # The reading of the candidate
    references: tuple[Reading, ...]  # The readings of the references
    pooled: PooledReferences  # The references taken together
    classes: Sequence[ObjectClass]  # The object classes of the references
    # The classes for which the candidate has neither a thing nor a word.
    unsaid: Sequence[ObjectClass]
    unmatched: Sequence[Thing]  # The candidate's things that are in no class
    lexicon: Lexicon  # The words of the error analysis
    thresholds: Thresholds  # How much evidence an error needs
    # Things of the references that the detections so far are about.
    explained: set[Thing] = field(default_factory=set)

    @property
    def enough(self) -> int:
        """The number of references that must agree before a candidate is wrong."""
        return min(self.thresholds.references, len(self.references))

    def values(self, thing: Thing, aspect: Aspect) -> list[Value]:
        """Return the values that a caption gives a thing, one or several."""
        return values_of_thing(thing, aspect, self.lexicon)

    def confirms(self, word: str) -> bool:
        """Return whether the references have a word or a synonym of it."""
        return self.pooled.near(word) >= self.thresholds.same_word


class Aligner:
    """Groups things into object classes, and caches the classes of references.

    Args:
        lexicon: The words of the error analysis.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._memory: LRUCache[tuple[Reading, ...], PooledReferences] = LRUCache(IMAGES)

    def align(self, scene: Scene, thresholds: Thresholds) -> AlignedScene:
        """Return the scene with its object classes."""
        candidate, references = scene.candidate, scene.references
        pooled = self._memory.made(references, lambda: self._pooled(references))
        classes = [known.of_candidate([]) for known in pooled.classes]
        named = (w for w in candidate.content if w not in candidate.unnamed)
        meant = self.lexicon.nouns.meanings(named)
        unmatched: list[Thing] = []
        for thing in candidate.things:
            if self.is_thing(thing.name):
                home = self._closest(thing.name, classes)
                (unmatched if home is None else home.said).append(thing)
        return AlignedScene(
            scene.image_id,
            candidate,
            references,
            pooled,
            classes,
            [
                c
                for c in classes
                if not c.said and not self._is_named(c, candidate, meant)
            ],
            unmatched,
            self.lexicon,
            thresholds,
        )

    @cached_method
    def is_thing(self, name: str) -> bool:
        """Return whether a noun names a visible thing, not a colour or a number."""
        if not self.lexicon.names.no_things.isdisjoint((name, name.rpartition(" ")[2])):
            return False
        if self.lexicon.nouns.is_person(name):
            return True
        of = self.lexicon.aspects.of
        return not of("count", [name]) and not of("color", [name])

    @cached_method
    def is_same_class(self, first: str, second: str) -> bool:
        """Return whether a candidate's noun may name a reference's thing."""
        # A generic noun such as "surface" can mean almost anything, so that only the
        # same noun is in its class.
        nouns = self.lexicon.nouns
        if second in nouns.generic:
            return first == second
        region = nouns.region(first)
        if region is not None and region == nouns.region(second):
            return True
        return nouns.grade(first, second) in ABOUT_ONE_THING

    def _pooled(self, references: Sequence[Reading]) -> PooledReferences:
        """Return the references with their classes, the most frequent nouns first."""
        support: Counter[str] = Counter()
        for text in references:
            names = (thing.name for thing in text.things)
            support.update({n: None for n in names if self.is_thing(n)}.keys())
        homes: dict[str, str] = {}
        classes: dict[str, list[list[Thing]]] = {}
        for name in sorted(support, key=lambda name: -support[name]):
            homes[name] = self._home(name, classes)
            classes.setdefault(homes[name], [[] for _ in references])
        for number, text in enumerate(references):
            for thing in text.things:
                if thing.name in homes:
                    classes[homes[thing.name]][number].append(thing)
        every = [class_of(name, own, self.lexicon) for name, own in classes.items()]
        return PooledReferences(references, every, self.lexicon)

    def _home(self, name: str, classes: Iterable[str]) -> str:
        """Return the name of the first class that a noun fits, else the noun itself."""
        generic = self.lexicon.nouns.generic
        if name in generic:
            return name
        fitting = (
            known
            for known in classes
            if known not in generic and self.is_same_class(name, known)
        )
        return next(fitting, name)

    def _closest(self, name: str, classes: Sequence[ObjectClass]) -> ObjectClass | None:
        """Return the class that has the noun itself, else the first that it fits."""
        for known in classes:
            if name in known.names:
                return known
        is_same = self.is_same_class
        fitting = (c for c in classes if any(is_same(name, n) for n in c.names))
        return next(fitting, None)

    def _is_named(
        self, group: ObjectClass, candidate: Reading, meant: frozenset[int | str]
    ) -> bool:
        """Return whether the candidate has a class's noun or a synonym in any role."""
        if not candidate.named.isdisjoint(group.forms):
            return True
        return self.lexicon.nouns.is_among(group.name, meant)
