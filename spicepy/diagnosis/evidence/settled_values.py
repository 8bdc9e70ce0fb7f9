"""Settled values: whether references give the very thing of the candidate another one.

In: a scene, a thing and an aspect. Out: True or False.
"""

from collections.abc import Iterable

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.lexicon.aspects import Aspect
from spicepy.diagnosis.lexicon.nouns import NAMING
from spicepy.diagnosis.object_classes import ObjectClass, known_amounts


def is_settled(
    scene: AlignedScene, group: ObjectClass, thing: Thing, aspect: Aspect
) -> bool:
    """Return whether enough references give the very thing another value.

    A vest is no shirt; black and yellow agrees in part with yellow; and the colour that
    one reference gives a shirt or a car is about the candidate's only if there is one
    person or one car.
    """
    nouns, own = scene.lexicon.nouns, scene.values(thing, aspect)
    if not group.expected[aspect].numbers.keys().isdisjoint(own):
        return False
    saying = sum(
        any(
            nouns.grade(thing.name, t.name) in NAMING and scene.values(t, aspect)
            for t in things
        )
        for things in group.of_reference
    )
    if saying >= scene.enough:
        return True
    worn = nouns.is_worn_or_part(thing.name) or nouns.is_person(thing.name)
    alone = _has_one_person(scene) if worn else all(map(_is_one, group.of_reference))
    return saying > 0 and alone


def _has_one_person(scene: AlignedScene) -> bool:
    """Return whether all references have at most one person."""
    is_person = scene.lexicon.nouns.is_person
    of_text = ([t for t in r.things if is_person(t.name)] for r in scene.references)
    return all(map(_is_one, of_text))


def _is_one(things: Iterable[Thing]) -> bool:
    """Return whether a text has one of its things at most."""
    things = list(things)
    return len(things) < 2 and all(amount.low < 2 for amount in known_amounts(things))
