"""Classes: what the references and the candidate of one image say of the same things.

In: a `Scene`. Out: its `ObjectClass`es, one for all people, one for all that covers the
upper body, one for all dogs …, and the candidate's things that belong to none.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, TypeVar

from spicepy.common.sharing import Recent
from spicepy.diagnosis.nouns import ABOUT_ONE_THING, grade, is_person, region
from spicepy.diagnosis.reading import Reading, Thing
from spicepy.diagnosis.values import Scene
from spicepy.diagnosis.words import REMEMBERED, load_words

T = TypeVar("T")
IMAGES: Final = 10_000
"""Images whose references' classes a process keeps, for the next system."""


@dataclass(slots=True)
class ObjectClass:
    """Things that may be one and the same, text by text.

    Attributes:
        name: The noun that most references use.
        of_reference: For each reference its things of the class.
        said: The candidate's.
        known: What was found out about the references, by name; all candidates of an
            image share it.
    """

    name: str
    of_reference: tuple[list[Thing], ...]
    said: list[Thing] = field(default_factory=list)
    known: dict[str, Any] = field(default_factory=dict)

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What follows from the references alone, found out once for all systems."""
        if name not in self.known:
            self.known[name] = make()
        found: T = self.known[name]
        return found

    @property
    def support(self) -> int:
        """How many references have such a thing."""
        return sum(map(bool, self.of_reference))

    @property
    def things(self) -> Iterator[Thing]:
        """All things of the references."""
        for things in self.of_reference:
            yield from things

    @property
    def of_people(self) -> bool:
        """Whether these are people."""
        return is_person(self.name)


_References = tuple[Reading, ...]
_MEMORY: Final[Recent[tuple[int, ...], tuple[_References, list[ObjectClass]]]] = Recent(
    IMAGES
)
"""By the identities of the references, which are kept so that they stay unique."""


def classes(scene: Scene) -> tuple[list[ObjectClass], list[Thing]]:
    """The classes of the references, and the candidate's things that are in none."""
    key = tuple(map(id, scene.references))
    _, alone = _MEMORY.made(key, lambda: (scene.references, _of(scene.references)))
    found = [ObjectClass(c.name, c.of_reference, [], c.known) for c in alone]
    lonely: list[Thing] = []
    for thing in scene.candidate.things:
        if is_thing(thing):
            home = _closest(thing.name, found)
            (home.said if home is not None else lonely).append(thing)
    return found, lonely


def _of(references: Sequence[Reading]) -> list[ObjectClass]:
    """The classes of the references alone."""
    support: Counter[str] = Counter()
    for reading in references:
        support.update({t.name: None for t in reading.things if is_thing(t)}.keys())
    order = sorted(support, key=lambda name: -support[name])
    found: list[ObjectClass] = []
    of_name: dict[str, ObjectClass] = {}
    for name in order:
        home = _home(name, found)
        if home is None:
            home = ObjectClass(name, tuple([] for _ in references))
            found.append(home)
        of_name[name] = home
    for number, reading in enumerate(references):
        for thing in reading.things:
            if thing.name in of_name:
                of_name[thing.name].of_reference[number].append(thing)
    return found


def is_thing(thing: Thing) -> bool:
    """Whether a noun names a thing in the picture, and no colour or number."""
    return _names_thing(thing.name)


@lru_cache(REMEMBERED)
def _names_thing(name: str) -> bool:
    words = load_words()
    if not words.no_things.isdisjoint((name, name.rpartition(" ")[2])):
        return False
    if is_person(name):
        return True
    return not any(words.of(a, [name]) for a in ("count", "color"))


def stands_in(thing: Thing, readings: Sequence[Reading]) -> bool:
    """Whether the noun, or its last word, is among the words of a text."""
    names = {thing.head, thing.name, thing.name.replace(" ", "")}
    return any(not names.isdisjoint(reading.lemmas) for reading in readings)


def distinct(things: Sequence[Thing]) -> list[Thing]:
    """The things without those of the same name, in their order."""
    return list({thing.name: thing for thing in reversed(things)}.values())[::-1]


@lru_cache(REMEMBERED)
def same_class(first: str, second: str) -> bool:
    """Whether a candidate's noun may be about a reference's thing.

    "Surface" tells of nothing in particular, so that no other noun is in its class.
    """
    if second in load_words().generic:
        return first == second
    if region(first) is not None and region(first) == region(second):
        return True
    return grade(first, second) in ABOUT_ONE_THING


def _home(name: str, known: Sequence[ObjectClass]) -> ObjectClass | None:
    generic = load_words().generic
    if name in generic:
        return None
    return next(
        (c for c in known if c.name not in generic and same_class(name, c.name)), None
    )


def _closest(name: str, known: Sequence[ObjectClass]) -> ObjectClass | None:
    """The class with the noun itself, else the first that it may be in."""
    for found in known:
        if any(thing.name == name for thing in found.things):
            return found
    fitting = (
        found
        for found in known
        if any(same_class(name, thing.name) for thing in found.things)
    )
    return next(fitting, None)
