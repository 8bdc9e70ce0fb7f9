"""Totals: how many things of one name a candidate has, over all its noun phrases.

In: an aligned scene, and a class with the candidate's things. Out: the class with one
thing of each name, which has their total.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.amounts import Amount, total
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
    every: Amount | None = None
    for own in sentences.values():
        further = [t for t in own if every and _is_further(scene, t)]
        again = _sum(scene, [t for t in own if t not in further])
        found = [amount for amount in (every, again) if amount]
        every = max(found, key=lambda a: (a.low, a.high is not None), default=None)
        every = _added(every, _sum(scene, further))
    made = every or total(known_amounts(things))
    return replace(made, high=None) if more else made


def _sum(scene: AlignedScene, things: Sequence[Thing]) -> Amount | None:
    """Return the number of things of one name in one sentence, None without any.

    "One dog" and "the other dog" are among "two dogs".
    """
    amounts: list[Amount] = known_amounts(things)
    several = [amount for amount in amounts if amount.low > 1]
    if len(several) == 1 and several[0].low == len(amounts) - 1:
        before = {word for thing in things for word in _words_before(scene, thing)}
        if not scene.lexicon.quantities.parts.isdisjoint(before):
            return several[0]
    every: Amount | None = None
    for amount in amounts:
        every = _added(every, amount)
    return every


def _added(first: Amount | None, second: Amount | None) -> Amount | None:
    if first is None or second is None:
        return first or second
    both = first.plus(second)
    return both if both.high is None else replace(both, wording="number")


def _is_further(scene: AlignedScene, thing: Thing) -> bool:
    """Return whether a thing is another one: "a second dog", but not "the other"."""
    phrase, further = _words_before(scene, thing), scene.lexicon.quantities.further
    return not further.isdisjoint(phrase) and "the" not in phrase


def _words_before(scene: AlignedScene, thing: Thing) -> Sequence[str]:
    """Return the words before a noun that may belong to its phrase."""
    start, end = max(0, thing.place - 1 - _PHRASE), max(0, thing.place - 1)
    return scene.candidate.words[start:end]


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
