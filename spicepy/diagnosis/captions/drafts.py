"""Drafts: turn semantic tuples into the things of a caption and their relations.

In: tuples with the positions of their words, and the caption's words and tags. Out:
`Draft`s in the order of the tuples, and relations between the numbers of drafts. A
pronoun becomes the thing that it refers to.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from spicepy.extraction.tuples import SemanticTuple

_PRONOUNS: Final = ("PRP", "PRP$")


@dataclass(slots=True)
class Draft:
    """A thing whose tuples are still being collected.

    Attributes:
        name: Its lemma.
        place: The position (from 1) of its last word, 0 if unknown.
        attributes: Attribute -> position of its word.
        pronouns: Positions of the pronouns that refer to it.
    """

    name: str
    place: int
    attributes: dict[str, int] = field(default_factory=dict)
    pronouns: list[int] = field(default_factory=list)


def draft_things(
    proposals: Sequence[SemanticTuple], words: Sequence[str], tags: Sequence[str]
) -> tuple[list[Draft], dict[int, int]]:
    """Return the drafts, and position -> number of the draft at that position."""
    made: list[Draft] = []
    numbers: dict[int, int] = {}
    # Nouns come first, so that their drafts exist when pronouns refer to them.
    sorted_tuples = sorted(proposals, key=lambda t: is_pronoun(_place(t, 0), tags))
    for tuple_ in sorted_tuples:
        for at in range(0, len(tuple_.members), 2):
            name, place = tuple_.members[at], _place(tuple_, at)
            meant = _named(name, made) if is_pronoun(place, tags) else -1
            if meant >= 0 and place not in numbers:
                numbers[place] = meant
                made[meant].pronouns.append(place)
            elif _number(name, place, made, numbers) is None:
                numbers[place] = len(made)
                made.append(Draft(name, place))
            elif place and place not in numbers:
                numbers[place] = _named(name, made)
        if len(tuple_.members) == 2:
            known = _at(tuple_, 0, made, numbers)
            made[known].attributes[tuple_.members[1]] = _place(tuple_, 1)
    return made, numbers


def _number(
    name: str, place: int, drafts: Sequence[Draft], numbers: Mapping[int, int]
) -> int | None:
    """Return the number of the draft at a place, or of a name if there is no place."""
    if place in numbers and place:
        return numbers[place]
    known = _named(name, drafts)
    return None if known < 0 or (place and drafts[known].place) else known


def _named(name: str, drafts: Sequence[Draft]) -> int:
    """Return the number of the first draft of a name, -1 without one."""
    return next((k for k, draft in enumerate(drafts) if draft.name == name), -1)


def _at(
    tuple_: SemanticTuple, at: int, drafts: Sequence[Draft], numbers: Mapping[int, int]
) -> int:
    place = _place(tuple_, at)
    return numbers[place] if place else _named(tuple_.members[at], drafts)


def _place(tuple_: SemanticTuple, at: int) -> int:
    return tuple_.tokens[at] if at < len(tuple_.tokens) else 0


def is_pronoun(place: int, tags: Sequence[str]) -> bool:
    """Return whether the word at a position (from 1) is a personal pronoun."""
    return 0 < place <= len(tags) and tags[place - 1] in _PRONOUNS


def relations(
    proposals: Sequence[SemanticTuple],
    drafts: Sequence[Draft],
    numbers: Mapping[int, int],
) -> Iterator[tuple[int, str, int]]:
    """Yield (number of a thing, relation, number of a thing)."""
    for tuple_ in proposals:
        if len(tuple_.members) == 3:
            ends = (_at(tuple_, at, drafts, numbers) for at in (0, 2))
            source, target = ends
            yield source, tuple_.members[1].removeprefix("be "), target
