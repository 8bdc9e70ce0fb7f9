"""Implications: nouns that are right although no reference has them.

In: a scene and a thing of the candidate. Out: whether the references have the thing in
other words, imply it, or leave it open.
"""

from itertools import pairwise
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.lexicon.lexicon import Lexicon

_ENDS: Final = ("", ".", "!", "?", ":")  # What stands before a sentence.
_POSSESSIVE: Final = (("'s",), ("'",))


def needs_no_reference(scene: AlignedScene, thing: Thing) -> bool:
    """Return whether a noun without a counterpart in the references is no error.

    It is none if the references have it as one word ("skateboard" for "skate board") or
    imply it (cutting a cake implies a knife), if the candidate denies it ("without a
    shirt"), if it names no visible thing (an event such as "game", a word that WordNet
    does not have, or one that stands for any thing), if it is a possessive as in "the
    men's bathroom", and if it is a proper name such as "Crown Victoria".
    """
    nouns = scene.lexicon.nouns
    after = scene.candidate.words[thing.place : thing.place + 1]
    if nouns.is_person(thing.name) and after in _POSSESSIVE and not thing.amount:
        return True
    if nouns.is_event(thing.name) or not nouns.is_known(thing.name):
        return True
    if not nouns.generic.isdisjoint((thing.name, thing.head)):
        return True
    if is_proper(scene, thing):
        return True
    words, start = scene.candidate.words, max(0, thing.place - 2)
    joined = "".join(words[start : thing.place])
    if is_denied(scene, thing.head):
        return True
    pooled = scene.pooled
    if joined in pooled.words or nouns.is_among(thing.name, pooled.meanings):
        return True
    return is_implied(thing.name, pooled.words, scene.lexicon)


def is_proper(scene: AlignedScene, thing: Thing) -> bool:
    """Return whether a rare noun has a capital letter within a sentence.

    No noun of a caption that is mostly in capitals is taken for a proper name.
    """
    if thing.name in scene.lexicon.omission.nouns:
        return False
    before, noun, _ = scene.candidate.caption.partition(thing.name.title())
    words = scene.candidate.caption.split()
    small = 2 * sum(word.islower() for word in words) > len(words)
    inside = before.rstrip()[-1:] not in _ENDS
    return small and bool(noun) and inside


def is_implied(noun: str, words: frozenset[str], lexicon: Lexicon) -> bool:
    """Return whether one of the words implies the thing that a noun names."""
    return not words.isdisjoint(lexicon.unsaid.implied.get(noun, ()))


def is_denied(scene: AlignedScene, word: str) -> bool:
    """Return whether the candidate says that a thing is absent: "without a shirt"."""
    return word in scene.candidate.denied


def is_joined(scene: AlignedScene, word: str) -> bool:
    """Return whether the references write a word and its neighbour as one word."""
    words = scene.candidate.words
    joined = {a + b for a, b in pairwise(words) if word in (a, b)}
    return not joined.isdisjoint(scene.pooled.words)
