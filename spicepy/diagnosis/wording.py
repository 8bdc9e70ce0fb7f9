"""Wording: the candidate's nouns for what the references have, too.

In: a `Scene` and a class that both have. Out: `Finding`s: a noun that is less or more
specific than all that the references say, a garment of another sort, or another thing
of the same general sort ("pizza" where one reference has food, but most have pasta).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from spicepy.diagnosis.classes import ObjectClass, distinct, stands_in
from spicepy.diagnosis.confidence import is_worn, would_be_named
from spicepy.diagnosis.counting import known
from spicepy.diagnosis.nouns import (
    ABOUT_ONE_THING,
    Grade,
    grade,
    is_concrete,
    is_person,
    may_be_confused,
    region,
)
from spicepy.diagnosis.people import contradict
from spicepy.diagnosis.reading import Thing
from spicepy.diagnosis.values import Finding, Kind, Scene
from spicepy.diagnosis.words import load_words
from spicepy.diagnosis.written import alone, instead

_WORDINGS: Final[tuple[tuple[Grade, Kind], ...]] = (
    ("more specific", "more specific"),
    ("more general", "less specific"),
)
_VOUCHING: Final[tuple[Grade, ...]] = ("same", "more general", "related")
"""Grades of a noun that a reference confirms; "food" does not confirm a pizza."""
_RIVALS: Final[frozenset[Grade]] = frozenset({"related", "sibling"})
"""Grades of a noun that says another thing of the same sort."""
_ENOUGH: Final = 2
"""References that must have another thing of the same general sort."""


def wordings(scene: Scene, group: ObjectClass) -> Iterator[Finding]:
    """What is to be said of the candidate's nouns for a class."""
    for thing in distinct(group.said):
        if not stands_in(thing, scene.references):
            found = _wording(scene, thing, group)
            if found is not None:
                yield found


def _wording(scene: Scene, thing: Thing, group: ObjectClass) -> Finding | None:
    grades = {other.name: grade(thing.name, other.name) for other in group.things}
    about = set(grades.values()) & set(ABOUT_ONE_THING)
    if "same" in about:
        return None
    rival = _rival(scene, thing)
    if region(thing.name) is not None:
        return _garment(scene, thing, group, rival, grades if about else {})
    if rival is not None:
        return _confused(scene, thing, *rival)
    words = load_words()
    if thing.name in words.generic or not is_concrete(thing.name):
        return None
    return _specific(scene, thing, group, grades)


def _is_same(scene: Scene, thing: Thing, group: ObjectClass) -> bool:
    """Whether a thing may be the one that the references tell of, in other words.

    No truck is a vehicle that others call a car, no eagle a bird that they call a hawk,
    and beside a horse a foal is another one. A man is none of the two that others call
    people, and nobody else if a reference has a woman; a crowd is no special sort of
    people.
    """
    if thing.head in load_words().crowds or len(group.said) > 1:
        return False
    if not is_person(thing.name):
        grades = (grade(thing.name, t.name) for r in scene.references for t in r.things)
        return _RIVALS.isdisjoint(grades)
    if any(contradict(thing, other) for other in group.things):
        return False
    general = (
        [t for t in own if grade(thing.name, t.name) == "more specific"]
        for own in group.of_reference
    )
    return thing.amount is None or all(
        any(thing.amount.meets(a) for a in known(own)) for own in general if known(own)
    )


def _garment(
    scene: Scene,
    thing: Thing,
    group: ObjectClass,
    rival: tuple[str, int] | None,
    grades: Mapping[str, Grade],
) -> Finding | None:
    """A garment of another sort; an outfit may be any, and who wears one is open.

    `grades` are empty if the class has only other garments for the same region.
    """
    general = load_words().any_garment
    if not general.isdisjoint((group.name, group.name.rpartition(" ")[2], thing.head)):
        return None
    kind: Kind = "wrong clothing"
    if grades and rival is None:
        return _specific(scene, thing, group, grades)
    meant, support = rival if grades and rival else (group.name, group.support)
    return instead(
        scene, kind, thing, meant, support, sure=is_worn(scene, thing, meant, support)
    )


def _confused(scene: Scene, thing: Thing, rival: str, support: int) -> Finding:
    """Taken for another thing, or just invented.

    Fewer than half of the references tell that it is not there, but not what it was
    taken for.
    """
    half = 2 * support >= len(scene.references)
    if half and may_be_confused(thing.name, rival):
        return instead(scene, "confused object", thing, rival, support)
    sure = would_be_named(scene, thing.name)
    return alone(scene, "invented object", thing, sure=sure)


def _specific(
    scene: Scene, thing: Thing, group: ObjectClass, grades: Mapping[str, Grade]
) -> Finding | None:
    """A noun that is less or more specific than that of enough references."""
    names = Counter(other.name for other in group.things)
    for wanted, kind in _WORDINGS:
        if wanted == "more specific" and not _is_same(scene, thing, group):
            continue
        if wanted == "more general" and _says_more(scene, group, grades):
            continue
        name = next((n for n, _ in names.most_common() if grades[n] == wanted), None)
        support = sum(
            any(grades[other.name] == wanted for other in own)
            for own in group.of_reference
        )
        if name is not None and support >= min(_ENOUGH, len(scene.references)):
            return instead(scene, kind, thing, name, support)
    return None


def _says_more(scene: Scene, group: ObjectClass, grades: Mapping[str, Grade]) -> bool:
    """Whether a candidate has the special word, too: "food with tomatoes"."""
    special = (t for t in group.things if grades[t.name] == "more general")
    return any(stands_in(t, [scene.candidate]) for t in special)


def _rival(scene: Scene, thing: Thing) -> tuple[str, int] | None:
    """What most references have where only a general word fits the candidate's.

    With the number of references that have it.
    """
    if is_person(thing.name) or thing.head in load_words().backgrounds:
        return None
    rivals: Counter[str] = Counter()
    against = vouching = 0
    for text in scene.references:
        own = {other.name: grade(thing.name, other.name) for other in text.things}
        alike = any(g in _VOUCHING for g in own.values())
        others = [n for n, g in own.items() if _excludes(scene, thing, n, g)]
        rivals.update(others)
        against += bool(others)
        vouching += alike
    if against < min(_ENOUGH, len(scene.references)) or against <= vouching:
        return None
    return rivals.most_common(1)[0][0], against


def _excludes(scene: Scene, thing: Thing, name: str, graded: Grade) -> bool:
    """Whether a reference's noun is another thing of the same sort, and not said."""
    if region(thing.name) != region(name):
        return False
    if graded != "sibling" and not (
        graded == "other" and _same_sort(scene, thing.name, name)
    ):
        return False
    return name not in scene.candidate.lemmas and not any(
        other.name != thing.name and grade(other.name, name) in ABOUT_ONE_THING
        for other in scene.candidate.things
    )


def _same_sort(scene: Scene, said: str, name: str) -> bool:
    """Whether a general word of the references is above both nouns."""
    generic = load_words().generic
    return any(
        other.name not in generic
        and grade(said, other.name) == "more specific"
        and grade(name, other.name) == "more specific"
        for text in scene.references
        for other in text.things
    )
