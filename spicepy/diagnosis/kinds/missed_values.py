"""Missed counts and colours: the candidate has the object, but not its value.

In: an aligned scene. Out: a finding for each object of the candidate to which references
give a number of more than one, or a colour, and the candidate neither.
"""

from collections import Counter
from collections.abc import Iterator

from spicepy.diagnosis.alignment import AlignedScene, ObjectClass
from spicepy.diagnosis.evidence.expected_values import ExpectedValues
from spicepy.diagnosis.findings import Finding, Kind
from spicepy.diagnosis.kinds.detection import Detection
from spicepy.diagnosis.lexicon.aspects import Value


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the numbers and colours that the candidate leaves out."""
    for group in scene.classes:
        if not group.said:
            continue
        if all(t.amount is None or t.amount.high is None for t in group.said):
            numbers = Counter(_numbers(group))
            if numbers:
                [(number, saying)] = numbers.most_common(1)
                yield _detection(scene, group, "missed count", number, saying)
        expected = ExpectedValues(scene, group, "color")
        if expected.numbers and not any(scene.values(t, "color") for t in group.said):
            color, saying = expected.most_said, expected.support
            yield _detection(scene, group, "missed color", color, saying)


def _numbers(group: ObjectClass) -> Iterator[int]:
    """Yield the number that each reference gives in words, if it is more than one."""
    for amounts in group.amounts:
        if len(amounts) == 1 and amounts[0].high == amounts[0].low > 1:
            yield amounts[0].low


def _detection(
    scene: AlignedScene, group: ObjectClass, kind: Kind, value: Value, saying: int
) -> Detection:
    thing = group.said[0]
    finding = Finding(
        *(scene.image_id, kind, (thing.name, str(value)), value, None, saying),
        scene.candidate.as_written(thing),
    )
    return Detection(finding, place=thing.place, told=group.support)
