"""Wrong colours, sizes and materials: the candidate's values against the references'.

In: an aligned scene. Out: an observation for each class to which the references give a
value, and a finding if the candidate's value is wrong.

A value is right if any reference gives it to a thing of the class: red is right for
"red and white". It is wrong if all references that give a value contradict it. A value
that no reference gives or contradicts is neither right nor wrong.
"""

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from spicepy.diagnosis.alignment import (
    AlignedScene,
    ExpectedValues,
    ObjectClass,
    PooledReferences,
    known_amounts,
)
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.captions.items import values_of_attribute
from spicepy.diagnosis.context import (
    ClassRole,
    Roles,
    candidate_roles,
    is_of_somebody_else,
    reference_roles,
)
from spicepy.diagnosis.findings import Observation
from spicepy.diagnosis.kinds.detections import (
    Detection,
    detection,
    detection_of,
    observe,
    unanswered,
)
from spicepy.diagnosis.lexicon.aspects import Aspect, Value
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.nouns import NAMING

_ASPECTS: Final[tuple[Aspect, ...]] = ("color", "size", "material")
"""The aspects of things; other detectors compare numbers, gender and age."""


def detect_wrong(scene: AlignedScene) -> Iterator[Detection]:
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
    """Return whether enough references give the same thing another value."""
    # Only nouns that surely name the thing count (a vest is not a shirt), and values
    # that agree in part do not contradict each other ("black and yellow", "yellow"). A
    # single reference is enough if there is only one such thing, or, for a garment,
    # only one person.
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


# Attributes that no reference confirms. Any other finding about the same attribute,
# such as a value that references contradict, replaces it.

_OBSERVED: Final[tuple[Aspect, ...]] = ("count", "gender", "age")
"""The aspects whose values other detectors compare."""


def detect_unconfirmed(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each attribute that no reference gives to such a thing."""
    known: list[tuple[Thing, ObjectClass | None]] = [
        (thing, group) for group in scene.classes for thing in group.said
    ]
    known += [(thing, None) for thing in scene.unmatched]
    verbs = {verb.lemma for verb in scene.candidate.verbs if verb.finite}
    known = [(t, group) for t, group in known if not is_of_somebody_else(scene, t)]
    for thing, group in known:
        for attribute in thing.attributes:
            if attribute not in verbs and _is_property(scene, thing, attribute):
                aspect = _quality(attribute, scene.lexicon)[0]
                if not _is_confirmed(scene, group, attribute, aspect):
                    yield _detection(scene, thing, group, attribute, aspect)


def _detection(
    scene: AlignedScene,
    thing: Thing,
    group: ObjectClass | None,
    attribute: str,
    aspect: Aspect | Literal[""],
) -> Detection:
    words = f"{attribute} {scene.candidate.as_written(thing)}"
    kind = f"wrong {aspect}" if aspect else "unsupported attribute"
    evidence = {"place": thing.place, "mentions": group.support if group else 0}
    return detection_of(scene, kind, (thing.name, attribute), words, **evidence)


def _is_confirmed(
    scene: AlignedScene,
    group: ObjectClass | None,
    attribute: str,
    aspect: Aspect | Literal[""],
) -> bool:
    """Return whether a reference has an attribute: a value only of such a thing."""
    if not aspect:
        return scene.confirms(attribute)
    expected = group.expected.get(aspect) if group is not None else None
    contradict = scene.lexicon.aspects.contradict
    return expected is not None and any(
        not contradict(aspect, said, value)
        for said in values_of_attribute(attribute, aspect, scene.lexicon)
        for value in expected.numbers
    )


def _is_property(scene: AlignedScene, thing: Thing, attribute: str) -> bool:
    """Return whether an attribute says anything but an amount, gender or age."""
    lexicon, noun = scene.lexicon, thing.name
    if any(values_of_attribute(attribute, a, lexicon, noun) for a in _OBSERVED):
        return False
    quantities, names = lexicon.quantities, lexicon.names
    amounts = quantities.vague.keys() | names.no_properties
    return amounts.isdisjoint((attribute, *attribute.split(" ")))


# Misplaced attributes: the references give them to another thing of the candidate.

Quality = tuple[Aspect | Literal[""], object]
"""(aspect, value), or ("", attribute) for attributes of no aspect."""
Qualities = dict[ClassRole, set[Quality]]


def detect_misplaced(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the attributes that references give to another thing."""
    if not any(thing.attributes for thing in scene.candidate.things):
        return
    meant, roles = scene.pooled.once(_reference_qualities), candidate_roles(scene)
    said = _qualities(roles, scene.lexicon)
    groups = {group.name: group for group in scene.classes}
    for thing, here in roles.items():
        for attribute in thing.attributes if here in meant else ():
            quality = _quality(attribute, scene.lexicon)
            if quality in meant[here] or not _is_misplaceable(scene, attribute):
                continue
            if any(
                quality in own
                and role in said
                and quality not in said[role]
                and _has_moved(quality[0], role, meant[here], said[role])
                and _is_sure(scene, groups[role[0]], quality)
                for role, own in meant.items()
                if role != here
            ):
                words = f"{attribute} {scene.candidate.as_written(thing)}"
                yield detection_of(
                    scene,
                    "misplaced attribute",
                    (thing.name, attribute),
                    words,
                    rules_out=("value", thing.name, quality[0]),
                    place=thing.place,
                    conclusive=True,
                )


def _is_sure(scene: AlignedScene, other: ObjectClass, quality: Quality) -> bool:
    """Return whether half of the references with a class give its things a quality."""
    # An attribute in one of five references may be true of both things. Only things
    # count that the candidate names as the reference does.
    grade = scene.lexicon.nouns.grade
    giving = sum(
        any(
            quality == _quality(attribute, scene.lexicon)
            for thing in things
            if any(grade(said.name, thing.name) in NAMING for said in other.said)
            for attribute in thing.attributes
        )
        for things in other.of_reference
    )
    return giving > 0 and 2 * giving >= other.support


def _has_moved(
    aspect: str, role: ClassRole, meant: set[Quality], said: set[Quality]
) -> bool:
    """Return whether a quality is misplaced and not just wrong."""
    # A black shirt for a white one is a wrong value, even if the references have a
    # black guitar, unless the candidate's guitar is white: then both values are
    # exchanged. "A black man" does not have the colour of his shirt. `role` is the
    # thing to which the references give the quality, and to which the candidate gives
    # the qualities `said`.
    if aspect and role[1]:
        return False
    own = {quality for quality in meant if aspect and quality[0] == aspect}
    return not own or not own.isdisjoint(said)


def _reference_qualities(pooled: PooledReferences) -> Qualities:
    """Return the qualities of the references' things."""
    return _qualities(pooled.once(reference_roles), pooled.lexicon)


def _qualities(roles: Roles, lexicon: Lexicon) -> Qualities:
    qualities: Qualities = {}
    for thing, role in roles.items():
        own = qualities.setdefault(role, set())
        own.update(_quality(attribute, lexicon) for attribute in thing.attributes)
    return qualities


def _quality(attribute: str, lexicon: Lexicon) -> Quality:
    """Return the aspect and the value of an attribute, or the attribute itself."""
    for aspect in _ASPECTS:
        if values := values_of_attribute(attribute, aspect, lexicon):
            return aspect, values[0]
    return "", attribute


def _is_misplaceable(scene: AlignedScene, attribute: str) -> bool:
    """Return whether an attribute is not an amount, a verb or part of a compound."""
    lexicon, candidate = scene.lexicon, scene.candidate
    if attribute in lexicon.names.no_properties:
        return False
    if lexicon.aspects.of("count", [attribute]):
        return False
    if _quality(attribute, lexicon)[0]:
        return True
    is_noun = attribute in scene.pooled.once(_nouns) | _heads(candidate.things)
    return not is_noun and all(verb.lemma != attribute for verb in candidate.verbs)


def _nouns(pooled: PooledReferences) -> set[str]:
    """Return the last words of the references' things."""
    return _heads(thing for text in pooled.texts for thing in text.things)


def _heads(things: Iterable[Thing]) -> set[str]:
    return {thing.head for thing in things}
