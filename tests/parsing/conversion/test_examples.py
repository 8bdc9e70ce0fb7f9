"""Every card of the conversion's tables does what its example says."""

import re

import pytest

from benchmarks.parity.brackets import read_example, write_brackets
from spicepy.parsing.conversion import dependencies, read, rules
from spicepy.parsing.conversion.relations import reach
from spicepy.parsing.conversion.trees import Linked, Node, link, nodes

EDITS = [*read("expressions")["edit"], *read("edits")["edit"]]
SPECIAL = read("heads")["special"]
RELATIONS = read("relations")
RULES = [
    (name, rule, example)
    for name, card in RELATIONS.items()
    for rule, example in card.get("rules", {}).items()
]
SETTLED = {"rel": {"dobj", "nmod"}, "prep": {"case", "nmod"}}
"""Relations that get another name at the end."""


def plain(node: Linked) -> Node:
    """The tree as the conversion has reshaped it."""
    return Node(node.label, tuple(map(plain, node.children)), node.word)


@pytest.mark.parametrize("card", EDITS, ids=[card["id"] for card in EDITS])
def test_a_step_reshapes_its_example(card) -> None:
    before, after = card["example"].split(" => ")
    tree, words = read_example(before)
    top = link(tree, words)

    rules().editor.edit(top)

    assert write_brackets(plain(top.children[0])) == after


@pytest.mark.parametrize("card", EDITS, ids=[card["id"] for card in EDITS])
def test_a_step_is_needed_for_its_example(card) -> None:
    tree, words = read_example(card["example"].split(" => ")[0])
    editor = rules().editor
    steps = [edit for edit in editor.edits if edit.id != card["id"]]
    top = link(tree, words)

    type(editor)(tuple(steps)).edit(top)

    assert write_brackets(plain(top.children[0])) != card["example"].split(" => ")[1]


@pytest.mark.parametrize("card", SPECIAL, ids=[card["why"] for card in SPECIAL])
def test_a_special_head_is_that_of_its_example(card) -> None:
    text, head = card["example"].split(" => ")
    top = link(*read_example(text))

    rules().heads.find(top)

    assert top.leaf.form == head


@pytest.mark.parametrize(
    ("name", "rule", "example"), RULES, ids=[f"{n}: {r}" for n, r, _ in RULES]
)
def test_a_rule_makes_its_example(name: str, rule: str, example: str) -> None:
    text, label, governor, dependent = re.fullmatch(
        r"(.+) => (\S+)\((.+), (.+)\)", example
    ).groups()
    tree, words = read_example(text)

    heads, labels = dependencies(tree, words)

    edges = {
        (label, words[head - 1], word)
        for word, head, label in zip(words, heads, labels, strict=True)
        if head > 0
    }
    assert (label, governor, dependent) in edges
    assert label in SETTLED.get(name, {name})
    if name not in SETTLED:
        assert (governor, dependent) in made_by(name, rule, tree, words)


def made_by(name: str, rule: str, tree: Node, words: list[str]) -> set[tuple[str, str]]:
    """The edges of one rule alone."""
    grammar = rules()
    top = link(tree, words)
    grammar.editor.edit(top)
    grammar.heads.find(top)
    relation = next(each for each in grammar.relations.all if each.name == name)
    path = relation.rules[list(RELATIONS[name]["rules"]).index(rule)]
    return {
        (words[phrase.leaf.word], words[node.leaf.word])
        for phrase in nodes(top)
        if path.phrase.labels[phrase.label]
        and (relation.phrases is None or relation.phrases[phrase.label])
        for node in reach(phrase, path)
    }


def test_every_relation_says_what_it_means_and_is_below_another() -> None:
    for name, card in RELATIONS.items():
        assert card["meaning"].endswith((".", "!")), name
        assert card["below"] in {"dep", *RELATIONS}, name
        assert set(card) <= {"meaning", "below", "phrases", "rules"}, name
