"""The scores of the tags that a word may have.

Rare and unknown words are smoothed by what is known of words that look alike (their
*signature*).
"""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.exact.pcfg import Floats, Ints, Pcfg, SeenCounts

RARE: Final = 100  # The highest count of a word that is smoothed
SMOOTHING_OF_RARE: Final = 0.2
SMOOTHING_OF_UNKNOWN: Final = 1.0
OPEN_CLASS: Final = 50
"""An unknown word may have the tags that more than this number of unseen words had."""
IMPOSSIBLE: Final = -100.0  # A word cannot have a tag with a score at or below this one


class Leaf(NamedTuple):
    """The tags of a word, as states in ascending order, and their scores."""

    states: Ints
    scores: Floats


class TagLexicon:
    """The scores of words and tags, by a grammar with its counts."""

    # `spelling` has American spellings by British ones, and names of days and months as
    # they are written by those in lower case.

    def __init__(self, grammar: Pcfg, spelling: Mapping[str, str]) -> None:
        self.grammar, self.spelling = grammar, spelling
        self.seen = _Table(grammar.seen, len(grammar.tags))
        self.unseen = _Table(grammar.unseen, len(grammar.tags))
        self._leaves = lru_cache(CACHED)(self._leaf)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word and signature."""
        return {word: number for number, word in enumerate(self.grammar.words)}

    def leaf(self, word: str, place: int, every_tag: bool = False) -> Leaf:
        """Return the tags of a word, at a position from 0, with their scores."""
        # With `every_tag`, frequent words are smoothed as well, so that they may have
        # any tag.
        return self._leaves(self.spelling.get(word, word), place == 0, every_tag)

    def _leaf(self, word: str, first: bool, every_tag: bool) -> Leaf:
        number = self.numbers.get(word, _NOWHERE)
        total = self.seen.total(number)
        with np.errstate(divide="ignore", invalid="ignore"):
            if total:
                known = self._known(number, total, total <= RARE or every_tag)
            else:
                known = self._unknown(word, first)
            per_tag = self.seen.any_word / self.seen.everything
            scores = np.log(known * ((total or 1) / self.seen.everything) / per_tag)
        tags = np.flatnonzero(np.isfinite(scores) & (scores > IMPOSSIBLE))
        states = self.grammar.state_of_tag[tags]
        order = np.argsort(states)
        return Leaf(states[order], scores[tags][order].astype(np.float32))

    def _known(self, number: int, total: float, smoothed: bool) -> NDArray[np.float64]:
        """Return the probability of each tag of a word that was seen."""
        counts = self.seen.row(number)
        if not smoothed:
            return counts / total
        return (counts + SMOOTHING_OF_RARE * self.unseen.shares) / (
            total + SMOOTHING_OF_RARE
        )

    def _unknown(self, word: str, first: bool) -> NDArray[np.float64]:
        """Return the probability of each tag of a word that was never seen."""
        number = self.numbers.get(signature(word, first), _NOWHERE)
        counts = self.unseen.row(number)
        scores = (counts + SMOOTHING_OF_UNKNOWN * self.unseen.shares) / (
            self.unseen.total(number) + SMOOTHING_OF_UNKNOWN
        )
        scores[self.unseen.any_word <= OPEN_CLASS] = 0
        return scores


class _Table:
    """Counts by word; a word that was never seen has none."""

    def __init__(self, counts: SeenCounts, tags: int) -> None:
        self.counts, self.tags = counts, tags
        self.any_word = self.row(-1)
        self.everything = self.total(-1)
        self.shares = self.any_word / self.everything

    def row(self, word: int) -> NDArray[np.float64]:
        """Return how often a word had each tag, (tags,)."""
        counted = np.zeros(self.tags)
        rows = self._own(word)
        tag = self.counts.tag[rows]
        counted[tag[tag >= 0]] = self.counts.count[rows][tag >= 0]
        return counted

    def total(self, word: int) -> float:
        """Return how often a word was seen."""
        rows = self._own(word)
        return float(self.counts.count[rows][self.counts.tag[rows] < 0].sum())

    def _own(self, word: int) -> slice:
        low, high = np.searchsorted(self.counts.word, [word, word + 1])
        return slice(int(low), int(high))


_NOWHERE: Final = -2
CACHED: Final = 200_000  # The number of words whose scores are kept


def signature(word: str, first: bool) -> str:
    """Return the class of a word that was never seen, by its spelling.

    >>> signature("selfies", first=False)
    'UNK-LCs'
    """
    form = "UNK"
    lower = any(character.islower() for character in word)
    if word[:1].isupper():
        form += ("-INIT" if first else "-UC") if lower else "-ALLC"
    elif lower:
        form += "-LC"
    if "-" in word:
        form += "-DASH"
    digits = [character.isdigit() for character in word]
    if any(digits):
        form += "-NUM" if all(digits) else "-DIG"
    elif len(word) > SHORT:
        form += word[-1].lower()
    return form


SHORT: Final = 3
"""Signatures of words of at most this number of characters have no ending."""


# The grammar's rules, in the order that the chart needs.

_MAX_CHAIN = 10
"""The maximum number of rules in a chain; the grammar's chains have three."""

States = NDArray[np.uint16]


class Binary(NamedTuple):
    """Binary rules: those of state s are `first[s]` to `first[s + 1]`."""

    # They are sorted by one of their states, `parent` or `left`; rules of one state are
    # in the grammar's order.
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
    """All rules."""

    joins: Binary  # Binary rules by left child
    made_of: Binary  # Binary rules by parent
    # The best chain of unary rules between two states, by the state below.
    chains: Unary
    chains_by_end: Unary  # The same, by the state above
    single: Unary  # Unary rules by the state above


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
    """Return the best chain between any two different states, by the state below."""
    # The arrays are the states above and below and the score, added up in 32 bits from
    # below.
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
    for _ in range(_MAX_CHAIN):
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
