"""Implied: nouns that no reference has, though they say nothing that is not there.

In: a `Scene` and a thing of the candidate. Out: whether the references say the thing in
other words, imply it, or leave it open.
"""

from itertools import pairwise

from spicepy.diagnosis.nouns import is_event, is_known
from spicepy.diagnosis.reading import Thing
from spicepy.diagnosis.values import Scene
from spicepy.diagnosis.words import load_words


def goes_without_saying(scene: Scene, thing: Thing) -> bool:
    """Whether a noun names no other thing than the references, or no thing at all.

    A skater's "skate board" is one word in the references, who cuts a cake has a
    knife, "without a shirt" there is none, and a game or a word that WordNet does not
    know is not to be seen.
    """
    if is_event(thing.name) or not is_known(thing.name):
        return True
    words, start = scene.candidate.words, max(0, thing.place - 2)
    joined = "".join(words[start : thing.place])
    if is_absent(scene, thing.head):
        return True
    if any(joined in text.lemmas for text in scene.references):
        return True
    return is_implied(scene, thing.name)


def is_implied(scene: Scene, noun: str) -> bool:
    """Whether a reference has a word that implies the thing."""
    implying = load_words().implied.get(noun, frozenset())
    return any(not implying.isdisjoint(text.lemmas) for text in scene.references)


def is_absent(scene: Scene, word: str) -> bool:
    """Whether the candidate has it that something is not there: "without a shirt"."""
    words = scene.candidate.words
    return any(
        not load_words().absent.isdisjoint(words[max(0, at - 2) : at])
        for at, other in enumerate(words)
        if other == word
    )


def is_joined(scene: Scene, word: str) -> bool:
    """Whether the references write a word and its neighbour as one: "track suit"."""
    words = scene.candidate.words
    joined = {a + b for a, b in pairwise(words) if word in (a, b)}
    return any(not joined.isdisjoint(text.lemmas) for text in scene.references)
