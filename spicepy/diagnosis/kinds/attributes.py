"""Wrong colours, sizes and materials: the candidate's values against the references'.

In: an aligned scene. Out: an observation for each class to which the references give a
value, and a finding if the candidate's value is wrong.

A value is right if any reference gives it to a thing of the class: red is right for
"red and white". It is wrong if all references that give a value contradict it. A value
that no reference gives or contradicts is neither right nor wrong.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.evidence.belongings import is_of_somebody_else
from spicepy.diagnosis.findings import Observation
from spicepy.diagnosis.kinds.detection import Detection
from spicepy.diagnosis.kinds.wrong_values import detection, observe, unanswered
from spicepy.diagnosis.lexicon.aspects import Aspect, Value
from spicepy.diagnosis.lexicon.nouns import NAMING
from spicepy.diagnosis.object_classes import (
    ExpectedValues,
    ObjectClass,
    known_amounts,
)

_ASPECTS: Final[tuple[Aspect, ...]] = ("color", "size", "material")


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield an observation for each class and aspect with a value in the references."""
    for aspect in _ASPECTS:
        for group in scene.classes:
            expected = group.expected.get(aspect)
            if expected is not None:
                seen, wrong = _observed(scene, group, expected)
                if wrong is not None and is_of_somebody_else(scene, wrong):
                    seen, wrong = unanswered(scene, group, expected), None
                conclusive = wrong is not None and _is_conclusive(
                    scene, group, wrong, aspect
                )
                yield detection(
                    scene, group, seen, wrong, conclusive=conclusive, exclusive=True
                )


def _observed(
    scene: AlignedScene, group: ObjectClass, expected: ExpectedValues
) -> tuple[Observation, Thing | None]:
    """Return the observation, and the thing whose value is wrong, None without one."""
    aspect, numbers = expected.aspect, expected.numbers
    about = {v: thing for thing in group.said for v in scene.values(thing, aspect)}
    right = [value for value in numbers if value in about]
    wrong = [v for v in about if _contradicts(scene, aspect, v, numbers)]
    if wrong and not (right and len(about) > len(numbers)):
        unmatched = [v for v, _ in numbers.most_common() if v not in about]
        meant = unmatched[0] if unmatched else expected.most_said
        seen = observe(scene, expected, meant, wrong[0], "wrong")
        return seen, about[wrong[0]]
    if right:
        return observe(scene, expected, right[0], right[0], "right"), None
    return unanswered(scene, group, expected), None


def _contradicts(
    scene: AlignedScene, aspect: Aspect, value: Value, others: Iterable[Value]
) -> bool:
    contradict = scene.lexicon.aspects.contradict
    return all(contradict(aspect, value, other) for other in others)


def _is_conclusive(
    scene: AlignedScene, group: ObjectClass, thing: Thing, aspect: Aspect
) -> bool:
    """Return whether enough references give the same thing another value.

    Only nouns that surely name the thing count (a vest is no shirt), and values that
    agree in part do not contradict each other ("black and yellow", "yellow"). A single
    reference is enough if there is only one such thing, or, for a garment, only one
    person.
    """
    nouns, own = scene.lexicon.nouns, scene.values(thing, aspect)
    if not group.expected[aspect].numbers.keys().isdisjoint(own):
        return False
    giving = sum(
        any(
            nouns.grade(thing.name, t.name) in NAMING and scene.values(t, aspect)
            for t in things
        )
        for things in group.of_reference
    )
    if giving >= scene.enough:
        return True
    worn = nouns.is_worn_or_part(thing.name) or nouns.is_person(thing.name)
    alone = _has_one_person(scene) if worn else all(map(_is_one, group.of_reference))
    return giving > 0 and alone


def _has_one_person(scene: AlignedScene) -> bool:
    """Return whether all references have at most one person."""
    is_person = scene.lexicon.nouns.is_person
    of_text = ([t for t in r.things if is_person(t.name)] for r in scene.references)
    return all(map(_is_one, of_text))


def _is_one(things: Iterable[Thing]) -> bool:
    """Return whether there is at most one thing, with an amount of at most one."""
    things = list(things)
    return len(things) < 2 and all(amount.low < 2 for amount in known_amounts(things))
