"""Wrong state and wrong expression: open for closed, a smile for tears.

In: an aligned scene. Out: a finding where an attribute of a thing of the candidate, or
what it does, excludes what references say of such a thing.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene, ObjectClass
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.kinds.detection import Detection, contradiction
from spicepy.diagnosis.lexicon.opposites import Topic, excludes

_TOPICS: Final[tuple[Topic, ...]] = ("state", "expression")


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each state that references exclude."""
    for group in scene.classes:
        for thing in group.said:
            for topic in _TOPICS:
                yield from _of_thing(scene, group, thing, topic)


def _of_thing(
    scene: AlignedScene, group: ObjectClass, thing: Thing, topic: Topic
) -> Iterator[Detection]:
    of = scene.lexicon.opposites.of
    told = [of(topic, _attributes(own)) for own in group.of_reference]
    for side, word in of(topic, _attributes([thing])).items():
        agree = sum(side in own for own in told)
        meant = [
            other
            for own in told
            if side not in own
            for at, other in own.items()
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
                told=group.support,
                place=thing.place,
            )


def _attributes(things: Iterable[Thing]) -> list[str]:
    return [attribute for thing in things for attribute in thing.attributes]
