"""The chart compiled by numba: sentences of one length together, side by side.

It does what `plain_chart` does, with the same bits. Two things make it fast: a rule is
tried at a split only if both its children are there in one of the sentences, and the
sums of all sentences are made by one loop, which the compiler turns into vector
instructions.

Import this module only where numba is installed.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.exact.lexicon import Leaf
from spicepy.parsing.exact.pcfg import Floats
from spicepy.parsing.exact.rules import Rules

TOGETHER: Final = 64
"""Sentences whose charts are filled together, if there is memory enough."""
NEVER: Final = np.float32(-np.inf)
F = TypeVar("F", bound=Callable[..., Any])
BITS: Final = 64
"""Places whose presence one number holds."""
DE_BRUIJN: Final = np.uint64(0x03F79D71B4CB0A89)
PLACE_OF_BIT: Final = np.zeros(BITS, np.intp)
"""The place of a number's only bit, by the upper six bits of its product with this."""
for _place in range(BITS):
    PLACE_OF_BIT[(int(DE_BRUIJN) << _place & (1 << BITS) - 1) >> 58] = _place


def compiled(function: F) -> F:
    """Return a function compiled; the result is kept on disk if that is possible."""
    for cache in (True, False):
        try:
            made: Any = numba.njit(cache=cache, nogil=True)(function)
            return cast(F, made)
        except RuntimeError:  # no folder for the cache can be written
            pass
    raise AssertionError("unreachable: without a cache nothing is looked for")


class Chart(NamedTuple):
    """A finished chart.

    Attributes:
        scores: The score of each state over each span, (spans, states, sentences);
            meaningless where `ends_of` has no bit.
        ends_of: Bits of the places where phrases that begin at a place end in any of
            the sentences, (places, parts of 64, states).
    """

    scores: Floats
    ends_of: NDArray[np.uint64]


def fill(rules: Rules, leaves: Sequence[Sequence[Leaf]], scores: Floats) -> Chart:
    """Score every state over every span; see `plain_chart.fill`."""
    words, sentences = len(leaves[0]), len(leaves)
    states, rows, ends = [], [], [0]
    for place in range(words):
        own = [sentence[place] for sentence in leaves]
        found = np.unique(np.concatenate([leaf.states for leaf in own]))
        row = np.full((len(found), sentences), NEVER)
        for number, leaf in enumerate(own):
            row[np.searchsorted(found, leaf.states), number] = leaf.scores
        states.append(found)
        rows.append(row)
        ends.append(ends[-1] + len(found))
    tag = np.concatenate(states).astype(np.uint16)
    tags = tag, np.concatenate(rows), np.array(ends)
    joins, chains = rules.joins, rules.chains
    ends_of = _fill(
        (joins.first, joins.right, joins.parent, joins.score),
        (chains.first, chains.above, chains.score),
        tags,
        scores,
        np.float32(0),
    )
    return Chart(scores, ends_of)


def score_of(chart: Chart, sentence: int, place: tuple[int, int, int]) -> float:
    """Return the score of a phrase; see `plain_chart.score_of`."""
    state, begin, end = place
    if not _is_open(chart.ends_of, state, begin, end):
        return -math.inf
    return float(chart.scores[_span(begin, end), state, sentence])


@compiled
def _span(begin: int, end: int) -> int:
    return end * (end - 1) // 2 + begin


@compiled
def _fill(joins: Any, chains: Any, tags: Any, scores: Any, zero: Any) -> Any:
    tag, tag_scores, tag_ends = tags
    words = len(tag_ends) - 1
    states, sentences = scores.shape[1:]
    parts = words // BITS + 1
    # A bit for each place where a phrase of a state that begins (ends) here may end
    # (begin).
    ends_of = np.zeros((words + 1, parts, states), np.uint64)
    begins_of = np.zeros((words + 1, parts, states), np.uint64)
    best = np.empty((states, sentences), np.float32)
    below = np.empty((states, sentences), np.float32)
    known = np.zeros(states, np.bool_)
    found = np.empty(states, np.uint16)
    for width in range(1, words + 1):
        for begin in range(words + 1 - width):
            end = begin + width
            count = 0
            if width == 1:
                for number in range(tag_ends[begin], tag_ends[end]):
                    state = tag[number]
                    known[state] = True
                    found[count] = state
                    count += 1
                    for n in range(sentences):
                        best[state, n] = tag_scores[number, n]
            for part in range(begin // BITS, end // BITS + 1):
                places = ends_of[begin, part], begins_of[end, part]
                span = begin, end, part * BITS
                count = _join(
                    joins, scores, best, known, found, count, span, places, zero
                )
            count = _raise(chains, below, best, known, found, count, zero)
            span_number = _span(begin, end)
            for number in range(count):
                state = found[number]
                known[state] = False
                for n in range(sentences):
                    scores[span_number, state, n] = best[state, n]
                ends_of[begin, end // BITS, state] |= _bit(end % BITS)
                begins_of[end, begin // BITS, state] |= _bit(begin % BITS)
    return ends_of


@compiled
def _bit(place: int) -> Any:
    return np.uint64(1) << np.uint64(place)


@compiled
def _is_open(ends_of: Any, state: int, begin: int, end: int) -> bool:
    return bool(ends_of[begin, end // BITS, state] & _bit(end % BITS))


@compiled
def _join(
    joins: Any,
    scores: Any,
    best: Any,
    known: Any,
    found: Any,
    count: int,
    span: Any,
    places: Any,
    zero: Any,
) -> int:
    """Apply binary rules over a span; return how many states are known there."""
    first, rights, parents, rule_scores = joins
    begin, end, offset = span
    ends, begins = places
    sentences = best.shape[1]
    for left in range(len(first) - 1):
        if not ends[left]:
            continue
        for rule in range(first[left], first[left + 1]):
            right = rights[rule]
            splits = ends[left] & begins[right]
            if not splits:
                continue
            parent, score = parents[rule], rule_scores[rule]
            if not known[parent]:
                known[parent] = True
                found[count] = parent
                count += 1
                for n in range(sentences):
                    best[parent, n] = NEVER
            while splits:
                lowest = splits & (~splits + np.uint64(1))
                splits ^= lowest
                split = offset + PLACE_OF_BIT[(lowest * DE_BRUIJN) >> np.uint64(58)]
                one, other = _span(begin, split), _span(split, end)
                for n in range(sentences):
                    total = (score + scores[one, left, n]) + scores[other, right, n]
                    # Without a sum, a slow masked store would be compiled.
                    best[parent, n] = max(best[parent, n], total) + zero
    return count


@compiled
def _raise(
    chains: Any,
    below: Any,
    best: Any,
    known: Any,
    found: Any,
    count: int,
    zero: Any,
) -> int:
    """Apply chains of unary rules; return how many states are known."""
    first, aboves, chain_scores = chains
    sentences = best.shape[1]
    # Chains begin at what is not made by a chain.
    made = count
    for number in range(made):
        for n in range(sentences):
            below[number, n] = best[found[number], n]
    for number in range(made):
        state = found[number]
        for chain in range(first[state], first[state + 1]):
            above, score = aboves[chain], chain_scores[chain]
            if not known[above]:
                known[above] = True
                found[count] = above
                count += 1
                for n in range(sentences):
                    best[above, n] = NEVER
            for n in range(sentences):
                best[above, n] = max(best[above, n], score + below[number, n]) + zero
    return count


@compiled
def last_step(
    made_of: Any, single: Any, chart: Any, sentence: int, place: Any, reached: float
) -> tuple[int, int]:
    """Return how a phrase is best made; see `plain_chart.last_step`."""
    state, begin, end = place
    scores, ends_of = chart
    step = -1, 0
    for split in range(begin + 1, end):
        one, other = _span(begin, split), _span(split, end)
        for rule in range(made_of.first[state], made_of.first[state + 1]):
            left, right = made_of.left[rule], made_of.right[rule]
            if not _is_open(ends_of, left, begin, split):
                continue
            if not _is_open(ends_of, right, split, end):
                continue
            total = np.float64(made_of.score[rule]) + scores[one, left, sentence]
            total += scores[other, right, sentence]
            if total > reached:
                step, reached = (rule, split), total
    for rule in range(single.first[state], single.first[state + 1]):
        below = single.below[rule]
        if _is_open(ends_of, below, begin, end):
            score = scores[_span(begin, end), below, sentence]
            total = np.float64(single.score[rule]) + score
            if total > reached:
                step, reached = (rule, 0), total
    return step
