"""Wrong gender and age of people: the candidate's values against the references'.

In: an aligned scene. Out: an observation for each class of people whose gender or age
the references give, and a finding if the candidate contradicts enough of them.

A value is right if the references give it to one of the people.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from spicepy.annotations.amounts import reaches, total
from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.findings import Observation
from spicepy.diagnosis.kinds.detection import Detection
from spicepy.diagnosis.kinds.wrong_values import detection, observe, unanswered
from spicepy.diagnosis.lexicon.aspects import Aspect, Value
from spicepy.diagnosis.object_classes import (
    ExpectedValues,
    ObjectClass,
    known_amounts,
)

_ASPECTS: Final[tuple[Aspect, ...]] = ("gender", "age")


def detect(scene: AlignedScene) -> Iterator[Detection]:
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
    """Return whether the candidate has a person of the value and another one.

    The other one may be as the candidate says, unless enough references give a value to
    each of as many people.
    """
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
