"""Confidence: whether a finding rests on enough to be believed.

In: a `Scene` and what a finding is about. Out: True or False, for `Finding.sure`.
"""

from collections.abc import Sequence
from typing import Final

from spicepy.diagnosis.attributes import values
from spicepy.diagnosis.classes import ObjectClass
from spicepy.diagnosis.counting import known
from spicepy.diagnosis.likeness import support
from spicepy.diagnosis.nouns import grade, is_person, is_worn_or_part
from spicepy.diagnosis.omission import left_out
from spicepy.diagnosis.places import is_site
from spicepy.diagnosis.reading import Reading, Thing
from spicepy.diagnosis.values import Scene
from spicepy.diagnosis.words import Aspect, load_words

_ENOUGH: Final = 2
"""References that must say it, if there are so many."""
_NEVER: Final = 0.03
_SELDOM: Final = 0.07
"""What is there and likelier than that to be left out may be there after all."""
_GOES_WITH: Final = 0.25
"""From this likeness to a word of the references on a thing belongs to the scene."""
_NAMED: Final = ("same", "more general", "more specific")


def would_be_named(scene: Scene, noun: str) -> bool:
    """Whether a reference would name the thing, if it was there.

    What is left out now and then is likelier to be there if it goes with the scene, as
    a sink with a kitchen. Places have many names.
    """
    if is_site(noun):
        return False
    share = left_out(noun, len(scene.references))
    if share <= _NEVER:
        return True
    texts = [text.lemmas for text in scene.references]
    head = noun.rpartition(" ")[2]
    return share <= _SELDOM and support(head, texts) < _GOES_WITH


def is_missed(scene: Scene, group: ObjectClass) -> bool:
    """Whether a caption misses something without a class of things.

    Half of the references have it; or some have what people seldom leave out.
    """
    half = is_said_by_half(scene, group.support)
    return half or left_out(group.name, len(scene.references)) <= _SELDOM


def is_said_by_half(scene: Scene, support: int) -> bool:
    """Whether so many references are two, and half of them."""
    needed = min(_ENOUGH, len(scene.references))
    return support >= max(needed, len(scene.references) / 2)


def is_settled(scene: Scene, group: ObjectClass, thing: Thing, aspect: Aspect) -> bool:
    """Whether enough references give the very thing another value.

    A vest is no shirt; black and yellow agrees in part with yellow; and what one
    reference says of a shirt or a car is about the candidate's only if there is one
    person or one car.
    """
    own = values(thing, aspect)
    if any(v in own for other in group.things for v in values(other, aspect)):
        return False
    saying = sum(
        any(grade(thing.name, t.name) in _NAMED and values(t, aspect) for t in things)
        for things in group.of_reference
    )
    if saying >= min(_ENOUGH, len(scene.references)):
        return True
    worn = is_worn_or_part(thing.name) or is_person(thing.name)
    alone = (
        _is_of_one(scene.references) if worn else all(map(_are_one, group.of_reference))
    )
    return saying > 0 and alone


def is_worn(scene: Scene, thing: Thing, meant: str, support: int) -> bool:
    """Whether enough references have another garment in place of the candidate's.

    A jacket is worn over a shirt, so that both may be there.
    """
    outer, names = load_words().outer, (thing.head, meant.rpartition(" ")[2])
    return outer.isdisjoint(names) and support >= min(_ENOUGH, len(scene.references))


def _is_of_one(texts: Sequence[Reading]) -> bool:
    """Whether all texts have at most one person."""
    of_text = ([t for t in text.things if is_person(t.name)] for text in texts)
    return all(map(_are_one, of_text))


def _are_one(things: Sequence[Thing]) -> bool:
    """Whether a text has one of its things at most."""
    return len(things) < 2 and all(amount.low < 2 for amount in known(things))
