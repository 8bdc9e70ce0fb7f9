"""Attributes: colour, size, material, gender and age, candidate against references.

In: an `ObjectClass` and an aspect. Out: an `Observation` where the references give the
things of the class a value.

A value is right if any reference gives it to a thing of the class, so red is right for
red and white; it is wrong if the references that give one all contradict it. What no
reference says is neither.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from spicepy.diagnosis import people
from spicepy.diagnosis.amounts import total
from spicepy.diagnosis.classes import ObjectClass
from spicepy.diagnosis.counting import known
from spicepy.diagnosis.reading import Thing
from spicepy.diagnosis.values import Observation, Scene, Verdict
from spicepy.diagnosis.words import REMEMBERED, Aspect, Value, load_words

_ENOUGH: Final = 2
"""References that must contradict a gender or an age."""


def attribute(
    scene: Scene, group: ObjectClass, aspect: Aspect
) -> tuple[Observation, Thing | None] | None:
    """The observation of an aspect and the thing whose value is wrong, if any."""
    if aspect in _OF_PEOPLE:
        if not group.of_people:
            return None
        return _of_people(scene, group, aspect)
    return _of_things(scene, group, aspect)


def values(thing: Thing, aspect: Aspect) -> list[Value]:
    """What a caption says of a thing, one value or several."""
    if aspect in _OF_PEOPLE:
        value = _OF_PEOPLE[aspect](thing)
        return [] if value is None else [value]
    return _among(thing.attributes, aspect) if thing.attributes else []


@lru_cache(REMEMBERED)
def _among(attributes: tuple[str, ...], aspect: Aspect) -> list[Value]:
    words = [w for a in attributes for w in (a, *a.replace("-", " ").split())]
    return load_words().of(aspect, words)


_OF_PEOPLE: Final[Mapping[Aspect, Callable[[Thing], str | None]]] = {
    "gender": people.gender,
    "age": people.age,
}


def _of_things(
    scene: Scene, group: ObjectClass, aspect: Aspect
) -> tuple[Observation, Thing | None] | None:
    expected = _expected(group, aspect)
    if not expected:
        return None
    about = {v: thing for thing in group.said for v in values(thing, aspect)}
    right = [value for value in expected if value in about]
    wrong = [v for v in about if _contradicts(aspect, v, expected)]
    support, meant = _number_saying(group, aspect), expected.most_common(1)[0][0]
    if wrong and not (right and len(about) > len(expected)):
        unmatched = [v for v, _ in expected.most_common() if v not in about]
        seen = unmatched[0] if unmatched else meant
        found = _observe(scene, group, aspect, seen, wrong[0], "wrong", support)
        return found, about[wrong[0]]
    if right:
        found = _observe(scene, group, aspect, right[0], right[0], "right", support)
        return found, None
    verdict: Verdict = "unsaid" if group.said else "absent"
    return _observe(scene, group, aspect, meant, None, verdict, support), None


def _of_people(
    scene: Scene, group: ObjectClass, aspect: Aspect
) -> tuple[Observation, Thing | None] | None:
    """Gender and age, person by person: someone in the references must be so."""
    expected = _expected(group, aspect)
    if not expected:
        return None
    support, meant = _number_saying(group, aspect), expected.most_common(1)[0][0]
    said = [(thing, value) for thing in group.said for value in values(thing, aspect)]
    for thing, value in said:
        if value not in expected and _settled(group, aspect, value):
            other = _opposite(aspect, value, expected)
            if other is not None and not _is_extra(group, aspect, other):
                found = _observe(scene, group, aspect, other, value, "wrong", support)
                return found, thing
    if aspect == "gender" and len(expected) > 1 and _all_alike(group, said):
        thing, value = said[-1]
        other = next(v for v in expected if v != value)
        return _observe(scene, group, aspect, other, value, "wrong", support), thing
    if any(value in expected for _, value in said):
        value = next(v for _, v in said if v in expected)
        return _observe(scene, group, aspect, value, value, "right", support), None
    verdict: Verdict = "unsaid" if group.said else "absent"
    return _observe(scene, group, aspect, meant, None, verdict, support), None


def _is_extra(group: ObjectClass, aspect: Aspect, other: Value) -> bool:
    """Whether the candidate has one person of the right sort and one too many."""
    has = any(other in values(thing, aspect) for thing in group.said)
    own = [t.amount for t in group.said if t.amount is not None]
    most = [
        total(amounts).high for amounts in map(known, group.of_reference) if amounts
    ]
    highs = [high for high in most if high is not None]
    if not has or not own or not highs or len(highs) < len(most) / 2:
        return False
    return total(own).low > max(highs)


def _all_alike(group: ObjectClass, said: Sequence[tuple[Thing, Value]]) -> bool:
    """Whether two men are said where most references have a man and a woman."""
    sexes = {value for _, value in said}
    amounts = [thing.amount for thing, _ in said if thing.amount is not None]
    if len(sexes) != 1 or len(said) < len(group.said) or not amounts:
        return False
    [sex] = sexes
    number = total(amounts)
    if number.high != number.low or number.low < 2:
        return False
    against = [_has_fewer(own, sex, number.low) for own in group.of_reference]
    return against.count(True) >= _ENOUGH and against.count(False) == 0


def _has_fewer(things: Sequence[Thing], sex: Value, number: int) -> bool | None:
    """Whether one reference has both sexes, and fewer of this one; None if unclear."""
    own = [t for t in things if people.gender(t) == sex]
    if not own or any(people.gender(t) is None for t in things):
        return None
    amounts = known(own)
    if len(own) == len(things) or len(amounts) < len(own):
        return False if len(own) == len(things) else None
    high = total(amounts).high
    return high is not None and high < number


def _settled(group: ObjectClass, aspect: Aspect, value: Value) -> bool:
    """Whether enough references say another gender or age than the candidate's."""
    against = sum(
        any(_opposed(aspect, value, other) for t in own for other in values(t, aspect))
        for own in group.of_reference
    )
    return against >= min(_ENOUGH, len(group.of_reference))


def _opposite(aspect: Aspect, value: Value, expected: Counter[Value]) -> Value | None:
    return next(
        (v for v, _ in expected.most_common() if _opposed(aspect, value, v)), None
    )


def _opposed(aspect: Aspect, value: Value, other: Value) -> bool:
    """A man is no child and no woman; a youth may be called either."""
    if aspect == "age":
        return {value, other} == {"child", "adult"}
    return value != other


def _expected(group: ObjectClass, aspect: Aspect) -> Counter[Value]:
    return group.once(aspect, lambda: _said_by(group.of_reference, aspect))


def _number_saying(group: ObjectClass, aspect: Aspect) -> int:
    """Return how many references give the class a value; some give it several."""
    return sum(
        any(values(thing, aspect) for thing in own) for own in group.of_reference
    )


def _said_by(of_reference: Sequence[Iterable[Thing]], aspect: Aspect) -> Counter[Value]:
    """Value → how many references say it."""
    found: Counter[Value] = Counter()
    for things in of_reference:
        said = [value for thing in things for value in values(thing, aspect)]
        for value in dict.fromkeys(said):
            found[value] += 1
    return found


def _contradicts(aspect: Aspect, value: Value, expected: Iterable[Value]) -> bool:
    words = load_words()
    return all(words.contradict(aspect, value, other) for other in expected)


def _observe(
    scene: Scene,
    group: ObjectClass,
    aspect: Aspect,
    expected: Value,
    said: Value | None,
    verdict: Verdict,
    references: int,
) -> Observation:
    image_id, name = scene.image_id, group.name
    return Observation(image_id, aspect, name, expected, said, verdict, references)
