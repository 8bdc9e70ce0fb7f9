"""Objects: missed, invented, confused with another, or named by another word.

In: a `Scene` and its classes. Out: `Finding`s.

A candidate's noun is invented if no reference has it, a related noun or the word itself
in any role; confused if a sibling ("cat" for "dog") is what the references have there.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from spicepy.diagnosis.classes import ObjectClass, stands_in
from spicepy.diagnosis.nouns import (
    ABOUT_ONE_THING,
    grade,
    is_body_part,
    is_living,
    is_solid,
    modifiers,
)
from spicepy.diagnosis.reading import Reading, Thing
from spicepy.diagnosis.values import Finding, Kind, Scene
from spicepy.diagnosis.words import load_words

_UNLIKE = ("sibling", "other")


def objects(
    scene: Scene, groups: Sequence[ObjectClass], lonely: Sequence[Thing]
) -> Iterator[Finding]:
    """Missed, invented and confused objects, and nouns less or more specific."""
    missed = [g for g in groups if not g.said and not _is_known(scene, g)]
    new = [thing for thing in lonely if not stands_in(thing, scene.references)]
    found, taken = _new(scene, new, missed)
    yield from found
    named = [thing for thing in scene.candidate.things if thing not in new]
    for word in _invented_words(scene, named):
        yield Finding(scene.image_id, "invented object", (word,), words=word)
    for group in missed:
        if group.name not in taken:
            image_id, members = scene.image_id, (group.name,)
            support = group.support
            yield Finding(image_id, "missed object", members, references=support)
    for group in groups:
        for thing in _distinct(group.said):
            yield from _wording(scene, thing, group)


def _is_known(scene: Scene, group: ObjectClass) -> bool:
    """Whether the candidate has the word in another role, or need not have it."""
    if _goes_unsaid(group.name):
        return True
    return any(stands_in(thing, [scene.candidate]) for thing in group.things)


def _new(
    scene: Scene, things: Sequence[Thing], missed: Sequence[ObjectClass]
) -> tuple[list[Finding], set[str]]:
    """Findings of what no reference has, and the classes that it stands for."""
    found: list[Finding] = []
    taken: set[str] = set()
    for thing in _distinct(things):
        kind: Kind = "confused object"
        meant = _sibling(thing, missed, taken)
        if meant is None:
            kind, meant = "wrong place", _place(thing, missed)
        if meant is not None:
            taken.add(meant.name)
            found.append(_instead(scene, kind, thing, meant.name, meant.support))
        elif _may_be_there(scene, thing):
            found.append(_finding(scene, "unsupported object", thing))
        else:
            found.append(_finding(scene, "invented object", thing))
    return found, taken


def as_written(thing: Thing, reading: Reading) -> str:
    """A thing in the words of its caption."""
    if 0 < thing.place <= len(reading.words):
        start = max(0, thing.place - len(thing.name.split(" ")))
        return " ".join(reading.words[start : thing.place])
    return thing.name


def _goes_unsaid(noun: str) -> bool:
    """Whether a caption may leave a thing out: the ground, a hand."""
    return noun in load_words().backgrounds or is_body_part(noun)


def _may_be_there(scene: Scene, thing: Thing) -> bool:
    """Whether a caption that no reference confirms contradicts none either."""
    if thing.head in load_words().backgrounds:
        return True
    if is_body_part(thing.name):
        return any(is_living(other.name) for other in scene.candidate.things)
    return thing.place > scene.candidate.hedged


def _invented_words(scene: Scene, known: Sequence[Thing]) -> Iterator[str]:
    """Nouns beside or inside names that nothing in the references is like.

    "A carrot car" is a made-up name: its first word is a thing that must be there.
    """
    names = {other.name for text in scene.references for other in text.things}
    names |= {word for name in names for word in name.split(" ")}
    inside = (word for thing in known for word in modifiers(thing.name))
    others = (word for word in scene.candidate.others if is_solid(word))
    for word in dict.fromkeys((*inside, *others)):
        there = any(word in text.lemmas for text in scene.references)
        plain = word in load_words().no_things or word in load_words().backgrounds
        if not there and not plain and all(grade(word, n) in _UNLIKE for n in names):
            yield word


def _distinct(things: Sequence[Thing]) -> list[Thing]:
    return list({thing.name: thing for thing in reversed(things)}.values())[::-1]


def _sibling(
    thing: Thing, missed: Sequence[ObjectClass], taken: set[str]
) -> ObjectClass | None:
    return next(
        (
            group
            for group in missed
            if group.name not in taken and grade(thing.name, group.name) == "sibling"
        ),
        None,
    )


def _place(thing: Thing, missed: Sequence[ObjectClass]) -> ObjectClass | None:
    """The place that the references have for one they do not have."""
    words = load_words()
    if words.family(thing.name).isdisjoint(words.places):
        return None
    return next(
        (
            group
            for group in missed
            if group.support > 1
            and not words.family(group.name).isdisjoint(words.places)
        ),
        None,
    )


def _wording(scene: Scene, thing: Thing, group: ObjectClass) -> Iterator[Finding]:
    """Whether a noun is less or more specific than all that the references say."""
    names = Counter(other.name for other in group.things)
    if stands_in(thing, scene.references):
        return
    grades = {name: grade(thing.name, name) for name in names}
    if "same" in grades.values():
        return
    upper = load_words().upper_clothing
    if thing.name in upper and not set(grades.values()) & set(ABOUT_ONE_THING):
        yield _instead(scene, "wrong clothing", thing, group.name, group.support)
        return
    for wanted, kind in _WORDINGS:
        name = next((n for n, _ in names.most_common() if grades[n] == wanted), None)
        if name is not None:
            yield _instead(scene, kind, thing, name, group.support)
            return


_WORDINGS: tuple[tuple[str, Kind], ...] = (
    ("more specific", "more specific"),
    ("more general", "less specific"),
)


def _instead(
    scene: Scene, kind: Kind, thing: Thing, meant: str, references: int
) -> Finding:
    words = as_written(thing, scene.candidate)
    image_id, members = scene.image_id, (thing.name,)
    return Finding(image_id, kind, members, meant, thing.name, references, words)


def _finding(scene: Scene, kind: Kind, thing: Thing) -> Finding:
    words = as_written(thing, scene.candidate)
    return Finding(scene.image_id, kind, (thing.name,), words=words)
