"""Wording: the candidate's nouns for what the references have, too.

In: a `Scene` and a class that both have. Out: `Finding`s: a noun that is less or more
specific than all that the references say, a garment of another sort, or another thing
of the same general sort ("pizza" where one reference has food, but most have pasta).
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from spicepy.diagnosis.classes import ObjectClass, distinct, stands_in
from spicepy.diagnosis.nouns import (
    ABOUT_ONE_THING,
    Grade,
    grade,
    is_concrete,
    is_person,
    may_be_confused,
    region,
)
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
    names = Counter(other.name for other in group.things)
    grades = {name: grade(thing.name, name) for name in names}
    about = set(grades.values()) & set(ABOUT_ONE_THING)
    if "same" in about:
        return None
    worn = region(thing.name) is not None
    general = load_words().any_garment
    if worn and {group.name, group.name.rpartition(" ")[2], thing.head} & general:
        return None
    if worn and not about:
        if group.support < min(_ENOUGH, len(scene.references)):
            return None
        return instead(scene, "wrong clothing", thing, group.name, group.support)
    if (rival := _rival(scene, thing)) is not None:
        if worn:
            return instead(scene, "wrong clothing", thing, *rival)
        # Fewer than half tell that it is not there, but not what it was taken for.
        half = 2 * rival[1] >= len(scene.references)
        if not (half and may_be_confused(thing.name, rival[0])):
            return alone(scene, "invented object", thing)
        return instead(scene, "confused object", thing, *rival)
    words = load_words()
    if thing.name in words.generic | words.any_garment or not is_concrete(thing.name):
        return None
    for wanted, kind in _WORDINGS:
        name = next((n for n, _ in names.most_common() if grades[n] == wanted), None)
        support = sum(
            any(grades[other.name] == wanted for other in own)
            for own in group.of_reference
        )
        if name is not None and support >= min(_ENOUGH, len(scene.references)):
            return instead(scene, kind, thing, name, support)
    return None


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
