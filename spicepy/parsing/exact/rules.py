"""The grammar's rules, in the order that the chart needs.

In: a `Pcfg`. Out: tables of its rules by what is known when they are looked up, and the
label that each state has in a tree.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.exact.pcfg import Floats, Ints, Pcfg

_LONGEST = 10
"""The maximum number of rules in a chain; the grammar's chains have three."""

States = NDArray[np.uint16]


class Binary(NamedTuple):
    """Binary rules: those of state s are `first[s]` to `first[s + 1]`.

    They are sorted by one of their states, `parent` or `left`; rules of one state are
    in the grammar's order.
    """

    first: Ints
    parent: States
    left: States
    right: States
    score: Floats


class Unary(NamedTuple):
    """Unary rules, sorted by one of their states, as in `Binary`."""

    first: Ints
    above: States
    below: States
    score: Floats


class Rules(NamedTuple):
    """All rules.

    Attributes:
        joins: Binary rules by left child.
        made_of: Binary rules by parent.
        chains: The best chain of unary rules between two states, by the state below.
        chains_by_end: The same, by the state above.
        single: Unary rules by the state above.
    """

    joins: Binary
    made_of: Binary
    chains: Unary
    chains_by_end: Unary
    single: Unary


def arranged(grammar: Pcfg) -> Rules:
    """Return the rules of a grammar as tables."""
    above, below, score = closed(grammar)
    single = grammar.above, grammar.below, grammar.unary_score
    return Rules(
        _binary(grammar, grammar.left),
        _binary(grammar, grammar.parent),
        _unary(len(grammar.states), below, above, below, score),
        _unary(len(grammar.states), above, above, below, score),
        _unary(len(grammar.states), grammar.above, *single),
    )


def _binary(grammar: Pcfg, key: Ints) -> Binary:
    order, first = _sorted(key, len(grammar.states))
    columns = grammar.parent, grammar.left, grammar.right
    parent, left, right = (column[order].astype(np.uint16) for column in columns)
    return Binary(first, parent, left, right, grammar.score[order])


def _unary(states: int, key: Ints, above: Ints, below: Ints, score: Floats) -> Unary:
    order, first = _sorted(key, states)
    ends = above[order].astype(np.uint16), below[order].astype(np.uint16)
    return Unary(first, *ends, score[order])


def _sorted(key: Ints, states: int) -> tuple[Ints, Ints]:
    """Return the order of rules by a state, and the start of each state's rules."""
    order = np.argsort(key, kind="stable")
    return order, np.searchsorted(key[order], np.arange(states + 1))


def label(state: str) -> str:
    """Return the label that a state has in a tree, "" for half of a longer rule.

    Example:
        >>> label("NP^VP-B"), label("NP-TMP^VP"), label("@VP| VBG_"), label("-LRB-^NP")
        ('NP', 'NP-TMP', '', '-LRB-')
    """
    if state.startswith("@"):
        return ""
    if state.startswith(("-LRB-", "-RRB-")):
        return state[:5]
    end = min(
        (place for mark in "^-|=#" if (place := state.find(mark, 1)) > 0),
        default=len(state),
    )
    return "NP-TMP" if state.startswith("NP-TMP") else state[:end]


def closed(grammar: Pcfg) -> tuple[Ints, Ints, Floats]:
    """Return the best chain between any two different states.

    Returns:
        The state above, the state below, and the score, which is added up in 32 bits
        from below; sorted by the state below.
    """
    steps: dict[int, list[tuple[int, np.float32]]] = {}
    for above, below, score in zip(
        grammar.above.tolist(), grammar.below.tolist(), grammar.unary_score
    ):
        steps.setdefault(below, []).append((above, score))
    chains = [
        (above, below, score)
        for below in sorted(steps)
        for above, score in _above(below, steps).items()
    ]
    columns = zip(*chains)
    above, below = (np.array(next(columns), np.intp) for _ in range(2))
    return above, below, np.array(next(columns), np.float32)


def _above(
    start: int, steps: dict[int, list[tuple[int, np.float32]]]
) -> dict[int, np.float32]:
    """Return the states above a state, each with the best chain's score."""
    best = {start: np.float32(0)}
    news = {start}
    for _ in range(_LONGEST):
        improved = set()
        for state in news:
            for above, score in steps.get(state, ()):
                chain = best[state] + score
                if above != start and (above not in best or chain > best[above]):
                    best[above] = chain
                    improved.add(above)
        news = improved
    del best[start]
    return best
