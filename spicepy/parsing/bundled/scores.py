"""What networks think of sentences in, tags, heads and labels out.

The scores of several networks add up. Nothing here needs an exponential: the sum
of logarithms that would make probabilities of scores is the same for all choices.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.bundled.fixed_point import round_to
from spicepy.parsing.bundled.projective import best_trees

Array = NDArray[np.float32]
Places = NDArray[np.intp]

HIDDEN_BITS: Final = 6
"""Bits after the point of the hidden layers before arcs and labels."""

LARGEST_HIDDEN: Final = 8.0
"""They are cut off here (and at 0)."""


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

    tags: Array
    arcs: NDArray[np.float64]
    dependents: Array
    heads: Array
    weights: Array
    bias: Array
    root: int

    def of(self, sentences: NDArray[np.bool_] | slice) -> "Scores":
        """Return the scores of some of the sentences."""
        return replace(
            self,
            tags=self.tags[sentences],
            arcs=self.arcs[sentences],
            dependents=self.dependents[sentences],
            heads=self.heads[sentences],
        )

    def labels(self, heads: Places) -> Array:
        """Return (sentences, words, labels) for given heads (sentences, words)."""
        chosen = np.take_along_axis(self.heads, heads[:, :, None], axis=1)
        scores = times(hidden(self.dependents + chosen), self.weights) + self.bias
        scores[:, :, self.root] = np.where(heads == 0, np.inf, -np.inf)
        return scores

    def labels_of(self, sentences: Places, dependents: Places, heads: Places) -> Array:
        """Return (arcs, labels) for single arcs, each argument (arcs,)."""
        sums = self.dependents[sentences, dependents] + self.heads[sentences, heads]
        return times(hidden(sums), self.weights) + self.bias


def margins(scores: Sequence[Scores]) -> NDArray[np.float64]:
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


def decode(scores: Sequence[Scores]) -> tuple[Places, Places, Places]:
    """Return tags, heads and labels, (sentences, words) each.

    Args:
        scores: Of the same sentences, one or more networks'.
    """
    tags = reduce(add, (x.tags for x in scores)).argmax(axis=-1)
    heads = best_trees(reduce(add, (x.arcs for x in scores)))
    labels = reduce(add, (x.labels(heads) for x in scores)).argmax(axis=-1)
    return tags, heads, labels


def times(values: Array, weights: Array) -> Array:
    """Multiply the last axis; one large product instead of one a sentence."""
    product: Array = values.reshape(-1, values.shape[-1]) @ weights
    return product.reshape(*values.shape[:-1], weights.shape[-1])


def hidden(values: Array) -> Array:
    """Cut off and round a hidden layer."""
    return round_to(values.clip(0, np.float32(LARGEST_HIDDEN)), HIDDEN_BITS)


def _closest(scores: NDArray[np.floating]) -> NDArray[np.float64]:
    best = np.partition(scores, -2, axis=-1)[:, :, -2:]
    closest: NDArray[np.float64] = (best[:, :, 1] - best[:, :, 0]).min(axis=1)
    return closest
