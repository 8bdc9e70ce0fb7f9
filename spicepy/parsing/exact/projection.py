"""A coarse picture of the grammar that never says less than the grammar itself.

Thousands of states become some hundred *symbols*; a coarse rule has the best score of
the rules it stands for, so that the best coarse tree is at least as good as the best
tree. By itself such a bound is useless (a hundred nats too high), because the rules of
one symbol were meant for different states. Therefore every state has a *potential*: a
rule gives the potentials of its children and takes its parent's. Over a whole tree they
cancel, so that no tree's score changes, but the rules of a symbol now agree as far as
possible, and the bound is four nats too high. (This is Lagrangian relaxation of the
condition that the state a rule makes is the state the next rule takes, with multipliers
that were learnt once for all captions; `training/parser/potentials.py`.)

Scores are whole numbers, `UNIT` a nat, rounded up.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.exact.closure import closed
from spicepy.parsing.exact.pcfg import BOUNDARY, Floats, Ints, Pcfg
from spicepy.parsing.exact.segments import GroupMaximum

UNIT: Final = 32
"""Coarse scores are in 1 / 32 of a nat."""
LOWEST: Final = -2000
"""Scores of coarse rules are at least this, so that sums fit 16 bits."""
FILE: Final = Path(__file__).parent / "potentials-3.6.0.npz"


class Groups(NamedTuple):
    """Members of groups: those of group g are `members[begins[g] : begins[g + 1]]`."""

    begins: Ints
    members: Ints


class Rules(NamedTuple):
    """Coarse rules of one kind and the rules each stands for.

    `score` is (rules,), `fine` the groups of fine rules, `fine_score` the coarse
    score of each fine rule by itself.
    """

    parent: Ints
    child: Ints
    score: NDArray[np.int16]
    fine: Groups
    fine_score: Ints


@dataclass(frozen=True, eq=False)
class Projection:
    """A grammar with its coarse picture.

    Args:
        grammar: The grammar.
        symbol: The symbol of each state, (states,).
        potential: The potential of each state in nats, (states,).
    """

    grammar: Pcfg
    symbol: Ints
    potential: NDArray[np.float64]

    @cached_property
    def symbols(self) -> int:
        """The number of symbols."""
        return int(self.symbol.max()) + 1

    @cached_property
    def states_of(self) -> Groups:
        """The states of each symbol."""
        return grouped(self.symbol, self.symbols)

    @cached_property
    def sizes(self) -> Ints:
        """The number of states of each symbol."""
        return np.diff(self.states_of.begins)

    @cached_property
    def offset(self) -> Ints:
        """The place of each state among those of its symbol."""
        found = np.empty_like(self.symbol)
        begins, members = self.states_of
        found[members] = np.arange(len(members)) - np.repeat(begins[:-1], self.sizes)
        return found

    @cached_property
    def pairs(self) -> tuple[Ints, Ints, Ints]:
        """Left and right symbol of each pair of children, and each rule's pair."""
        grammar = self.grammar
        keys = self.symbol[grammar.left] * self.symbols + self.symbol[grammar.right]
        found, pair = np.unique(keys, return_inverse=True)
        return found // self.symbols, found % self.symbols, pair

    @cached_property
    def binary(self) -> Rules:
        """The coarse binary rules, sorted by pair, which stands as their child."""
        grammar, potential = self.grammar, self.potential
        score = grammar.score + potential[grammar.left] + potential[grammar.right]
        score -= potential[grammar.parent]
        return coarse(self.symbol[grammar.parent], self.pairs[2], score, self.symbols)

    @cached_property
    def unary(self) -> Rules:
        """The coarse unary rules; the fine ones are chains (`closure`)."""
        return self._unary(*closed(self.grammar))

    @cached_property
    def single_steps(self) -> Rules:
        """The same of unary rules that are no chains."""
        grammar = self.grammar
        return self._unary(grammar.above, grammar.below, grammar.unary_score)

    def _unary(self, above: Ints, below: Ints, score: Floats) -> Rules:
        shifted = score + self.potential[below] - self.potential[above]
        return coarse(self.symbol[above], self.symbol[below], shifted, self.symbols)

    @cached_property
    def labels(self) -> list[str]:
        """The label of each state in a tree, "" for halves of longer rules."""
        return list(map(label, self.grammar.states))

    def leaf(self, states: Ints, scores: Floats) -> Ints:
        """Return the coarse scores of a word's tags, (states,)."""
        return upwards(scores - self.potential[states])

    @cached_property
    def boundary(self) -> int:
        """The state of the word that stands behind every sentence."""
        return self.grammar.states.index(BOUNDARY)


def upwards(scores: NDArray[np.float64]) -> Ints:
    """Return scores in units, rounded up."""
    return np.ceil(scores * UNIT).astype(np.intp)


def grouped(group: Ints, groups: int) -> Groups:
    """Return the members of each group."""
    members = np.argsort(group, kind="stable")
    return Groups(np.searchsorted(group[members], np.arange(groups + 1)), members)


def coarse(
    parent: Ints, child: Ints, score: NDArray[np.float64], symbols: int
) -> Rules:
    """Return coarse rules, sorted by child.

    Args:
        parent, child: The symbols of each fine rule; of a binary rule the pair.
        score: The score of each fine rule in nats, potentials included.
        symbols: The number of symbols.
    """
    keys, rule = np.unique(child * symbols + parent, return_inverse=True)
    fine = grouped(rule, len(keys))
    units = upwards(score)
    best = np.maximum.reduceat(units[fine.members], fine.begins[:-1])
    best = np.maximum(best, LOWEST).astype(np.int16)
    return Rules(keys % symbols, keys // symbols, best, fine, units)


class Layout(NamedTuple):
    """How the rows of an array are to be gathered and reduced."""

    take: Ints
    maximum: GroupMaximum


def layout(of: Ints, group: Ints) -> Layout:
    """Return how to gather `of` so that it can be reduced by `group`."""
    maximum = GroupMaximum(group)
    return Layout(of[maximum.order], maximum)


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
