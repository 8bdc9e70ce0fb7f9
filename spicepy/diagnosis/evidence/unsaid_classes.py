"""Unsaid classes: classes of the references that the candidate should not leave out."""

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.object_classes import ObjectClass


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
