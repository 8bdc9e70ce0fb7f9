"""Roles: attributes on the wrong object and relations the wrong way round.

In: a `Scene` and its classes. Out: `Finding`s. Reported only where both texts name both
objects and the references have it the other way and never this way.

Who plays a role is told by the class of a thing, among people by gender as well: a man
and a woman are in one class, but do different things.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from spicepy.diagnosis.attributes import values
from spicepy.diagnosis.classes import ObjectClass
from spicepy.diagnosis.nouns import grade, is_person
from spicepy.diagnosis.people import gender
from spicepy.diagnosis.reading import Reading, Thing
from spicepy.diagnosis.values import Finding, Scene
from spicepy.diagnosis.words import REMEMBERED, Aspect, load_words
from spicepy.diagnosis.written import as_written

_MOVING: Final[tuple[Aspect, ...]] = ("color", "size", "material")

_NAMED: Final = ("same", "more general", "more specific")
"""Grades of two nouns that surely name one thing."""

Role = tuple[int, str]
"""Number of a class, and the gender or else the noun of a person."""
Quality = tuple[str, object]
"""An aspect and its value; "" and a word for other attributes."""


def misplaced(
    scene: Scene, groups: Sequence[ObjectClass]
) -> Iterator[tuple[Finding, str]]:
    """Attributes that the references give to another thing, which the candidate has.

    There the candidate does not say it, and no reference says it here. With each
    finding its aspect, "" for other attributes.
    """
    meant = _qualities((_role(k, t), t) for k, g in enumerate(groups) for t in g.things)
    said = _qualities((_role(k, t), t) for k, g in enumerate(groups) for t in g.said)
    nouns = {
        t.head for text in (scene.candidate, *scene.references) for t in text.things
    }
    others = nouns | {verb.lemma for verb in scene.candidate.verbs}
    for number, group in enumerate(groups):
        for thing in group.said:
            here = _role(number, thing)
            for attribute in thing.attributes if here in meant else ():
                quality = _quality(attribute)
                if quality in meant[here] or not _is_property(attribute, others):
                    continue
                if any(
                    quality in own
                    and role in said
                    and quality not in said[role]
                    and _moved(quality[0], role, meant[here], said[role])
                    and _is_sure(scene, groups[role[0]], quality)
                    for role, own in meant.items()
                    if role != here
                ):
                    yield _misplaced(scene, thing, attribute), quality[0]


def _is_sure(scene: Scene, other: ObjectClass, quality: Quality) -> bool:
    """Whether half of the references with a thing give it the quality, by its name.

    What one in five mentions may be true of both things. And the quality of a trolley
    did not leave it if the candidate has a bus.
    """
    own = [
        [
            t
            for t in things
            if any(grade(said.name, t.name) in _NAMED for said in other.said)
        ]
        for things in other.of_reference
    ]
    saying = sum(
        any(quality == _quality(a) for thing in things for a in thing.attributes)
        for things in own
    )
    return saying > 0 and 2 * saying >= other.support


def _moved(aspect: str, role: Role, meant: set[Quality], said: set[Quality]) -> bool:
    """Whether a value came from another thing: it left its own, or both exchanged.

    A black shirt for a white one is just wrong, though a guitar is black. And a black
    man is not of the colour of his shirt.
    """
    if aspect and role[1]:
        return False
    own = {quality for quality in meant if aspect and quality[0] == aspect}
    return not own or not own.isdisjoint(said)


def swapped(scene: Scene, groups: Sequence[ObjectClass]) -> Iterator[Finding]:
    """Relations that the references have with the arguments the other way round."""
    home = {id(t): _role(k, t) for k, g in enumerate(groups) for t in g.said}
    meant = {id(t): _role(k, t) for k, g in enumerate(groups) for t in g.things}
    references = {r for text in scene.references for r in _related(text, meant)}
    reading = scene.candidate
    for source, how, target in reading.relations:
        first, second = reading.things[source], reading.things[target]
        ends = home.get(id(first)), home.get(id(second))
        if _holds_both_ways(how) or None in ends or ends[0] == ends[1]:
            continue
        if (*ends, how) not in references and (*ends[::-1], how) in references:
            yield Finding(
                scene.image_id,
                "swapped relation",
                (first.name, how, second.name),
                words=f"{as_written(first, reading)} … {as_written(second, reading)}",
            )


@lru_cache(REMEMBERED)
def _holds_both_ways(how: str) -> bool:
    """Whether a relation is symmetric: "near", "park next to"."""
    words = load_words()
    after_verb = any(how.endswith(f" {p}") for p in words.symmetric_after_verbs)
    return how in words.symmetric or after_verb


def _role(number: int, thing: Thing) -> Role:
    if not is_person(thing.name):
        return number, ""
    return number, gender(thing) or thing.name


def _related(
    reading: Reading, home: dict[int, Role]
) -> Iterator[tuple[Role, Role, str]]:
    for source, how, target in reading.relations:
        ends = reading.things[source], reading.things[target]
        first, second = (home.get(id(end)) for end in ends)
        if first is not None and second is not None:
            yield first, second, how


def _qualities(things: Iterable[tuple[Role, Thing]]) -> dict[Role, set[Quality]]:
    found: dict[Role, set[Quality]] = {}
    for role, thing in things:
        own = found.setdefault(role, set())
        own.update(_quality(attribute) for attribute in thing.attributes)
    return found


@lru_cache(REMEMBERED)
def _quality(attribute: str) -> Quality:
    for aspect in _MOVING:
        if found := values(Thing("", attributes=(attribute,)), aspect):
            return aspect, found[0]
    return "", attribute


def _is_property(attribute: str, others: set[str]) -> bool:
    """Not an amount, a verb, or a noun of a compound, as "bread" in "bread roll"."""
    words = load_words()
    if words.of("count", [attribute]) or attribute in words.no_properties:
        return False
    return _quality(attribute)[0] != "" or attribute not in others


def _misplaced(scene: Scene, thing: Thing, attribute: str) -> Finding:
    words = f"{attribute} {as_written(thing, scene.candidate)}"
    members = (thing.name, attribute)
    return Finding(scene.image_id, "misplaced attribute", members, words=words)
