"""Identity across captions: the class of a thing, and the gender of a person.

A man and a woman are in one class, but their attributes and relations are compared
apart.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from spicepy.diagnosis.alignment import AlignedScene, PooledReferences
from spicepy.diagnosis.captions.caption import Reading, Thing
from spicepy.diagnosis.lexicon.nouns import Nouns
from spicepy.diagnosis.object_classes import ObjectClass

ClassRole = tuple[str, str]
"""The name of a class and, of a person, the gender or else the noun ("" of things)."""
Roles = Mapping[Thing, ClassRole]
Related = tuple[ClassRole, str, ClassRole]
"""A relation between two things that are in classes."""


def candidate_roles(scene: AlignedScene) -> Roles:
    """Return the role of each of the candidate's things that are in a class."""
    said = ((group, group.said) for group in scene.classes)
    return _roles(said, scene.lexicon.nouns)


def reference_roles(pooled: PooledReferences) -> Roles:
    """Return the role of each of the references' things."""
    things = ((group, group.things) for group in pooled.classes)
    return _roles(things, pooled.lexicon.nouns)


def _roles(
    things: Iterable[tuple[ObjectClass, Sequence[Thing]]], nouns: Nouns
) -> Roles:
    return {
        thing: (group.name, (thing.gender or thing.name) * nouns.is_person(thing.name))
        for group, own in things
        for thing in own
    }


def related(reading: Reading, roles: Roles) -> Iterator[Related]:
    """Yield the relations of a caption between things that are in classes."""
    for source, how, target in reading.relations:
        ends = reading.things[source], reading.things[target]
        first, second = (roles.get(end) for end in ends)
        if first is not None and second is not None:
            yield first, how, second
