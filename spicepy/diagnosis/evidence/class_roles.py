"""Identity across texts: the class of a thing, among people by gender as well.

A man and a woman are in one class, but do different things.
"""

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Thing

ClassRole = tuple[int, str]
"""Number of a class, and the gender or else the noun of a person."""


def class_role(scene: AlignedScene, number: int, thing: Thing) -> ClassRole:
    """Return who a thing of the class of that number is."""
    if not scene.lexicon.nouns.is_person(thing.name):
        return number, ""
    return number, thing.gender or thing.name
