"""Wrong positions: on for under, in front for behind, left for right.

In: an aligned scene. Out: a finding for each relation of the candidate with a
preposition that excludes that of the references between the same things. "A is behind
B" and "B is in front of A" mean the same; "B is behind A" is a swapped relation.
"""

from collections.abc import Iterator

from spicepy.diagnosis.alignment import AlignedScene, PooledReferences
from spicepy.diagnosis.evidence.class_roles import (
    ClassRole,
    candidate_roles,
    reference_roles,
    related,
)
from spicepy.diagnosis.kinds.detection import Detection, contradiction
from spicepy.diagnosis.lexicon.opposites import OppositeSide, excludes

Placed = tuple[tuple[ClassRole, ClassRole], OppositeSide, str]
"""Two things, the side of the first one, and the preposition for that side."""


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the positions that references contradict and none confirms."""
    reading, position = scene.candidate, scene.lexicon.opposites.position
    roles = candidate_roles(scene) if reading.relations else {}
    for source, how, target in reading.relations:
        first, second = reading.things[source], reading.things[target]
        ends, placed = (roles.get(first), roles.get(second)), position(how)
        if placed is None or None in ends or ends[0] == ends[1]:
            continue
        side, said = placed
        positions = scene.pooled.once(_placed)
        same = [at for at in positions if at[0] == ends and at[1][0] == side[0]]
        against = [word for _, other, word in same if other != side]
        agree = any(other == side for _, other, _ in same) or any(
            excludes(side, other) for at, other, _ in positions if at == ends[::-1]
        )
        if against and not agree:
            yield contradiction(
                scene,
                "wrong position",
                (first.name, how, second.name),
                said=said,
                meant=against,
                words=" … ".join(map(reading.as_written, (first, second))),
                mentions=len(against),
                place=second.place,
            )


def _placed(pooled: PooledReferences) -> list[Placed]:
    """Return the positions of the references' things."""
    roles = pooled.once(reference_roles)
    position = pooled.lexicon.opposites.position
    return [
        ((first, second), *placed)
        for text in pooled.texts
        for first, how, second in related(text, roles)
        if (placed := position(how))
    ]
