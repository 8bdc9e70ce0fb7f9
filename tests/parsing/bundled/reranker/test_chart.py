"""Lattices, the tree model and the chart: against all trees of short captions."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from spicepy.parsing.bundled.projective import are_trees
from spicepy.parsing.bundled.reranker import features, layout
from spicepy.parsing.bundled.reranker.chart import best_trees
from spicepy.parsing.bundled.reranker.features import Side
from spicepy.parsing.bundled.reranker.lattice import IMPOSSIBLE, Lattice
from spicepy.parsing.bundled.reranker.layout import Kind
from spicepy.parsing.bundled.reranker.opening import Averages, make_lattice
from spicepy.parsing.bundled.reranker.states import States
from spicepy.parsing.bundled.reranker.weights import TreeModel

NAMES = {
    "tags": ["NN", "DT", "IN", "VBZ"],
    "labels": ["det", "nmod", "root", "case", "acl"],
    "pairs": {
        "det": ["DT"],
        "nmod": ["NN", "DT"],
        "root": ["NN", "VBZ"],
        "case": ["IN"],
        "acl": ["VBZ"],
    },
    "prepositions": ["on", "in"],
    "stand-ins": {"dog": ["cat"]},
}
WORDS = ["a", "dog", "cat", "on", "in", "is", "sleeps"]
Ints = NDArray[np.intp]


def model(seed: int) -> TreeModel:
    weights = np.random.default_rng(seed).integers(-60, 60, 1 << 12)
    return TreeModel(NAMES, weights.astype(np.int8))


def random_lattice(sentences: Sequence[Sequence[str]], seed: int) -> Lattice:
    random = np.random.default_rng(seed)
    count, length = len(sentences), len(sentences[0])
    arcs = random.normal(0, 2, (count, length, length + 1))
    arcs[:, np.arange(length), np.arange(length) + 1] = -np.inf
    labels = random.normal(0, 2, (count, length, length + 1, 5))

    def label_scores(
        captions: Ints, dependents: Ints, heads: Ints
    ) -> NDArray[np.float64]:
        return labels[captions, dependents, heads]

    tags = random.normal(0, 2, (count, length, 4))
    scores = Averages(tags, arcs, label_scores)
    return make_lattice(sentences, scores, States(NAMES), 2.5)


def trees(made: Lattice) -> Iterator[tuple[list[int], list[int], int]]:
    """Yield heads (from 1), places of states and networks' score of one caption."""
    choices = []
    for word in range(made.lengths.sum()):
        arcs = range(*np.searchsorted(made.dependents, [word, word + 1]))
        choices.append(
            [
                (int(made.heads[arc]) + 1, int(made.first[word]) + n, int(score))
                for arc in arcs
                for n, score in enumerate(
                    made.pairs[made.first_pair[arc] : made.first_pair[arc + 1]]
                )
                if score > IMPOSSIBLE
            ]
        )
    for choice in product(*choices):
        heads, states, scores = map(list, zip(*choice))
        if are_trees(np.array([heads]))[0]:
            yield heads, states, sum(scores)


def score(made: Lattice, trees_: TreeModel, heads: list[int], chosen: list[int]) -> int:
    """Score a tree of one caption, a configuration after the other."""
    states, kinds = [int(made.states[n]) for n in chosen], trees_.states
    total = 0
    for word, state in enumerate(states):
        own = (
            np.array(x)
            for x in (made.words.words[word], made.words.endings[word], state)
        )
        total += int(trees_.worth(features.of_word(*own)))
        for side in Side:
            deps = [d for d, head in enumerate(heads) if head == word + 1]
            deps = [d for d in deps if (d > word) == (side == Side.RIGHT)]
            row = sorted(deps, key=lambda d, word=word: abs(d - word))
            chain = [kinds.start, *(states[d] for d in row), kinds.stop]
            if not kinds.closes(np.array(state), side, np.array(chain[-2])):
                return IMPOSSIBLE
            for n, (before, after) in enumerate(pairwise(chain)):
                a = (np.array(state), side)
                pair = (np.array(before), np.array(after))
                rows = features.of_dependent(*a, pair[1])
                rows += features.of_siblings(*a, *pair)
                if n:
                    group = kinds.groups[layout.LABEL.of(chain[n - 1])]
                    rows += features.of_third(*a, np.array(group), *pair)
                total += int(trees_.worth(rows))
    return total


@given(
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
    seed=st.integers(0, 10**6),
)
@settings(max_examples=40, deadline=None)
def test_the_chart_finds_the_best_of_all_trees(words: list[str], seed: int) -> None:
    made, trees_ = random_lattice([words], seed), model(seed)
    sums = [
        (networks + score(made, trees_, heads, chosen), heads, chosen)
        for heads, chosen, networks in trees(made)
    ]
    sums = [row for row in sums if row[0] > IMPOSSIBLE // 2]

    tags, heads, labels = (x.tolist() for x in best_trees(made, trees_))

    if not sums:
        assert set(heads) == {-1}
        return
    most = max(row[0] for row in sums)
    best = []
    for total, found, chosen in sums:
        if total == most:
            tag, label = (
                layout.TAG.of(made.states[chosen]),
                layout.LABEL.of(made.states[chosen]),
            )
            best.append((found, (tag % 4).tolist(), label.tolist()))
    assert (heads, tags, labels) in best


def test_joined_lattices_give_the_trees_of_each() -> None:
    parts = [
        random_lattice([["a", "dog"], ["is", "cat"]], 1),
        random_lattice([["a", "dog", "in", "cat", "sleeps"]], 2),
        random_lattice([["sleeps"]], 3),
    ]

    together = best_trees(Lattice.joined(parts), model(0))

    alone = np.concatenate([best_trees(part, model(0)) for part in parts], axis=1)
    assert np.array_equal(together, alone)


@given(
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=7),
    seed=st.integers(0, 10**6),
)
@settings(max_examples=40, deadline=None)
def test_each_word_has_a_state_and_a_head(words: list[str], seed: int) -> None:
    made = random_lattice([words], seed)

    assert (np.diff(made.first) > 0).all()
    assert set(made.dependents.tolist()) == set(range(len(words)))
    assert made.pairs.max() <= 0


def test_states_are_packed_and_unpacked() -> None:
    packed = layout.pack(3, 2, Kind.PHRASE_WITH_CLAUSE, 31)

    fields = (layout.TAG, layout.LABEL, layout.KIND, layout.PREPOSITION)
    assert [field.of(packed) for field in fields] == [3, 2, Kind.PHRASE_WITH_CLAUSE, 31]
    assert layout.TAG.of(States(NAMES).start) == 12


def test_the_fields_of_a_state_lie_side_by_side() -> None:
    fields = (layout.PREPOSITION, layout.KIND, layout.LABEL, layout.TAG)

    for low, high in pairwise(fields):
        assert high.shift == low.shift + low.width
    assert sum(field.width for field in fields) <= 31


def test_words_read_as_others_and_auxiliaries() -> None:
    dog, cat, is_, on = np.array(States(NAMES).of_words(["dog", "cat", "is", "on"])).T

    assert dog.tolist() == cat.tolist()
    assert is_[1] == 1
    assert on[0] == 2


@pytest.mark.parametrize(
    ("label", "kind", "expected"),
    [("nmod", 0, 1), ("nmod", 1, 1), ("nmod", 2, 5), ("nmod", 5, 5), ("acl", 0, 2)],
)
def test_kind_of_a_noun_after_its_last_dependent(
    label: str, kind: int, expected: int
) -> None:
    states = States(NAMES)
    state = layout.pack(0, NAMES["labels"].index(label), kind, 0)  # type: ignore[attr-defined]

    assert int(states.right_kind(np.array(state))) == expected


def test_captions_that_leave_too_much_open_have_no_tree() -> None:
    parts = [random_lattice([["a", "dog", "in", "cat", "sleeps"]] * 2, 2)]
    made = Lattice.joined([*parts, random_lattice([["sleeps"]], 3)])
    whole = best_trees(made, model(0))
    sizes = made.sizes()
    assert sizes[2] == 0

    divided = best_trees(made, model(0), too_many=int(sizes[:2].max()))
    assert np.array_equal(divided, whole)

    assert best_trees(made, model(0), too_many=0).heads.tolist() == [-1] * 10 + [0]
