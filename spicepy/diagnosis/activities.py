"""Activities: what someone does, candidate against references.

In: a `Scene`. Out: `Finding`s, with the things it is done to.

An activity is wrong if the references tell of other activities and none of the
candidate's, in any form of the word: "a man walks" where all others say that he rides.
Postures and vague verbs ("hold", "look") go along with most activities; a posture is
wrong only if the references have another one. An object that is part of the activity
("rides a bicycle") is not reported once more.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from spicepy.diagnosis.classes import stands_in
from spicepy.diagnosis.confidence import is_said_by_half
from spicepy.diagnosis.likeness import likeness
from spicepy.diagnosis.nouns import ABOUT_ONE_THING, grade, is_below_any, is_living
from spicepy.diagnosis.places import is_locative
from spicepy.diagnosis.reading import Reading, Thing
from spicepy.diagnosis.values import Finding, Scene
from spicepy.diagnosis.verbs import Verb
from spicepy.diagnosis.words import load_words

_ENOUGH: Final = 2
"""References that must tell of an activity."""
_ALIKE: Final = 0.6  # From here on two verbs are taken for one activity.
_STEM: Final = 3  # Letters of the shortest stem.


def activities(scene: Scene) -> Iterator[tuple[Finding, list[Thing]]]:
    """The wrong activities, with the things, of any text, they are done to."""
    seen: set[str] = set()
    for verb in scene.candidate.verbs:
        if verb.lemma in seen or not verb.finite or not _lives(scene.candidate, verb):
            continue
        seen.add(verb.lemma)
        meant = _meant(scene, verb)
        if meant:
            parts = _parts(scene.candidate, {verb.lemma})
            for text in scene.references:
                parts += _parts(text, meant)
            yield _finding(scene, verb, meant), parts


def _lives(reading: Reading, verb: Verb) -> bool:
    if not reading.things:
        return False
    return is_living(reading.things[max(0, verb.agent)].name)


def _meant(scene: Scene, verb: Verb) -> Counter[str]:
    """Verb → references that have it instead; empty if the candidate may be right."""
    words = load_words()
    posture = words.postures.get(verb.lemma)
    if posture is not None and _perches(scene.candidate, verb):
        return Counter()
    if posture is None and _is_vague(scene, verb):
        return Counter()
    if any(_says(text, verb.lemma) for text in scene.references):
        return Counter()
    found: Counter[str] = Counter()
    telling = 0
    for text in scene.references:
        living = [v for v in text.verbs if _lives(text, v)]
        own = {v.lemma for v in living}
        if posture is None:
            own -= words.light
            own -= {v.lemma for v in living if v.object < 0 and v.lemma in words.vague}
            own = {v for v in own if not _is_of(v, scene.candidate)}
        else:
            own = {v for v in own if words.postures.get(v, posture) != posture}
        found.update(own)
        telling += bool(own)
    return found if telling >= min(_ENOUGH, len(scene.references)) else Counter()


def _is_vague(scene: Scene, verb: Verb) -> bool:
    """Whether a verb goes along with others: by itself, or as its object is there."""
    if verb.object < 0:
        return verb.lemma in load_words().light or verb.lemma in load_words().vague
    thing = scene.candidate.things[verb.object]
    return verb.lemma in load_words().light or stands_in(thing, scene.references)


def _is_settled(scene: Scene, verb: Verb, meant: Counter[str]) -> bool:
    """Whether half of the references tell of one activity, and what it is done to."""
    [(other, support), *_] = meant.most_common(1)
    if other in load_words().vague or not is_said_by_half(scene, support):
        return False
    if verb.object < 0:
        return True
    return not _is_named(scene, scene.candidate.things[verb.object])


def _is_named(scene: Scene, thing: Thing) -> bool:
    """Whether the references name a thing, by another word: a drum, an instrument."""
    return any(
        grade(thing.name, other.name) in ABOUT_ONE_THING
        for text in scene.references
        for other in text.things
    )


def _says(text: Reading, verb: str) -> bool:
    """Whether a text has the verb, a word made of it, or another for the same."""
    posture = load_words().postures.get(verb)
    if posture is not None:
        return any(load_words().postures.get(v.lemma) == posture for v in text.verbs)
    if verb in text.lemmas or _is_of(verb, text):
        return True
    return any(likeness(verb, other.lemma) >= _ALIKE for other in text.verbs)


def _perches(reading: Reading, verb: Verb) -> bool:
    """Whether it is a bird that sits, which may be called standing as well."""
    return is_below_any(reading.things[max(0, verb.agent)].name, load_words().perching)


def _is_of(verb: str, text: Reading) -> bool:
    """Whether a text has a word made of a verb: who rides skis, skis."""
    stem = verb.removesuffix("e")
    return len(stem) >= _STEM and any(word.startswith(stem) for word in text.lemmas)


def _parts(reading: Reading, doing: Collection[str]) -> list[Thing]:
    """What activities are done to: "throws a rock", "drinks from a bowl", "a hug"."""
    targets = (
        reading.things[target]
        for _, how, target in reading.relations
        if how.split(" ")[0] in doing and not is_locative(how)
    )
    deeds = (thing for thing in reading.things if thing.name in doing)
    return [*targets, *deeds]


def _finding(scene: Scene, verb: Verb, meant: Counter[str]) -> Finding:
    reading = scene.candidate
    agent = reading.things[max(0, verb.agent)]
    things = [reading.things[verb.object].name] if verb.object >= 0 else []
    return Finding(
        scene.image_id,
        "wrong activity",
        (agent.name, verb.lemma, *things),
        meant.most_common(1)[0][0],
        verb.lemma,
        len(scene.references),
        " ".join((reading.words[verb.place - 1], *things)),
        _is_settled(scene, verb, meant),
    )
