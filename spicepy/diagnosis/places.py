"""Places: where something happens.

In: the readings of a scene. Out: which of the candidate's things tell where, and which
classes of the references do.
"""

from collections.abc import Sequence

from spicepy.diagnosis.classes import ObjectClass
from spicepy.diagnosis.nouns import is_below_any, is_living, is_worn_or_part, region
from spicepy.diagnosis.reading import Reading, Thing
from spicepy.diagnosis.values import Scene
from spicepy.diagnosis.words import load_words

_ENOUGH = 2
"""References that must have the place."""


def is_located(reading: Reading, thing: Thing) -> bool:
    """Whether a thing tells where another is: "on a bench", "in front of a shop"."""
    if is_living(thing.name) or region(thing.name) is not None:
        return False
    if thing.name in load_words().group:  # People stand in a line anywhere.
        return False
    others = (
        how for _, how, target in reading.relations if reading.things[target] is thing
    )
    return is_there(reading, thing) or (is_place(thing.name) and not any(others))


def is_there(reading: Reading, thing: Thing) -> bool:
    """Whether a preposition of place stands before a thing."""
    return any(
        reading.things[target] is thing and is_locative(how)
        for _, how, target in reading.relations
    )


def stands_beside(scene: Scene, group: ObjectClass) -> bool:
    """Whether a reference has someone beside a place, not at it."""
    return any(
        is_beside(text, thing)
        for text, things in zip(scene.references, group.of_reference, strict=True)
        for thing in things
    )


def where(scene: Scene, groups: Sequence[ObjectClass]) -> ObjectClass | None:
    """The place that most references have, if enough do; at best one of its own."""
    needed = min(_ENOUGH, len(scene.references))
    found = [g for g in groups if g.support >= needed and _tells_where(scene, g)]
    return max(found, key=lambda g: (is_site(g.name), g.support), default=None)


def tells_place(scene: Scene, group: ObjectClass) -> bool:
    """Whether a class is a place, and half of the references are there."""
    return is_place(group.name) and _tells_where(scene, group)


def is_told(scene: Scene, groups: Sequence[ObjectClass]) -> bool:
    """Whether the candidate says where, and a reference confirms it."""
    return any(
        is_there(scene.candidate, thing)
        for group in groups
        if group.said and (is_place(group.name) or _tells_where(scene, group))
        for thing in group.said
    )


def _tells_where(scene: Scene, group: ObjectClass) -> bool:
    """Whether half of the references that have it have something there.

    Not what most pictures have, as clouds, nor clothes, a part of a body or a tool.
    """
    name = group.name
    if is_worn_or_part(name) or is_handled(name):
        return False
    if name in load_words().backgrounds and not is_place(name):
        return False
    located = sum(
        any(is_located(text, thing) for thing in things)
        for text, things in zip(scene.references, group.of_reference, strict=True)
    )
    return 2 * located >= group.support


def is_beside(reading: Reading, thing: Thing) -> bool:
    """Whether someone is only beside a place, and so may be in another one."""
    besides = load_words().besides
    return is_place(thing.name) and any(
        reading.things[target] is thing and _ends_in(how, besides)
        for _, how, target in reading.relations
    )


def is_underfoot(noun: str) -> bool:
    """Whether a noun names what everybody stands on somewhere: a street, a field.

    References that do not say where it happens leave it open.
    """
    words = load_words()
    return not words.family(noun).isdisjoint(words.underfoot)


def is_site(noun: str) -> bool:
    """Whether a noun names a place of its own: a street, a room, a dock."""
    return is_place(noun) or is_below_any(noun, load_words().sites)


def is_handled(noun: str) -> bool:
    """Whether a noun names what someone uses: a microphone tells not where he is."""
    return is_below_any(noun, load_words().handled)


def is_underneath(reading: Reading, thing: Thing) -> bool:
    """Whether a thing only carries another: "a cup on a table"."""
    words = load_words()
    return not words.family(thing.name).isdisjoint(words.supports) and any(
        reading.things[target] is thing and is_locative(how)
        for _, how, target in reading.relations
    )


def is_place(noun: str) -> bool:
    """Whether a noun names where something happens."""
    words = load_words()
    return not words.family(noun).isdisjoint(words.places)


def is_locative(how: str) -> bool:
    """Whether a relation ends in a preposition of place: "sit on", "in front of"."""
    words = load_words()
    return how.split(" ")[0] not in words.looking and _ends_in(how, words.locatives)


def _ends_in(how: str, prepositions: frozenset[str]) -> bool:
    words = how.split(" ")
    return any(" ".join(words[start:]) in prepositions for start in range(len(words)))
