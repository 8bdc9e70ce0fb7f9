"""Unsupported relations: no reference has the verb or preposition or a synonym.

In: an aligned scene. Out: findings about relations between two things that both sides
name. Any other finding about the same verb replaces it.
"""

from collections.abc import Iterator

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each relation that no reference has between any things."""
    shared = {thing for group in scene.classes for thing in group.said}
    reading, lexicon = scene.candidate, scene.lexicon
    verbs = {verb.lemma for verb in reading.verbs if verb.finite}
    for source, how, target in reading.relations:
        ends = reading.things[source], reading.things[target]
        if how in lexicon.relations.belonging or not shared.issuperset(ends):
            continue
        verb = how.split(" ")[0]
        if verb in verbs:
            continue  # The kind "wrong activity" compares verbs.
        if not scene.confirms(verb):
            words = " … ".join(map(reading.as_written, ends))
            members, kind = (ends[0].name, how, ends[1].name), "unsupported relation"
            finding = Finding(scene.image_id, kind, members, words=words)
            yield Detection(finding, place=ends[1].place)
