"""The network's scores of sentences, and the tags, heads and labels they give.

Nothing here needs an exponential: the sum of logarithms that would make probabilities
of scores is the same for all choices.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from spicepy.parsing.bundled.arithmetic import (
    Bools,
    Floats,
    Floats32,
    Floats64,
    Int8s,
    Ints,
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
        states: (sentences, words, 2 x width) of the network's last layer.
        labels_of: A function from states and heads (sentences, words) to scores of
            labels (sentences, words, labels). Many sentences never need them.
    """

    tags: Floats32
    arcs: Floats64
    states: Int8s
    labels_of: Callable[[Int8s, Ints], Floats32]

    def of(self, sentences: Bools | slice) -> "Scores":
        """Return the scores of some of the sentences."""
        return replace(
            self,
            tags=self.tags[sentences],
            arcs=self.arcs[sentences],
            states=self.states[sentences],
        )

    def labels(self, heads: Ints) -> Floats32:
        """Return (sentences, words, labels) for given heads (sentences, words)."""
        return self.labels_of(self.states, heads)


def margins(scores: Scores) -> Floats64:
    """Return by how much the closest choice of a tag or head is made."""
    return np.minimum(_closest(scores.tags), _closest(scores.arcs))


def joined(parts: Sequence[Scores]) -> Scores:
    """Put scores of sentences of one length one after the other."""
    return replace(
        parts[0],
        tags=np.concatenate([part.tags for part in parts]),
        arcs=np.concatenate([part.arcs for part in parts]),
        states=np.concatenate([part.states for part in parts]),
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
