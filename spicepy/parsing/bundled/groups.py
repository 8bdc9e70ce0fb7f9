"""Groups of sentences of one length, and packs of groups that are read together.

Arrays of sentences of one length need no gaps; a pack holds as much as fits the cache.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import inf
from operator import attrgetter

import numpy as np

from spicepy.parsing.bundled.arithmetic import Bools, Ints
from spicepy.parsing.bundled.scores import Scores, joined


@dataclass(frozen=True, slots=True)
class Group:
    """Sentences of one length.

    Attributes:
        length: Words of each.
        places: (sentences,) where each stands among all.
        sentences: Their words.
        scores: The network's scores, once it has read them.
    """

    length: int
    places: Ints
    sentences: list[Sequence[str]]
    scores: Scores | None = None

    def read(self, scores: Scores) -> "Group":
        """Return the same sentences with their scores."""
        return replace(self, scores=scores)

    def of(self, chosen: Bools | slice) -> "Group":
        """Return some of the sentences."""
        numbers = np.arange(len(self.places))[chosen].tolist()
        return Group(
            self.length,
            self.places[chosen],
            [self.sentences[number] for number in numbers],
            self.scores.of(chosen) if self.scores else None,
        )


def by_length(sentences: Sequence[Sequence[str]]) -> list[Group]:
    """Return groups of all sentences, the shortest first."""
    places: dict[int, list[int]] = {}
    for place, words in enumerate(sentences):
        places.setdefault(len(words), []).append(place)
    return [
        Group(length, np.array(same), [sentences[place] for place in same])
        for length, same in sorted(places.items())
    ]


def packs(
    groups: Iterable[Group],
    largest: int,
    weight: Callable[[int], int] = lambda _: 1,
    length_ratio: float = inf,
    step_cost: int = 0,
) -> Iterator[list[Group]]:
    """Yield as many sentences at a time as fit, one group a length.

    Args:
        groups: The shortest first.
        largest: The largest weight of a pack; one sentence may always be in it.
        weight: The weight of a sentence of a length.
        length_ratio: The longest of a pack may be so many times as long as the
            shortest, or longer as far as the gaps cost less than a pack of its own.
        step_cost: Sentences that cost as much as to begin with a word of a pack.
    """
    pack: list[Group] = []
    left = largest
    for length, same in groupby(groups, attrgetter("length")):
        group, begin = _joined(list(same)), 0
        while begin < len(group.places):
            fit = left // weight(length)
            held = sum(len(group.places) for group in pack)
            most = max(length_ratio, 1 + step_cost / held) if held else inf
            if pack and (fit < 1 or length > most * pack[0].length):
                yield pack
                pack, left = [], largest
                continue
            part = group.of(slice(begin, begin + max(fit, 1)))
            pack.append(part)
            begin += len(part.places)
            left -= len(part.places) * weight(length)
    if pack:
        yield pack


def _joined(groups: list[Group]) -> Group:
    """Make one group of those of one length."""
    if len(groups) == 1:
        return groups[0]
    scores = [group.scores for group in groups if group.scores]
    return Group(
        groups[0].length,
        np.concatenate([group.places for group in groups]),
        [words for group in groups for words in group.sentences],
        joined(scores) if scores else None,
    )
