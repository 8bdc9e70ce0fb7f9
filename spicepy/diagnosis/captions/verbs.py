"""Verbs: find the verbs of a caption with their agents and objects.

In: the tags, lemmas, things and relations of a caption. Out: `Verb`s.

    "a boy is sweeping the floor"  →  sweep, agent boy, object floor
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

Relation = tuple[int, str, int]
_FINITE: Final = ("VB", "VBZ", "VBP", "VBG", "VBD")
_ALL: Final = (*_FINITE, "VBN")


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of a caption.

    Attributes:
        lemma: "sweep".
        place: Its position in the caption, from 1.
        agent: The number of the thing that is its agent, -1 if unknown.
        object: The number of the thing that is its object, -1 without one.
        finite: False for participles such as "parked", which may be passive.
    """

    lemma: str
    place: int
    agent: int
    object: int
    finite: bool


def find_verbs(
    tags: Sequence[str],
    lemmas: Sequence[str],
    attributes: Sequence[Sequence[str]],
    relations: Sequence[Relation],
) -> Iterator[Verb]:
    """Yield the verbs in the order of the caption.

    Args:
        tags: The tags of the words.
        lemmas: The lemmas of the words.
        attributes: The attributes of each thing.
        relations: The relations between things, by their numbers.
    """
    for place, tag, lemma in zip(count(1), tags, lemmas):
        if tag in _ALL:
            own = [r for r in relations if r[1].split(" ")[0] == lemma]
            agents = [source for source, _, _ in own]
            agents += [k for k, said in enumerate(attributes) if lemma in said]
            objects = [target for _, how, target in own if how == lemma]
            yield Verb(
                lemma,
                place,
                agents[0] if agents else -1,
                objects[0] if objects else -1,
                tag in _FINITE,
            )
