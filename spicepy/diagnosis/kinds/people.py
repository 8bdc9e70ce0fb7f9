"""Wrong gender and age of people: the candidate's values against the references'.

In: an aligned scene. Out: an observation for each class of people whose gender or age
the references give, and a finding if the candidate contradicts enough of them.

A value is right if the references give it to one of the people.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from spicepy.diagnosis.alignment import (
    AlignedScene,
    ExpectedValues,
    ObjectClass,
    PooledReferences,
    is_named_in,
    known_amounts,
)
from spicepy.diagnosis.captions.caption import Reading, Thing, Verb
from spicepy.diagnosis.findings import Finding, Observation
from spicepy.diagnosis.kinds.detections import (
    Detection,
    detection,
    detection_of,
    observe,
    unanswered,
)
from spicepy.diagnosis.lexicon.aspects import Aspect, Value
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.nouns import ABOUT_ONE_THING
from spicepy.objects.amounts import reaches, total

_ASPECTS: Final[tuple[Aspect, ...]] = ("gender", "age")


def detect_gender_and_age(scene: AlignedScene) -> Iterator[Detection]:
    """Yield an observation for each class of people with a value in the references."""
    for aspect in _ASPECTS:
        for group in scene.classes:
            expected = group.expected.get(aspect)
            if group.of_people and expected is not None:
                seen, wrong = _observed(scene, group, expected)
                result = detection(scene, group, seen, wrong)
                if result.finding is not None:
                    # "Man" for a woman is not a more specific word than "person".
                    specific = ("more specific", result.finding.members[0])
                    result = replace(result, rules_out=specific)
                yield result


def _observed(
    scene: AlignedScene, group: ObjectClass, expected: ExpectedValues
) -> tuple[Observation, Thing | None]:
    """Return the observation, and the person whose value is wrong, None without one."""
    aspect, numbers = expected.aspect, expected.numbers
    said = [(t, value) for t in group.said for value in scene.values(t, aspect)]
    for thing, value in said:
        if value not in numbers and _is_conclusive(scene, group, aspect, value):
            other = _opposite(aspect, value, numbers)
            if other is not None and not _is_extra(scene, group, aspect, other):
                return observe(scene, expected, other, value, "wrong"), thing
    if aspect == "gender" and len(numbers) > 1 and _all_alike(scene, group, said):
        thing, value = said[-1]
        other = next(v for v in numbers if v != value)
        return observe(scene, expected, other, value, "wrong"), thing
    if any(value in numbers for _, value in said):
        value = next(v for _, v in said if v in numbers)
        return observe(scene, expected, value, value, "right"), None
    return unanswered(scene, group, expected), None


def _is_extra(
    scene: AlignedScene, group: ObjectClass, aspect: Aspect, other: Value
) -> bool:
    """Return whether the candidate has a person of the value and another one."""
    # The other one may be as the candidate says, unless enough references give a value
    # to each of as many people.
    has = any(other in scene.values(thing, aspect) for thing in group.said)
    own = known_amounts(group.said)
    if not has or not own:
        return False
    number = total(own).low
    as_many = sum(
        all(scene.values(thing, aspect) for thing in things)
        and reaches(total(known_amounts(things)).high, number)
        for things in group.of_reference
        if known_amounts(things)
    )
    return as_many < scene.enough


def _all_alike(
    scene: AlignedScene, group: ObjectClass, said: Sequence[tuple[Thing, Value]]
) -> bool:
    """Return whether "two men" stands for the references' "a man and a woman"."""
    sexes = {value for _, value in said}
    amounts = [thing.amount for thing, _ in said if thing.amount is not None]
    if len(sexes) != 1 or len(said) < len(group.said) or not amounts:
        return False
    [sex] = sexes
    number = total(amounts)
    if number.high != number.low or number.low < 2:
        return False
    fewer = [_has_fewer(own, sex, number.low) for own in group.of_reference]
    enough = scene.thresholds.references
    return fewer.count(True) >= enough and fewer.count(False) == 0


def _has_fewer(things: Sequence[Thing], sex: Value, number: int) -> bool | None:
    """Return whether a reference has both sexes, fewer of this one; None if unclear."""
    own = [t for t in things if t.gender == sex]
    if not own or any(t.gender is None for t in things):
        return None
    amounts = known_amounts(own)
    if len(own) == len(things) or len(amounts) < len(own):
        return False if len(own) == len(things) else None
    high = total(amounts).high
    return high is not None and high < number


def _is_conclusive(
    scene: AlignedScene, group: ObjectClass, aspect: Aspect, value: Value
) -> bool:
    """Return whether enough references give an opposed gender or age."""
    against = sum(
        any(
            _are_opposed(aspect, value, other)
            for thing in own
            for other in scene.values(thing, aspect)
        )
        for own in group.of_reference
    )
    return against >= scene.enough


def _opposite(aspect: Aspect, value: Value, expected: Counter[Value]) -> Value | None:
    return next(
        (v for v, _ in expected.most_common() if _are_opposed(aspect, value, v)), None
    )


def _are_opposed(aspect: Aspect, value: Value, other: Value) -> bool:
    """Return whether two values exclude each other; "young" excludes no other age."""
    if aspect == "age":
        return {value, other} == {"child", "adult"}
    return value != other


# Wrong activities: verbs that the references do not have in any form of the word. The
# evidence is conclusive if enough references have activities that exclude it: "a man
# walks", where they say that he rides. Vague verbs ("hold", "look") are compatible with
# most activities, and so are postures. The objects of the references' activities
# ("rides a bicycle") are not missed as well.

_AUXILIARIES: Final = ("be", "do", "have")
_STEM: Final = 3  # The least number of letters of a stem.


def detect_activities(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the activities that no reference confirms, with the things they explain."""
    seen, known = set[str](), scene.lexicon.activities
    for verb in scene.candidate.verbs:
        if verb.lemma in seen or not verb.finite or verb.lemma in _AUXILIARIES:
            continue
        living = _has_living_agent(scene, scene.candidate, verb)
        may_be_vehicle = scene.candidate.things and verb.lemma in known.vehicles
        if not (living or may_be_vehicle):
            continue
        seen.add(verb.lemma)
        if not _is_confirmed(scene, verb):
            excluding = [_excluding(scene, text, verb) for text in scene.references]
            meant = Counter(lemma for own in excluding for lemma in own)
            if not living and not meant:
                continue
            things: list[Thing] = []
            conclusive = _excludes_other_verbs(scene, verb, meant)
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
    """Return the name of a verb's agent, else of the first thing; "" without things."""
    return reading.things[max(0, verb.agent)].name if reading.things else ""


def _has_living_agent(scene: AlignedScene, reading: Reading, verb: Verb) -> bool:
    return scene.lexicon.nouns.is_living(_agent(reading, verb))


def _is_confirmed(scene: AlignedScene, verb: Verb) -> bool:
    """Return whether a reference has the verb, or a bird's posture is meant."""
    postures = scene.lexicon.activities.postures
    if verb.lemma in postures and _perches(scene, verb):
        return True
    if any(_says(scene, text, verb.lemma) for text in scene.references):
        return True
    game = frozenset(_done(scene, verb).split(" "))  # Of which a reference tells a part
    deeds = (other.lemma for text in scene.references for other in text.verbs)
    return any(scene.lexicon.activities.is_part(deed, game) for deed in deeds)


def _done(scene: AlignedScene, verb: Verb) -> str:
    """Return the name of the object of the candidate's verb, "" without one."""
    return scene.candidate.things[verb.object].name if verb.object >= 0 else ""


def _excluding(scene: AlignedScene, text: Reading, verb: Verb) -> list[str]:
    """Return the activities of a reference that exclude the verb, in order."""
    known = scene.lexicon.activities
    living = [v for v in text.verbs if _has_living_agent(scene, text, v)]
    if not _has_living_agent(scene, scene.candidate, verb):
        state = known.vehicles[verb.lemma]
        one = _agent(scene.candidate, verb)
        grade = scene.lexicon.nouns.grade
        others = (
            v.lemma
            for v in text.verbs
            if v not in living and grade(one, _agent(text, v)) in ABOUT_ONE_THING
        )
        return [
            v for v in dict.fromkeys(others) if known.vehicles.get(v, state) != state
        ]
    if (sports := _other_sports(scene, text, verb.lemma)) is not None:
        return sports
    posture = known.postures.get(verb.lemma)
    moving = {v.lemma for v in living if v.lemma in known.moving and v.object < 0}
    if posture is not None:
        lemmas = dict.fromkeys(v.lemma for v in living)
        is_other = {v: known.postures.get(v, posture) != posture for v in lemmas}
        return [v for v in lemmas if v in moving or is_other[v]]
    still = [v.lemma for v in living if v.lemma in known.postures]
    if verb.lemma in known.moving and verb.object < 0 and still and not moving:
        return list(dict.fromkeys(still))
    vague = {v.lemma for v in living if v.object < 0 and v.lemma in known.vague}
    own = scene.candidate
    return [
        lemma
        for lemma in dict.fromkeys(v.lemma for v in living)
        if lemma not in known.light | vague
        and not (_has_word_of(lemma, own) or known.is_part(lemma, own.lemmas))
    ]


def _other_sports(scene: AlignedScene, text: Reading, verb: str) -> list[str] | None:
    """Return the words for other sports than the verb's; None if nothing tells it."""
    sports = scene.lexicon.activities.sports
    said = sorted(text.lemmas & sports.keys())
    if verb not in sports or not said:
        return None
    numbers = {sports[word] for word in said}
    return [] if sports[verb] in numbers else said[:1]


def _is_vague(scene: AlignedScene, verb: Verb) -> bool:
    """Return whether a verb excludes no others, or the references have its object."""
    known = scene.lexicon.activities
    if verb.lemma in known.light:
        return True
    if verb.object < 0:
        return verb.lemma in known.vague
    return is_named_in(scene.candidate.things[verb.object], scene.pooled.words)


def _excludes_other_verbs(scene: AlignedScene, verb: Verb, meant: Counter[str]) -> bool:
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
    if (sports := _other_sports(scene, text, verb)) is not None:
        return not sports
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
    things = list(filter(None, [_done(scene, verb)]))
    return Finding(
        scene.image_id,
        "wrong activity",
        (_agent(reading, verb), verb.lemma, *things),
        meant.most_common(1)[0][0] if meant else None,
        verb.lemma,
        against,
        " ".join((reading.words[verb.place - 1], *things)),
    )


# Missed activities: the one that most references have, if the candidate names a person
# or an animal of the references, but no activity and no word similar to it. Postures
# and vague verbs are not missed.


def detect_missed_activities(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the activity that is missed."""
    lexicon, said = scene.lexicon, scene.candidate.lemmas
    if _activities(scene.candidate, lexicon):
        return  # The kind "wrong activity" compares the activities of the candidate.
    living = (g for g in scene.classes if g.said and lexicon.nouns.is_living(g.name))
    someone = next(living, None)
    for verb, references in scene.pooled.once(_numbers).most_common(1):
        if someone is None or references < scene.enough:
            continue
        if lexicon.activities.is_part(verb, said):
            continue
        if lexicon.similarity.to_words(said)(verb) < scene.thresholds.same_word:
            yield detection_of(
                scene,
                "missed activity",
                (someone.name, verb),
                references=references,
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
