"""Nouns that no reference has: invented and confused objects, wrong places.

In: an aligned scene. Out: a finding for each noun of the candidate that no reference
has, or has a word for in any role. It is confused if a sibling ("cat" for "dog") is
what the references have there; a wrong place if it says where; wrong clothing if it is
worn; else invented.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from spicepy.diagnosis.alignment import AlignedScene, PooledReferences
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.evidence.implications import (
    goes_without_saying,
    is_absent,
    is_implied,
    is_joined,
)
from spicepy.diagnosis.evidence.locations import (
    is_beside,
    is_located,
    is_underneath,
    place_of,
    stands_beside,
)
from spicepy.diagnosis.evidence.semantic_roles import is_in_its_role
from spicepy.diagnosis.findings import Finding, Kind
from spicepy.diagnosis.kinds.detection import Detection, noun_finding
from spicepy.diagnosis.kinds.missed import missable
from spicepy.diagnosis.object_classes import ObjectClass, distinct, stands_in


def detect(scene: AlignedScene) -> Iterator[Detection]:
    """Yield a finding for each noun that no reference has, and for words inside names.

    The things of other findings are left out.
    """
    new = [t for t in scene.unmatched if not stands_in(t, scene.pooled.words)]
    left = [thing for thing in new if thing not in scene.explained]
    yield from _of_things(scene, left)
    named = [thing for thing in scene.candidate.things if thing not in new]
    for word in _invented_words(scene, named):
        image_id, kind = scene.image_id, "invented object"
        yield Detection(Finding(image_id, kind, (word,), words=word))


def _of_things(scene: AlignedScene, things: Sequence[Thing]) -> Iterator[Detection]:
    """Yield findings of nouns that no reference has; each class is taken once."""
    missed, place = missable(scene), place_of(scene)
    taken: set[str] = set()
    for thing in distinct(things):
        if goes_without_saying(scene, thing):
            continue
        left = [group for group in missed if group.name not in taken]
        open_ = _may_be_there(scene, thing, missed)
        meant = None if open_ else _sibling(scene, thing, left)
        kind = "confused object" if meant else _kind(scene, thing)
        settled = not open_ and not _is_left_open(scene, thing, place)
        if not (open_ or meant or place is None) and _is_for(scene, thing, place):
            kind, meant = "wrong place", place
            settled = not _is_elsewhere(scene, thing, place)
        told = (meant.name, meant.support) if meant else ()
        taken.update(told[:1])
        yield Detection(
            noun_finding(scene, kind, thing, *told),
            rules_out=("missed", meant.name) if meant else None,
            place=thing.place,
            settled=settled,
        )


def _kind(scene: AlignedScene, thing: Thing) -> Kind:
    """Return the kind of a noun that nothing in the references corresponds to."""
    if scene.lexicon.nouns.region(thing.name) is not None:
        return "wrong clothing"
    where = is_located(scene.candidate, thing, scene.lexicon)
    site = scene.lexicon.places.is_site(thing.name)
    return "wrong place" if where and site else "invented object"


def _sibling(
    scene: AlignedScene, thing: Thing, missed: Sequence[ObjectClass]
) -> ObjectClass | None:
    """Return the class that a thing is confused with, which half of them have.

    A table is no bench that someone got wrong, unless the references have them sit on
    the table; the bench is just invented.
    """
    nouns = scene.lexicon.nouns
    if nouns.region(thing.name) is not None:
        return None
    needed = max(scene.enough, len(scene.references) / 2)
    return next(
        (
            group
            for group in missed
            if group.support >= needed
            and nouns.grade(thing.name, group.name) == "sibling"
            and nouns.may_be_confused(thing.name, group.name)
            and is_in_its_role(scene, thing, group.of_reference)
        ),
        None,
    )


def _may_be_there(
    scene: AlignedScene, thing: Thing, missed: Sequence[ObjectClass]
) -> bool:
    """Return whether a caption that no reference confirms contradicts none either.

    Clothes go unsaid, unless the references tell of other garments.
    """
    nouns, needed = scene.lexicon.nouns, scene.thresholds.references
    if thing.head in scene.lexicon.unsaid.backgrounds:
        return True
    if nouns.is_body_part(thing.name):
        return _belongs_to_someone(scene, thing)
    if nouns.region(thing.name) is not None:
        told = any(nouns.region(g.name) and g.support >= needed for g in missed)
        return not told and _belongs_to_someone(scene, thing)
    return False


def _is_left_open(scene: AlignedScene, thing: Thing, place: ObjectClass | None) -> bool:
    """Return whether the references leave open what is stood on."""
    said, places = (scene.candidate, thing, scene.lexicon), scene.lexicon.places
    if places.is_underfoot(thing.name) and is_located(*said):
        return True
    if place is None:
        return is_underneath(*said)
    # Who stands near a tree may be in a kitchen; a tower would be seen.
    return places.is_place(thing.name) and is_located(*said)


def _is_for(scene: AlignedScene, thing: Thing, place: ObjectClass) -> bool:
    """Return whether a thing says where, instead of the place of the references.

    A plate tells no place, and a kitchen is no other place than a tree. Who is near a
    bench may be in a field.
    """
    places = scene.lexicon.places
    if not is_located(scene.candidate, thing, scene.lexicon):
        return False
    if places.is_site(thing.name):
        return places.is_site(place.name)
    if _is_elsewhere(scene, thing, place):
        return False
    return not places.is_handled(thing.name)


def _is_elsewhere(scene: AlignedScene, thing: Thing, place: ObjectClass) -> bool:
    """Return whether both can be true: in front of a shop, on a street."""
    beside = is_beside(scene.candidate, thing, scene.lexicon)
    return beside and not stands_beside(scene, place)


def _belongs_to_someone(scene: AlignedScene, thing: Thing) -> bool:
    """Return whether somebody has the part of a body or the garment."""
    things, is_living = scene.candidate.things, scene.lexicon.nouns.is_living
    belonging = scene.lexicon.relations.belonging
    return any(
        how in belonging and things[target] is thing and is_living(things[source].name)
        for source, how, target in scene.candidate.relations
    )


def _invented_words(scene: AlignedScene, known: Sequence[Thing]) -> Iterator[str]:
    """Yield nouns beside or inside names that nothing in the references is like.

    "A carrot car" is a made-up name: its first word is a thing that must be there.
    """
    nouns = scene.lexicon.nouns
    certain = (thing for thing in known if scene.candidate.claims(thing))
    inside = (word for thing in certain for word in nouns.modifiers(thing.name))
    others = (
        word
        for word in scene.candidate.others
        if nouns.is_solid(word)
        and not nouns.is_person(word)
        and not is_absent(scene, word)
    )
    words = list(dict.fromkeys((*inside, *others)))
    names = scene.pooled.once(_names) if words else set()
    for word in words:
        unlike = all(nouns.grade(word, n) in ("sibling", "other") for n in names)
        if unlike and not _goes_unnoticed(scene, word):
            yield word


def _names(pooled: PooledReferences) -> set[str]:
    """Return the names of the references' things and the words in them."""
    names = {other.name for text in pooled.texts for other in text.things}
    names |= {word for name in names for word in name.split(" ")}
    return names - pooled.lexicon.nouns.generic


def _goes_unnoticed(scene: AlignedScene, word: str) -> bool:
    """Return whether a word is in the references, is implied, or names no thing."""
    lexicon, told = scene.lexicon, scene.pooled.words
    pairs, likeness = pairwise(scene.candidate.words), lexicon.names.likeness
    if any(first == word and second in likeness for first, second in pairs):
        return True
    if word in told or is_joined(scene, word):
        return True
    if word in lexicon.names.no_things or word in lexicon.unsaid.backgrounds:
        return True
    return is_implied(word, told, lexicon)
