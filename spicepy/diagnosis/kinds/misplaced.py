"""Misplaced attributes: the references give them to another thing of the candidate.

In: an aligned scene. Out: findings, only where both texts name both objects, the
candidate does not say the attribute there, and no reference says it here.
"""

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from spicepy.diagnosis.alignment import AlignedScene, ObjectClass
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.evidence.class_roles import ClassRole, class_role
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection
from spicepy.diagnosis.lexicon.aspects import Aspect
from spicepy.diagnosis.lexicon.nouns import NAMING

_MOVING: Final[tuple[Aspect, ...]] = ("color", "size", "material")
"""Aspects whose values can be on the wrong object."""

Quality = tuple[Aspect | Literal[""], object]
"""An aspect and its value; "" and a word for other attributes."""


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the attributes that references give to another thing."""
    classes = list(enumerate(scene.classes))
    meant = _qualities(
        scene, ((class_role(scene, k, t), t) for k, g in classes for t in g.things)
    )
    said = _qualities(
        scene, ((class_role(scene, k, t), t) for k, g in classes for t in g.said)
    )
    others = _other_words(scene)
    for number, group in classes:
        for thing in group.said:
            here = class_role(scene, number, thing)
            for attribute in thing.attributes if here in meant else ():
                quality = _quality(scene, attribute)
                if quality in meant[here]:
                    continue
                if not _is_property(scene, attribute, others):
                    continue
                if any(
                    quality in own
                    and role in said
                    and quality not in said[role]
                    and _has_moved(quality[0], role, meant[here], said[role])
                    and _is_sure(scene, scene.classes[role[0]], quality)
                    for role, own in meant.items()
                    if role != here
                ):
                    finding = _finding(scene, thing, attribute)
                    yield Detection(
                        finding, aspect=quality[0], place=thing.place, settled=True
                    )


def _is_sure(scene: AlignedScene, other: ObjectClass, quality: Quality) -> bool:
    """Return whether half of the references with a thing give it the quality.

    An attribute that one in five mentions may be true of both things. And the quality
    of a trolley did not leave it if the candidate has a bus.
    """
    grade = scene.lexicon.nouns.grade
    saying = sum(
        any(
            quality == _quality(scene, attribute)
            for thing in things
            if any(grade(said.name, thing.name) in NAMING for said in other.said)
            for attribute in thing.attributes
        )
        for things in other.of_reference
    )
    return saying > 0 and 2 * saying >= other.support


def _has_moved(
    aspect: str, role: ClassRole, meant: set[Quality], said: set[Quality]
) -> bool:
    """Return whether a value left its own thing, or two things exchanged theirs.

    A black shirt for a white one is just wrong, though a guitar is black. And a black
    man is not of the colour of his shirt.
    """
    if aspect and role[1]:
        return False
    own = {quality for quality in meant if aspect and quality[0] == aspect}
    return not own or not own.isdisjoint(said)


def _qualities(
    scene: AlignedScene, things: Iterable[tuple[ClassRole, Thing]]
) -> dict[ClassRole, set[Quality]]:
    qualities: dict[ClassRole, set[Quality]] = {}
    for role, thing in things:
        own = qualities.setdefault(role, set())
        own.update(_quality(scene, attribute) for attribute in thing.attributes)
    return qualities


def _quality(scene: AlignedScene, attribute: str) -> Quality:
    for aspect in _MOVING:
        if values := scene.values_of(attribute, aspect):
            return aspect, values[0]
    return "", attribute


def _other_words(scene: AlignedScene) -> set[str]:
    """Return nouns and verbs, which are properties of nothing."""
    texts = (scene.candidate, *scene.references)
    nouns = {thing.head for text in texts for thing in text.things}
    return nouns | {verb.lemma for verb in scene.candidate.verbs}


def _is_property(scene: AlignedScene, attribute: str, others: set[str]) -> bool:
    """Return whether an attribute is no amount, verb, or noun of a compound."""
    lexicon = scene.lexicon
    if attribute in lexicon.names.no_properties:
        return False
    if lexicon.aspects.of("count", [attribute]):
        return False
    return _quality(scene, attribute)[0] != "" or attribute not in others


def _finding(scene: AlignedScene, thing: Thing, attribute: str) -> Finding:
    words = f"{attribute} {scene.candidate.as_written(thing)}"
    members, kind = (thing.name, attribute), "misplaced attribute"
    return Finding(scene.image_id, kind, members, words=words)
