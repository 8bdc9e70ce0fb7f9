"""Wrong positions: on for under, in front for behind, left for right.

In: an aligned scene. Out: a finding where the references have the two things of a
relation the other way round in space. "A is behind B" and "B is in front of A" say the
same.
"""

from collections.abc import Iterator
from itertools import chain

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Reading, Thing
from spicepy.diagnosis.evidence.class_roles import class_role
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection
from spicepy.diagnosis.lexicon.opposites import Side, excludes


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
        told = [
            [
                (_excludes(placed[0], side, same=(a, b) == ends), word)
                for a, b, side, word in own
                if (a, b) in (ends, ends[::-1]) and side[0] == placed[0][0]
            ]
            for own in related
        ]
        against = [word for own in told for wrong, word in own if wrong]
        agree = sum(any(not wrong for wrong, _ in own) for own in told)
        if against and not agree:
            finding = Finding(
                *(scene.image_id, "wrong position", (first.name, how, second.name)),
                *(against[0], placed[1], len(against)),
                " … ".join(map(reading.as_written, (first, second))),
            )
            yield Detection(
                finding,
                place=second.place,
                told=len(against),
                settled=len(against) >= scene.enough,
            )


def _excludes(said: Side, other: Side, *, same: bool) -> bool:
    """Return whether a reference excludes a position of two things.

    Args:
        said: The candidate's side.
        other: The reference's.
        same: Whether the reference has the two things in the same order.
    """
    return excludes(said, other) if same else said == other


def _ends(reading: Reading) -> Iterator[tuple[Thing, str, Thing]]:
    for source, how, target in reading.relations:
        yield reading.things[source], how, reading.things[target]
