"""Missed objects: things that references have and the candidate lacks.

In: an aligned scene. Out: a finding for each class that a reference has and the
candidate neither names, in whatever role, nor implies.

If the candidate says where it happens, and a reference confirms it, other places are
not missed.
"""

from collections.abc import Iterator

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.evidence.implications import is_implied
from spicepy.diagnosis.evidence.locations import is_told, tells_place
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection
from spicepy.diagnosis.object_classes import ObjectClass


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each missed class."""
    for group in missable(scene):
        elsewhere = tells_place(scene, group) and is_told(scene)
        said = elsewhere or _goes_by_another_name(scene, group)
        said = said or is_implied(group.name, scene.candidate.lemmas, scene.lexicon)
        if not said and not _is_explained(scene, group):
            yield Detection(
                Finding(
                    scene.image_id,
                    "missed object",
                    (group.name,),
                    references=group.support,
                ),
                topic=("missed", group.name),
            )


def missable(scene: AlignedScene) -> list[ObjectClass]:
    """Return the unsaid classes that a caption should not leave out.

    The ground and hands go without saying, and words that WordNet does not know are
    misspelt.
    """
    nouns, backgrounds = scene.lexicon.nouns, scene.lexicon.unsaid.backgrounds
    return [
        group
        for group in scene.unsaid
        if nouns.is_known(group.name)
        and group.name not in backgrounds
        and not nouns.is_body_part(group.name)
    ]


def _is_explained(scene: AlignedScene, group: ObjectClass) -> bool:
    """Return whether most references that have a class have explained things of it."""
    explained = sum(
        not scene.explained.isdisjoint(things) for things in group.of_reference
    )
    return 2 * explained > group.support


def _goes_by_another_name(scene: AlignedScene, group: ObjectClass) -> bool:
    """Return whether the candidate has what other references have in its stead.

    Who says bus misses no vehicle; a leopard for some is a cheetah for others, if
    nobody sees both.
    """
    nouns, others = scene.lexicon.nouns, scene.classes
    if any(
        nouns.grade(thing.name, group.name) == "more specific"
        for other in others
        for thing in other.said
    ):
        return True
    return any(
        other.said
        and nouns.may_be_confused(group.name, other.name)
        and nouns.grade(group.name, other.name) == "sibling"
        and not _are_together(group, other)
        for other in others
    )


def _are_together(group: ObjectClass, other: ObjectClass) -> bool:
    """Return whether a reference has things of both classes."""
    pairs = zip(group.of_reference, other.of_reference, strict=True)
    return any(a and b for a, b in pairs)
