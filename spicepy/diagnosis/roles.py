"""Roles: attributes on the wrong object and relations the wrong way round.

In: a `Scene` and its classes. Out: `Finding`s. Reported only where both texts name both
objects and the references have it the other way and never this way.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from spicepy.diagnosis.attributes import values
from spicepy.diagnosis.classes import ObjectClass
from spicepy.diagnosis.objects import as_written
from spicepy.diagnosis.reading import Reading, Thing
from spicepy.diagnosis.values import Finding, Scene
from spicepy.diagnosis.words import Aspect, load_words

_MOVING: Final[tuple[Aspect, ...]] = ("color", "size", "material")


def misplaced(
    scene: Scene, groups: Sequence[ObjectClass]
) -> Iterator[tuple[Finding, Aspect]]:
    """Values that the references give to another class, which the candidate has, too.

    There the candidate does not say it, and no reference says it here.
    """
    for aspect in _MOVING:
        for group in groups:
            own = _of(group.things, aspect)
            for thing in group.said:
                for value in values(thing, aspect):
                    if value not in own and _elsewhere(groups, group, aspect, value):
                        yield _misplaced(scene, thing, aspect, value), aspect


def swapped(scene: Scene, groups: Sequence[ObjectClass]) -> Iterator[Finding]:
    """Relations that the references have with the arguments the other way round."""
    symmetric = load_words().symmetric
    home = {id(t): k for k, group in enumerate(groups) for t in group.said}
    meant = {id(t): k for k, group in enumerate(groups) for t in group.things}
    references = {r for text in scene.references for r in _related(text, meant)}
    reading = scene.candidate
    for source, how, target in reading.relations:
        first, second = reading.things[source], reading.things[target]
        ends = home.get(id(first)), home.get(id(second))
        if how in symmetric or None in ends or ends[0] == ends[1]:
            continue
        if (*ends, how) not in references and (*ends[::-1], how) in references:
            yield Finding(
                scene.image_id,
                "swapped relation",
                (first.name, how, second.name),
                words=f"{as_written(first, reading)} … {as_written(second, reading)}",
            )


def _related(
    reading: Reading, home: dict[int, int]
) -> Iterator[tuple[int, int, str]]:
    for source, how, target in reading.relations:
        ends = reading.things[source], reading.things[target]
        first, second = (home.get(id(end)) for end in ends)
        if first is not None and second is not None:
            yield first, second, how


def _of(things: Iterator[Thing], aspect: Aspect) -> set[object]:
    return {value for thing in things for value in values(thing, aspect)}


def _elsewhere(
    groups: Sequence[ObjectClass], here: ObjectClass, aspect: Aspect, value: object
) -> bool:
    return any(
        group is not here
        and bool(group.said)
        and value in _of(group.things, aspect)
        and value not in _of(iter(group.said), aspect)
        for group in groups
    )


def _misplaced(scene: Scene, thing: Thing, aspect: Aspect, value: object) -> Finding:
    said = next(a for a in thing.attributes if value in _values_of(a, aspect))
    words = f"{said} {as_written(thing, scene.candidate)}"
    members = (thing.name, said)
    return Finding(scene.image_id, "misplaced attribute", members, words=words)


def _values_of(attribute: str, aspect: Aspect) -> list[object]:
    return list(values(Thing("", attributes=(attribute,)), aspect))
