"""Missed activities: activities that references have and the candidate leaves out.

In: an aligned scene. Out: a finding for the activity that most references have, if the
candidate names a person or an animal of the references, but no activity and no word
similar to it. Postures and vague verbs are not missed.
"""

from collections import Counter
from collections.abc import Iterator

from spicepy.diagnosis.alignment import AlignedScene, PooledReferences
from spicepy.diagnosis.captions.caption import Reading
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection
from spicepy.diagnosis.lexicon.lexicon import Lexicon


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the activity that is missed."""
    lexicon, said = scene.lexicon, scene.candidate.lemmas
    if _activities(scene.candidate, lexicon):
        return  # The kind "wrong activity" compares the activities of the candidate.
    living = (g for g in scene.classes if g.said and lexicon.nouns.is_living(g.name))
    someone = next(living, None)
    for verb, references in scene.pooled.once(_numbers).most_common(1):
        if someone is None or references < scene.enough:
            continue
        if lexicon.similarity.to_words(verb, said) < scene.thresholds.same_word:
            members, kind = (someone.name, verb), "missed activity"
            yield Detection(
                Finding(scene.image_id, kind, members, references=references),
                mentions=sum(bool(text.verbs) for text in scene.references),
            )


def _numbers(pooled: PooledReferences) -> Counter[str]:
    """Return activity -> the number of references that have it."""
    own = (_activities(text, pooled.lexicon) for text in pooled.texts)
    return Counter(verb for verbs in own for verb in verbs)


def _activities(text: Reading, lexicon: Lexicon) -> list[str]:
    """Return the activities of people and animals, without postures and vague verbs."""
    known = lexicon.activities
    lemmas = (
        verb.lemma
        for verb in text.verbs
        if verb.agent >= 0
        and lexicon.nouns.is_living(text.things[verb.agent].name)
        and verb.lemma not in known.postures
        and known.is_exclusive(verb.lemma)
    )
    return list(dict.fromkeys(lemmas))
