"""Totals: how many things of one name a candidate has, over all its noun phrases.

In: an aligned scene, and a class with the candidate's things. Out: the class with one
thing of each name, which has their total.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spicepy.annotations.amounts import Amount, total, total_of_sentences
from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.object_classes import ObjectClass, known_amounts

_PHRASE: Final = 3
"""The number of words before a noun that may belong to its phrase."""


def added_up(scene: AlignedScene, group: ObjectClass, *, more: bool) -> ObjectClass:
    """Return a class whose things of one name are one thing with their total.

    "A man in blue and a man in red" are two men. If the candidate has `more` things
    without a name ("and one is standing", "two others"), totals have no upper bound.
    """
    by_name: dict[str, list[Thing]] = {}
    for thing in group.said:
        if thing.amount is not None:
            by_name.setdefault(thing.name, []).append(thing)
    if all(len(own) == 1 for own in by_name.values()) and not more:
        return group
    said = [
        replace(own[0], amount=_total(scene, own, more=more))
        for own in by_name.values()
    ]
    said += [thing for thing in group.said if thing.amount is None]
    return group.of_candidate(said)


def _total(scene: AlignedScene, things: Sequence[Thing], *, more: bool) -> Amount:
    """Return the number of things of one name: the greatest number of a sentence.

    The sentences of an answer name the same things again, but "two other cats" are
    further ones.
    """
    sentences: dict[int, list[Thing]] = {}
    numbers = scene.candidate.sentences
    for thing in things:
        number = numbers[thing.place - 1] if numbers else 0
        sentences.setdefault(number, []).append(thing)
    said = total_of_sentences([known_amounts(own) for own in sentences.values()])
    made = said or total(known_amounts(things))
    return replace(made, high=None) if more else made


def has_more(scene: AlignedScene) -> bool:
    """Return whether the candidate has "one" or "others" outside of noun phrases."""
    words, more = scene.candidate.words, scene.lexicon.quantities.uncounted
    if words.count("one") > 1 or more.isdisjoint(words):
        return words.count("one") > 1
    inside = {
        place
        for thing in scene.candidate.things
        for place in range(thing.place - _PHRASE, thing.place)
    }
    bare = (word for place, word in enumerate(words, 1) if place not in inside)
    return not more.isdisjoint(bare)
