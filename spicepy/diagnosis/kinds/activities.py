"""Wrong activities: verbs of the candidate that the references do not have.

In: an aligned scene. Out: findings, each with the objects of the activity.

An activity may be wrong if no reference has it in any form of the word. The evidence is
conclusive if enough references have activities that exclude it: "a man walks", where
they say that he rides. Vague verbs ("hold", "look") are compatible with most
activities, and so are postures. The objects of the references' activities ("rides a
bicycle") are not missed as well.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Reading, Thing
from spicepy.diagnosis.captions.verbs import Verb
from spicepy.diagnosis.findings import Finding
from spicepy.diagnosis.kinds.detection import Detection
from spicepy.diagnosis.lexicon.nouns import ABOUT_ONE_THING
from spicepy.diagnosis.object_classes import is_named_in

_AUXILIARIES: Final = ("be", "do", "have")
_STEM: Final = 3  # The least number of letters of a stem.


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the activities that no reference confirms, with the things they explain."""
    seen, known = set[str](), scene.lexicon.activities
    for verb in scene.candidate.verbs:
        if verb.lemma in seen or not verb.finite or verb.lemma in _AUXILIARIES:
            continue
        if not _has_living_agent(scene, scene.candidate, verb):
            continue
        seen.add(verb.lemma)
        if not _is_confirmed(scene, verb):
            excluding = [_excluding(scene, text, verb) for text in scene.references]
            meant = Counter(lemma for own in excluding for lemma in own)
            things: list[Thing] = []
            conclusive = _is_conclusive(scene, verb, meant)
            if conclusive:
                for text in scene.references:
                    things += _done_to(scene, text, meant)
            yield Detection(
                _finding(scene, verb, meant, sum(map(bool, excluding))),
                things=tuple(things),
                place=verb.place,
                mentions=sum(bool(text.verbs) for text in scene.references),
                conclusive=conclusive,
                exclusive=known.is_exclusive(verb.lemma),
            )


def _agent(reading: Reading, verb: Verb) -> str:
    """Return the name of a verb's agent, or of the first thing if it is unknown."""
    return reading.things[max(0, verb.agent)].name


def _has_living_agent(scene: AlignedScene, reading: Reading, verb: Verb) -> bool:
    is_living = scene.lexicon.nouns.is_living
    return bool(reading.things) and is_living(_agent(reading, verb))


def _is_confirmed(scene: AlignedScene, verb: Verb) -> bool:
    """Return whether a reference has the verb, or a bird's posture is meant."""
    postures = scene.lexicon.activities.postures
    if verb.lemma in postures and _perches(scene, verb):
        return True
    return any(_says(scene, text, verb.lemma) for text in scene.references)


def _excluding(scene: AlignedScene, text: Reading, verb: Verb) -> list[str]:
    """Return the activities of a reference that exclude the verb, in order."""
    known = scene.lexicon.activities
    living = [v for v in text.verbs if _has_living_agent(scene, text, v)]
    posture = known.postures.get(verb.lemma)
    if posture is not None:
        others = [v for v in living if known.postures.get(v.lemma, posture) != posture]
        return list(dict.fromkeys(v.lemma for v in others))
    vague = {v.lemma for v in living if v.object < 0 and v.lemma in known.vague}
    return [
        lemma
        for lemma in dict.fromkeys(v.lemma for v in living)
        if lemma not in known.light | vague and not _has_word_of(lemma, scene.candidate)
    ]


def _is_vague(scene: AlignedScene, verb: Verb) -> bool:
    """Return whether a verb excludes no others, or the references have its object."""
    known = scene.lexicon.activities
    if verb.lemma in known.light:
        return True
    if verb.object < 0:
        return verb.lemma in known.vague
    return is_named_in(scene.candidate.things[verb.object], scene.pooled.words)


def _is_conclusive(scene: AlignedScene, verb: Verb, meant: Counter[str]) -> bool:
    """Return whether enough references have activities that exclude the verb."""
    posture = scene.lexicon.activities.postures.get(verb.lemma)
    if meant.total() < scene.enough or (posture is None and _is_vague(scene, verb)):
        return False
    return verb.object < 0 or not _is_named(scene, scene.candidate.things[verb.object])


def _is_named(scene: AlignedScene, thing: Thing) -> bool:
    """Return whether the references name a thing: "instrument" names a drum."""
    grade = scene.lexicon.nouns.grade
    return any(
        grade(thing.name, other.name) in ABOUT_ONE_THING
        for text in scene.references
        for other in text.things
    )


def _says(scene: AlignedScene, text: Reading, verb: str) -> bool:
    """Return whether a caption has a verb, a word derived from it, or a synonym."""
    known = scene.lexicon.activities
    posture = known.postures.get(verb)
    if posture is not None:
        return any(known.postures.get(v.lemma) == posture for v in text.verbs)
    if verb in text.lemmas or _has_word_of(verb, text):
        return True
    if any(known.are_alike(verb, other.lemma) for other in text.verbs):
        return True
    cosine, same = scene.lexicon.similarity.cosine, scene.thresholds.same_word
    return any(cosine(verb, other.lemma) >= same for other in text.verbs)


def _perches(scene: AlignedScene, verb: Verb) -> bool:
    """Return whether the agent is a bird, of which "sit" and "stand" mean the same."""
    birds = scene.lexicon.activities.perching
    return scene.lexicon.nouns.is_below_any(_agent(scene.candidate, verb), birds)


def _has_word_of(verb: str, text: Reading) -> bool:
    """Return whether a caption has a word that begins with the verb's stem."""
    stem = verb.removesuffix("e")
    return len(stem) >= _STEM and any(word.startswith(stem) for word in text.lemmas)


def _done_to(
    scene: AlignedScene, reading: Reading, doing: Collection[str]
) -> list[Thing]:
    """Return the objects of activities ("a rock") and nouns for them ("a hug")."""
    is_locative = scene.lexicon.places.is_locative
    targets = (
        reading.things[target]
        for _, how, target in reading.relations
        if how.split(" ")[0] in doing and not is_locative(how)
    )
    deeds = (thing for thing in reading.things if thing.name in doing)
    return [*targets, *deeds]


def _finding(
    scene: AlignedScene, verb: Verb, meant: Counter[str], against: int
) -> Finding:
    reading = scene.candidate
    things = [reading.things[verb.object].name] if verb.object >= 0 else []
    return Finding(
        scene.image_id,
        "wrong activity",
        (_agent(reading, verb), verb.lemma, *things),
        meant.most_common(1)[0][0] if meant else None,
        verb.lemma,
        against,
        " ".join((reading.words[verb.place - 1], *things)),
    )
