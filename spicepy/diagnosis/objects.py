"""Objects: missed, invented or confused with another; places and garments apart.

In: a `Scene` and its classes. Out: `Finding`s.

A candidate's noun is invented if no reference has it, a related noun or the word itself
in any role; confused if a sibling ("cat" for "dog") is what the references have there.
Where something happens, another place than the references' is a wrong place.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from spicepy.diagnosis.classes import ObjectClass, distinct, stands_in
from spicepy.diagnosis.confidence import is_missed, would_be_named
from spicepy.diagnosis.implied import (
    goes_without_saying,
    is_absent,
    is_implied,
    is_joined,
    is_said_otherwise,
)
from spicepy.diagnosis.nouns import (
    grade,
    is_body_part,
    is_known,
    is_living,
    is_person,
    is_solid,
    may_be_confused,
    modifiers,
    region,
)
from spicepy.diagnosis.parts import in_its_part
from spicepy.diagnosis.places import (
    is_beside,
    is_handled,
    is_located,
    is_place,
    is_site,
    is_told,
    is_underfoot,
    is_underneath,
    stands_beside,
    tells_place,
    where,
)
from spicepy.diagnosis.reading import Thing
from spicepy.diagnosis.values import Finding, Kind, Scene
from spicepy.diagnosis.words import load_words
from spicepy.diagnosis.written import alone, instead

_UNLIKE: Final = ("sibling", "other")
_ENOUGH: Final = 2
"""References that must have a noun before another one is confused with it."""


def objects(
    scene: Scene,
    groups: Sequence[ObjectClass],
    lonely: Sequence[Thing],
    explained: frozenset[int] = frozenset(),
) -> Iterator[Finding]:
    """Missed, invented and confused objects, wrong places and garments.

    `explained` are the ids of things, of any text, that another finding is about. If
    the candidate says where it happens, and a reference confirms it, other places are
    not missed.
    """
    unsaid = [g for g in groups if not g.said and not _is_known(scene, g)]
    missed = [g for g in unsaid if is_known(g.name) and not _goes_unsaid(g.name)]
    new = [thing for thing in lonely if not stands_in(thing, scene.references)]
    left = [thing for thing in new if id(thing) not in explained]
    found, taken = _new(scene, left, missed, where(scene, unsaid))
    yield from found
    named = [thing for thing in scene.candidate.things if thing not in new]
    for word in _invented_words(scene, named):
        # A part of a name may be no thing.
        image_id, members = scene.image_id, (word,)
        yield Finding(image_id, "invented object", members, words=word, sure=False)
    told = is_told(scene, groups)
    for group in missed:
        elsewhere = told and tells_place(scene, group)
        said = elsewhere or _goes_by_another_name(group, groups)
        said = said or is_implied(group.name, [scene.candidate])
        if not (group.name in taken or said or _is_part(group, explained)):
            image_id, members = scene.image_id, (group.name,)
            support = group.support
            yield Finding(
                image_id,
                "missed object",
                members,
                references=support,
                sure=is_missed(scene, group),
            )


def _is_part(group: ObjectClass, explained: frozenset[int]) -> bool:
    """Whether most references that have a class have it in what is explained."""
    parts = sum(
        any(id(thing) in explained for thing in own) for own in group.of_reference
    )
    return 2 * parts > group.support


def _goes_by_another_name(group: ObjectClass, groups: Sequence[ObjectClass]) -> bool:
    """Whether the candidate has what other references have in its stead.

    Who says bus misses no vehicle; a leopard for some is a cheetah for others, if
    nobody sees both.
    """
    if any(
        grade(thing.name, group.name) == "more specific"
        for other in groups
        for thing in other.said
    ):
        return True
    return any(
        other.said
        and may_be_confused(group.name, other.name)
        and grade(group.name, other.name) == "sibling"
        and not any(a and b for a, b in zip(group.of_reference, other.of_reference))
        for other in groups
    )


def _is_known(scene: Scene, group: ObjectClass) -> bool:
    """Whether the candidate has the word, or one for the same, in another role."""
    texts = [scene.candidate]
    return any(stands_in(thing, texts) for thing in group.things) or is_said_otherwise(
        group.name, texts
    )


def _goes_unsaid(noun: str) -> bool:
    """Whether a caption may leave a thing out: the ground, a hand."""
    return noun in load_words().backgrounds or is_body_part(noun)


def _new(
    scene: Scene,
    things: Sequence[Thing],
    missed: Sequence[ObjectClass],
    place: ObjectClass | None,
) -> tuple[list[Finding], set[str]]:
    """Findings of what no reference has, and the classes that it stands for.

    `place` is where the references have it happen.
    """
    found: list[Finding] = []
    taken: set[str] = set()
    for thing in distinct(things):
        left = [group for group in missed if group.name not in taken]
        if _may_be_there(scene, thing, missed) or goes_without_saying(scene, thing):
            found.append(alone(scene, "unsupported object", thing))
        elif (meant := _sibling(scene, thing, left)) is not None:
            taken.add(meant.name)
            kind: Kind = "confused object"
            found.append(instead(scene, kind, thing, meant.name, meant.support))
        elif place is not None and _is_elsewhere(scene, thing, place):
            found.append(alone(scene, "unsupported object", thing))
        elif place is not None and _is_for(scene, thing, place):
            taken.add(place.name)
            kind = "wrong place"
            found.append(instead(scene, kind, thing, place.name, place.support))
        elif _is_left_open(scene, thing, place):
            found.append(alone(scene, "unsupported object", thing))
        else:
            sure = would_be_named(scene, thing.name)
            found.append(alone(scene, "invented object", thing, sure=sure))
    return found, taken


def _sibling(
    scene: Scene, thing: Thing, missed: Sequence[ObjectClass]
) -> ObjectClass | None:
    """The class that a thing is confused with: half of the references have it there.

    A table is no bench that someone got wrong, unless the references have them sit on
    the table; the bench is just invented.
    """
    if region(thing.name) is not None:
        return None
    needed = max(min(_ENOUGH, len(scene.references)), len(scene.references) / 2)
    return next(
        (
            group
            for group in missed
            if group.support >= needed
            and grade(thing.name, group.name) == "sibling"
            and may_be_confused(thing.name, group.name)
            and in_its_part(scene, thing, group.of_reference)
        ),
        None,
    )


def _may_be_there(scene: Scene, thing: Thing, missed: Sequence[ObjectClass]) -> bool:
    """Whether a caption that no reference confirms contradicts none either.

    What someone wears goes unsaid, unless the references tell of other garments.
    """
    if thing.head in load_words().backgrounds or _is_possible(scene, thing):
        return True
    if is_body_part(thing.name):
        return _belongs_to_someone(scene, thing)
    if region(thing.name) is not None:
        told = any(region(group.name) and group.support >= _ENOUGH for group in missed)
        return not told and _belongs_to_someone(scene, thing)
    return False


def _is_left_open(scene: Scene, thing: Thing, place: ObjectClass | None) -> bool:
    """Whether the references do not tell what somebody or something stands on."""
    if is_underfoot(thing.name) and is_located(scene.candidate, thing):
        return True
    if place is None:
        return is_underneath(scene.candidate, thing)
    # Who stands near a tree may be in a kitchen; a tower would be seen.
    return is_place(thing.name) and is_located(scene.candidate, thing)


def _is_for(scene: Scene, thing: Thing, place: ObjectClass) -> bool:
    """Whether a thing says where, instead of the place of the references.

    A plate tells no place, and a kitchen is no other place than a tree.
    """
    if not is_located(scene.candidate, thing):
        return False
    if is_site(thing.name):
        return is_site(place.name)
    return not is_handled(thing.name)


def _is_elsewhere(scene: Scene, thing: Thing, place: ObjectClass) -> bool:
    """Whether both can be true: in front of a shop, on a street."""
    return is_beside(scene.candidate, thing) and not stands_beside(scene, place)


def _is_possible(scene: Scene, thing: Thing) -> bool:
    """Whether the candidate is in doubt: "possibly a fence", "a fox or a dog"."""
    reading = scene.candidate
    return thing.place > reading.hedged or thing.place in reading.choices


def _belongs_to_someone(scene: Scene, thing: Thing) -> bool:
    """Whether the candidate gives a part of a body, or a garment, to a living being."""
    things, belonging = scene.candidate.things, load_words().belonging
    return any(
        how in belonging and things[target] is thing and is_living(things[source].name)
        for source, how, target in scene.candidate.relations
    )


def _invented_words(scene: Scene, known: Sequence[Thing]) -> Iterator[str]:
    """Nouns beside or inside names that nothing in the references is like.

    "A carrot car" is a made-up name: its first word is a thing that must be there.
    """
    names = {other.name for text in scene.references for other in text.things}
    names |= {word for name in names for word in name.split(" ")}
    names -= load_words().generic
    sure = (thing for thing in known if not _is_possible(scene, thing))
    inside = (word for thing in sure for word in modifiers(thing.name))
    others = (
        word
        for word in scene.candidate.others
        if is_solid(word) and not is_person(word) and not is_absent(scene, word)
    )
    for word in dict.fromkeys((*inside, *others)):
        there = any(word in text.lemmas for text in scene.references)
        there = there or is_joined(scene, word) or is_implied(word, scene.references)
        plain = word in load_words().no_things or word in load_words().backgrounds
        if not there and not plain and all(grade(word, n) in _UNLIKE for n in names):
            yield word
