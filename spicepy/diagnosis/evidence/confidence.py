"""Confidence: whether a finding rests on enough to be believed.

In: a scene and what a finding is about. Out: True or False, for `Finding.sure`.
"""

from collections.abc import Iterable

from spicepy.diagnosis.alignment import AlignedScene, ObjectClass, known_amounts
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.lexicon.aspects import Aspect
from spicepy.diagnosis.lexicon.nouns import NAMING


def would_be_named(scene: AlignedScene, noun: str) -> bool:
    """Return whether a reference would name the thing, if it was there.

    A thing that is left out now and then is likelier to be there if it goes with the
    scene, as a sink with a kitchen. Places have many names.
    """
    lexicon, limits = scene.lexicon, scene.thresholds
    if lexicon.places.is_site(noun):
        return False
    share = lexicon.omission.left_out(noun, len(scene.references))
    if share <= limits.never_left_out:
        return True
    head = noun.rpartition(" ")[2]
    near = lexicon.similarity.to_texts
    if share > limits.seldom_left_out:
        return False
    return near(head, scene.lemmas) < limits.goes_with_scene


def is_missed(scene: AlignedScene, group: ObjectClass) -> bool:
    """Return whether a caption misses something without a class of things.

    Half of the references have it; or some have a thing that people seldom leave out.
    """
    left_out = scene.lexicon.omission.left_out(group.name, len(scene.references))
    half = is_said_by_half(scene, group.support)
    return half or left_out <= scene.thresholds.seldom_left_out


def is_said_by_half(scene: AlignedScene, support: int) -> bool:
    """Return whether so many references are enough, and half of them."""
    return support >= max(scene.enough, len(scene.references) / 2)


def is_settled(
    scene: AlignedScene, group: ObjectClass, thing: Thing, aspect: Aspect
) -> bool:
    """Return whether enough references give the very thing another value.

    A vest is no shirt; black and yellow agrees in part with yellow; and the colour that
    one reference gives a shirt or a car is about the candidate's only if there is one
    person or one car.
    """
    nouns, own = scene.lexicon.nouns, scene.values(thing, aspect)
    if any(v in own for other in group.things for v in scene.values(other, aspect)):
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


def is_worn(scene: AlignedScene, thing: Thing, meant: str, support: int) -> bool:
    """Return whether enough references have another garment in place of a candidate's.

    A jacket is worn over a shirt, so that both may be there.
    """
    names = thing.head, meant.rpartition(" ")[2]
    return scene.lexicon.unsaid.outer.isdisjoint(names) and support >= scene.enough


def _has_one_person(scene: AlignedScene) -> bool:
    """Return whether all references have at most one person."""
    is_person = scene.lexicon.nouns.is_person
    of_text = ([t for t in r.things if is_person(t.name)] for r in scene.references)
    return all(map(_is_one, of_text))


def _is_one(things: Iterable[Thing]) -> bool:
    """Return whether a text has one of its things at most."""
    things = list(things)
    return len(things) < 2 and all(amount.low < 2 for amount in known_amounts(things))
