"""Equations of scores, from the original's best trees.

The score of a tree is a sum over its rules and its words. So each listed tree gives an
equation: what it has more than the best tree, less what it has less, is worth the
difference of their scores.
"""

import math
from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Final

import numpy as np
from scipy.sparse import csr_matrix

from training.grammar.kbest import Candidate
from training.grammar.symbols import Analysed, Leaf, Rule, analysed, beside

ODD: Final = ("SYM", "FW", "NNP", "UH", "(X ", "LS")
"""Tags that probes provoke and captions lack; trees with them are left out."""


Beside = tuple[str, str]
"""A tag and the symbol next to it."""


class Differences:
    """Rows of (column, count): what one tree has more than another."""

    def __init__(self) -> None:
        self.rows, self.columns, self.values = array("i"), array("i"), array("i")

    def add(self, row: int, more: Iterable[int], less: Iterable[int]) -> None:
        """Add to a row the features of one tree less those of another."""
        counts = Counter(more)
        counts.subtract(less)
        for column, count in counts.items():
            if count:
                self.rows.append(row)
                self.columns.append(column)
                self.values.append(count)

    def matrix(self, rows: int, columns: int) -> Any:
        """Return the rows as a sparse matrix."""
        values = np.array(self.values, np.float32)
        places = np.array(self.rows), np.array(self.columns)
        return csr_matrix((values, places), shape=(rows, columns))


class Observations:
    """Equations, with the rules and words that are in them.

    Attributes:
        rules, leaves: All of them -> number.
        counts: The frequency of a rule in the original's trees, each caption counting 1
            and its listed trees as much as they are likely.
        before, after: The same of the tags beside a symbol, (tag, symbol).
        targets, weights: One number an equation.
        at_most: For each equation, whether a score below the target is as good.
    """

    def __init__(self) -> None:
        self.rules: dict[Rule, int] = {}
        self.leaves: dict[Leaf, int] = {}
        self.counts: Counter[int] = Counter()
        self.before: Counter[Beside] = Counter()
        self.after: Counter[Beside] = Counter()
        self.of_rules, self.of_leaves = Differences(), Differences()
        self.targets, self.weights = array("f"), array("f")
        self.at_most = array("b")

    def add(
        self,
        words: Sequence[str],
        found: Sequence[Candidate],
        *,
        share: float = 1.0,
        least: float = -math.inf,
        odd: bool = True,
    ) -> None:
        """Add the differences of a caption's trees from the best one.

        Args:
            words: The caption.
            found: Its trees, the best first.
            share: Its weight in `counts`.
            least: Trees with lower scores are left out,
            odd: and without it, those with odd tags.
        """
        kept = [
            tree
            for tree in found
            if tree.brackets
            and tree.score > least
            and (odd or not any(tag in tree.brackets for tag in ODD))
        ]
        if not kept or kept[0].score != 0:
            return
        trees = [analysed(tree.brackets, words) for tree in kept]
        likely = [math.exp(tree.score) for tree in kept]
        for tree, weight in zip(trees, likely):
            part = share * weight / sum(likely)
            for rule in tree.rules:
                self.counts[_number(self.rules, rule)] += part  # type: ignore[assignment]
            for before, symbol, after in beside(tree):
                self.before[before, symbol] += part  # type: ignore[assignment]
                self.after[after, symbol] += part  # type: ignore[assignment]
        for candidate, tree in zip(kept[1:], trees[1:]):
            weight = 1 / (1 + abs(candidate.score) / 8)
            self.add_difference(tree, trees[0], candidate.score, weight)

    def add_difference(
        self,
        tree: Analysed,
        best: Analysed,
        score: float,
        weight: float = 1.0,
        *,
        at_most: bool = False,
    ) -> None:
        """Add one equation: what a tree scores more than the best one, or at most."""
        row = len(self.targets)
        for name, known, rows in (
            ("rules", self.rules, self.of_rules),
            ("leaves", self.leaves, self.of_leaves),
        ):
            more, less = (
                [_number(known, x) for x in getattr(t, name)] for t in (tree, best)
            )
            rows.add(row, more, less)
        self.targets.append(score)
        self.weights.append(weight)
        self.at_most.append(at_most)


def _number(known: dict[Any, int], thing: Hashable) -> int:
    return known.setdefault(thing, len(known))
