"""Locations: where something happens.

In: an aligned scene. Out: which of the candidate's things tell where, and which classes
of the references do.
"""

from collections.abc import Sequence

from spicepy.diagnosis.alignment import AlignedScene, ObjectClass
from spicepy.diagnosis.captions.caption import Reading, Thing
from spicepy.diagnosis.lexicon.lexicon import Lexicon


def is_located(reading: Reading, thing: Thing, lexicon: Lexicon) -> bool:
    """Return whether a thing tells where another is: "on a bench"."""
    nouns, places = lexicon.nouns, lexicon.places
    if nouns.is_living(thing.name) or nouns.region(thing.name) is not None:
        return False
    if thing.name in lexicon.quantities.group:  # People stand in a line anywhere.
        return False
    if has_locative(reading, thing, lexicon):
        return True
    return places.is_place(thing.name) and not any(reading.relations_to(thing))


def has_locative(reading: Reading, thing: Thing, lexicon: Lexicon) -> bool:
    """Return whether a preposition of place stands before a thing."""
    return any(map(lexicon.places.is_locative, reading.relations_to(thing)))


def is_beside(reading: Reading, thing: Thing, lexicon: Lexicon) -> bool:
    """Return whether someone is only beside a place, and so may be in another one."""
    places = lexicon.places
    beside = any(map(places.is_beside, reading.relations_to(thing)))
    return beside and places.is_place(thing.name)


def is_underneath(reading: Reading, thing: Thing, lexicon: Lexicon) -> bool:
    """Return whether a thing only carries another: "a cup on a table"."""
    supports = lexicon.places.is_support(thing.name)
    return supports and has_locative(reading, thing, lexicon)


def stands_beside(scene: AlignedScene, group: ObjectClass) -> bool:
    """Return whether a reference has someone beside a place, not at it."""
    return any(
        is_beside(text, thing, scene.lexicon)
        for text, things in zip(scene.references, group.of_reference, strict=True)
        for thing in things
    )


def place_of(scene: AlignedScene, classes: Sequence[ObjectClass]) -> ObjectClass | None:
    """Return the class that most references have as the place, if enough have one.

    A place of its own comes before others.
    """
    is_site = scene.lexicon.places.is_site
    told = [g for g in classes if g.support >= scene.enough and _tells_where(scene, g)]
    return max(told, key=lambda g: (is_site(g.name), g.support), default=None)


def tells_place(scene: AlignedScene, group: ObjectClass) -> bool:
    """Return whether a class is a place, and half of the references are there."""
    return scene.lexicon.places.is_place(group.name) and _tells_where(scene, group)


def is_told(scene: AlignedScene) -> bool:
    """Return whether the candidate says where, and a reference confirms it."""
    places = scene.lexicon.places
    return any(
        has_locative(scene.candidate, thing, scene.lexicon)
        for group in scene.classes
        if group.said and (places.is_place(group.name) or _tells_where(scene, group))
        for thing in group.said
    )


def _tells_where(scene: AlignedScene, group: ObjectClass) -> bool:
    """Return whether half of the references that have it have something there.

    Clouds, which most pictures have, clothes, parts of a body and tools tell nothing.
    """
    name, places = group.name, scene.lexicon.places
    if scene.lexicon.nouns.is_worn_or_part(name) or places.is_handled(name):
        return False
    if name in scene.lexicon.unsaid.backgrounds and not places.is_place(name):
        return False
    located = sum(
        any(is_located(text, thing, scene.lexicon) for thing in things)
        for text, things in zip(scene.references, group.of_reference, strict=True)
    )
    return 2 * located >= group.support
