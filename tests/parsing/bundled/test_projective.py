"""The best projective tree: against all trees of short sentences."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spicepy.parsing.bundled.scores import are_trees, best_trees


def all_heads(words: int) -> np.ndarray:
    return np.array(list(product(range(words + 1), repeat=words)))


@pytest.mark.parametrize(
    ("words", "trees"), [(1, 1), (2, 2), (3, 7), (4, 30), (5, 143)]
)
def test_number_of_projective_trees(words: int, trees: int) -> None:
    assert are_trees(all_heads(words)).sum() == trees


@settings(deadline=None)
@given(st.integers(1, 5), st.integers(0, 10_000))
def test_best_tree_is_best_of_all(words: int, seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(3, words, words + 1))
    heads = all_heads(words)
    trees = heads[are_trees(heads)]

    for found, score in zip(best_trees(scores), scores):
        best = trees[score[np.arange(words), trees].sum(axis=1).argmax()]
        assert found.tolist() == best.tolist()
