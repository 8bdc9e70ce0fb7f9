"""Tags and labels chosen together: the same as trying all combinations."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spicepy.parsing.agreement import COST, agree, agreed, possible

TAGS, LABELS = ("NN", "VBG", "DT"), ("root", "dobj", "det")


@st.composite
def trees(draw: st.DrawFn) -> np.ndarray:
    """Heads of a tree, the first word's root."""
    words = draw(st.integers(1, 4))
    return np.array([draw(st.integers(0 if n == 0 else 1, n)) for n in range(words)])


def total(
    table: np.ndarray,
    tags: np.ndarray,
    heads: np.ndarray,
    labels: np.ndarray,
    chosen: tuple[tuple[int, ...], tuple[int, ...]],
) -> float:
    """The value of a choice of tags and labels, by definition."""
    own, found = chosen
    value = 0.0
    for word, head in enumerate(heads):
        above = own[head - 1] if head else len(table)
        value += tags[word, own[word]] + labels[word, found[word]]
        value -= 0 if table[own[word], found[word], above] else COST
    return value


@given(trees(), st.integers(0, 2**32 - 1))
def test_the_best_of_all_combinations(heads: np.ndarray, seed: int) -> None:
    numbers = np.random.default_rng(seed)
    table = numbers.random((3, 3, 4)) < 0.5
    tags, labels = numbers.normal(0, 2, (2, len(heads), 3))

    found = agreed(table, tags, heads, labels)

    every = list(product(range(3), repeat=len(heads)))
    best = max(total(table, tags, heads, labels, x) for x in product(every, every))
    assert total(table, tags, heads, labels, found) == pytest.approx(best)


def test_a_participle_has_the_object_and_not_the_noun() -> None:
    combinations = {
        "NN": {"root": ["ROOT"], "dobj": ["VBG"]},
        "VBG": {"root": ["ROOT"]},
    }
    table = possible(combinations, TAGS, LABELS)
    # "holding cat"
    tags = np.array([[2.0, 1.5, 0.0], [5.0, 0.0, 0.0]])
    labels = np.array([[np.inf, 0.0, 0.0], [-np.inf, 4.0, 0.0]])
    heads = np.array([0, 1])

    assert not agree(table, *np.array([[[0, 0]], [[0, 1]], [[0, 1]]])).any()
    assert [x.tolist() for x in agreed(table, tags, heads, labels)] == [[1, 0], [0, 1]]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="not in"):
        possible({"NN": {"nsubj": ["VBG"]}}, TAGS, LABELS)
