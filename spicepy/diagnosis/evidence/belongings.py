"""Belongings: the owners of clothes.

In: a scene and a thing of the candidate. Out: whether its owner is somebody whom no
reference mentions.
"""

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Reading, Thing


def is_of_somebody_else(scene: AlignedScene, thing: Thing) -> bool:
    """Return whether a garment belongs to a person whom no reference mentions.

    The clothes of "a lady in blue watching a player" are not those of the player, a man
    who wears white, so that they may be blue.
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
    """Return the person with a relation to a garment, else the last one before it."""
    things = reading.things
    related = [things[a] for a, _, b in reading.relations if things[b] is thing]
    before = [other for other in things if other.place <= thing.place]
    people = [other for other in (*before, *related) if other.gender]
    return people[-1] if people else None
