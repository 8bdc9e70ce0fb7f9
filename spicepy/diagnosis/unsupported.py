"""Unsupported: what the candidate says of the references' objects, and they do not.

In: a `Scene` and its classes. Out: `Finding`s that are no errors: an attribute that no
reference has, and contradicts none; a relation between two things that they all name.
"""

from collections.abc import Iterator, Sequence

from spicepy.diagnosis.attributes import values
from spicepy.diagnosis.classes import ObjectClass
from spicepy.diagnosis.likeness import support
from spicepy.diagnosis.reading import Thing
from spicepy.diagnosis.values import Finding, Kind, Scene
from spicepy.diagnosis.words import ASPECTS, load_words
from spicepy.diagnosis.written import as_written

_ALIKE = 0.6  # From here on a reference says it in another word.


def unsupported(
    scene: Scene, groups: Sequence[ObjectClass], others: Sequence[Finding]
) -> Iterator[Finding]:
    """Attributes and relations of what both have, unless another finding has them."""
    known = {finding.members[:2] for finding in others}
    said = [thing for group in groups for thing in group.said]
    texts = [text.lemmas for text in scene.references]
    for thing in said:
        for attribute in thing.attributes:
            pair = (thing.name, attribute)
            if pair not in known and _is_new(thing, attribute, texts):
                written = f"{attribute} {as_written(thing, scene.candidate)}"
                yield _finding(scene, "unsupported attribute", pair, written)
    shared = {id(thing) for thing in said}
    things, belonging = scene.candidate.things, load_words().belonging
    for source, how, target in scene.candidate.relations:
        first, second = things[source], things[target]
        verb = how.split(" ")[0]
        if how in belonging or (first.name, verb) in known:
            continue
        if {id(first), id(second)} <= shared and support(verb, texts) < _ALIKE:
            written = " … ".join(
                as_written(t, scene.candidate) for t in (first, second)
            )
            members = (first.name, how, second.name)
            yield _finding(scene, "unsupported relation", members, written)


def _is_new(thing: Thing, attribute: str, texts: Sequence[frozenset[str]]) -> bool:
    """Whether no reference says an attribute, of whatever thing.

    Numbers, genders and ages are told otherwise, too, and have observations.
    """
    bare = Thing(thing.name, attributes=(attribute,))
    if any(values(bare, a) for a in ASPECTS if a in ("count", "gender", "age")):
        return False
    known = load_words()
    amounts = known.group | known.several | known.no_properties
    if not amounts.isdisjoint((attribute, *attribute.split(" "))):
        return False
    return support(attribute, texts) < _ALIKE


def _finding(scene: Scene, kind: Kind, members: tuple[str, ...], words: str) -> Finding:
    return Finding(scene.image_id, kind, members, words=words)
