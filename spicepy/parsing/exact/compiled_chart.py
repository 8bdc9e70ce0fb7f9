"""The chart compiled by numba: sentences of one length together, side by side.

It does what `plain_chart` does, with the same bits. Three things make it fast:

* A rule is tried at a split only if both its children are there in some sentence.
* The sums of all sentences are made by one loop, which the compiler turns into vector
  instructions.
* A span keeps the scores of those states only that are there, one row after the other:
  the rows of two spans fit into the processor's second cache.

Import this module only where numba is installed.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.exact.pcfg import Floats
from spicepy.parsing.exact.weights import Leaf, Rules

TOGETHER: Final = 96
"""The number of sentences whose charts are filled together, if memory allows it."""
ROWS: Final = 5000
"""States over a span of 96 captions, about; a chart that needs more rows grows."""
MINUS_INFINITY: Final = np.float32(-np.inf)
NONE: Final = np.uint16(2**16 - 1)
"""Stands for the number of a row if a state is absent."""
F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Return a function compiled; the result is kept on disk if that is possible."""
    for cache in (True, False):
        try:
            made: Any = numba.njit(cache=cache, nogil=True)(function)
            return cast(F, made)
        except RuntimeError:  # no folder for the cache is writable
            pass
    raise AssertionError("unreachable: without a cache nothing is looked for")


class Chart(NamedTuple):
    """A finished chart."""

    scores: Floats  # The rows of all spans, (rows, sentences)
    first: NDArray[np.intp]  # The first row of each span, (spans,)
    counts: NDArray[np.intp]  # The number of rows of each span, (spans,)
    state_of: NDArray[np.uint16]  # The state of each row of each span, (spans, states)
    # The row of each state over each span, counted from the span's first, or NONE,
    # (spans, states).
    row_of: NDArray[np.uint16]


def bytes_of(spans: int, states: int) -> int:
    """Return the approximate number of bytes that one more sentence needs."""
    return 4 * spans * min(states, ROWS)


def fill(
    rules: Rules, leaves: Sequence[Sequence[Leaf]], states: int, kept: Chart | None
) -> Chart:
    """Score every state over every span; see `plain_chart.fill`."""
    words, sentences = len(leaves[0]), len(leaves)
    spans = words * (words + 1) // 2
    memory = np.empty(0, np.float32) if kept is None else kept.scores.reshape(-1)
    if memory.size < sentences * states:
        memory = np.empty(bytes_of(spans, states) // 4 * sentences, np.float32)
    chart = Chart(
        memory[: memory.size // sentences * sentences].reshape(-1, sentences),
        np.zeros(spans, np.intp),
        np.zeros(spans, np.intp),
        np.empty((spans, states), np.uint16),
        np.full((spans, states), NONE),
    )
    joins, chains = rules.joins, rules.chains
    scores = _fill(
        (joins.first, joins.right, joins.parent, joins.score),
        (chains.first, chains.above, chains.score),
        _tags(leaves),
        chart,
        np.float32(0),
    )
    return chart._replace(scores=scores)


def score_of(chart: Chart, sentence: int, place: tuple[int, int, int]) -> float:
    """Return the score of a phrase; see `plain_chart.score_of`."""
    state, begin, end = place
    row = _row(chart, _span(begin, end), state)
    return -math.inf if row < 0 else float(chart.scores[row, sentence])


def _tags(leaves: Sequence[Sequence[Leaf]]) -> tuple[Any, Any, Any]:
    """Return the tags of all words as the compiled code takes them."""
    # They are the tags' states, word by word, (tags,); their scores, (tags, sentences);
    # and where the tags of each word end, (words + 1,).
    states, rows, ends = [], [], [0]
    for group in zip(*leaves, strict=True):
        there = np.unique(np.concatenate([leaf.states for leaf in group]))
        row = np.full((len(there), len(leaves)), MINUS_INFINITY)
        for number, leaf in enumerate(group):
            row[np.searchsorted(there, leaf.states), number] = leaf.scores
        states.append(there)
        rows.append(row)
        ends.append(ends[-1] + len(there))
    return (
        np.concatenate(states).astype(np.uint16),
        np.concatenate(rows),
        np.array(ends),
    )


@compiled
def _span(begin: int, end: int) -> int:
    return end * (end - 1) // 2 + begin


@compiled
def _row(chart: Any, span: int, state: int) -> int:
    """Return the row of a state over a span, -1 if it is absent."""
    row = chart.row_of[span, state]
    return -1 if row == NONE else chart.first[span] + row


@compiled
def _fill(joins: Any, chains: Any, tags: Any, chart: Any, zero: Any) -> Any:
    tag, tag_scores, tag_ends = tags
    scores, first, counts, state_of, row_of = chart
    words, states = len(tag_ends) - 1, row_of.shape[1]
    ways = np.empty((3, len(joins[1])), np.int32)
    used = 0
    for width in range(1, words + 1):
        for begin in range(words + 1 - width):
            end = begin + width
            at = _span(begin, end)
            first[at] = used
            if used + states > len(scores):
                scores = _grown(scores, used, states)
            cell = scores[used : used + states], state_of[at], row_of[at]
            count = 0
            if width == 1:
                for number in range(tag_ends[begin], tag_ends[end]):
                    count = _open(cell, tag[number], count)
                    for n in range(scores.shape[1]):
                        cell[0][count - 1, n] = tag_scores[number, n]
            for split in range(begin + 1, end):
                one, other = _span(begin, split), _span(split, end)
                left = scores[first[one] :], state_of[one, : counts[one]]
                right = scores[first[other] :], row_of[other]
                count = _join(joins, ways, left, right, cell, count, zero)
            count = _raise(chains, cell, count, zero)
            counts[at] = count
            used += count
    return scores


@compiled
def _grown(scores: Any, used: int, states: int) -> Any:
    """Return a copy of the rows in use that has room for as many and for one span."""
    larger = np.empty((2 * used + states, scores.shape[1]), np.float32)
    larger[:used] = scores[:used]
    return larger


@compiled
def _open(cell: Any, state: int, count: int) -> int:
    """Give a state the next row of a span; return the new number of rows."""
    _, state_of, row_of = cell
    state_of[count] = state
    row_of[state] = count
    return count + 1


@compiled
def _join(
    joins: Any, ways: Any, left: Any, right: Any, cell: Any, count: int, zero: Any
) -> int:
    """Apply binary rules at one split; return the new number of rows of the span."""
    first, rights, parents, rule_scores = joins
    (lefts, states), (others, row_of_right) = left, right
    scores, _, row_of = cell
    # First list the rules that apply, without a branch that the processor mispredicts.
    tries = 0
    for number in range(len(states)):
        state = states[number]
        for rule in range(first[state], first[state + 1]):
            row = row_of_right[rights[rule]]
            ways[0, tries], ways[1, tries], ways[2, tries] = rule, number, row
            tries += row != NONE
    for way in range(tries):
        rule, one, other = ways[0, way], ways[1, way], ways[2, way]
        score, parent = rule_scores[rule], parents[rule]
        row = row_of[parent]
        if row == NONE:
            row = count
            count = _open(cell, parent, count)
            for n in range(scores.shape[1]):
                scores[row, n] = (score + lefts[one, n]) + others[other, n]
        else:
            for n in range(scores.shape[1]):
                total = (score + lefts[one, n]) + others[other, n]
                # Without a sum, a slow masked store would be compiled.
                scores[row, n] = max(scores[row, n], total) + zero
    return count


@compiled
def _raise(chains: Any, cell: Any, count: int, zero: Any) -> int:
    """Apply chains of unary rules; return the new number of rows of the span."""
    first, aboves, chain_scores = chains
    scores, state_of, row_of = cell
    # Chains begin at states that no chain has made.
    below = scores[:count].copy()
    for number in range(count):
        state = state_of[number]
        for chain in range(first[state], first[state + 1]):
            above, score = aboves[chain], chain_scores[chain]
            row = row_of[above]
            if row == NONE:
                row = count
                count = _open(cell, above, count)
                for n in range(scores.shape[1]):
                    scores[row, n] = score + below[number, n]
            else:
                for n in range(scores.shape[1]):
                    total = score + below[number, n]
                    scores[row, n] = max(scores[row, n], total) + zero
    return count


@compiled
def last_step(
    made_of: Any, single: Any, chart: Any, sentence: int, place: Any, reached: float
) -> tuple[int, int]:
    """Return how a phrase is best made; see `plain_chart.last_step`."""
    state, begin, end = place
    step = -1, 0
    for split in range(begin + 1, end):
        one, other = _span(begin, split), _span(split, end)
        for rule in range(made_of.first[state], made_of.first[state + 1]):
            left = _row(chart, one, made_of.left[rule])
            if left < 0:
                continue
            right = _row(chart, other, made_of.right[rule])
            if right < 0:
                continue
            total = np.float64(made_of.score[rule]) + chart.scores[left, sentence]
            total += chart.scores[right, sentence]
            if total > reached:
                step, reached = (rule, split), total
    for rule in range(single.first[state], single.first[state + 1]):
        below = _row(chart, _span(begin, end), single.below[rule])
        if below >= 0:
            total = np.float64(single.score[rule]) + chart.scores[below, sentence]
            if total > reached:
                step, reached = (rule, 0), total
    return step
