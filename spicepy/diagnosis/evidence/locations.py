"""Locations: the things of a caption that say where something is or happens.

In: an aligned scene. Out: whether a thing of the candidate, or a class of the
references, is such a location.
"""

from spicepy.diagnosis.alignment import AlignedScene, PooledReferences
from spicepy.diagnosis.captions.caption import Reading, Thing
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.object_classes import ObjectClass


def is_located(reading: Reading, thing: Thing, lexicon: Lexicon) -> bool:
    """Return whether a thing is the location of another one: "on a bench"."""
    nouns, places = lexicon.nouns, lexicon.places
    if nouns.is_living(thing.name) or nouns.region(thing.name) is not None:
        return False
    if thing.name in lexicon.quantities.vague:  # "In a line" is no location.
        return False
    if has_locative(reading, thing, lexicon):
        return True
    return places.is_place(thing.name) and not any(reading.relations_to(thing))


def has_locative(reading: Reading, thing: Thing, lexicon: Lexicon) -> bool:
    """Return whether a preposition of place stands before a thing."""
    return any(map(lexicon.places.is_locative, reading.relations_to(thing)))


def is_beside(reading: Reading, thing: Thing, lexicon: Lexicon) -> bool:
    """Return whether someone is beside a thing, and so may be in any place."""
    return any(map(lexicon.places.is_beside, reading.relations_to(thing)))


def is_underneath(reading: Reading, thing: Thing, lexicon: Lexicon) -> bool:
    """Return whether a thing is what another one stands on: "a cup on a table"."""
    supports = lexicon.places.is_support(thing.name)
    return supports and has_locative(reading, thing, lexicon)


def stands_beside(scene: AlignedScene, group: ObjectClass) -> bool:
    """Return whether a reference has someone beside a place instead of in it."""
    return any(
        is_beside(text, thing, scene.lexicon)
        for text, things in zip(scene.references, group.of_reference, strict=True)
        for thing in things
    )


def place_of(scene: AlignedScene) -> ObjectClass | None:
    """Return the unsaid class that most references have as the location, if enough do.

    Classes that are places of their own (`Places.is_site`) come before others.
    """
    is_site, located = scene.lexicon.places.is_site, scene.pooled.once(_locations)
    enough = (g for g in scene.unsaid if g.support >= scene.enough)
    locations = (g for g in enough if g.name in located)
    return max(locations, key=lambda g: (is_site(g.name), g.support), default=None)


def is_location(scene: AlignedScene, group: ObjectClass) -> bool:
    """Return whether a class is a place and the location in half of its references."""
    is_place = scene.lexicon.places.is_place(group.name)
    return is_place and group.name in scene.pooled.once(_locations)


def has_confirmed_location(scene: AlignedScene) -> bool:
    """Return whether the candidate has a location that a reference confirms."""
    places, located = scene.lexicon.places, scene.pooled.once(_locations)
    return any(
        has_locative(scene.candidate, thing, scene.lexicon)
        for group in scene.classes
        if group.said and (places.is_place(group.name) or group.name in located)
        for thing in group.said
    )


def _locations(pooled: PooledReferences) -> set[str]:
    """Return the names of the classes that are locations."""
    return {group.name for group in pooled.classes if _locates(pooled, group)}


def _locates(pooled: PooledReferences, group: ObjectClass) -> bool:
    """Return whether half of the references that have a class locate something there.

    Clothes, parts of a body and tools are no locations, and neither are backgrounds
    such as clouds.
    """
    name, lexicon = group.name, pooled.lexicon
    places = lexicon.places
    if lexicon.nouns.is_worn_or_part(name) or places.is_handled(name):
        return False
    if name in lexicon.unsaid.backgrounds and not places.is_place(name):
        return False
    located = sum(
        any(is_located(text, thing, lexicon) for thing in things)
        for text, things in zip(pooled.texts, group.of_reference, strict=True)
    )
    return 2 * located >= group.support
