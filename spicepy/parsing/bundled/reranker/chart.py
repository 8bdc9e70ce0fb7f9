"""A lattice in, the best tree of each caption out.

Eisner's algorithm (1996) with states, two siblings and the group of a third: the
best score of the dependents of a word up to a place is kept for each of its states,
for all captions of a lattice together, from narrow spans to wide ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from spicepy.parsing.bundled.arithmetic import Ints
from spicepy.parsing.bundled.reranker import features
from spicepy.parsing.bundled.reranker.configurations import (
    Ends,
    Pairs,
    Placed,
    expanded,
    list_siblings,
)
from spicepy.parsing.bundled.reranker.features import Side
from spicepy.parsing.bundled.reranker.lattice import IMPOSSIBLE, Lattice
from spicepy.parsing.bundled.reranker.layout import LABEL, TAG
from spicepy.parsing.bundled.reranker.weights import TreeModel
from spicepy.parsing.bundled.scores import Choices
from spicepy.parsing.bundled.thresholds import DEFAULT

TIES: Final = 20
"""Bits below a score that say which choice has it; the first wins."""


def best_trees(
    lattice: Lattice, model: TreeModel, too_many: int = DEFAULT.too_many
) -> Choices:
    """Return tag, head (from 1, 0: root) and label of each word of the row, (words,).

    Words of a caption that has no tree in its lattice have the head -1, and so have
    those of one that leaves open more than `too_many` pairs of siblings; no more are
    looked at together.
    """
    words = lattice.lengths.sum()
    tags, heads, labels = np.full((3, words), -1)
    ends = np.concatenate([[0], np.cumsum(lattice.lengths)])
    for begin, end in _parts(lattice.sizes().tolist(), too_many):
        chart = Chart(lattice.part(begin, end), model)
        for width in range(1, chart.placed.length):
            chart.widen(width)
        own = slice(ends[begin], ends[end])
        heads[own], states = chart.trees()
        tags[own] = TAG.of(states) % model.states.tags
        labels[own] = LABEL.of(states)
    return Choices(tags, heads, labels)


def _parts(sizes: list[int], most: int) -> Iterator[tuple[int, int]]:
    """Divide captions so that no part is too large; leave out those that are alone."""
    begin, total = 0, 0
    for place, size in enumerate(sizes):
        if total + size > most:
            if place > begin:
                yield begin, place
            begin, total = place, 0
        if size > most:
            begin = place + 1
        else:
            total += size
    if begin < len(sizes):
        yield begin, len(sizes)


@dataclass(frozen=True, slots=True)
class Best:
    """The best scores of spans so far, and what made each of them."""

    score: Ints
    made_of: Ints

    @classmethod
    def none(cls, *shape: int) -> "Best":
        """Begin with nothing."""
        return cls(np.full(shape, IMPOSSIBLE), np.full(shape, -1))


class Chart:
    """Scores of spans, from narrow to wide.

    `complete` are words with all dependents on a side: [side, state of the head, place
    of the span's other end]. They are made of `rows` of dependents that end in a pair,
    those of `items`, which also know the group of the dependent before; items are made
    of shorter ones and of `cells`, the two sides that siblings turn to each other.
    """

    def __init__(self, lattice: Lattice, model: TreeModel) -> None:
        self.lattice = lattice
        self.placed = Placed.of(lattice, model)
        self.pairs = Pairs.of(lattice, self.placed, model)
        listed = list_siblings(lattice, self.placed, self.pairs, model)
        self.cells, self.items, self.terms = listed
        self.ends = Ends.of(self.pairs, self.placed)
        self.best_complete = Best.none(2, len(lattice.states), self.placed.length)
        self.best_cell = Best.none(len(self.cells.left))
        self.best_item = Best.none(len(self.items.pair))
        self.best_row = Best.none(len(self.pairs.head))
        self._single_words(model)

    def _single_words(self, model: TreeModel) -> None:
        """Complete the words that have no dependents on a side."""
        states = self.lattice.states
        start, stop = np.array(model.states.start), np.array(model.states.stop)
        for side in Side:
            score = model.worth(features.of_dependent(states, side, stop))
            score += model.worth(features.of_siblings(states, side, start, stop))
            score[~model.states.closes(states, side, start)] = IMPOSSIBLE
            own = np.arange(len(states))
            self.best_complete.score[side, own, self.placed.place] = score

    def widen(self, width: int) -> None:
        """Fill in the spans of one width; all narrower ones are there."""
        self._fill_cells(self.cells.steps.of(width), width)
        self._fill_items(width)
        self._fill_complete(self.ends.steps.of(width))

    def _fill_cells(self, part: slice, width: int) -> None:
        left, right = self.cells.left[part, None], self.cells.right[part, None]
        if len(left):
            complete = self.best_complete.score
            ends = self.placed.place[left] + np.arange(width)
            sums = (
                complete[Side.RIGHT, left, ends] + complete[Side.LEFT, right, ends + 1]
            )
            cut = sums.argmax(axis=1)
            self.best_cell.made_of[part] = cut
            self.best_cell.score[part] = np.take_along_axis(sums, cut[:, None], 1)[:, 0]

    def _fill_items(self, width: int) -> None:
        items, own = self.items.steps.of(width), self.pairs.steps.of(width)
        if items.start == items.stop:
            return
        pairs, item = self.pairs, self.best_item
        # The first dependent on a side: nothing between it and its head.
        inner = 1 - pairs.side[own], pairs.dependent[own], self._inner(own)
        score = pairs.worth[own] + pairs.as_first[own]
        item.score[self.items.first[own]] = score + self.best_complete.score[inner]
        terms = self.terms.steps.of(width)
        if terms.stop > terms.start:
            sums = item.score[self.terms.source[terms]] + self.terms.worth[terms]
            sums += self.best_cell.score[self.terms.cell[terms]]
            target, best, row = _best(self.terms.target[terms], sums)
            item.score[target] = best + pairs.worth[self.items.pair[target]]
            item.made_of[target] = terms.start + row
        sums = item.score[items] + self.items.as_last[items]
        pair, best, row = _best(self.items.pair[items], sums)
        self.best_row.score[pair] = best
        self.best_row.made_of[pair] = items.start + row

    def _inner(self, pairs: Ints | slice) -> Ints:
        """Return the place beside each head, on the side of the dependent."""
        to_right = self.pairs.side[pairs] == Side.RIGHT
        return self.placed.place[self.pairs.head[pairs]] + np.where(to_right, 1, -1)

    def _fill_complete(self, part: slice) -> None:
        if part.start == part.stop:
            return
        pair, span = self.ends.pair[part], self.ends.place[part]
        score = self.best_complete.score.ravel()
        # The same place, of the dependent instead of the head.
        down = self.pairs.dependent[pair] - self.pairs.head[pair]
        sums = self.best_row.score[pair] + score[span + down * self.placed.length]
        target, best, row = _best(span, sums)
        score[target] = best
        self.best_complete.made_of.ravel()[target] = pair[row]

    def trees(self) -> tuple[Ints, Ints]:
        """Return head and state of each word."""
        lattice, first, placed = self.lattice, self.lattice.first, self.placed
        arcs = np.flatnonzero(lattice.heads < 0)
        which, rest = expanded(placed.many[lattice.dependents[arcs]])
        state = first[lattice.dependents[arcs]][which] + rest
        sums = lattice.pairs[lattice.first_pair[arcs][which] + rest]
        complete = self.best_complete.score
        sums = sums + placed.worth[state] + complete[Side.LEFT, state, 0]
        sums += complete[Side.RIGHT, state, placed.last[state]]
        _, best, row = _best(placed.caption[state], sums)
        root = state[row[best > IMPOSSIBLE // 2]]
        heads = np.full(len(placed.many), -1)
        chosen = np.zeros(len(placed.many), np.intp)
        heads[placed.word[root]] = 0
        chosen[placed.word[root]] = lattice.states[root]
        self._follow(root, heads, chosen)
        return heads, chosen

    def _follow(self, root: Ints, heads: Ints, chosen: Ints) -> None:
        """Fill in heads and states below the roots, one step down at a time."""
        placed, pairs = self.placed, self.pairs
        side = np.repeat([Side.LEFT, Side.RIGHT], len(root))
        state = np.concatenate([root, root])
        end = np.where(side == Side.LEFT, 0, placed.last[state])
        items = np.zeros(0, np.intp)
        while len(side) or len(items):
            more = placed.place[state] != end
            side, state, end = side[more], state[more], end[more]
            pair = self.best_complete.made_of[side, state, end]
            items = np.concatenate([items, self.best_row.made_of[pair]])
            own = self.items.pair[items]
            words = placed.word[pairs.dependent[own]]
            heads[words] = placed.place[pairs.head[own]] + 1
            chosen[words] = self.lattice.states[pairs.dependent[own]]
            term = self.best_item.made_of[items]
            first, term = own[term < 0], term[term >= 0]
            cell = self.terms.cell[term]
            left, right = self.cells.left[cell], self.cells.right[cell]
            cut = placed.place[left] + self.best_cell.made_of[cell]
            # Spans to follow: the dependents' outer sides, the inner sides of the first
            # ones, and both sides of what is between siblings.
            sides = np.full(len(cell), Side.RIGHT), np.full(len(cell), Side.LEFT)
            side = np.concatenate([side, 1 - pairs.side[first], *sides])
            states = pairs.dependent[pair], pairs.dependent[first], left, right
            state = np.concatenate(states)
            end = np.concatenate([end, self._inner(first), cut, cut + 1])
            items = self.terms.source[term]


def _best(targets: Ints, sums: Ints) -> tuple[Ints, Ints, Ints]:
    """Return targets (sorted), the best sum of each and the row of the first."""
    if not len(targets):
        return targets, targets, targets
    begins = np.flatnonzero(np.concatenate([[True], targets[1:] != targets[:-1]]))
    sizes = np.diff(np.concatenate([begins, [len(targets)]]))
    local = np.arange(len(targets)) - np.repeat(begins, sizes)
    last = (1 << TIES) - 1
    best = np.maximum.reduceat((sums << TIES) + (last - local), begins)
    return targets[begins], best >> TIES, begins + last - (best & last)
