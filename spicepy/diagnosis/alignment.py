"""Alignment: which things of an image's captions may be one and the same.

In: a `Scene`. Out: an `AlignedScene`: `ObjectClass`es, one for all people, one for all
garments of the upper body, one for all dogs …, and the candidate's things that belong
to none.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeVar

from spicepy.common.threads import LRUCache
from spicepy.diagnosis.captions.caption import Reading, Thing
from spicepy.diagnosis.captions.scene import Scene
from spicepy.diagnosis.lexicon.aspects import Aspect, Value
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.memory import remembered
from spicepy.diagnosis.lexicon.nouns import ABOUT_ONE_THING
from spicepy.diagnosis.object_classes import ObjectClass, class_of, values_of_thing
from spicepy.diagnosis.thresholds import Thresholds
from spicepy.samples.sample import ImageId

IMAGES: Final = 10_000
"""Images whose pooled references are kept, for the next system."""

T = TypeVar("T")


class PooledReferences:
    """The references of an image taken together, read once for all candidates.

    Args:
        texts: The references, read.
        classes: Their object classes.
        lexicon: Words and what they mean.
    """

    def __init__(
        self, texts: Sequence[Reading], classes: Sequence[ObjectClass], lexicon: Lexicon
    ) -> None:
        self.texts, self.classes, self.lexicon = texts, classes, lexicon
        self.words = frozenset[str]().union(*(text.lemmas for text in texts))
        self._found: dict[object, Any] = {}

    @cached_property
    def content(self) -> tuple[str, ...]:
        """Their distinct nouns, verbs, adjectives and numbers."""
        return tuple(dict.fromkeys(w for text in self.texts for w in text.content))

    @cached_property
    def meanings(self) -> frozenset[int | str]:
        """All that captions mean by these words."""
        return self.lexicon.nouns.meanings(self.content)

    @cached_property
    def near(self) -> Callable[[str], float]:
        """The cosine of a word to the most similar one of theirs, 0-1; a function."""
        similarity, known = self.lexicon.similarity, dict[str, float]()
        rows = similarity.rows_of(self.words)

        def near(word: str) -> float:
            if word not in known:
                known[word] = similarity.to_words(word, self.words, rows)
            return known[word]

        return near

    def once(self, find: Callable[["PooledReferences"], T]) -> T:
        """Return what a function finds in the references, which runs once for them."""
        if find not in self._found:
            self._found[find] = find(self)
        found: T = self._found[find]
        return found


@dataclass(frozen=True, slots=True)
class AlignedScene:
    """A scene with its object classes: all that a detector of errors looks at.

    Attributes:
        image_id: The image.
        candidate: The candidate, read.
        references: The references, read.
        pooled: The references taken together.
        classes: The classes of the references.
        unsaid: The classes of which the candidate has no thing and no word.
        unmatched: The candidate's things that are in no class.
        lexicon: Words and what they mean.
        thresholds: Numbers that decide what an error rests on.
        explained: Things, of any text, that the detections so far are about.
    """

    image_id: ImageId
    candidate: Reading
    references: tuple[Reading, ...]
    pooled: PooledReferences
    classes: Sequence[ObjectClass]
    unsaid: Sequence[ObjectClass]
    unmatched: Sequence[Thing]
    lexicon: Lexicon
    thresholds: Thresholds
    explained: set[Thing] = field(default_factory=set)

    @property
    def enough(self) -> int:
        """The number of references that must say something."""
        return min(self.thresholds.references, len(self.references))

    def values(self, thing: Thing, aspect: Aspect) -> list[Value]:
        """Return the values that a caption gives a thing, one or several."""
        return values_of_thing(thing, aspect, self.lexicon)

    def confirms(self, word: str) -> bool:
        """Return whether the references have a word, or one that means the same."""
        return self.pooled.near(word) >= self.thresholds.same_word


class Aligner:
    """Finds object classes with a lexicon, and remembers those of references.

    Args:
        lexicon: Words and what they mean.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._memory: LRUCache[tuple[Reading, ...], PooledReferences] = LRUCache(IMAGES)

    def align(self, scene: Scene, thresholds: Thresholds) -> AlignedScene:
        """Return the scene with its object classes."""
        candidate, references = scene.candidate, scene.references
        pooled = self._memory.made(references, lambda: self._pooled(references))
        classes = [known.of_candidate([]) for known in pooled.classes]
        meant = self.lexicon.nouns.meanings(candidate.content)
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
        """Return the name of the class that a reference's noun is in, or its own."""
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
        """Return the class with the noun itself, else the first that it may be in."""
        for known in classes:
            if name in known.names:
                return known
        is_same = self.is_same_class
        fitting = (c for c in classes if any(is_same(name, n) for n in c.names))
        return next(fitting, None)

    def _is_named(
        self, group: ObjectClass, candidate: Reading, meant: frozenset[int | str]
    ) -> bool:
        """Return whether the candidate has the word, or a synonym, in another role."""
        if not candidate.lemmas.isdisjoint(group.forms):
            return True
        return self.lexicon.nouns.is_among(group.name, meant)
