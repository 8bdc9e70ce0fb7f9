"""The best tree by trying everything, against which the search is tested."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from spicepy.parsing.conversion.trees import Node
from spicepy.parsing.exact.pcfg import BOUNDARY, ROOT, Pcfg
from spicepy.parsing.exact.weights import Leaf, closed, label

Scores = dict[tuple[int, int, int], np.float32]


def best_tree(grammar: Pcfg, leaves: Sequence[Leaf]) -> tuple[Node, float] | None:
    """Return the best tree, by a chart without any bounds, and its score."""
    boundary = grammar.states.index(BOUNDARY)
    last = Leaf(np.array([boundary]), np.zeros(1, np.float32))
    words = [dict(zip(own.states.tolist(), own.scores)) for own in [*leaves, last]]
    scores = _chart(grammar, words)
    root = grammar.states.index(ROOT)
    whole = 0, len(words), root
    if whole not in scores:
        return None
    [tree] = _read(grammar, words, scores, *whole)
    return tree.children[0], float(scores[whole])


def _chart(grammar: Pcfg, words: Sequence[dict[int, np.float32]]) -> Scores:
    scores: Scores = {}
    chains = list(zip(*(column.tolist() for column in closed(grammar)[:2])))
    chain_scores = closed(grammar)[2]
    rules = list(
        zip(grammar.parent.tolist(), grammar.left.tolist(), grammar.right.tolist())
    )
    for width in range(1, len(words) + 1):
        for begin in range(len(words) + 1 - width):
            end = begin + width
            own = dict(words[begin]) if width == 1 else {}
            for split in range(begin + 1, end):
                for (parent, left, right), score in zip(rules, grammar.score):
                    parts = (begin, split, left), (split, end, right)
                    if parts[0] in scores and parts[1] in scores:
                        total = (score + scores[parts[0]]) + scores[parts[1]]
                        own[parent] = max(own.get(parent, total), total)
            raised = dict(own)
            for (above, below), score in zip(chains, chain_scores):
                if below in own:
                    total = score + own[below]
                    raised[above] = max(raised.get(above, total), total)
            scores.update({(begin, end, state): s for state, s in raised.items()})
    return scores


def _read(
    grammar: Pcfg,
    words: Sequence[dict[int, np.float32]],
    scores: Scores,
    begin: int,
    end: int,
    state: int,
) -> list[Node]:
    """Return the phrases that a state over a span consists of, by the tie order."""
    name = label(grammar.states[state])
    found: list[tuple[float, Any]] = []
    if end == begin + 1 and state in words[begin]:
        found.append((float(words[begin][state]), None))
    for split in range(begin + 1, end):
        for rule in np.flatnonzero(grammar.parent == state):
            left = begin, split, int(grammar.left[rule])
            right = split, end, int(grammar.right[rule])
            if left in scores and right in scores:
                parts = float(scores[left]) + float(scores[right])
                found.append((float(grammar.score[rule]) + parts, (left, right)))
    for rule in np.flatnonzero(grammar.above == state):
        below = begin, end, int(grammar.below[rule])
        if below in scores:
            total = float(grammar.unary_score[rule]) + float(scores[below])
            found.append((total, (below,)))
    _, parts = max(found, key=lambda step: step[0])
    if parts is None:
        return [Node(name, (), begin)]
    nodes = [node for part in parts for node in _read(grammar, words, scores, *part)]
    return [Node(name, tuple(nodes))] if name else nodes
