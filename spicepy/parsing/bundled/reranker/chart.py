"""A lattice in, the best tree of each caption out.

Eisner's algorithm (1996) with states, two siblings and the group of a third: the
best score of the dependents of a word up to a place is kept for each of its states,
for all captions of a lattice together, from narrow spans to wide ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.bundled.reranker.lattice import Lattice
from spicepy.parsing.bundled.reranker.states import MANY_GROUPS, NONE
from spicepy.parsing.bundled.reranker.weights import LEFT, RIGHT, TreeModel

Ints = NDArray[np.intp]

LARGEST: Final = 50_000
"""Pairs of siblings that are looked at together; more of one caption, not at all."""

TIES: Final = 20
"""Bits below a score that say which choice has it; the first wins."""


def best_trees(lattice: Lattice, model: TreeModel) -> Ints:
    """Return (3, words) tag, head (from 1, 0: root) and label of each word.

    Words of a caption that has no tree in its lattice have the head -1, and so have
    those of one in which nearly everything is open.
    """
    found = np.full((3, len(lattice.words)), -1)
    ends = np.concatenate([[0], np.cumsum(lattice.lengths)])
    for begin, end in _parts(lattice.sizes().tolist()):
        chart = Chart(lattice.part(begin, end), model)
        for width in range(1, chart.length):
            chart.widen(width)
        heads, states = chart.trees()
        tags, labels, *_ = model.states.unpack(states)
        found[:, ends[begin] : ends[end]] = tags % model.states.tags, heads, labels
    return found


def _parts(sizes: list[int]) -> Iterator[tuple[int, int]]:
    """Divide captions so that no part is too large; leave out those that are alone."""
    begin, total = 0, 0
    for place, size in enumerate(sizes):
        if total + size > LARGEST:
            if place > begin:
                yield begin, place
            begin, total = place, 0
        if size > LARGEST:
            begin = place + 1
        else:
            total += size
    if begin < len(sizes):
        yield begin, len(sizes)


@dataclass(slots=True)
class _Steps:
    """Numbers sorted by level; those of one level are at `of(level)`."""

    begins: Ints

    @classmethod
    def by(cls, levels: Ints, most: int) -> "_Steps":
        return cls(np.searchsorted(levels, np.arange(most + 2)))

    def of(self, level: int) -> slice:
        return slice(int(self.begins[level]), int(self.begins[level + 1]))


class Chart:
    """Scores of spans. Complete ones are at [state of their head, last word]."""

    def __init__(self, lattice: Lattice, model: TreeModel) -> None:
        self.lattice, self.model = lattice, model
        self.length = int(lattice.lengths.max())
        self.many = np.diff(lattice.first)
        self.word_of = np.repeat(np.arange(len(self.many)), self.many)
        caption, place = expanded(lattice.lengths)
        self.caption_of = caption[self.word_of]
        self.place_of = place[self.word_of]
        self.last_of = lattice.lengths[self.caption_of] - 1
        self.complete = np.full((2, len(self.word_of), self.length), NONE)
        self.complete_from = np.zeros(self.complete.shape, np.intp)
        self._single_words()
        self._arcs()
        self._siblings()
        self._ends()

    def _single_words(self) -> None:
        states, model = self.lattice.states, self.model
        own = np.arange(len(states))
        start, stop = model.states.start, model.states.stop
        closes = model.states.closes
        for side in (LEFT, RIGHT):
            score = model.dependent(states, side, np.array(stop))
            score += model.siblings(states, side, np.array(start), np.array(stop))
            score[~closes(states, side, np.array(start))] = NONE
            self.complete[side, own, self.place_of] = score
        lattice = self.lattice
        words, endings = lattice.words[self.word_of], lattice.endings[self.word_of]
        self.of_word = model.word(words, endings, states)

    def _arcs(self) -> None:
        """List each arc with each state of both words ("pair"), by width."""
        lattice, first = self.lattice, self.lattice.first
        arcs = np.flatnonzero(lattice.heads >= 0)
        head, dependent = lattice.heads[arcs], lattice.dependents[arcs]
        width = np.abs(head - dependent)
        order = np.argsort(width, kind="stable")
        arcs, head, dependent = arcs[order], head[order], dependent[order]
        sizes = self.many[head] * self.many[dependent]
        which, rest = expanded(sizes)
        of_head, of_dependent = np.divmod(rest, self.many[dependent][which])
        scores = lattice.pairs[lattice.first_pair[arcs][which] + of_dependent]
        kept = scores > NONE
        which, scores = which[kept], scores[kept]
        self.head = first[head][which] + of_head[kept]
        self.dependent = first[dependent][which] + of_dependent[kept]
        self.side = (dependent > head)[which].astype(np.intp)
        self.width = np.abs(head - dependent)[which]
        states, model = lattice.states, self.model
        heads, dependents = states[self.head], states[self.dependent]
        scores = scores + self.of_word[self.dependent]
        self.pair_score = scores + model.dependent(heads, self.side, dependents)
        start, stop = np.array(model.states.start), np.array(model.states.stop)
        self.first_score = model.siblings(heads, self.side, start, dependents)
        last = model.dependent(heads, self.side, stop)
        self.last_score = last + model.siblings(heads, self.side, dependents, stop)
        self.pair_steps = _Steps.by(self.width, self.length)
        self.is_last = model.states.closes(heads, self.side, dependents)

    def _siblings(self) -> None:
        """List items (a pair, the group before it), terms of them and cells."""
        model, states = self.model, self.lattice.states
        before, after = self._neighbours()
        labels = model.states.unpack(states[self.dependent[before]])[1]
        group = model.states.groups[labels]
        # An item has a place in the row of its pair: group 0 has no sibling before.
        present = np.zeros((len(self.head), MANY_GROUPS), bool)
        present[:, 0] = True
        present[after, group] = True
        self.item_pair, self.item_group = np.nonzero(present)
        starts = np.searchsorted(self.item_pair, np.arange(len(self.head) + 1))
        self.item_begins = starts
        target = (np.cumsum(present) - 1)[after * MANY_GROUPS + group]
        order = np.argsort(target, kind="stable")
        before, after, target = before[order], after[order], target[order]
        which, rest = expanded((starts[1:] - starts[:-1])[before])
        source = starts[before][which] + rest
        self.term_target, self.term_source = target[which], source
        heads = states[self.head[after]]
        side = self.side[after]
        first, second = states[self.dependent[before]], states[self.dependent[after]]
        weights = model.siblings(heads, side, first, second)
        thirds = model.third(
            heads[which],
            side[which],
            self.item_group[source],
            first[which],
            second[which],
        )
        self.term_score = weights[which] + thirds
        self.term_cell = self._cells(before, after)[which]
        self._items()

    def _cells(self, before: Ints, after: Ints) -> Ints:
        """List what is between siblings: the right side of one, the left of the other.

        Returns:
            The cell of each pair of siblings.
        """
        rightward = self.side[after] == RIGHT
        left = np.where(rightward, self.dependent[before], self.dependent[after])
        right = np.where(rightward, self.dependent[after], self.dependent[before])
        count = len(self.word_of)
        cells, place = np.unique(left * count + right, return_inverse=True)
        left, right = np.divmod(cells, count)
        width = self.place_of[right] - self.place_of[left]
        order = np.argsort(width, kind="stable")
        self.cell_left, self.cell_right = left[order], right[order]
        self.cell_steps = _Steps.by(width[order], self.length)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        self.cell = np.full(len(cells), NONE)
        self.cell_from = np.zeros(len(cells), np.intp)
        of_siblings: Ints = rank[place]
        return of_siblings

    def _items(self) -> None:
        """Make room for the best scores of items and pairs, sort them by level."""
        model, states = self.model, self.lattice.states
        self.item = np.full(len(self.item_pair), NONE)
        self.item_from = np.full(len(self.item_pair), -1)
        self.pair = np.full(len(self.head), NONE)
        self.pair_from = np.zeros(len(self.head), np.intp)
        width = self.width[self.item_pair]
        self.item_steps = _Steps.by(width, self.length)
        self.term_steps = _Steps.by(width[self.term_target], self.length)
        stop = np.array(model.states.stop)
        pair = self.item_pair
        self.item_last = self.last_score[pair] + model.third(
            states[self.head[pair]],
            self.side[pair],
            self.item_group,
            states[self.dependent[pair]],
            stop,
        )

    def _neighbours(self) -> tuple[Ints, Ints]:
        """Return pairs of one head's state and side, the inner and the outer one."""
        key = self.head * 2 + self.side
        order = np.argsort(key * self.length + self.width, kind="stable")
        sorted_key, sorted_width = key[order], self.width[order]
        ends = np.searchsorted(sorted_key, sorted_key, side="right")
        # All later ones of the same key, then without those of the same word.
        which, rest = expanded(ends - np.arange(len(order)) - 1)
        outer = which + 1 + rest
        kept = sorted_width[outer] > sorted_width[which]
        return order[which[kept]], order[outer[kept]]

    def _ends(self) -> None:
        """List what may be the last dependent, with each place where the span ends."""
        last = np.flatnonzero(self.is_last)
        side = self.side[last]
        place = self.place_of[self.dependent[last]]
        to_go = self.last_of[self.dependent[last]] - place
        sizes = np.where(side == RIGHT, to_go, place) + 1
        which, rest = expanded(sizes)
        pair = last[which]
        end = place[which] + np.where(side[which] == RIGHT, rest, -rest)
        level = np.abs(end - self.place_of[self.head[pair]])
        place_in = (side[which] * len(self.word_of) + self.head[pair]) * self.length
        place_in += end
        order = np.argsort(level * self.complete.size + place_in, kind="stable")
        self.end_pair, self.end_place = pair[order], place_in[order]
        self.end_steps = _Steps.by(level[order], self.length)

    def widen(self, width: int) -> None:
        """Fill in the spans of one width; all narrower ones are there."""
        self._fill_cells(self.cell_steps.of(width), width)
        self._fill_items(width)
        self._fill_complete(self.end_steps.of(width))

    def _fill_cells(self, part: slice, width: int) -> None:
        left, right = self.cell_left[part, None], self.cell_right[part, None]
        if len(left):
            ends = self.place_of[left] + np.arange(width)
            sums = self.complete[RIGHT, left, ends]
            sums = sums + self.complete[LEFT, right, ends + 1]
            best = sums.argmax(axis=1)
            self.cell_from[part] = best
            self.cell[part] = np.take_along_axis(sums, best[:, None], 1)[:, 0]

    def _fill_items(self, width: int) -> None:
        items, pairs = self.item_steps.of(width), self.pair_steps.of(width)
        if items.start == items.stop:
            return
        # The first dependent on a side: nothing between it and its head.
        side, dependent = self.side[pairs], self.dependent[pairs]
        inner = self.place_of[self.head[pairs]] + np.where(side == RIGHT, 1, -1)
        begin = self.item_begins[pairs]
        self.item[begin] = (
            self.pair_score[pairs]
            + self.first_score[pairs]
            + self.complete[1 - side, dependent, inner]
        )
        terms = self.term_steps.of(width)
        if terms.stop > terms.start:
            sums = self.item[self.term_source[terms]] + self.term_score[terms]
            sums += self.cell[self.term_cell[terms]]
            target, best, place = _best(self.term_target[terms], sums)
            self.item[target] = best + self.pair_score[self.item_pair[target]]
            self.item_from[target] = terms.start + place
        sums = self.item[items] + self.item_last[items]
        pair, best, place = _best(self.item_pair[items], sums)
        self.pair[pair] = best
        self.pair_from[pair] = items.start + place

    def _fill_complete(self, part: slice) -> None:
        if part.start == part.stop:
            return
        pair, place_in = self.end_pair[part], self.end_place[part]
        # The same place, of the dependent instead of the head.
        to_dependent = (self.dependent[pair] - self.head[pair]) * self.length
        sums = self.pair[pair] + self.complete.ravel()[place_in + to_dependent]
        target, best, place = _best(place_in, sums)
        self.complete.ravel()[target] = best
        self.complete_from.ravel()[target] = pair[place]

    def trees(self) -> tuple[Ints, Ints]:
        """Return head and state of each word."""
        lattice, first = self.lattice, self.lattice.first
        arcs = np.flatnonzero(lattice.heads < 0)
        which, rest = expanded(self.many[lattice.dependents[arcs]])
        state = first[lattice.dependents[arcs]][which] + rest
        sums = lattice.pairs[lattice.first_pair[arcs][which] + rest]
        sums = sums + self.of_word[state] + self.complete[LEFT, state, 0]
        sums += self.complete[RIGHT, state, self.last_of[state]]
        _, best, place = _best(self.caption_of[state], sums)
        found = best > NONE // 2
        root = state[place[found]]
        heads = np.full(len(self.many), -1)
        chosen = np.zeros(len(self.many), np.intp)
        heads[self.word_of[root]] = 0
        chosen[self.word_of[root]] = lattice.states[root]
        self._follow(root, heads, chosen)
        return heads, chosen

    def _follow(self, root: Ints, heads: Ints, chosen: Ints) -> None:
        """Fill in heads and states below the roots, one step down at a time."""
        side = np.repeat([LEFT, RIGHT], len(root))
        state = np.concatenate([root, root])
        end = np.where(side == LEFT, 0, self.last_of[state])
        items = np.zeros(0, np.intp)
        while len(side) or len(items):
            more = self.place_of[state] != end
            side, state, end = side[more], state[more], end[more]
            pair = self.complete_from[side, state, end]
            dependent = self.dependent[pair]
            items = np.concatenate([items, self.pair_from[pair]])
            own = self.item_pair[items]
            words = self.word_of[self.dependent[own]]
            heads[words] = self.place_of[self.head[own]] + 1
            chosen[words] = self.lattice.states[self.dependent[own]]
            source = self.item_from[items]
            start, later = own[source < 0], source[source >= 0]
            inner = self.place_of[self.head[start]]
            inner = inner + np.where(self.side[start] == RIGHT, 1, -1)
            cell = self.term_cell[later]
            left, right = self.cell_left[cell], self.cell_right[cell]
            cut = self.place_of[left] + self.cell_from[cell]
            side = np.concatenate(
                [
                    side,
                    1 - self.side[start],
                    np.full(len(cell), RIGHT),
                    np.full(len(cell), LEFT),
                ]
            )
            state = np.concatenate([dependent, self.dependent[start], left, right])
            end = np.concatenate([end, inner, cut, cut + 1])
            items = self.term_source[later]


def expanded(sizes: Ints) -> tuple[Ints, Ints]:
    """Return for each n, as often as its size, n and a number from 0."""
    which = np.repeat(np.arange(len(sizes)), sizes)
    begins = np.cumsum(sizes) - sizes
    return which, np.arange(len(which)) - begins[which]


def _best(targets: Ints, sums: Ints) -> tuple[Ints, Ints, Ints]:
    """Return targets (sorted), the best sum of each and the place of the first."""
    if not len(targets):
        return targets, targets, targets
    begins = np.flatnonzero(np.concatenate([[True], targets[1:] != targets[:-1]]))
    sizes = np.diff(np.concatenate([begins, [len(targets)]]))
    local = np.arange(len(targets)) - np.repeat(begins, sizes)
    last = (1 << TIES) - 1
    best = np.maximum.reduceat((sums << TIES) + (last - local), begins)
    return targets[begins], best >> TIES, begins + last - (best & last)
