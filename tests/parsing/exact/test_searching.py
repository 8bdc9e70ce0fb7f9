"""The best tree by the grammar, by the plain chart and by the compiled one."""

import numpy as np
import pytest
from exhaustive_chart import best_tree
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_pcfg import BINARY, STATES, TAGS, UNARY, Toy, grammar

from benchmarks.parity.brackets import write_brackets
from spicepy.parsing.exact import plain_chart
from spicepy.parsing.exact.parser import Search, chart_module
from spicepy.parsing.exact.weights import Leaf, TagLexicon

TAG_STATES = [STATES.index(tag) for tag in TAGS if tag != ".$$."]


CHARTS = {plain_chart, chart_module()}


def search_by(toy: Toy) -> Search:
    """Return a search by the plain chart."""
    return Search(grammar(toy), {"colour": "color"}, plain_chart)


def brackets(search: Search, text: str) -> str | None:
    """Return the best tree of a sentence."""
    [tree] = search.trees([text.split()])
    return tree and write_brackets(tree.root)


def test_a_sentence_gets_the_tree_of_its_rules() -> None:
    assert brackets(search_by(Toy()), "a man sees a dog") == (
        "(S (NP DT NN) (VP VBZ (NP DT NN)))"
    )


def test_halves_of_rules_are_no_phrases() -> None:
    found = brackets(search_by(Toy()), "a man sees a dog in a man")

    assert found is not None
    assert "@" not in found


def test_of_equal_trees_the_one_with_a_binary_rule_is_taken() -> None:
    binary = (*BINARY[:6], ("NP^VP", "@NP| NP_", "PP", -0.5), *BINARY[7:])
    toy = Toy(binary, (("VP", "@VP| VBZ_", -0.25), *UNARY[1:]))

    # At the verb, a binary rule of -1; at the noun, -.5 and two unary rules of -.25.
    found = brackets(search_by(toy), "a man sees a dog in a dog")

    assert found == "(S (NP DT NN) (VP VBZ (NP DT NN) (PP IN (NP DT NN))))"


def test_words_without_a_tree_get_every_tag() -> None:
    # Neither "a" nor "in" may be a noun until every tag is open.
    toy = Toy(
        seen={("a", "DT^NP"): 300.0, ("in", "IN^PP"): 200.0, ("dog", "NN^NP"): 5.0}
    )

    assert brackets(search_by(toy), "a in") == "(NP DT NN)"


def test_no_word_is_no_tree() -> None:
    assert search_by(Toy()).trees([[]]) == [None]


def leaves() -> st.SearchStrategy[list[Leaf]]:
    """Draw the tags of words; scores are halves, so that many trees are equal."""
    scores = st.integers(-8, 0).map(lambda n: n / 2)
    tags = st.dictionaries(st.sampled_from(TAG_STATES), scores, min_size=1)
    return st.lists(tags.map(leaf), min_size=1, max_size=6)


def leaf(tags: dict[int, float]) -> Leaf:
    """Return the tags of a word in order."""
    states = sorted(tags)
    scores = [tags[state] for state in states]
    return Leaf(np.array(states, np.intp), np.array(scores, np.float32))


rules = st.tuples(
    st.sampled_from(STATES[2:9]),
    st.sampled_from(STATES[2:]),
    st.sampled_from(STATES[2:]),
    st.integers(-6, 1).map(lambda n: n / 2),
)
chains = st.sampled_from(STATES[2:6]).flatmap(
    lambda above: st.tuples(
        st.just(above),
        st.sampled_from(STATES[STATES.index(above) + 1 :]),
        st.integers(-4, 0).map(lambda n: n / 2),
    )
)


@given(
    leaves(),
    st.lists(rules, max_size=8, unique_by=lambda rule: rule[:3]),
    st.lists(chains, max_size=3, unique_by=lambda rule: rule[:2]),
)
@settings(max_examples=60)
def test_the_search_finds_what_trying_everything_finds(
    words: list[Leaf],
    more: list[tuple[str, str, str, float]],
    chain: list[tuple[str, str, float]],
) -> None:
    toy = Toy(
        (*BINARY, *more), tuple({rule[:2]: rule for rule in (*UNARY, *chain)}.values())
    )
    expected = best_tree(grammar(toy), words)

    for chart in CHARTS:
        [found] = Search(grammar(toy), {}, chart).trees_of_leaves([words])
        assert found == expected


@given(st.lists(leaves(), min_size=2, max_size=5))
@settings(max_examples=20)
def test_sentences_do_not_depend_on_each_other(some: list[list[Leaf]]) -> None:
    for chart in CHARTS:
        search = Search(grammar(Toy()), {}, chart)

        together = search.trees_of_leaves(some)

        assert together == [search.trees_of_leaves([own])[0] for own in some]


@pytest.mark.parametrize("words", [63, 64, 65, 130])
def test_long_sentences_are_parsed_by_both_charts(words: int) -> None:
    text = "a man sees a dog" + " in a man" * (words // 3)

    found = [
        Search(grammar(Toy()), {}, chart).trees([text.split()]) for chart in CHARTS
    ]

    assert found[0] == found[-1] != [None]


def test_spelling_changes_before_words_are_looked_up() -> None:
    own = grammar()

    changed = TagLexicon(own, {"hound": "dog"}).leaf("hound", 1)

    assert changed.scores.tolist() == TagLexicon(own, {}).leaf("dog", 1).scores.tolist()
