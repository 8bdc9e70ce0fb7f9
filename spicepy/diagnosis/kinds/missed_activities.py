"""Missed activities: what references have someone do, and the candidate leaves out.

In: an aligned scene. Out: a finding for the activity that most references tell, if the
candidate has someone, but no activity and no word like it. Postures and vague verbs
are not missed.
"""

from collections import Counter
from collections.abc import Iterator

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Reading
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the activity that is missed."""
    said = [g for g in scene.classes if g.said and _is_living(scene, g.name)]
    if _activities(scene, scene.candidate):
        return  # What it tells may be wrong instead: `activities`.
    told = Counter(v for text in scene.references for v in _activities(scene, text))
    near, same = scene.lexicon.similarity.to_texts, scene.thresholds.same_word
    for verb, saying in told.most_common(1):
        if not said or saying < scene.enough:
            continue
        if near(verb, [scene.candidate.lemmas]) < same:
            members = said[0].name, verb
            yield Detection(
                Finding(scene.image_id, "missed activity", members, references=saying),
                told=sum(bool(text.verbs) for text in scene.references),
            )


def _is_living(scene: AlignedScene, name: str) -> bool:
    return scene.lexicon.nouns.is_living(name)


def _activities(scene: AlignedScene, text: Reading) -> list[str]:
    """Return what someone does in a text; no posture, nor what says little."""
    known = scene.lexicon.activities
    silent = known.light | known.vague | known.postures.keys()
    told = (
        verb.lemma
        for verb in text.verbs
        if verb.agent >= 0
        and _is_living(scene, text.things[verb.agent].name)
        and verb.lemma not in silent
    )
    return list(dict.fromkeys(told))
