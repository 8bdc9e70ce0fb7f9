"""The enhancer: recorded graphs, each kind of phrase, odd input."""

import gzip
import json

import pytest
from hypothesis import given
from parse_strategies import parses

from benchmarks.java_graphs import basic_tree, edge_set, graph, words_of
from spicepy.rules.collapsing import collapse
from spicepy.rules.dependency_graphs import enhance


def test_recorded_captions_have_the_original_edges(fixtures, words):
    with gzip.open(fixtures / "captions_parsed.jsonl.gz", "rt") as lines:
        rows = [s for line in lines for s in json.loads(line)["sentences"]]

    wrong = [
        row
        for row in rows
        if edge_set(enhance(graph(row["tokens"], row["ccproc"]), words))
        != set(map(tuple, row["enhanced"]))
    ]

    assert wrong == []


def test_hand_made_trees_have_the_original_edges(fixtures, words):
    cases = json.loads((fixtures / "spice_cases.json").read_text())

    wrong = [
        case["caption"]
        for case in cases
        if edge_set(
            enhance(
                graph(
                    list(zip(case["words"], case["tags"], case["lemmas"])),
                    case["edges"],
                ),
                words,
            )
        )
        != set(map(tuple, case["edges_enhanced"]))
    ]

    assert len(cases) == 334
    assert wrong == []


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (
            "a/DT/det>2 lot/NN/root>0 of/IN/case>4 snow/NN/nmod>2",
            {"root(ROOT, snow)", "det:qmod(snow, a)", "mwe(a, lot)", "mwe(a, of)"},
        ),
        (
            "lots/NNS/root>0 of/IN/case>3 food/NN/nmod>1",
            {"root(ROOT, food)", "det:qmod(food, lots)", "mwe(lots, of)"},
        ),
        (
            "1980s/NNS/root>0 of/IN/case>3 cars/NNS/nmod>1",
            {"root(ROOT, cars)", "det:qmod(cars, 1980s)", "mwe(1980s, of)"},
        ),
        (
            "two/CD/root>0 of/IN/case>4 the/DT/det>4 dogs/NNS/nmod>1",
            {
                "root(ROOT, dogs)",
                "det:qmod(dogs, two)",
                "det(dogs, the)",
                "mwe(two, of)",
            },
        ),
        (  # no determiner: an ordinary prepositional phrase
            "some/DT/root>0 of/IN/case>3 food/NN/nmod>1",
            {"root(ROOT, some)", "nmod:of(some, food)", "case(food, of)"},
        ),
        (
            "lot/NN/root>0 of/IN/case>3 snow/NN/nmod>1",
            {"root(ROOT, lot)", "nmod:of(lot, snow)", "case(snow, of)"},
        ),
        (
            "man/NN/nsubj>2 walks/VBZ/root>0 his/PRP$/nmod:poss>4 dog/NN/dobj>2",
            {
                *("root(ROOT, walks)", "nsubj(walks, man)"),
                *("nmod:poss(dog, man)", "dobj(walks, dog)"),
            },
        ),
        (  # a plural noun does not fit a singular pronoun
            "men/NNS/root>0 with/IN/case>4 his/PRP$/nmod:poss>4 hat/NN/nmod>1",
            {
                *("root(ROOT, men)", "case(hat, with)"),
                *("nmod:poss(hat, his)", "nmod:with(men, hat)"),
            },
        ),
    ],
)
def test_construction(tree, expected, words):
    found = enhance(collapse(basic_tree(tree), words), words)

    assert words_of(found) == expected


def test_edges_of_pronouns_come_last_and_equal_ones_stay_two(words):
    tree = (
        "man/NN/nsubj>5 and/CC/cc>1 he/PRP/conj>1 is/VBZ/aux>5 holding/VBG/root>0 "
        "bats/NNS/dobj>5"
    )

    edges = enhance(collapse(basic_tree(tree), words), words).edges

    assert edges.count(("nsubj", 5, 1)) == 2
    assert edges[-1] == ("nsubj", 5, 1)


def test_nothing_to_change_returns_the_same_graph(words):
    before = collapse(basic_tree("two/CD/nummod>2 dogs/NNS/root>0"), words)

    assert enhance(before, words) is before


def test_quantity_word_without_way_to_a_root_changes_nothing(words):
    tree = "lots/NNS/dep>4 of/IN/case>3 dogs/NNS/nmod>1 x/NN/dep>1 y/NN/root>0"
    before = collapse(basic_tree(tree), words)

    assert enhance(before, words) is before


@given(parse=parses())
def test_odd_input_never_fails(parse, words):
    before = collapse(parse, words)
    after = enhance(before, words)

    assert after.words == before.words
    assert after.copies == before.copies
    if not {"PRP", "PRP$"}.intersection(parse.tags):
        assert len(set(after.edges)) == len(after.edges)


@given(parse=parses(tree=True))
def test_input_is_left_alone(parse, words):
    before = collapse(parse, words)
    edges = before.edges
    enhance(before, words)

    assert before.edges == edges
