"""Missed counts and colours: the candidate has the object but not its value.

In: an aligned scene. Out: a finding for each object of the candidate to which
references give a number above one or a colour, and the candidate does not.
"""

from collections import Counter
from collections.abc import Iterator

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.findings import Finding, Kind
from spicepy.diagnosis.kinds.detection import Detection
from spicepy.diagnosis.lexicon.aspects import Value
from spicepy.diagnosis.object_classes import ObjectClass


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each number and colour that the candidate leaves out."""
    for group in scene.classes:
        if not group.said:
            continue
        if all(t.amount is None or t.amount.high is None for t in group.said):
            numbers = Counter(_numbers(group))
            yield from _missed(scene, group, "missed count", numbers)
        if "color" in group.expected and not any(
            scene.values(thing, "color") for thing in group.said
        ):
            yield from _missed(
                scene, group, "missed color", group.expected["color"].numbers
            )


def _missed(
    scene: AlignedScene, group: ObjectClass, kind: Kind, numbers: Counter[Value]
) -> Iterator[Detection]:
    """Yield a finding for the most frequent value if the candidate does not have it.

    A value that the candidate gives to another thing is not missed.
    """
    for value, references in numbers.most_common(1):
        if references >= scene.enough and value not in scene.candidate.lemmas:
            thing = group.said[0]
            finding = Finding(
                scene.image_id,
                kind,
                (thing.name, str(value)),
                expected=value,
                references=references,
                words=scene.candidate.as_written(thing),
            )
            yield Detection(finding, place=thing.place, mentions=group.support)


def _numbers(group: ObjectClass) -> Iterator[Value]:
    """Yield the exact number of each reference, if it is above one."""
    for amounts in group.amounts:
        if len(amounts) == 1 and amounts[0].high == amounts[0].low > 1:
            yield amounts[0].low
