"""Implied: nouns that no reference has, though they say nothing that is not there.

In: a `Scene` and a thing of the candidate. Out: whether the references say the thing in
other words, imply it, or leave it open.
"""

from collections.abc import Iterable
from itertools import pairwise

from spicepy.diagnosis.nouns import grade, is_event, is_known
from spicepy.diagnosis.reading import Reading, Thing
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
    named = is_said_otherwise(thing.name, scene.references)
    return named or is_implied(thing.name, scene.references)


def is_said_otherwise(noun: str, texts: Iterable[Reading]) -> bool:
    """Whether a text has another word for a thing, in whatever part of a name."""
    return any(grade(noun, word) == "same" for text in texts for word in text.content)


def is_implied(noun: str, texts: Iterable[Reading]) -> bool:
    """Whether a text has a word that implies the thing."""
    implying = load_words().implied.get(noun, frozenset())
    return any(not implying.isdisjoint(text.lemmas) for text in texts)


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
