"""Sentences and their bounds in, the best last step of every open phrase out.

Only phrases and rules that the bounds leave open are scored, in the original's own
arithmetic: 32-bit sums in the order (rule + left) + right and, once per span, chains of
unary rules.

A *cell* is a span of a sentence with a symbol that is open there. It has a *place* for
each state of the symbol. Cells are sorted by width, and places count through them.
"""

from bisect import bisect_left
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.exact.bounds import Bounds, Edges
from spicepy.parsing.exact.pcfg import Floats, Ints
from spicepy.parsing.exact.projection import UNIT, Groups, Projection

NOT_OPEN: Final = -1
NEVER: Final = np.float32(-np.inf)
NEAR: Final = 1e-3
"""Sums of 64 bits that differ by less may be equal in 32 bits."""


class Steps(NamedTuple):
    """Applications of rules: (steps,).

    `rule` is the place of the rule in the grammar's list; `right` and `split` are 0 for
    unary rules.
    """

    parent: Ints
    left: Ints
    right: Ints
    split: Ints
    rule: Ints


class Phrases(NamedTuple):
    """Open places that have a score: (phrases,)."""

    place: Ints
    cell: Ints
    state: Ints


class Cells:
    """The open cells of sentences of one length."""

    def __init__(self, projection: Projection, bounds: Bounds) -> None:
        self.projection, self.bounds = projection, bounds
        places = bounds.places
        _, symbols, self.sentences = bounds.inside.shape
        self.size_of_span = symbols * self.sentences
        self.begin = np.empty(bounds.inside.size, np.int32)
        found, counts = [], []
        for width in range(1, places):
            own = [
                self._open(begin * places + begin + width)
                for begin in range(places - width)
            ]
            counts.append(sum(map(len, own)))
            found += own
        self.cell = np.concatenate(found)
        sizes = projection.sizes[self.symbol_of(self.cell)]
        self.ends = np.cumsum(sizes)
        self.begin[self.cell] = self.ends - sizes
        # Where the places of each width end, from width 0.
        self.width_ends = np.append(0, self.ends)[np.cumsum([0, *counts])]
        self.values = np.full(int(self.width_ends[-1]), NEVER, np.float32)

    def _open(self, span: int) -> Ints:
        """Return the numbers of the open cells of a span; close all others."""
        first = span * self.size_of_span
        self.begin[first : first + self.size_of_span] = NOT_OPEN
        own = self.bounds.inside[span] + self.bounds.outside[span]
        found: Ints = np.flatnonzero(own >= self.bounds.limit) + first
        return found

    def number(self, span: Ints | int, symbol: Ints, sentence: Ints | int) -> Ints:
        """Return the number of a cell."""
        found: Ints = span * self.size_of_span + symbol * self.sentences + sentence
        return found

    def symbol_of(self, cell: Ints) -> Ints:
        """Return the symbol of a cell."""
        found: Ints = cell % self.size_of_span // self.sentences
        return found

    def place(self, cell: Ints, state: Ints) -> Ints:
        """Return the place of a state in its cell, which must be open."""
        found: Ints = self.begin.take(cell) + self.projection.offset.take(state)
        return found

    def phrases(self, width: int) -> Phrases:
        """Return the places of a width that have a score; drop what is too bad."""
        first, last = self.width_ends[width - 1 : width + 1]
        place = np.flatnonzero(self.values[first:last] > NEVER) + first
        cell = self.cell.take(np.searchsorted(self.ends, place, side="right"))
        states = self.projection.states_of
        symbol = self.symbol_of(cell)
        rest = place - self.begin.take(cell)
        state = states.members.take(states.begins.take(symbol) + rest)
        score = self.values.take(place) - self.projection.potential.take(state)
        limit = self.bounds.limit.take(cell % self.sentences)
        around = self.bounds.outside.ravel().take(cell).astype(np.intp)
        good = score * UNIT + 1 >= limit - around + self._scale(cell)
        self.values[place[~good]] = NEVER
        kept = np.flatnonzero(good)
        return Phrases(place.take(kept), cell.take(kept), state.take(kept))

    def _scale(self, cell: Ints) -> Ints:
        """Return what the coarse scores of cells are lessened by."""
        scale, places = self.bounds.scale, self.bounds.places
        begin, end = np.divmod(cell // self.size_of_span, places)
        sentence = cell % self.sentences
        found: Ints = scale[end, sentence] - scale[begin, sentence]
        return found


def members(groups: Groups, group: Ints) -> tuple[Ints, Ints]:
    """Return the members of some groups, and for each the place of its group."""
    begins = groups.begins.take(group)
    counts = groups.begins.take(group + 1) - begins
    which = np.repeat(np.arange(len(group)), counts)
    begins -= np.cumsum(counts) - counts
    return groups.members.take(begins.take(which) + np.arange(len(which))), which


class Joins:
    """The pairs that are open, and the binary rules they may be joined by."""

    def __init__(self, cells: Cells, of_pair: Groups, edges: Edges) -> None:
        """Work out what rules must reach.

        Args:
            cells: The open cells.
            of_pair: The coarse rules of each pair of symbols.
            edges: The pairs.
        """
        projection, bounds = cells.projection, cells.bounds
        left_symbol, right_symbol, _ = projection.pairs
        places, pair = bounds.places, edges.pair
        inside, outside = bounds.inside.ravel(), bounds.outside.ravel()
        left_span = edges.begin * places + edges.split
        right_span = edges.split * places + edges.end
        left = cells.number(left_span, left_symbol[pair], edges.sentence)
        right = cells.number(right_span, right_symbol[pair], edges.sentence)
        parts = inside.take(left).astype(np.int32) + inside.take(right)
        rule, edge = members(of_pair, pair)
        span = (edges.begin * places + edges.end).take(edge)
        symbol = projection.binary.parent.take(rule)
        parent = cells.number(span, symbol, edges.sentence.take(edge))
        limit = bounds.limit.take(edges.sentence).take(edge)
        need = limit - parts.take(edge) - outside.take(parent)
        is_open = np.flatnonzero(projection.binary.score.take(rule) >= need)
        edge, parent = edge.take(is_open), parent.take(is_open)
        width = (edges.end - edges.begin).take(edge)
        order = np.argsort(width, kind="stable")
        self.rule = rule.take(is_open).take(order)
        self.need = need.take(is_open).take(order)
        edge, self.parent = edge.take(order), cells.begin.take(parent).take(order)
        self.left = cells.begin.take(left).take(edge)
        self.right = cells.begin.take(right).take(edge)
        self.split = edges.split.take(edge)
        counts = np.bincount(width, minlength=places)
        self.width_ends = np.cumsum(counts)
        self.cells = cells

    def steps(self, width: int) -> Steps:
        """Return the binary rules whose parts have scores."""
        projection = self.cells.projection
        grammar, offset = projection.grammar, projection.offset
        values, rules = self.cells.values, projection.binary
        own = slice(*self.width_ends[width - 1 : width + 1])
        rule, which = members(rules.fine, self.rule[own])
        left = self.left[own].take(which) + offset.take(grammar.left.take(rule))
        kept = np.flatnonzero(values.take(left) > NEVER)
        rule, which, left = rule.take(kept), which.take(kept), left.take(kept)
        right = self.right[own].take(which) + offset.take(grammar.right.take(rule))
        good = values.take(right) > NEVER
        good &= rules.fine_score.take(rule) >= self.need[own].take(which)
        kept = np.flatnonzero(good)
        rule, which = rule.take(kept), which.take(kept)
        return Steps(
            self.parent[own].take(which) + offset.take(grammar.parent.take(rule)),
            left.take(kept),
            right.take(kept),
            self.split[own].take(which),
            rule,
        )


class Raises(NamedTuple):
    """Unary rules: the state above and the score of each, and those of each state."""

    above: Ints
    score: Floats
    of_state: Groups

    def steps(self, cells: Cells, phrases: Phrases) -> Steps:
        """Return the rules by which phrases become others."""
        rule, which = members(self.of_state, phrases.state)
        above, cell = self.above.take(rule), phrases.cell.take(which)
        symbol = cells.projection.symbol
        step = symbol.take(above) - symbol.take(phrases.state.take(which))
        parent = cell + step * cells.sentences
        kept = np.flatnonzero(cells.begin.take(parent) >= 0)
        none = np.zeros(len(kept), np.intp)
        return Steps(
            cells.place(parent.take(kept), above.take(kept)),
            phrases.place.take(which.take(kept)),
            none,
            none,
            rule.take(kept),
        )


def fill(cells: Cells, joins: Joins, chains: Raises, single: Raises) -> "Chart":
    """Score every open place; the words are scored."""
    values = cells.values
    grammar = cells.projection.grammar
    joined, raised = [], []
    for width in range(1, cells.bounds.places):
        steps = joins.steps(width)
        parts = grammar.score.take(steps.rule) + values.take(steps.left)
        parts += values.take(steps.right)
        np.maximum.at(values, steps.parent, parts)
        joined.append(steps)
        # Chains begin at what is not made by a chain.
        steps = chains.steps(cells, cells.phrases(width))
        parts = chains.score.take(steps.rule) + values.take(steps.left)
        np.maximum.at(values, steps.parent, parts)
        raised.append(single.steps(cells, cells.phrases(width)))
    exact = values.astype(np.float64)
    both, one = (Steps(*map(np.concatenate, zip(*s))) for s in (joined, raised))
    parts = grammar.score.take(both.rule) + exact.take(both.left)
    parts += exact.take(both.right)
    above = single.score.take(one.rule) + exact.take(one.left)
    return Chart(cells, Best(exact, both, parts), Best(exact, one, above))


def _view(numbers: Any) -> "memoryview[Any]":
    """Return numbers so that one after the other is read fast."""
    return memoryview(numbers)


class Best:
    """The best last step of each place, the first of equally good ones.

    Attributes:
        parent: Places, in ascending order.
        left, right, rule, split, score: The step that makes each.
    """

    def __init__(
        self, values: NDArray[np.float64], steps: Steps, score: NDArray[np.float64]
    ) -> None:
        parent, left, right, split, rule = steps
        good = (score > NEVER) & (score >= values.take(parent) - NEAR)
        near = np.flatnonzero(good)
        # Candidates come by split and, within a split, in the order of the rules.
        keys = rule.take(near), split.take(near), parent.take(near)
        near = near.take(np.lexsort(keys))
        parent, score = parent.take(near), score.take(near)
        begins = np.flatnonzero(np.diff(parent, prepend=-1))
        highest = np.maximum.reduceat(score, begins) if len(begins) else score
        sizes = np.diff(begins, append=len(parent))
        best = np.flatnonzero(score == np.repeat(highest, sizes))
        best = best[np.diff(parent.take(best), prepend=-1) > 0]
        near = near.take(best)
        self.parent = _view(parent.take(best))
        self.score = _view(score.take(best))
        self.left, self.right, self.rule, self.split = (
            _view(column.take(near)) for column in (left, right, rule, split)
        )

    def find(self, place: int) -> int:
        """Return the number of the step that makes a place, -1 if there is none."""
        number = bisect_left(self.parent, place)
        there = number < len(self.parent) and self.parent[number] == place
        return number if there else -1


class Chart(NamedTuple):
    """A finished chart: the best binary and unary step of each place."""

    cells: Cells
    binary: Best
    unary: Best
