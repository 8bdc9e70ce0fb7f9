"""Attributes that no reference confirms: colours, sizes, materials and others.

In: an aligned scene. Out: findings about attributes of the candidate's things that no
reference gives to such a thing. Any other finding about the same attribute replaces it,
such as those of `attributes` on values that references contradict.
"""

from collections.abc import Iterator
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.evidence.belongings import is_of_somebody_else
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection
from spicepy.diagnosis.lexicon.aspects import Aspect
from spicepy.diagnosis.object_classes import ObjectClass, values_of_attribute

OTHER: Final = "unsupported attribute"
_VALUES: Final[tuple[Aspect, ...]] = ("color", "size", "material")
_OBSERVED: Final[tuple[Aspect, ...]] = ("count", "gender", "age")
"""The aspects whose values other detectors compare."""


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each attribute that no reference gives to such a thing."""
    known: list[tuple[Thing, ObjectClass | None]] = [
        (thing, group) for group in scene.classes for thing in group.said
    ]
    known += [(thing, None) for thing in scene.unmatched]
    verbs = {verb.lemma for verb in scene.candidate.verbs if verb.finite}
    known = [(t, group) for t, group in known if not is_of_somebody_else(scene, t)]
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
    mentions = group.support if group else 0
    return Detection(finding, place=thing.place, mentions=mentions)


def _aspect(scene: AlignedScene, attribute: str) -> Aspect | None:
    """Return the aspect of which an attribute is a value, None without one."""
    lexicon = scene.lexicon
    aspects = (a for a in _VALUES if values_of_attribute(attribute, a, lexicon))
    return next(aspects, None)


def _is_confirmed(
    scene: AlignedScene,
    group: ObjectClass | None,
    attribute: str,
    aspect: Aspect | None,
) -> bool:
    """Return whether a reference has an attribute: a value only of such a thing."""
    if aspect is None:
        return scene.confirms(attribute)
    expected = group.expected.get(aspect) if group is not None else None
    contradict = scene.lexicon.aspects.contradict
    return expected is not None and any(
        not contradict(aspect, said, value)
        for said in values_of_attribute(attribute, aspect, scene.lexicon)
        for value in expected.numbers
    )


def _is_property(scene: AlignedScene, thing: Thing, attribute: str) -> bool:
    """Return whether an attribute is no amount, gender or age and says something."""
    lexicon, noun = scene.lexicon, thing.name
    if any(values_of_attribute(attribute, a, lexicon, noun) for a in _OBSERVED):
        return False
    quantities, names = lexicon.quantities, lexicon.names
    amounts = quantities.vague.keys() | names.no_properties
    return amounts.isdisjoint((attribute, *attribute.split(" ")))
