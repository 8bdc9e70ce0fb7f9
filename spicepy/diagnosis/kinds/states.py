"""Wrong state and wrong expression: open for closed, a smile for tears.

In: an aligned scene. Out: a finding for each attribute (or verb) of a candidate's thing
that excludes one that references give such a thing.
"""

from collections.abc import Iterator
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.kinds.detection import Detection, contradiction
from spicepy.diagnosis.lexicon.opposites import Opposition, excludes
from spicepy.diagnosis.object_classes import ObjectClass

_TOPICS: Final[tuple[Opposition, ...]] = ("state", "expression")


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each state and expression that references exclude."""
    for group in scene.classes:
        for thing in group.said:
            for topic in _TOPICS:
                yield from _of_thing(scene, group, thing, topic)


def _of_thing(
    scene: AlignedScene, group: ObjectClass, thing: Thing, topic: Opposition
) -> Iterator[Detection]:
    of = scene.lexicon.opposites.of
    for side, word in of(topic, thing.attributes).items():
        sides = [
            of(topic, [a for other in things for a in other.attributes])
            for things in group.of_reference
        ]
        agree = sum(side in taken for taken in sides)
        meant = [
            other
            for taken in sides
            if side not in taken
            for at, other in taken.items()
            if excludes(side, at)
        ]
        if meant and not agree:
            yield contradiction(
                scene,
                f"wrong {topic}",
                (thing.name, word),
                said=word,
                meant=meant,
                words=f"{word} {scene.candidate.as_written(thing)}",
                mentions=group.support,
                place=thing.place,
            )
