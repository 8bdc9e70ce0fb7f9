"""Missed objects: things that references have and the candidate lacks.

In: an aligned scene. Out: a finding for each class that a reference has and the
candidate neither names in any role nor implies.

If the candidate has a location that a reference confirms, it misses no other places.
"""

from collections.abc import Iterator

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.evidence.implications import is_implied
from spicepy.diagnosis.evidence.locations import has_confirmed_location, is_location
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection
from spicepy.diagnosis.object_classes import ObjectClass


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each missed class."""
    for group in missable(scene):
        elsewhere = is_location(scene, group) and has_confirmed_location(scene)
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

    Backgrounds and parts of the body go without saying; nouns that WordNet does not
    have are mostly misspelt.
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
    """Return whether earlier findings explain a class in most of its references."""
    explained = sum(
        not scene.explained.isdisjoint(things) for things in group.of_reference
    )
    return 2 * explained > group.support


def _goes_by_another_name(scene: AlignedScene, group: ObjectClass) -> bool:
    """Return whether the candidate has another noun for the things of a class.

    A candidate with "bus" does not miss "vehicle". If some references have a leopard
    and others a cheetah, but none has both, they mean the same animal.
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
