"""Swapped relations: the references have the arguments the other way round.

In: an aligned scene. Out: findings, only where both texts name both objects and the
references have it the other way and never this way.
"""

from collections.abc import Iterator, Mapping

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Reading, Thing
from spicepy.diagnosis.evidence.class_roles import ClassRole, class_role
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the relations that references have the other way round."""
    classes, reading = list(enumerate(scene.classes)), scene.candidate
    said = {t: class_role(scene, k, t) for k, g in classes for t in g.said}
    meant = {t: class_role(scene, k, t) for k, g in classes for t in g.things}
    references = {r for text in scene.references for r in _related(text, meant)}
    symmetric = scene.lexicon.relations.is_symmetric
    for source, how, target in reading.relations:
        first, second = reading.things[source], reading.things[target]
        ends = said.get(first), said.get(second)
        if symmetric(how) or None in ends or ends[0] == ends[1]:
            continue
        if (*ends, how) not in references and (*ends[::-1], how) in references:
            words = " … ".join(map(reading.as_written, (first, second)))
            members = (first.name, how, second.name)
            kind = "swapped relation"
            finding = Finding(scene.image_id, kind, members, words=words)
            yield Detection(finding, place=second.place, settled=True)


def _related(
    reading: Reading, roles: Mapping[Thing, ClassRole]
) -> Iterator[tuple[ClassRole, ClassRole, str]]:
    for source, how, target in reading.relations:
        ends = reading.things[source], reading.things[target]
        first, second = (roles.get(end) for end in ends)
        if first is not None and second is not None:
            yield first, second, how
