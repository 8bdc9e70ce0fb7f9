"""Wrong relations: the references relate the same two things in other words.

In: an aligned scene. Out: a finding where references have another verb or preposition
between two things of the candidate, and none anything like the candidate's. What is
only not said is found by `unsupported_relations`, activities by `activities`.
"""

from collections import Counter
from collections.abc import Iterator

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Reading, Thing
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the relations for which references have others."""
    reading, lexicon = scene.candidate, scene.lexicon
    said = {t: k for k, group in enumerate(scene.classes) for t in group.said}
    meant = {t: k for k, group in enumerate(scene.classes) for t in group.things}
    told = [list(_between(text, meant)) for text in scene.references]
    for first, second, how in _between(reading, said):
        if _is_vague(scene, how):
            continue
        others = [
            {word for a, b, word in own if (a, b) == (said[first], said[second])}
            for own in ([(meant[a], meant[b], h) for a, b, h in own] for own in told)
        ]
        words = Counter(w for own in others for w in own if not _is_vague(scene, w))
        near = lexicon.similarity.to_texts(how.split(" ")[0], scene.lemmas)
        if words and near < scene.thresholds.same_word:
            finding = Finding(
                *(scene.image_id, "wrong relation", (first.name, how, second.name)),
                *(words.most_common(1)[0][0], how, sum(map(bool, others))),
                " … ".join(map(reading.as_written, (first, second))),
            )
            yield Detection(
                finding,
                place=second.place,
                told=sum(map(bool, others)),
                settled=sum(map(bool, others)) >= scene.enough,
            )


def _between(
    reading: Reading, numbers: dict[Thing, int]
) -> Iterator[tuple[Thing, Thing, str]]:
    """Yield two things and their relation, of things that have a number each."""
    for source, how, target in reading.relations:
        ends = reading.things[source], reading.things[target]
        if numbers.keys() >= set(ends) and numbers[ends[0]] != numbers[ends[1]]:
            yield *ends, how


def _is_vague(scene: AlignedScene, how: str) -> bool:
    """Return whether a relation goes along with others: "with", "near", "hold"."""
    lexicon = scene.lexicon
    first = how.split(" ")[0]
    return (
        how in lexicon.relations.belonging
        or first in lexicon.activities.light
        or lexicon.places.is_locative(how)
        or lexicon.relations.is_symmetric(how)
    )
