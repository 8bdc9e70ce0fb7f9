"""The chart in numpy: every rule over every span, one sentence at a time.

In: rules and the tags of words. Out: the score of each state over each span
(`fill`, `score_of`), and how a phrase is best made (`last_step`). `compiled_chart` has
the same functions, compiled by numba: ten times as fast, with the same bits.

Scores are sums of 32 bits in the original's order, (rule + left) + right and, once per
span, a chain of unary rules on top. The span from `begin` to `end` has the number
`end * (end - 1) // 2 + begin`.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.exact.lexicon import Leaf
from spicepy.parsing.exact.pcfg import Floats
from spicepy.parsing.exact.rules import Binary, Rules, Unary

TOGETHER: Final = 1
"""The number of sentences whose charts are filled together."""
NEVER: Final = np.float32(-np.inf)


def span(begin: int, end: int) -> int:
    """Return the number of a span, from its first word to the one behind it."""
    return end * (end - 1) // 2 + begin


def bytes_of(spans: int, states: int) -> int:
    """Return the number of bytes of a sentence's chart."""
    return 4 * spans * states


def fill(
    rules: Rules, leaves: Sequence[Sequence[Leaf]], states: int, kept: Floats | None
) -> Floats:
    """Score every state over every span; return the chart.

    Args:
        rules: The rules.
        leaves: The tags of each word of each sentence, the boundary word included; all
            sentences have the same length.
        states: The number of states of the grammar.
        kept: An earlier chart, whose memory a chart may use again; this one does not.

    Returns:
        The scores, (spans, states, sentences).
    """
    spans = span(0, len(leaves[0]) + 1)
    scores = np.full((spans, states, len(leaves)), NEVER)
    for sentence, words in enumerate(leaves):
        chart = scores[..., sentence]
        for width in range(1, len(words) + 1):
            for begin in range(len(words) + 1 - width):
                end = begin + width
                cell = chart[span(begin, end)]
                if width == 1:
                    cell[words[begin].states] = words[begin].scores
                else:
                    _join(rules.made_of, chart, begin, end)
                raised = rules.chains.score + cell[rules.chains.below]
                np.maximum.at(cell, rules.chains.above, raised)
    return scores


def _join(made_of: Binary, chart: Any, begin: int, end: int) -> None:
    best = np.full(len(made_of.score), NEVER)
    for split in range(begin + 1, end):
        total = made_of.score + chart[span(begin, split)][made_of.left]
        total += chart[span(split, end)][made_of.right]
        np.maximum(best, total, out=best)
    parents = np.flatnonzero(np.diff(made_of.first))
    chart[span(begin, end), parents] = np.maximum.reduceat(best, made_of.first[parents])


def score_of(chart: Floats, sentence: int, place: tuple[int, int, int]) -> float:
    """Return the score of a phrase (its state, begin and end), -inf if it cannot be."""
    state, begin, end = place
    return float(chart[span(begin, end), state, sentence])


def last_step(
    made_of: Binary,
    single: Unary,
    chart: Floats,
    sentence: int,
    place: tuple[int, int, int],
    reached: float,
) -> tuple[int, int]:
    """Return the best rule and split of a phrase, the first of equally good ones.

    Sums have 64 bits here. Binary rules are tried by split and, within a split, in the
    grammar's order, then single unary rules.

    Args:
        made_of: The binary rules by parent.
        single: The unary rules by parent.
        chart: The finished chart.
        sentence: The sentence's number in it.
        place: The phrase's state and where it begins and ends.
        reached: The score of a way that comes before all others, -inf if none does.

    Returns:
        The rule's number and the split, 0 for a unary rule; (-1, 0) if nothing is
        better than `reached`.
    """
    state, begin, end = place
    chart = chart[..., sentence]
    step = -1, 0
    rows = slice(made_of.first[state], made_of.first[state + 1])
    if rows.start < rows.stop and end > begin + 1:
        splits = np.arange(begin + 1, end)
        left, right = splits * (splits - 1) // 2 + begin, end * (end - 1) // 2 + splits
        ways: NDArray[np.float64] = made_of.score[rows].astype(np.float64)
        ways = ways + chart[left[:, None], made_of.left[rows]]
        ways += chart[right[:, None], made_of.right[rows]]
        best = int(ways.argmax())
        if ways.flat[best] > reached:
            split, rule = divmod(best, rows.stop - rows.start)
            step, reached = (int(rows.start) + rule, begin + 1 + split), ways.flat[best]
    rows = slice(single.first[state], single.first[state + 1])
    if rows.start < rows.stop:
        raised = single.score[rows].astype(np.float64)
        raised += chart[span(begin, end)][single.below[rows]]
        best = int(raised.argmax())
        if raised[best] > reached:
            step = int(rows.start) + best, 0
    return step
