"""Unsupported attributes: no reference has them, and none contradicts them.

In: an aligned scene. Out: remarks about attributes of what both have. Other findings
about the same attribute come first.
"""

from collections.abc import Iterator
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection
from spicepy.diagnosis.lexicon.aspects import Aspect

_OBSERVED: Final[tuple[Aspect, ...]] = ("count", "gender", "age")
"""Aspects that are told otherwise, too, and have observations."""


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the attributes that no reference says, of whatever thing."""
    for group in scene.classes:
        for thing in group.said:
            for attribute in thing.attributes:
                if _is_new(scene, thing, attribute):
                    words = f"{attribute} {scene.candidate.as_written(thing)}"
                    members, kind = (thing.name, attribute), "unsupported attribute"
                    finding = Finding(scene.image_id, kind, members, words=words)
                    yield Detection(finding)


def _is_new(scene: AlignedScene, thing: Thing, attribute: str) -> bool:
    """Return whether no reference says an attribute, in whatever words."""
    if any(scene.values_of(attribute, aspect, thing.name) for aspect in _OBSERVED):
        return False
    quantities, names = scene.lexicon.quantities, scene.lexicon.names
    amounts = quantities.group | quantities.several | names.no_properties
    if not amounts.isdisjoint((attribute, *attribute.split(" "))):
        return False
    near = scene.lexicon.similarity.to_texts
    return near(attribute, scene.lemmas) < scene.thresholds.same_word
