"""The original's best trees with their scores in, soft targets for the network out.

A network that learns the best tree alone learns nothing of how close it was. Each tag
and each head of a word is as good as the best listed tree that has it; the targets are
the softmax of these scores.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.grammar.kbest import Candidate, read_kbest
from training.parser.convert import Row, Soft

TEMPERATURE = 0.5
"""Scores are divided by this, in nats: below 1, the best tree counts for more."""


def read_margins(paths: Sequence[Path]) -> Iterator[tuple[list[Row], Soft]]:
    """Yield the best tree of each caption, and the targets of its words."""
    for path in paths:
        for words, found in read_kbest(path):
            if found and found[0].score == 0:
                best = found[0]
                lemmas = [""] * len(words)
                rows = zip(words, best.tags, lemmas, best.heads, best.labels)
                yield list(rows), soft(found)


def soft(found: Sequence[Candidate]) -> Soft:
    """Return the targets of words of which more than one tag or head is possible."""
    return {
        "tags": _targets([tree.tags for tree in found], found),
        "heads": _targets([tree.heads for tree in found], found),
    }


def _targets(
    choices: Sequence[Sequence[str | int]], found: Sequence[Candidate]
) -> list[tuple[int, str | int, float]]:
    """Return (word, choice, probability)."""
    targets: list[tuple[int, str | int, float]] = []
    for word, column in enumerate(zip(*choices)):
        best: dict[str | int, float] = {}
        for choice, tree in zip(column, found):
            best[choice] = max(best.get(choice, -math.inf), tree.score)
        if len(best) > 1:
            weights = {c: math.exp(s / TEMPERATURE) for c, s in best.items()}
            total = sum(weights.values())
            targets += [(word, choice, x / total) for choice, x in weights.items()]
    return targets


def dense_targets(
    hard: Sequence[Sequence[int]],
    soft: Sequence[Sequence[tuple[int, int, float]]],
    choices: int,
) -> NDArray[np.float32]:
    """Return (sentences, words, choices) how likely each choice should be.

    Args:
        hard: (sentences, words) the best choice.
        soft: For each sentence, the words that have several.
        choices: The number of choices.
    """
    found = np.eye(choices, dtype=np.float32)[np.array(hard)]
    for sentence, shares in zip(found, soft):
        for word, choice, share in shares:
            sentence[word, choice] = share
    return found
