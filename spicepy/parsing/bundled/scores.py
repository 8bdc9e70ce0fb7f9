"""What networks think of sentences in, tags, heads and labels out.

The scores of several networks add up. Nothing here needs an exponential: the sum
of logarithms that would make probabilities of scores is the same for all choices.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np

from spicepy.parsing.bundled.arithmetic import (
    Bools,
    Floats,
    Floats32,
    Floats64,
    Ints,
    hidden,
    times,
)
from spicepy.parsing.bundled.projective import best_trees


class Choices(NamedTuple):
    """Numbers of tags, heads and labels of sentences of one length.

    Each is (sentences, words); a head is a position from 1, 0 for the root, or -1
    where nothing was chosen.
    """

    tags: Ints
    heads: Ints
    labels: Ints

    def of(self, sentences: Bools) -> "Choices":
        """Return the choices for some of the sentences."""
        return Choices(*(numbers[sentences] for numbers in self))


@dataclass(frozen=True, slots=True)
class Scores:
    """A network's scores of sentences of one length.

    Attributes:
        tags: (sentences, words, tags).
        arcs: (sentences, words, words + 1); head 0 is the root, and no word heads
            itself.
        dependents: (sentences, words, hidden) what the label depends on, and
        heads: (sentences, words + 1, hidden) the same of the head.
        weights: (hidden, labels) and `bias` make scores of labels of both.
        root: The label of the root alone.
    """

    tags: Floats32
    arcs: Floats64
    dependents: Floats32
    heads: Floats32
    weights: Floats32
    bias: Floats32
    root: int

    def of(self, sentences: Bools | slice) -> "Scores":
        """Return the scores of some of the sentences."""
        return replace(
            self,
            tags=self.tags[sentences],
            arcs=self.arcs[sentences],
            dependents=self.dependents[sentences],
            heads=self.heads[sentences],
        )

    def labels(self, heads: Ints) -> Floats32:
        """Return (sentences, words, labels) for given heads (sentences, words)."""
        chosen = np.take_along_axis(self.heads, heads[:, :, None], axis=1)
        scores = times(hidden(self.dependents + chosen), self.weights) + self.bias
        scores[:, :, self.root] = np.where(heads == 0, np.inf, -np.inf)
        return scores

    def labels_of(self, sentences: Ints, dependents: Ints, heads: Ints) -> Floats32:
        """Return (arcs, labels) for single arcs, each argument (arcs,)."""
        sums = self.dependents[sentences, dependents] + self.heads[sentences, heads]
        return times(hidden(sums), self.weights) + self.bias


def margins(scores: Sequence[Scores]) -> Floats64:
    """Return by how much the closest choice of a tag or head is made, on average.

    Args:
        scores: Of the same sentences, one or more networks'.
    """
    tags = reduce(add, (x.tags for x in scores))
    arcs = reduce(add, (x.arcs for x in scores))
    return np.minimum(_closest(tags), _closest(arcs)) / len(scores)


def joined(parts: Sequence[Scores]) -> Scores:
    """Put scores of one network, of sentences of one length, one after the other."""
    return replace(
        parts[0],
        tags=np.concatenate([part.tags for part in parts]),
        arcs=np.concatenate([part.arcs for part in parts]),
        dependents=np.concatenate([part.dependents for part in parts]),
        heads=np.concatenate([part.heads for part in parts]),
    )


def decode(scores: Sequence[Scores]) -> Choices:
    """Return the best tags, the best tree and its best labels.

    Args:
        scores: Of the same sentences, one or more networks'.
    """
    tags = reduce(add, (x.tags for x in scores)).argmax(axis=-1)
    heads = best_trees(reduce(add, (x.arcs for x in scores)))
    labels = reduce(add, (x.labels(heads) for x in scores)).argmax(axis=-1)
    return Choices(tags, heads, labels)


def _closest(scores: Floats) -> Floats64:
    best = np.partition(scores, -2, axis=-1)[:, :, -2:]
    closest: Floats64 = (best[:, :, 1] - best[:, :, 0]).min(axis=1)
    return closest
