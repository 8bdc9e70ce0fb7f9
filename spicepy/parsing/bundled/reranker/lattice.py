"""What is open in captions: the choices among which the tree model decides.

A choice is a *state* of a word (`layout`) or an arc between two words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spicepy.parsing.bundled.arithmetic import Ints
from spicepy.parsing.bundled.reranker.states import Numbers

IMPOSSIBLE: Final = -(10**8)
"""The score of what cannot be."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Open choices of captions; the words of all captions are in one row.

    Attributes:
        lengths: (captions,) words of each caption.
        words: Numbers of the words.
        states: (states,) by word; `first` (words + 1,) tells where a word's begin.
        dependents, heads: (arcs,) by dependent, then head, in words of the row;
            the root is -1.
        pairs: The score of each arc with each state of its dependent; `first_pair`
            (arcs + 1,) tells where an arc's begin. `IMPOSSIBLE` where they disagree.
    """

    lengths: Ints
    words: Numbers
    states: Ints
    first: Ints
    dependents: Ints
    heads: Ints
    pairs: Ints
    first_pair: Ints

    @classmethod
    def joined(cls, parts: Sequence["Lattice"]) -> "Lattice":
        """Put lattices one after the other."""
        if len(parts) == 1:
            return parts[0]
        offsets = _offsets([part.lengths.sum() for part in parts])
        moved = [np.where(x.heads < 0, -1, x.heads + n) for x, n in zip(parts, offsets)]
        return cls(
            np.concatenate([part.lengths for part in parts]),
            Numbers(*map(np.concatenate, zip(*(part.words for part in parts)))),
            np.concatenate([part.states for part in parts]),
            _joined_begins([part.first for part in parts]),
            np.concatenate([x.dependents + n for x, n in zip(parts, offsets)]),
            np.concatenate(moved),
            np.concatenate([part.pairs for part in parts]),
            _joined_begins([part.first_pair for part in parts]),
        )

    def part(self, begin: int, end: int) -> "Lattice":
        """Return the lattice of captions that follow each other."""
        first, last = (int(self.lengths[:n].sum()) for n in (begin, end))
        arcs = slice(*np.searchsorted(self.dependents, [first, last]))
        states = slice(self.first[first], self.first[last])
        pairs = slice(self.first_pair[arcs.start], self.first_pair[arcs.stop])
        heads = self.heads[arcs]
        return Lattice(
            self.lengths[begin:end],
            Numbers(*(numbers[first:last] for numbers in self.words)),
            self.states[states],
            self.first[first : last + 1] - states.start,
            self.dependents[arcs] - first,
            np.where(heads < 0, -1, heads - first),
            self.pairs[pairs],
            self.first_pair[arcs.start : arcs.stop + 1] - pairs.start,
        )

    def sizes(self) -> Ints:
        """Return how many pairs of siblings each caption may have, about."""
        possible = np.concatenate([[0], np.cumsum(self.pairs > IMPOSSIBLE)])
        states = np.diff(possible[self.first_pair])
        side = (self.dependents > self.heads).astype(np.intp)
        key = np.where(self.heads < 0, 0, self.heads * 2 + side + 1)
        words = len(self.first) - 1
        each = np.bincount(key, states, 2 * words + 1)[1:].reshape(-1, 2)
        of_word = np.diff(self.first) * (each**2).sum(axis=1) / 2
        begins = np.concatenate([[0], np.cumsum(self.lengths)[:-1]])
        sizes: Ints = np.add.reduceat(of_word, begins).astype(np.intp)
        return sizes


def _offsets(sizes: Sequence[int]) -> list[int]:
    return [0, *np.cumsum(sizes)[:-1].tolist()]


def _joined_begins(begins: Sequence[Ints]) -> Ints:
    """Join places where things begin, the last of which is where all end."""
    offsets = _offsets([int(x[-1]) for x in begins])
    parts = [x[:-1] + n for x, n in zip(begins, offsets)]
    return np.concatenate([*parts, [offsets[-1] + begins[-1][-1]]])
