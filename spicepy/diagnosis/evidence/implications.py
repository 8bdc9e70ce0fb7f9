"""Implications: nouns that no reference has, though they say nothing that is not there.

In: a scene and a thing of the candidate. Out: whether the references say the thing in
other words, imply it, or leave it open.
"""

from itertools import pairwise
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.lexicon.lexicon import Lexicon

_ENDS: Final = ("", ".", "!", "?", ":")  # What stands before a sentence.
_POSSESSIVE: Final = (("'s",), ("'",))


def goes_without_saying(scene: AlignedScene, thing: Thing) -> bool:
    """Return whether a noun names no other thing than the references, or no thing.

    A skater's "skate board" is one word in the references, who cuts a cake has a
    knife, "without a shirt" there is none, and a game or a word that WordNet does not
    know is not to be seen. Nor are the men of "the men's bathroom", and a Ford Crown
    Victoria is a car.
    """
    nouns = scene.lexicon.nouns
    after = scene.candidate.words[thing.place : thing.place + 1]
    if nouns.is_person(thing.name) and after in _POSSESSIVE and not thing.amount:
        return True
    if nouns.is_event(thing.name) or not nouns.is_known(thing.name):
        return True
    if is_proper(scene, thing):
        return True
    words, start = scene.candidate.words, max(0, thing.place - 2)
    joined = "".join(words[start : thing.place])
    if is_absent(scene, thing.head):
        return True
    pooled = scene.pooled
    if joined in pooled.words or nouns.is_among(thing.name, pooled.meanings):
        return True
    return is_implied(thing.name, pooled.words, scene.lexicon)


def is_proper(scene: AlignedScene, thing: Thing) -> bool:
    """Return whether a rare noun is written with capitals, not at a sentence's start.

    Captions that are mostly in capitals tell nothing.
    """
    if thing.name in scene.lexicon.omission.nouns:
        return False
    before, noun, _ = scene.candidate.caption.partition(thing.name.title())
    words = scene.candidate.caption.split()
    small = 2 * sum(word.islower() for word in words) > len(words)
    inside = before.rstrip()[-1:] not in _ENDS
    return small and bool(noun) and inside


def is_implied(noun: str, words: frozenset[str], lexicon: Lexicon) -> bool:
    """Return whether one of some words implies the thing."""
    return not words.isdisjoint(lexicon.unsaid.implied.get(noun, ()))


def is_absent(scene: AlignedScene, word: str) -> bool:
    """Return whether a thing is said not to be there: "without a shirt"."""
    words, absent = scene.candidate.words, scene.lexicon.unsaid.absent
    return any(
        not absent.isdisjoint(words[max(0, at - 2) : at])
        for at, other in enumerate(words)
        if other == word
    )


def is_joined(scene: AlignedScene, word: str) -> bool:
    """Return whether the references write a word and its neighbour as one word."""
    words = scene.candidate.words
    joined = {a + b for a, b in pairwise(words) if word in (a, b)}
    return not joined.isdisjoint(scene.pooled.words)
