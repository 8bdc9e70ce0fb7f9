"""Wrong positions: on for under, in front for behind, left for right.

In: an aligned scene. Out: a finding where the references have the two things of a
relation the other way round in space. "A is behind B" and "B is in front of A" say the
same; "B is behind A" is a swapped relation.
"""

from collections.abc import Iterator
from itertools import chain

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Reading, Thing
from spicepy.diagnosis.evidence.class_roles import class_role
from spicepy.diagnosis.kinds.detection import Detection, contradiction
from spicepy.diagnosis.lexicon.opposites import excludes


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the positions that references have otherwise and none confirms."""
    reading, position = scene.candidate, scene.lexicon.opposites.position
    classes = {
        thing: class_role(scene, number, thing)
        for number, group in enumerate(scene.classes)
        for thing in chain(group.said, group.things)
    }
    related = [
        [
            (classes.get(a), classes.get(b), *placed)
            for a, how, b in _ends(text)
            if (placed := position(how))
        ]
        for text in scene.references
    ]
    for first, how, second in _ends(reading):
        ends, placed = (classes.get(first), classes.get(second)), position(how)
        if placed is None or None in ends or ends[0] == ends[1]:
            continue
        side, said = placed
        same = [
            [x for x in own if x[:2] == ends and x[2][0] == side[0]] for own in related
        ]
        reverse = [[x for x in own if x[:2] == ends[::-1]] for own in related]
        against = [x[3] for own in same for x in own if x[2] != side]
        agree = any(x[2] == side for own in same for x in own) or any(
            excludes(side, x[2]) for own in reverse for x in own
        )
        if against and not agree:
            yield contradiction(
                scene,
                "wrong position",
                (first.name, how, second.name),
                said=said,
                meant=against,
                words=" … ".join(map(reading.as_written, (first, second))),
                told=len(against),
                place=second.place,
            )


def _ends(reading: Reading) -> Iterator[tuple[Thing, str, Thing]]:
    for source, how, target in reading.relations:
        yield reading.things[source], how, reading.things[target]
