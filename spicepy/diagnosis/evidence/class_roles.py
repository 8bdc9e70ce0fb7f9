"""Identity across texts: the class of a thing, among people by gender as well.

A man and a woman are in one class, but do different things.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from spicepy.diagnosis.alignment import AlignedScene, PooledReferences
from spicepy.diagnosis.captions.caption import Reading, Thing
from spicepy.diagnosis.lexicon.nouns import Nouns
from spicepy.diagnosis.object_classes import ObjectClass

ClassRole = tuple[str, str]
"""Name of a class, and the gender or else the noun of a person."""
Roles = Mapping[Thing, ClassRole]
Related = tuple[ClassRole, str, ClassRole]
"""A relation between two things that are in classes."""


def candidate_roles(scene: AlignedScene) -> Roles:
    """Return who the candidate's things are, as far as they are in a class."""
    said = ((group, group.said) for group in scene.classes)
    return _roles(said, scene.lexicon.nouns)


def reference_roles(pooled: PooledReferences) -> Roles:
    """Return who the references' things are."""
    told = ((group, group.things) for group in pooled.classes)
    return _roles(told, pooled.lexicon.nouns)


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
