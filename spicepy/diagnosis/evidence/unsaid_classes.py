"""Unsaid classes: classes of the references that the candidate does not have."""

from collections.abc import Iterable

from spicepy.diagnosis.alignment import AlignedScene, ObjectClass, stands_in
from spicepy.diagnosis.evidence.implications import is_said_otherwise


def unsaid(scene: AlignedScene) -> list[ObjectClass]:
    """Return the classes of which the candidate has no thing and no word."""
    return [g for g in scene.classes if not g.said and not _is_named(scene, g)]


def missable(scene: AlignedScene, classes: Iterable[ObjectClass]) -> list[ObjectClass]:
    """Return the classes that a caption should not leave out.

    The ground and hands go without saying, and words that WordNet does not know are
    misspelt.
    """
    nouns, backgrounds = scene.lexicon.nouns, scene.lexicon.unsaid.backgrounds
    return [
        group
        for group in classes
        if nouns.is_known(group.name)
        and group.name not in backgrounds
        and not nouns.is_body_part(group.name)
    ]


def _is_named(scene: AlignedScene, group: ObjectClass) -> bool:
    """Return whether the candidate has the word, or a synonym, in another role."""
    texts = [scene.candidate]
    if any(stands_in(thing, texts) for thing in group.things):
        return True
    return is_said_otherwise(group.name, texts, scene.lexicon)
