"""`spicepy grammar explain`: what a card does to the captions of its examples."""

import pytest
from doors import app
from typer.testing import CliRunner

from spicepy.common.errors import GrammarError
from spicepy.rules.examples import cards_of, explain_examples, frozen_graphs
from spicepy.rules.loading import read_grammar

MINE = """
name = "mine"
version = "1"
labels = "universal-v1"
extends = "spice-1.0"
[[rule]]
id = "contents"
why = "What a bowl holds."
match = ["thing:NOUN -nmod:of-> content:NOUN"]
emit = "(thing, 'hold', content)"
example = ["a bowl of fruit on a table => (fruit, in, bowl)"]
"""


def shown(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["grammar", "explain", *arguments])
    if result.exception:
        raise result.exception
    return result.output


def test_a_rewrite_rule_shows_the_edges_that_go_and_come() -> None:
    lines = [line.strip() for line in shown("place-of", "spicepy-1").splitlines()]

    assert "example  a clock on the side of a building" in lines
    assert "- clock-2/NN -nmod:on-> side-5/NN" in lines
    assert "+ clock-2/NN -nmod:on_side_of-> building-8/NN" in lines
    assert "ROOT -root-> clock-2/NN" in lines
    assert "makes    (clock, nmod:on_side_of, building) (no, side)" in lines
    assert "tuples   (clock, on side of, building) (clock) (building)" in lines
    reject = lines[lines.index("reject   a bowl of fruit on the counter") :]
    assert "makes    nothing" in reject
    assert not any(line.startswith(("+ ", "- ")) for line in reject)


def test_a_joined_name_is_shown_as_one_node() -> None:
    lines = [line.strip() for line in shown("drawn-name", "spicepy-1").splitlines()]

    assert "graph    - train-3/NN" in lines
    assert "+ toy train-3/NN" in lines
    assert "toy train-3/NN -nmod:on-> shelf-6/NN" in lines


def test_what_is_denied_stands_apart() -> None:
    lines = [line.strip() for line in shown("denied-object", "spicepy-1").splitlines()]

    assert "tuples   (man)" in lines
    assert "denied   (man, wear, hat) (hat)" in lines


def test_a_normalisation_rule_shows_its_tuples() -> None:
    lines = [line.strip() for line in shown("wear-in", "spicepy-1").splitlines()]

    assert "example  (man, in, shirt) => (man, wear, shirt)" in lines
    assert "reject   (man, in, water) => left as it is" in lines


def test_an_example_that_fails_is_shown_with_what_it_states(tmp_path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    lines = [line.strip() for line in shown("contents", str(path)).splitlines()]

    assert "makes    (bowl, hold, fruit)" in lines
    assert "stated   (fruit, in, bowl)" in lines


def test_an_unknown_card_names_the_nearest_and_the_grammar_that_has_it() -> None:
    with pytest.raises(GrammarError, match=r"did you mean 'place-of'\?"):
        shown("place-off", "spicepy-1")
    with pytest.raises(GrammarError, match="spicepy grammar explain list-with spicepy"):
        shown("list-with")


def test_every_card_makes_what_its_examples_state() -> None:
    grammar, _, folders = read_grammar("spicepy-1")
    graphs = frozen_graphs(folders)
    for card in cards_of(grammar)[::40]:
        for example in explain_examples(card, grammar, graphs, lambda *_: []):
            assert sorted(example.made) == sorted(example.stated), card.id
