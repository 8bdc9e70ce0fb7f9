"""Belongings: whose clothes a caption tells of.

In: a scene and a thing of the candidate. Out: whether somebody has it of whom no
reference tells.
"""

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Reading, Thing


def is_of_somebody_else(scene: AlignedScene, thing: Thing) -> bool:
    """Return whether a garment is of a person of whom no reference tells.

    The lady in blue who watches a player is not the man who wears white and plays, so
    that her clothes may be blue.
    """
    nouns = scene.lexicon.nouns
    if not nouns.is_worn_or_part(thing.name):
        return False
    genders = {t.gender for text in scene.references for t in text.things} - {None}
    owner = _owner(scene.candidate, thing)
    if owner is None or not genders or owner.gender in genders:
        return False
    people = (t for t in scene.candidate.things if nouns.is_person(t.name))
    return any(other.gender in (None, *genders) for other in people)


def _owner(reading: Reading, thing: Thing) -> Thing | None:
    """Return the person who has a garment: who is related to it, or named before it."""
    things = reading.things
    related = [things[a] for a, _, b in reading.relations if things[b] is thing]
    before = [other for other in things if other.place <= thing.place]
    people = [other for other in (*before, *related) if other.gender]
    return people[-1] if people else None
