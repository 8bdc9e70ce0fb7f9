"""The chart in numpy: all phrases that end with one phrase at once.

`compiled_chart` has the same functions, compiled by numba: several times as fast, with
the same bits.

Scores are sums of 32 bits in the original's order, (rule + left) + right and, once per
span, a chain of unary rules on top. A phrase that is finished is tried at once as the
right half of all that end where it ends, and only with the rules that have such a right
half and a left half somewhere before it: some 4,000 of the 46,000.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.exact.pcfg import Floats, Ints
from spicepy.parsing.exact.weights import Binary, Leaf, Rules, States, Unary

TOGETHER: Final = 1  # The number of sentences whose charts are filled together
MINUS_INFINITY: Final = np.float32(-np.inf)


Chart = list[list[Floats]]
"""The scores of each sentence: for each end, 0 included, (begins, states)."""


class _Joins(NamedTuple):
    """Some binary rules, by parent."""

    parent: States
    left: States
    right: States | Ints
    score: Floats


def bytes_of(spans: int, states: int) -> int:
    """Return the number of bytes of a sentence's chart."""
    return 4 * spans * states


def fill(
    rules: Rules, leaves: Sequence[Sequence[Leaf]], states: int, kept: Chart | None
) -> Chart:
    """Score every state over every span of sentences with their boundary word."""
    # Other charts reuse the memory of `kept`, an earlier chart; this one does not.
    _, parent, left, right, score = rules.made_of
    joins = _Joins(parent, left, right, score)
    return [_filled(joins, rules.chains_by_end, words, states) for words in leaves]


def _filled(
    joins: _Joins, chains: Unary, words: Sequence[Leaf], states: int
) -> list[Floats]:
    chart = [np.zeros((0, states), np.float32)]
    usable = [joins]  # those that have a left half which ends at each place
    below = chains.below.astype(np.intp)
    for end in range(1, len(words) + 1):
        cells = np.full((end, states), MINUS_INFINITY)
        there = np.zeros(states, np.bool_)
        cells[-1, words[end - 1].states] = words[end - 1].scores
        for begin in reversed(range(end)):
            cell = cells[begin]
            _raise(chains, below, cell)
            there |= cell > MINUS_INFINITY
            if begin:
                _join(usable[begin], chart[begin], cell, cells[:begin])
        chart.append(cells)
        usable.append(_some(joins, there.take(joins.left).nonzero()[0]))
    return chart


def _some(joins: _Joins, rows: Ints) -> _Joins:
    return _Joins(
        joins.parent.take(rows),
        joins.left.take(rows),
        joins.right.take(rows).astype(np.intp),  # the type that looks up fastest
        joins.score.take(rows),
    )


def _raise(chains: Unary, below: Ints, cell: Floats) -> None:
    """Score the phrases that are made of one, by the best chain of unary rules."""
    scores = cell.take(below, mode="clip")
    found = (scores > MINUS_INFINITY).nonzero()[0]
    if found.size:
        total = chains.score.take(found)
        total += scores.take(found)
        above, first = _groups(chains.above.take(found))
        best = np.maximum.reduceat(total, first)
        cell[above] = np.maximum(cell.take(above), best)


def _join(joins: _Joins, lefts: Floats, right: Floats, whole: Floats) -> None:
    """Score the phrases that end with a right half, for all left halves before it."""
    # `right` is (states,); `lefts` and `whole`, whose scores may rise, are (begins,
    # states).
    scores = right.take(joins.right, mode="clip")
    found = (scores > MINUS_INFINITY).nonzero()[0]
    if found.size:
        total = lefts.take(joins.left.take(found), axis=1, mode="clip")
        total += joins.score.take(found)
        total += scores.take(found)
        parents, first = _groups(joins.parent.take(found))
        best = np.maximum.reduceat(total, first, axis=1)
        whole[:, parents] = np.maximum(whole[:, parents], best, out=best)


def _groups(states: NDArray[Any]) -> tuple[Ints, Ints]:
    """Return the states of a sorted column, and the first row of each."""
    new = np.empty(len(states), np.bool_)
    new[0] = True
    np.not_equal(states[1:], states[:-1], out=new[1:])
    first = new.nonzero()[0]
    return states.take(first), first


def score_of(chart: Chart, sentence: int, place: tuple[int, int, int]) -> float:
    """Return the score of a phrase (its state, begin and end), -inf if it cannot be."""
    state, begin, end = place
    return float(chart[sentence][end][begin, state])


def last_step(
    made_of: Binary,
    single: Unary,
    chart: Chart,
    sentence: int,
    place: tuple[int, int, int],
    reached: float,
) -> tuple[int, int]:
    """Return a phrase's best rule, the first of equals, and its split (unary: 0)."""
    # `place` is the phrase's state, begin and end. Sums have 64 bits here. Binary rules
    # are tried by split and, within a split, in the grammar's order, then single unary
    # rules. The result is (-1, 0) if nothing is better than `reached`, the score of a
    # way that comes before all others.
    state, begin, end = place
    cells = chart[sentence]
    step = -1, 0
    rows = slice(made_of.first[state], made_of.first[state + 1])
    if rows.start < rows.stop and end > begin + 1:
        splits = range(begin + 1, end)
        ways: NDArray[np.float64] = made_of.score[rows].astype(np.float64)
        left = made_of.left[rows]
        ways = ways + np.array([cells[split][begin].take(left) for split in splits])
        ways += cells[end][begin + 1 : end].take(made_of.right[rows], axis=1)
        best = int(ways.argmax())
        if ways.flat[best] > reached:
            split, rule = divmod(best, rows.stop - rows.start)
            step, reached = (int(rows.start) + rule, begin + 1 + split), ways.flat[best]
    rows = slice(single.first[state], single.first[state + 1])
    if rows.start < rows.stop:
        raised = single.score[rows].astype(np.float64)
        raised += cells[end][begin, single.below[rows]]
        best = int(raised.argmax())
        if raised[best] > reached:
            step = int(rows.start) + best, 0
    return step
