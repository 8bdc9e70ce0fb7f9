"""Sentences of one length in, what their best trees may contain out.

Two passes over the coarse grammar (`projection`): from narrow spans to wide ones, the
score of the best coarse tree of each symbol over each span (*inside*), and from wide
ones to narrow ones that of the best surroundings (*outside*). Their sum bounds the
score of every tree with that symbol there. All sentences are worked on together, a
column each; scores are whole numbers of 16 bits, or 32-bit floats for long sentences.

A span from `begin` to `end` has the number begin x places + end.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.exact.lexicon import Leaf
from spicepy.parsing.exact.pcfg import ROOT, Ints
from spicepy.parsing.exact.projection import UNIT, Layout, Projection, layout

NEVER: Final = -10_000
"""At most this is impossible; three such numbers fit 16 bits."""
MARGIN: Final = 0.05
"""Nats by which sums of 32 bits may be off."""
LARGE: Final = 1e6
SHORT: Final = 30
"""Words of a sentence whose scores fit 16 bits."""
Scores = NDArray[Any]


class Bounds(NamedTuple):
    """The open parts of the charts of sentences; scores are coarse.

    Attributes:
        places: Words of a sentence and two: the boundary word, and the place after it.
        inside, outside: (spans, symbols, sentences).
        limit: The score that a tree must reach, (sentences,).
        scale: The sum to add to a coarse score over the words before each place,
            (places, sentences).
        edges: Pairs of children that such a tree may contain.
    """

    places: int
    inside: Scores
    outside: Scores
    limit: Ints
    scale: Ints
    edges: "Edges"


class Edges(NamedTuple):
    """Two neighbouring phrases each: (edges,)."""

    sentence: Ints
    begin: Ints
    split: Ints
    end: Ints
    pair: Ints


class Bounder:
    """Works out bounds by one projection of a grammar."""

    def __init__(self, projection: Projection) -> None:
        self.projection = projection
        rules = projection.binary
        left, right, _ = projection.pairs
        self.left, self.right = left, right
        self.root = int(projection.symbol[projection.grammar.states.index(ROOT)])
        self.by_parent = layout(rules.child, rules.parent)
        self.parent_score = rules.score[self.by_parent.maximum.order][:, None]
        self.by_pair = layout(rules.parent, rules.child)
        self.pair_score = rules.score[self.by_pair.maximum.order][:, None]
        pairs = np.arange(len(left))
        self.by_left = layout(pairs, left)
        self.by_right = layout(pairs, right)
        unary = projection.unary
        self.upwards = layout(unary.child, unary.parent)
        self.upward_score = unary.score[self.upwards.maximum.order][:, None]
        self.downwards = layout(unary.parent, unary.child)
        self.downward_score = unary.score[self.downwards.maximum.order][:, None]
        self.place_of_pair = np.argsort(self.by_pair.maximum.groups)

    def bounds(
        self, leaves: Sequence[Sequence[Leaf]], slack: float, reached: Sequence[float]
    ) -> Bounds:
        """Return the bounds of sentences of one length.

        Args:
            leaves: The leaf of each word of each sentence, boundary word included.
            slack: Nats below the best coarse tree that a tree may be.
            reached: The score of a tree of each sentence, -inf if none is known; what
                is worse is not open.
        """
        words = len(leaves[0])
        kind = np.int16 if words <= SHORT else np.float32
        chart = _Chart(self, words, len(leaves), kind)
        scale = chart.add_words(leaves)
        for width in range(2, words + 1):
            for begin in range(words + 1 - width):
                chart.fill(begin, begin + width)
        whole = chart.inside[words][self.root].astype(np.intp)
        known = np.maximum(np.array(reached), -LARGE) - MARGIN
        units = np.floor(known * UNIT).astype(np.intp) - scale[-1]
        limit = np.maximum(whole - round(slack * UNIT), units)
        edges = chart.look_around(limit)
        return Bounds(words + 1, chart.inside, chart.outside, limit, scale, edges)


class _Chart:
    """The two passes over sentences of one length."""

    def __init__(self, bounder: Bounder, words: int, sentences: int, kind: Any) -> None:
        self.bounder, self.words, self.places = bounder, words, words + 1
        shape = self.places**2, bounder.projection.symbols, sentences
        self.kind = kind
        self.inside: Scores = np.empty(shape, kind)
        self.outside: Scores = np.empty(shape, kind)
        pairs = len(bounder.left), sentences
        self.sum, self.best = np.empty(pairs, kind), np.empty(pairs, kind)
        self.other = np.empty(pairs, kind)
        # How good the surroundings of a pair are, laid out for its left and right part.
        self.around_left: dict[int, Scores] = {}
        self.around_right: dict[int, Scores] = {}

    def span(self, begin: int, end: int) -> int:
        """Return the number of a span."""
        return begin * self.places + end

    def add_words(self, leaves: Sequence[Sequence[Leaf]]) -> Ints:
        """Enter the words; return what scores are lessened by (`Bounds.scale`)."""
        projection = self.bounder.projection
        scale = np.zeros((self.places, len(leaves)), np.intp)
        for begin in range(self.words):
            cell = np.full(self.inside.shape[1:], NEVER, np.intp)
            for sentence, own in enumerate(leaves):
                states, scores = own[begin]
                units = projection.leaf(states, scores)
                most = int(units.max(initial=NEVER))
                scale[begin + 1, sentence] = most
                symbols = projection.symbol[states]
                np.maximum.at(cell[:, sentence], symbols, units - most)
            np.maximum(cell, NEVER, out=cell)
            span = self.span(begin, begin + 1)
            self.inside[span] = self._with_chains(cell.astype(self.kind))
        return np.cumsum(scale, axis=0)

    def _with_chains(self, cell: Scores) -> Scores:
        """Add what unary rules make of a cell, (symbols, sentences)."""
        bounder = self.bounder
        made = cell.take(bounder.upwards.take, axis=0)
        made += bounder.upward_score
        best = bounder.upwards.maximum(made)
        groups = bounder.upwards.maximum.groups
        cell[groups] = np.maximum(cell[groups], best)
        return cell

    def fill(self, begin: int, end: int) -> None:
        """Fill the inside of a span whose parts are filled."""
        bounder, inside = self.bounder, self.inside
        best, total, other = self.best, self.sum, self.other
        best.fill(3 * NEVER)
        for split in range(begin + 1, end):
            left, right = self.span(begin, split), self.span(split, end)
            inside[left].take(bounder.left, axis=0, out=total, mode="clip")
            inside[right].take(bounder.right, axis=0, out=other, mode="clip")
            np.add(total, other, out=total)
            np.maximum(best, total, out=best)
        made = best.take(bounder.by_parent.take, axis=0)
        made += bounder.parent_score
        cell = np.full(inside.shape[1:], NEVER, self.kind)
        parents = bounder.by_parent.maximum
        cell[parents.groups] = np.maximum(parents(made), NEVER)
        inside[self.span(begin, end)] = self._with_chains(cell)

    def look_around(self, limit: Ints) -> Edges:
        """Fill the outside of all spans; return the pairs that may be in a tree.

        Args:
            limit: The score that a tree must reach, (sentences,).
        """
        reach = limit.astype(self.kind)
        found = []
        for width in range(self.words, 0, -1):
            for begin in range(self.words + 1 - width):
                found += self._surround(begin, begin + width, reach)
        columns = zip(*found) if found else ([NONE] for _ in range(5))
        return Edges(*map(np.concatenate, columns))

    def _surround(self, begin: int, end: int, reach: Scores) -> list[Edges]:
        """Fill the outside of a span whose surroundings are filled."""
        bounder = self.bounder
        top = np.full(self.inside.shape[1:], NEVER, self.kind)
        if end - begin == self.words:
            top[bounder.root] = 0
        edges = self._as_left(begin, end, top, reach)
        self._as_right(begin, end, top)
        made = top.take(bounder.downwards.take, axis=0)
        made += bounder.downward_score
        best = bounder.downwards.maximum(made)
        groups = bounder.downwards.maximum.groups
        top[groups] = np.maximum(top[groups], best)
        self.outside[self.span(begin, end)] = top
        if end - begin > 1:
            self._keep_around(begin, end, top)
        return edges

    def _keep_around(self, begin: int, end: int, cell: Scores) -> None:
        """Keep how good the surroundings of pairs are that form a span."""
        bounder = self.bounder
        made = cell.take(bounder.by_pair.take, axis=0)
        made += bounder.pair_score
        best = np.maximum(bounder.by_pair.maximum(made), NEVER)
        best = best.take(bounder.place_of_pair, axis=0)
        span = self.span(begin, end)
        self.around_left[span] = best.take(bounder.by_left.take, axis=0)
        self.around_right[span] = best.take(bounder.by_right.take, axis=0)

    def _as_left(self, begin: int, end: int, top: Scores, reach: Scores) -> list[Edges]:
        """Raise a cell to the best surroundings as a left part; return its edges."""
        bounder, inside, total = self.bounder, self.inside, self.sum
        pairs = bounder.by_left
        right_parts = bounder.right[pairs.take]
        own = inside[self.span(begin, end)].take(bounder.left[pairs.take], axis=0)
        self.best.fill(3 * NEVER)
        found = []
        for after in range(end + 1, self.words + 1):
            inside[self.span(end, after)].take(
                right_parts, axis=0, out=total, mode="clip"
            )
            np.add(total, self.around_left[self.span(begin, after)], out=total)
            np.maximum(self.best, total, out=self.best)
            np.add(total, own, out=total)
            places = np.flatnonzero(total >= reach)
            if len(places):
                pair, sentence = np.divmod(places, total.shape[1])
                first, middle, last = np.broadcast_to(
                    [[begin], [end], [after]], (3, len(pair))
                )
                found.append(Edges(sentence, first, middle, last, pairs.take[pair]))
        if end < self.words:
            self._raise(top, pairs, self.best)
        return found

    def _as_right(self, begin: int, end: int, top: Scores) -> None:
        """Raise a cell to the best surroundings as a right part."""
        bounder, inside, total = self.bounder, self.inside, self.sum
        pairs = bounder.by_right
        left_parts = bounder.left[pairs.take]
        self.best.fill(3 * NEVER)
        for before in range(begin):
            inside[self.span(before, begin)].take(
                left_parts, axis=0, out=total, mode="clip"
            )
            np.add(total, self.around_right[self.span(before, end)], out=total)
            np.maximum(self.best, total, out=self.best)
        if begin:
            self._raise(top, pairs, self.best)

    def _raise(self, top: Scores, pairs: Layout, best: Scores) -> None:
        groups = pairs.maximum.groups
        raised = np.maximum(pairs.maximum(best), NEVER)
        top[groups] = np.maximum(top[groups], raised)


NONE: Final = np.zeros(0, np.intp)
