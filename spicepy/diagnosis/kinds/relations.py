"""Wrong positions: on for under, in front for behind, left for right.

In: an aligned scene. Out: a finding for each relation of the candidate with a
preposition that excludes that of the references between the same things. "A is behind
B" and "B is in front of A" mean the same; "B is behind A" is a swapped relation.
"""

from collections.abc import Iterator
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene, ObjectClass, PooledReferences
from spicepy.diagnosis.captions.caption import Reading, Thing
from spicepy.diagnosis.context import (
    ClassRole,
    Related,
    candidate_roles,
    reference_roles,
    related,
)
from spicepy.diagnosis.kinds.detections import Detection, contradiction, detection_of
from spicepy.diagnosis.lexicon.aspects import OppositeSide, Opposition, excludes
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.nouns import NAMING

Placed = tuple[tuple[ClassRole, ClassRole], OppositeSide, str]
"""Two things, the side of the first one, and the preposition for that side."""


def detect_positions(scene: AlignedScene) -> Iterator[Detection]:
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


# Swapped relations: the references have the arguments only the other way round.


def detect_swapped(scene: AlignedScene) -> Iterator[Detection]:
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
            yield detection_of(
                scene,
                "swapped relation",
                (first.name, how, second.name),
                words,
                place=second.place,
                conclusive=True,
            )


def _reference_relations(pooled: PooledReferences) -> set[Related]:
    """Return the relations of the references."""
    roles = pooled.once(reference_roles)
    return {own for text in pooled.texts for own in related(text, roles)}


# Unsupported relations: no reference has the verb or preposition or a synonym. Any
# other finding about the same verb replaces it.


def detect_unsupported(scene: AlignedScene) -> Iterator[Detection]:
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
            members, place = (ends[0].name, how, ends[1].name), ends[1].place
            yield detection_of(
                scene, "unsupported relation", members, words, place=place
            )


# Wrong state and wrong expression: open for closed, a smile for tears.

_STATE_TOPICS: Final[tuple[Opposition, ...]] = ("state", "expression")


def detect_states(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each state and expression that references exclude."""
    for group in scene.classes:
        for thing in group.said:
            for topic in _STATE_TOPICS:
                yield from _of_thing(scene, group, thing, topic)


def _of_thing(
    scene: AlignedScene, group: ObjectClass, thing: Thing, topic: Opposition
) -> Iterator[Detection]:
    of = scene.lexicon.opposites.of
    for side, word in of(topic, thing.attributes).items():
        sides = [
            of(topic, [a for other in things for a in other.attributes])
            for things in group.of_reference
        ]
        agree = sum(side in taken for taken in sides)
        meant = [
            other
            for taken in sides
            if side not in taken
            for at, other in taken.items()
            if excludes(side, at)
        ]
        if meant and not agree:
            yield contradiction(
                scene,
                f"wrong {topic}",
                (thing.name, word),
                said=word,
                meant=meant,
                words=f"{word} {scene.candidate.as_written(thing)}",
                mentions=group.support,
                place=thing.place,
            )


# Wrong time and wrong weather of the whole picture: a word for a time of day, a season
# or a weather that excludes a word of the references.

_SETTING_TOPICS: Final[tuple[Opposition, ...]] = ("time", "weather")


def detect_time_and_weather(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each time and weather that references exclude."""
    of, reading = scene.lexicon.opposites.of, scene.candidate
    for topic in _SETTING_TOPICS:
        for side, word in of(topic, reading.lemmas).items():
            sides = [of(topic, text.lemmas) for text in scene.references]
            agree = sum(side in taken for taken in sides)
            against = [
                next((w for other, w in taken.items() if excludes(side, other)), None)
                for taken in sides
                if side not in taken
            ]
            meant = [w for w in against if w is not None]
            if len(meant) > agree:
                last = word.rpartition(" ")[2]
                yield contradiction(
                    scene,
                    f"wrong {topic}",
                    (word,),
                    said=word,
                    meant=meant,
                    words=word,
                    mentions=len(meant) + agree,
                    place=reading.words.index(last) + 1 if last in reading.words else 0,
                    agree=agree,
                )


# Wrong negations: things that one side denies ("no", "without") and the other has.


def detect_negations(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each thing that one side has and the other denies."""
    lexicon, reading = scene.lexicon, scene.candidate
    if not any(text.denied for text in (reading, *scene.references)):
        return
    for noun in dict.fromkeys(reading.denied):
        having = [t for t in scene.references if _has(t, noun, lexicon)]
        agree = sum(_denies(t, noun, lexicon) for t in scene.references)
        if having and not agree:
            yield _detection(scene, noun, f"no {noun}", len(having))
    for thing in reading.things:
        denying = sum(_denies(t, thing.name, lexicon) for t in scene.references)
        agree = sum(_has(t, thing.name, lexicon) for t in scene.references)
        if denying and not agree:
            yield _detection(scene, thing.name, reading.as_written(thing), denying)


def _denies(text: Reading, noun: str, lexicon: Lexicon) -> bool:
    grade = lexicon.nouns.grade
    return any(grade(noun, other) in NAMING for other in text.denied)


def _has(text: Reading, noun: str, lexicon: Lexicon) -> bool:
    grade = lexicon.nouns.grade
    named = any(grade(noun, thing.name) in NAMING for thing in text.things)
    return named and not _denies(text, noun, lexicon)


def _detection(
    scene: AlignedScene, noun: str, words: str, references: int
) -> Detection:
    conclusive = references >= scene.enough
    evidence = {"mentions": references, "conclusive": conclusive}
    return detection_of(scene, "wrong negation", (noun,), words, references, **evidence)
