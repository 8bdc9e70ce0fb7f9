"""What the network thinks of sentences in, tags, heads and labels out.

Nothing here needs an exponential: the sum of logarithms that would make probabilities
of scores is the same for all choices.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
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

    Each is (sentences, words); a head is a position from 1, 0 for the root.
    """

    tags: Ints
    heads: Ints
    labels: Ints


@dataclass(frozen=True, slots=True)
class Scores:
    """The network's scores of sentences of one length.

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


def margins(scores: Scores) -> Floats64:
    """Return by how much the closest choice of a tag or head is made."""
    return np.minimum(_closest(scores.tags), _closest(scores.arcs))


def joined(parts: Sequence[Scores]) -> Scores:
    """Put scores of sentences of one length one after the other."""
    return replace(
        parts[0],
        tags=np.concatenate([part.tags for part in parts]),
        arcs=np.concatenate([part.arcs for part in parts]),
        dependents=np.concatenate([part.dependents for part in parts]),
        heads=np.concatenate([part.heads for part in parts]),
    )


def decode(scores: Scores) -> Choices:
    """Return the best tags, the best tree and its best labels."""
    heads = best_trees(scores.arcs)
    labels = scores.labels(heads).argmax(axis=-1)
    return Choices(scores.tags.argmax(axis=-1), heads, labels)


def _closest(scores: Floats) -> Floats64:
    best = np.partition(scores, -2, axis=-1)[:, :, -2:]
    closest: Floats64 = (best[:, :, 1] - best[:, :, 0]).min(axis=1)
    return closest
