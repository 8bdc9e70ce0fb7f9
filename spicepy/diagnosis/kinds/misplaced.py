"""Misplaced attributes: the references give them to another thing of the candidate.

In: an aligned scene. Out: findings about attributes of things that both sides name. The
references give the attribute only to another thing, to which the candidate does not.
"""

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from spicepy.diagnosis.alignment import AlignedScene, PooledReferences
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.evidence.class_roles import (
    ClassRole,
    Roles,
    candidate_roles,
    reference_roles,
)
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection
from spicepy.diagnosis.lexicon.aspects import Aspect
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.nouns import NAMING
from spicepy.diagnosis.object_classes import ObjectClass, values_of_attribute

_MOVING: Final[tuple[Aspect, ...]] = ("color", "size", "material")
"""The aspects whose values can be on the wrong object."""

Quality = tuple[Aspect | Literal[""], object]
"""(aspect, value), or ("", attribute) for attributes of no aspect."""
Qualities = dict[ClassRole, set[Quality]]


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the attributes that references give to another thing."""
    if not any(thing.attributes for thing in scene.candidate.things):
        return
    meant, roles = scene.pooled.once(_reference_qualities), candidate_roles(scene)
    said = _qualities(roles, scene.lexicon)
    groups = {group.name: group for group in scene.classes}
    for thing, here in roles.items():
        for attribute in thing.attributes if here in meant else ():
            quality = _quality(attribute, scene.lexicon)
            if quality in meant[here] or not _is_property(scene, attribute):
                continue
            if any(
                quality in own
                and role in said
                and quality not in said[role]
                and _has_moved(quality[0], role, meant[here], said[role])
                and _is_sure(scene, groups[role[0]], quality)
                for role, own in meant.items()
                if role != here
            ):
                words = f"{attribute} {scene.candidate.as_written(thing)}"
                members, kind = (thing.name, attribute), "misplaced attribute"
                yield Detection(
                    Finding(scene.image_id, kind, members, words=words),
                    rules_out=("value", thing.name, quality[0]),
                    place=thing.place,
                    conclusive=True,
                )


def _is_sure(scene: AlignedScene, other: ObjectClass, quality: Quality) -> bool:
    """Return whether half of the references with a class give its things a quality.

    An attribute in one of five references may be true of both things. Only things count
    that the candidate names as the reference does.
    """
    grade = scene.lexicon.nouns.grade
    giving = sum(
        any(
            quality == _quality(attribute, scene.lexicon)
            for thing in things
            if any(grade(said.name, thing.name) in NAMING for said in other.said)
            for attribute in thing.attributes
        )
        for things in other.of_reference
    )
    return giving > 0 and 2 * giving >= other.support


def _has_moved(
    aspect: str, role: ClassRole, meant: set[Quality], said: set[Quality]
) -> bool:
    """Return whether a quality is misplaced and not just wrong.

    A black shirt for a white one is a wrong value, even if the references have a black
    guitar, unless the candidate's guitar is white: then both values are exchanged. "A
    black man" does not have the colour of his shirt. `role` is the thing to which the
    references give the quality, and to which the candidate gives the qualities `said`.
    """
    if aspect and role[1]:
        return False
    own = {quality for quality in meant if aspect and quality[0] == aspect}
    return not own or not own.isdisjoint(said)


def _reference_qualities(pooled: PooledReferences) -> Qualities:
    """Return the qualities of the references' things."""
    return _qualities(pooled.once(reference_roles), pooled.lexicon)


def _qualities(roles: Roles, lexicon: Lexicon) -> Qualities:
    qualities: Qualities = {}
    for thing, role in roles.items():
        own = qualities.setdefault(role, set())
        own.update(_quality(attribute, lexicon) for attribute in thing.attributes)
    return qualities


def _quality(attribute: str, lexicon: Lexicon) -> Quality:
    for aspect in _MOVING:
        if values := values_of_attribute(attribute, aspect, lexicon):
            return aspect, values[0]
    return "", attribute


def _is_property(scene: AlignedScene, attribute: str) -> bool:
    """Return whether an attribute is no amount, no verb and no part of a compound."""
    lexicon, candidate = scene.lexicon, scene.candidate
    if attribute in lexicon.names.no_properties:
        return False
    if lexicon.aspects.of("count", [attribute]):
        return False
    if _quality(attribute, lexicon)[0]:
        return True
    is_noun = attribute in scene.pooled.once(_nouns) | _heads(candidate.things)
    return not is_noun and all(verb.lemma != attribute for verb in candidate.verbs)


def _nouns(pooled: PooledReferences) -> set[str]:
    """Return the last words of the references' things."""
    return _heads(thing for text in pooled.texts for thing in text.things)


def _heads(things: Iterable[Thing]) -> set[str]:
    return {thing.head for thing in things}
