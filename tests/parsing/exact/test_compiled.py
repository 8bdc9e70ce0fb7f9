"""The compiled search finds the trees that the search in numpy finds."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_pcfg import STATES, TAGS, Toy, grammar

from spicepy.parsing.conversion import write_brackets
from spicepy.parsing.exact.lexicon import Leaf
from spicepy.parsing.exact.projection import Projection
from spicepy.parsing.exact.searching import Search, Tree, proven

pytest.importorskip("numba")
# The first run compiles for half a minute.
pytestmark = pytest.mark.slow

TAG_STATES = [STATES.index(tag) for tag in TAGS if tag != ".$$."]


def search_by(symbols: int, seed: int, compiled: bool) -> Search:
    """Return a search with a random coarse picture and a finer one."""
    random = np.random.default_rng(seed)
    own = grammar(Toy())
    coarse = random.permutation(np.arange(len(STATES)) % symbols)
    pictures = []
    for symbol in (coarse, np.arange(len(STATES))):
        potential = random.normal(0, 1, len(STATES))
        potential[STATES.index("ROOT")] = 0
        pictures.append(Projection(own, symbol, potential))
    return Search(pictures, {}, compiled=compiled)


def shown(tree: Tree | None) -> tuple[str, float] | None:
    return tree and (write_brackets(tree.root), tree.score)


@settings(deadline=None, max_examples=60)
@given(
    lengths=st.lists(st.integers(0, 7), min_size=1, max_size=20),
    symbols=st.integers(1, 8),
    seed=st.integers(0, 1000),
)
def test_trees_and_scores_are_the_same(
    lengths: list[int], symbols: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    tags = np.array(sorted(TAG_STATES))
    leaves = [
        [
            Leaf(tags, random.integers(-8, 0, len(tags)).astype(np.float32) / 2)
            for _ in range(length)
        ]
        for length in lengths
    ]

    found = search_by(symbols, seed, True).trees_of_leaves(leaves)
    expected = search_by(symbols, seed, False).trees_of_leaves(leaves)

    assert list(map(shown, found)) == list(map(shown, expected))
    assert all(tree is None or proven(tree) for tree in found)


def test_sentences_too_long_to_be_compiled_are_searched_all_the_same() -> None:
    search = search_by(4, 0, True)
    assert search.compiled is not None
    search.compiled.longest = 4
    sentences = [["a", "man", "sees", "a", "dog"], ["a", "dog"]]

    found = search.trees(sentences)

    expected = search_by(4, 0, False).trees(sentences)
    assert list(map(shown, found)) == list(map(shown, expected))


def test_threads_get_the_same_trees() -> None:
    search = search_by(4, 0, True)
    sentences = [["a", "man", "sees", "a", "dog", "in", "a", "man"]] * 40

    with ThreadPoolExecutor(4) as pool:
        many = list(pool.map(lambda words: search.trees([words])[0], sentences))

    assert set(map(shown, many)) == {shown(search.trees(sentences)[0])}


def test_a_compiled_search_can_be_sent_to_another_process() -> None:
    search = search_by(4, 0, True)
    sentence = [["a", "man", "sees", "a", "dog"]]

    again = pickle.loads(pickle.dumps(search))

    assert list(map(shown, again.trees(sentence))) == list(
        map(shown, search.trees(sentence))
    )
