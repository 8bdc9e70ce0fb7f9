"""Swapped relations: the references have the arguments the other way round.

In: an aligned scene. Out: a finding for each relation between things that both sides
name, if the references have it only with its arguments exchanged.
"""

from collections.abc import Iterator

from spicepy.diagnosis.alignment import AlignedScene, PooledReferences
from spicepy.diagnosis.evidence.class_roles import (
    Related,
    candidate_roles,
    reference_roles,
    related,
)
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the relations that references have the other way round."""
    reading, known = scene.candidate, scene.pooled.once(_reference_relations)
    roles = candidate_roles(scene) if known and reading.relations else {}
    for source, how, target in reading.relations if roles else ():
        first, second = reading.things[source], reading.things[target]
        one, other = roles.get(first), roles.get(second)
        if one is None or other is None or one == other:
            continue
        if (one, how, other) in known or (other, how, one) not in known:
            continue
        if not scene.lexicon.relations.is_symmetric(how):
            words = " … ".join(map(reading.as_written, (first, second)))
            members = (first.name, how, second.name)
            kind = "swapped relation"
            finding = Finding(scene.image_id, kind, members, words=words)
            yield Detection(finding, place=second.place, conclusive=True)


def _reference_relations(pooled: PooledReferences) -> set[Related]:
    """Return the relations of the references."""
    roles = pooled.once(reference_roles)
    return {own for text in pooled.texts for own in related(text, roles)}
