"""Attributes that no reference confirms: another colour, size or material, or others.

In: an aligned scene. Out: findings about attributes of the candidate's things that no
reference gives to such a thing. What contradicts them is found by `attributes`; other
findings about the same attribute come first.
"""

from collections.abc import Iterator
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene, ObjectClass
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection
from spicepy.diagnosis.lexicon.aspects import Aspect

OTHER: Final = "unsupported attribute"
_VALUES: Final[tuple[Aspect, ...]] = ("color", "size", "material")
_OBSERVED: Final[tuple[Aspect, ...]] = ("count", "gender", "age")
"""Aspects whose values other detectors compare."""


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the attributes that no reference gives to such a thing."""
    known: list[tuple[Thing, ObjectClass | None]] = [
        (thing, group) for group in scene.classes for thing in group.said
    ]
    known += [(thing, None) for thing in scene.unmatched]
    verbs = {verb.lemma for verb in scene.candidate.verbs if verb.finite}
    for thing, group in known:
        for attribute in thing.attributes:
            if attribute not in verbs and _is_property(scene, thing, attribute):
                aspect = _aspect(scene, attribute)
                if not _is_confirmed(scene, group, attribute, aspect):
                    yield _detection(scene, thing, group, attribute, aspect)


def _detection(
    scene: AlignedScene,
    thing: Thing,
    group: ObjectClass | None,
    attribute: str,
    aspect: Aspect | None,
) -> Detection:
    words = f"{attribute} {scene.candidate.as_written(thing)}"
    members, kind = (thing.name, attribute), f"wrong {aspect}" if aspect else OTHER
    finding = Finding(scene.image_id, kind, members, words=words)
    told = group.support if group else 0
    return Detection(finding, aspect=aspect or "", place=thing.place, told=told)


def _aspect(scene: AlignedScene, attribute: str) -> Aspect | None:
    """Return the aspect of which an attribute says the value; None of others."""
    return next((a for a in _VALUES if scene.values_of(attribute, a)), None)


def _is_confirmed(
    scene: AlignedScene,
    group: ObjectClass | None,
    attribute: str,
    aspect: Aspect | None,
) -> bool:
    """Return whether a reference says it: of such a thing, if it is a value."""
    if aspect is None:
        near = scene.lexicon.similarity.to_texts(attribute, scene.lemmas)
        return near >= scene.thresholds.same_word
    own = scene.values_of(attribute, aspect)
    contradict = scene.lexicon.aspects.contradict
    return group is not None and any(
        not contradict(aspect, said, value)
        for said in own
        for thing in group.things
        for value in scene.values(thing, aspect)
    )


def _is_property(scene: AlignedScene, thing: Thing, attribute: str) -> bool:
    """Return whether an attribute is neither an amount nor told of otherwise."""
    if any(scene.values_of(attribute, aspect, thing.name) for aspect in _OBSERVED):
        return False
    quantities, names = scene.lexicon.quantities, scene.lexicon.names
    amounts = quantities.group | quantities.several | names.no_properties
    return amounts.isdisjoint((attribute, *attribute.split(" ")))
