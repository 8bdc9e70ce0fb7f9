"""The tree that the original reads from a finished chart.

Of equally good trees the original takes, at each phrase from the top, the first of: the
word itself, binary rules by split and in the grammar's order, unary rules.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spicepy.parsing.conversion.trees import Node
from spicepy.parsing.exact.lexicon import Leaf
from spicepy.parsing.exact.rules import Rules

Place = tuple[int, int, int]
"""A phrase: its state and where it begins and ends."""
LastStep = Callable[[Place, float], tuple[int, int]]


def read_tree(
    rules: Rules, labels: Sequence[str], words: Sequence[Leaf], last_step: LastStep,
    whole: Place,
) -> Node:  # fmt: skip
    """Return the best tree of a phrase.

    Args:
        rules: The rules.
        labels: The label of each state in a tree, "" for halves of longer rules.
        words: The tags of each word.
        last_step: See `plain_chart.last_step`, of this sentence's chart.
        whole: The phrase.
    """
    top: list[Any] = []
    stack: list[tuple[Place, list[Any]]] = [(whole, top)]
    made: list[tuple[list[Any], int, str, list[Any]]] = []
    while stack:
        place, parts = stack.pop()
        state, begin, end = place
        rule, split = last_step(place, _as_word(words, place))
        if rule < 0:
            parts.append(Node(labels[state], (), begin))
            continue
        if labels[state]:
            own: list[Any] = []
            made.append((parts, len(parts), labels[state], own))
            parts.append(None)
            parts = own
        if split:
            left, right = rules.made_of.left[rule], rules.made_of.right[rule]
            stack.append(((int(right), split, end), parts))
            stack.append(((int(left), begin, split), parts))
        else:
            stack.append(((int(rules.single.below[rule]), begin, end), parts))
    for parts, number, label, own in reversed(made):
        parts[number] = Node(label, tuple(own))
    root: Node = top[0]
    return root


def _as_word(words: Sequence[Leaf], place: Place) -> float:
    """Return the score of a phrase that is a word with its tag, otherwise -inf."""
    state, begin, end = place
    if end > begin + 1:
        return -np.inf
    states, scores = words[begin]
    number = int(np.searchsorted(states, state))
    there = number < len(states) and states[number] == state
    return float(scores[number]) if there else -np.inf
