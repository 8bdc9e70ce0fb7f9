"""A finished chart in, the tree that the original takes out.

Of equally good trees the original takes, at each phrase from the top, the first of: the
word itself, binary rules by split and in the grammar's order, unary rules.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from spicepy.parsing.conversion.trees import Node
from spicepy.parsing.exact.chart import NOT_OPEN, Chart


class Reader:
    """Reads trees off a chart.

    Args:
        chart: The chart.
        words: The score of each place that is a word.
    """

    def __init__(self, chart: Chart, words: Mapping[int, float]) -> None:
        self.chart, self.words = chart, words
        self.projection = chart.cells.projection

    def place(self, state: int, end: int, sentence: int) -> int:
        """Return the place of a state from the first word, or `NOT_OPEN`."""
        cells = self.chart.cells
        symbol = self.projection.symbol[state]
        cell = cells.number(end, symbol, sentence)
        if cells.begin[cell] < 0:
            return NOT_OPEN
        return int(cells.begin[cell] + self.projection.offset[state])

    def score(self, state: int, end: int, sentence: int) -> float:
        """Return the score of a state from the first word, -inf if there is none."""
        place = self.place(state, end, sentence)
        return float(self.chart.cells.values[place]) if place >= 0 else -np.inf

    def tree(self, state: int, end: int, sentence: int) -> Node:
        """Return the best tree of a state from the first word."""
        grammar, labels = self.projection.grammar, self.projection.labels
        binary, unary = self.chart.binary, self.chart.unary
        top: list[Any] = []
        stack = [(self.place(state, end, sentence), state, 0, end, top)]
        made: list[tuple[list[Any], int, str, list[Any]]] = []
        while stack:
            place, state, begin, end, parts = stack.pop()
            step, is_binary = self._last_step(place)
            if step < 0:
                parts.append(Node(labels[state], (), begin))
                continue
            if labels[state]:
                own: list[Any] = []
                made.append((parts, len(parts), labels[state], own))
                parts.append(None)
                parts = own
            if is_binary:
                rule, split = binary.rule[step], binary.split[step]
                left, right = int(grammar.left[rule]), int(grammar.right[rule])
                stack.append((binary.right[step], right, split, end, parts))
                stack.append((binary.left[step], left, begin, split, parts))
            else:
                below = int(grammar.below[unary.rule[step]])
                stack.append((unary.left[step], below, begin, end, parts))
        for parts, number, label, own in reversed(made):
            parts[number] = Node(label, tuple(own))
        root: Node = top[0]
        return root

    def _last_step(self, place: int) -> tuple[int, bool]:
        """Return the step that makes a place (-1: it is a word), and whether binary."""
        best = self.words.get(place, -np.inf)
        step, is_binary = -1, False
        for steps in (self.chart.binary, self.chart.unary):
            number = steps.find(place)
            if number >= 0 and steps.score[number] > best:
                best, step = steps.score[number], number
                is_binary = steps is self.chart.binary
        return step, is_binary
