"""Two nouns compared: the same thing, a more general or specific word, or another.

In: a noun of the candidate and one of a reference, as names ("tennis racket"). Out:
a `Grade`. WordNet's noun hierarchy tells, and the families of
`grammars/diagnosis.toml`, where WordNet has apart what captions call alike.

Source: Miller 1995, WordNet; Wu & Palmer 1994, section 2.3, on common hypernyms.
"""

from functools import lru_cache
from typing import Final, Literal

from spicepy.common.words.hierarchy import load_hierarchy
from spicepy.diagnosis.words import REMEMBERED, load_words

Grade = Literal["same", "more general", "more specific", "related", "sibling", "other"]
"""What the first noun is to the second; "related" nouns may name one thing."""

ABOUT_ONE_THING: Final = ("same", "more general", "more specific", "related")
"""Grades at which two nouns may be about one thing."""

_SENSES: Final = 2  # The most frequent ones; rare senses join what nobody means.
_FAR: Final = 9  # Steps between a word and a more general one.
_NEAR: Final = 2  # Steps from a sibling to the common hypernym.
_DEPTH: Final = 6  # A common hypernym above that ("artifact") says too little.
_PERSON: Final = "person"
_ANIMAL: Final = "animal"


@lru_cache(REMEMBERED)
def grade(said: str, meant: str) -> Grade:
    """What a candidate's noun is to a reference's noun."""
    full = load_words().full_names
    said, meant = full.get(said, said), full.get(meant, meant)
    first, second = load_words().grown(said), load_words().grown(meant)
    if said == meant or _synonyms(said, meant):
        return "same"
    if is_person(first) and is_person(second):
        return _of_people(first, second)
    if first.endswith(f" {second}") or (first != said and first == second):
        return "more general" if first == said and said == second else "more specific"
    if second.endswith(f" {first}") or (second != meant and first == second):
        return "more general"
    if is_person(first) != is_person(second):
        return "other"
    words = load_words()
    if first in words.generic:
        return "more general"
    if second in words.generic:
        return "more specific"
    return _in_hierarchy(first, second, words.families_of(first, second))


def _of_people(first: str, second: str) -> Grade:
    """All people may be one and the same: a man is a rider, a friend, a person."""
    anyone = load_words().anyone
    if (first in anyone) == (second in anyone):
        return "related"
    return "more general" if first in anyone else "more specific"


def _in_hierarchy(first: str, second: str, same_family: bool) -> Grade:
    if _are_apart(first, second) or _are_apart(second, first):
        return "other"
    if is_below_any(first, load_words().also.get(second, ())):
        return "more specific"
    if is_below_any(second, load_words().also.get(first, ())):
        return "more general"
    above = load_hierarchy().above
    low, high = _senses(first), _senses(second)
    for i, a in enumerate(low):
        for b in high[: _SENSES - i]:
            if a == b:  # By their last words: a passenger plane is an airplane.
                return "more specific" if " " in first else "more general"
            if 0 < above(a).get(b, 99) <= _FAR:
                return "more specific"
            if 0 < above(b).get(a, 99) <= _FAR:
                return "more general"
    if same_family:
        return "related"
    alike = _siblings(low, high) or bool(_sorts(first) & _sorts(second))
    return "sibling" if alike else "other"


def _are_apart(special: str, general: str) -> bool:
    """Whether captions do not call the one so, though WordNet has it below."""
    return is_below_any(special, load_words().apart.get(general, ()))


@lru_cache(REMEMBERED)
def may_be_confused(first: str, second: str) -> bool:
    """Whether one may be taken for the other: two animals, but no table for a chair."""
    tops = load_words().confusable
    return any(_is_below(first, top) and _is_below(second, top) for top in tops)


@lru_cache(REMEMBERED)
def _sorts(noun: str) -> frozenset[str]:
    return frozenset(sort for sort in load_words().sorts if _is_below(noun, sort))


def _siblings(low: tuple[int, ...], high: tuple[int, ...]) -> bool:
    hierarchy = load_hierarchy()
    for i, a in enumerate(low):
        up = hierarchy.above(a)
        for b in high[: _SENSES - i]:
            for common, far in hierarchy.above(b).items():
                near = far <= _NEAR and up.get(common, 99) <= _NEAR
                if near and hierarchy.depth(common) >= _DEPTH:
                    return True
    return False


@lru_cache(REMEMBERED)
def is_person(noun: str) -> bool:
    """Whether a noun means a person or several."""
    words = load_words()
    head = noun.rpartition(" ")[2]
    if noun in words.people or head in words.people:
        return True
    if head in words.not_people:
        return False
    return _is_below(noun, _PERSON)


@lru_cache(REMEMBERED)
def is_living(noun: str) -> bool:
    """Whether a noun means a person or an animal, which can be counted."""
    return is_person(noun) or _is_below(noun, _ANIMAL)


def _is_below(noun: str, top: str, senses: int = 1) -> bool:
    """Whether one of the most frequent senses of a noun is a kind of another's."""
    [above, *_] = load_hierarchy().synsets(top)
    return any(above in load_hierarchy().above(s) for s in _senses(noun)[:senses])


@lru_cache(REMEMBERED)
def is_below_any(noun: str, tops: tuple[str, ...]) -> bool:
    """Whether the most frequent sense of a noun is a kind of one of some others."""
    return any(_is_below(noun, top) for top in tops)


@lru_cache(REMEMBERED)
def is_worn_or_part(noun: str) -> bool:
    """Whether a noun means clothing or a part of the body, as many as people."""
    return any(_is_below(noun, top) for top in ("clothing", "body part", "footwear"))


@lru_cache(REMEMBERED)
def region(noun: str) -> str | None:
    """The part of the body that a garment covers; None for what is no garment."""
    regions = load_words().regions
    if noun in regions:
        return regions[noun]
    return regions.get(noun.rpartition(" ")[2]) if is_worn_or_part(noun) else None


@lru_cache(REMEMBERED)
def modifiers(noun: str) -> tuple[str, ...]:
    """The things before the last word of a name that is no entry of WordNet.

    A "carrot car" is made up, so that its carrot is a thing as well; a "passenger
    plane" may have nobody aboard.
    """
    if load_hierarchy().synsets(noun):
        return ()
    own = noun.split(" ")[:-1]
    return tuple(word for word in own if is_solid(word) and not is_person(word))


@lru_cache(REMEMBERED)
def is_body_part(noun: str) -> bool:
    """Whether a noun means a part of a body, or its hair."""
    return is_below_any(noun, ("body part", "body covering"))


@lru_cache(REMEMBERED)
def is_solid(noun: str) -> bool:
    """Whether a noun means a thing, an animal or a food, nothing abstract."""
    tops = ("physical object", "food", "solid food")
    return any(_is_below(noun, top, _SENSES) for top in tops)


@lru_cache(REMEMBERED)
def is_concrete(noun: str) -> bool:
    """Whether a noun means somebody or something, no event or deed."""
    return is_person(noun) or is_solid(noun)


@lru_cache(REMEMBERED)
def is_event(noun: str) -> bool:
    """Whether a noun means something that happens, in its frequent senses: "game"."""
    [event, *_] = load_hierarchy().synsets("event")
    senses = _senses(load_words().full_names.get(noun, noun))
    return bool(senses) and all(event in load_hierarchy().above(s) for s in senses)


@lru_cache(REMEMBERED)
def is_known(noun: str) -> bool:
    """Whether WordNet has a noun, or the last word of a name; not if misspelt."""
    return bool(_senses(noun)) or is_person(noun)


@lru_cache(REMEMBERED)
def _senses(noun: str) -> tuple[int, ...]:
    """The frequent senses of a name, or of its last word."""
    found = load_hierarchy().synsets(noun)
    if not found and " " in noun:
        found = load_hierarchy().synsets(noun.rpartition(" ")[2])
    return found[:_SENSES]


def _synonyms(first: str, second: str) -> bool:
    """Whether two names share one of their noun senses."""
    of = load_hierarchy().synsets
    return not set(of(first)[:_SENSES]).isdisjoint(of(second)[:_SENSES])
