"""Collapsed graphs: recorded captions, each construction, odd input."""

import gzip
import json

import pytest
from hypothesis import given
from parse_strategies import parses

from benchmarks.java_graphs import basic_tree, case_tree, edge_set, parse, words_of
from benchmarks.java_oracle import proposals
from spicepy.common.errors import GrammarError
from spicepy.parsing.trees import Parse
from spicepy.rules.collapsing import collapse
from spicepy.rules.dependency_graphs import NAMES, DependencyWords, enhance
from spicepy.rules.engine import extract
from spicepy.rules.loading import load_grammar


def test_recorded_captions_have_the_original_edges(fixtures, words):
    with gzip.open(fixtures / "captions_parsed.jsonl.gz", "rt") as lines:
        rows = [s for line in lines for s in json.loads(line)["sentences"]]

    wrong = [
        row
        for row in rows
        if edge_set(collapse(parse(row["tokens"], row["basic"]), words))
        != set(map(tuple, row["ccproc"]))
    ]

    assert len(rows) >= 2000
    assert wrong == []


def test_hand_made_trees_have_the_original_edges(fixtures, words):
    cases = json.loads((fixtures / "spice_cases.json").read_text())
    derived = [(c, tree) for c in cases if (tree := case_tree(c)) is not None]

    wrong = [
        case["caption"]
        for case, tree in derived
        if edge_set(collapse(tree, words)) != set(map(tuple, case["edges"]))
    ]

    assert len(derived) == 320
    assert wrong == []


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ("dog/NN/root>0 on/IN/case>3 mat/NN/nmod>1", {"nmod:on(dog, mat)"}),
        (  # the last of two case markers names the preposition
            "peek/VB/root>0 from/IN/case>4 behind/IN/case>4 tree/NN/nmod>1",
            {"nmod:behind(peek, tree)"},
        ),
        (
            "fed/VBN/root>0 is/VBZ/auxpass>1 by/IN/case>4 boy/NN/nmod>1",
            {"nmod:agent(fed, boy)"},
        ),
        (  # agents are named before other prepositions
            "fed/VBN/root>0 is/VBZ/auxpass>1 by/IN/case>5 near/IN/case>5 boy/NN/nmod>1",
            {"nmod:agent(fed, boy)"},
        ),
        (
            "followed/VBN/root>0 by/IN/case>3 dog/NN/nmod>1",
            {"nmod:by(followed, dog)"},
        ),
        (
            "cat/NN/root>0 on/IN/case>3 top/NN/nmod>1 of/IN/case>5 car/NN/nmod>3",
            {"nmod:on_top_of(cat, car)", "case(car, on)", "mwe(on, top)"},
        ),
        (  # an article inside: two ordinary prepositions
            "cat/NN/root>0 on/IN/case>4 the/DT/det>4 top/NN/nmod>1 of/IN/case>6 "
            "car/NN/nmod>4",
            {"nmod:on(cat, top)", "nmod:of(top, car)"},
        ),
        (
            "lamp/NN/nsubj>3 is/VBZ/cop>3 next/JJ/root>0 to/TO/case>5 bed/NN/nmod>3",
            {"root(ROOT, bed)", "nsubj(bed, lamp)", "case(bed, next)", "mwe(next, to)"},
        ),
        (
            "sits/VBZ/root>0 across/IN/case>4 from/IN/case>4 bus/NN/nmod>1",
            {"nmod:across_from(sits, bus)", "mwe(across, from)"},
        ),
        (
            "man/NN/nsubj>2 sits/VBZ/root>0 and/CC/cc>2 reads/VBZ/conj>2",
            {"conj:and(sits, reads)", "nsubj(reads, man)"},
        ),
        (
            "bowl/NN/root>0 of/IN/case>3 rice/NN/nmod>1 or/CC/cc>3 beans/NNS/conj>3",
            {"nmod:of(bowl, rice)", "nmod:of(bowl, beans)", "conj:or(rice, beans)"},
        ),
        (  # no coordinator: nothing is shared
            "bowl/NN/root>0 of/IN/case>3 rice/NN/nmod>1 beans/NNS/conj>3",
            {"nmod:of(bowl, rice)", "conj(rice, beans)"},
        ),
        (
            "cats/NNS/root>0 as/RB/cc>1 well/RB/mwe>2 as/IN/mwe>2 dogs/NNS/conj>1",
            {"conj:and(cats, dogs)"},
        ),
        (
            "ape/NN/nsubj>2 sits/VBZ/root>0 on/IN/case>4 rock/NN/nmod>2 and/CC/cc>4 "
            "under/IN/case>7 tree/NN/conj>4",
            {
                *("nmod:on(sits, rock)", "nmod:under(sits', tree)"),
                *("conj:and(sits, sits')", "nsubj(sits', ape)", "cc(sits, and)"),
            },
        ),
        (  # every coordinator makes a copy; a bare conjunct has none left, stays bare
            "cat/NN/root>0 with/IN/case>3 hat/NN/nmod>1 and/CC/cc>3 scarf/NN/conj>3 "
            "and/CC/cc>3 on/IN/case>8 mat/NN/conj>3",
            {
                *("nmod:with(cat, hat)", "nmod:on(cat', mat)", "conj(hat, scarf)"),
                *("cc(cat, and)", "conj:and(cat, cat')"),
            },
        ),
        (  # a phrase below a phrase that moves is an ordinary conjunct
            "cat/NN/root>0 in/IN/case>3 box/NN/nmod>1 and/CC/cc>3 on/IN/case>6 "
            "mat/NN/conj>3 or/CC/cc>6 by/IN/case>9 door/NN/conj>6",
            {
                *("nmod:in(cat, box)", "nmod:on(cat', mat)", "nmod:on(cat', door)"),
                *("conj:or(mat, door)", "cc(mat, or)"),
            },
        ),
        (
            "cat/NN/root>0 in/IN/case>3 box/NN/nmod>1 but/CC/cc>5 not/RB/cc>3 "
            "on/IN/case>7 mat/NN/conj>3",
            {"conj:negcc(cat, cat')", "nmod:on(cat', mat)"},
        ),
        (
            "cat/NN/root>0 but/CC/cc>3 only/RB/cc>1 dog/NN/conj>1",
            {"conj:only(cat, dog)"},
        ),
        (
            "walk/VB/root>0 up/IN/case>5 and/CC/cc>2 down/IN/conj>2 hill/NN/nmod>1",
            {"nmod:up(walk, hill)", "nmod:down(walk', hill)", "conj:and(walk, walk')"},
        ),
        (
            "boy/NN/nsubj>3 is/VBZ/auxpass>3 fed/VBN/root>0",
            {"nsubjpass(fed, boy)"},
        ),
    ],
)
def test_construction(tree, expected, words):
    assert expected <= words_of(collapse(basic_tree(tree), words))


def test_copies_have_the_names_of_coordinators_and_phrases_take_the_first(words):
    tree = (
        "cat/NN/root>0 on/IN/case>3 mat/NN/nmod>1 or/CC/cc>3 by/IN/case>6 "
        "door/NN/conj>3 and/CC/cc>3 in/IN/case>9 hall/NN/conj>3"
    )

    graph = collapse(basic_tree(tree), words)

    assert graph.copies == (1, 1, 1, 1)
    names = {edge[2]: edge[0] for edge in graph.edges if edge[1] == 1}
    assert [names[n] for n in range(10, 14)] == ["conj:or"] * 2 + ["conj:and"] * 2
    assert ("nmod:by", 10, 6) in graph.edges
    assert ("nmod:in", 11, 9) in graph.edges


def test_phrases_take_copies_in_the_order_of_a_hash_map(words):
    filled = "the/DT/det>1 " * 4
    tree = (
        f"cat/NN/root>0 on/IN/case>3 mat/NN/nmod>1 {filled}or/CC/cc>3 by/IN/case>10 "
        f"door/NN/conj>3 {filled}and/CC/cc>3 in/IN/case>17 hall/NN/conj>3"
    )

    edges = collapse(basic_tree(tree), words).edges

    assert ("nmod:in", 18, 17) in edges  # position 17 comes before 10 in 16 buckets
    assert ("nmod:by", 19, 10) in edges


def test_many_phrases_take_little_time(words):
    phrases = "".join(
        f"and/CC/cc>3 on/IN/case>{n} mat/NN/conj>3 " for n in range(6, 600, 3)
    )

    graph = collapse(
        basic_tree(f"cat/NN/root>0 on/IN/case>3 mat/NN/nmod>1 {phrases}"), words
    )

    assert len(graph.copies) == 198**2


def test_coordinated_phrases_have_the_original_edges_and_tuples(shared, words):
    """All three stages after the tree, in the original's order."""
    path = shared / "oracle/parser/pp-coordination.jsonl.gz"
    grammar = load_grammar("spice-1.0")
    rows = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            [sentence] = row["sentences"]
            rows.append((sentence, [each.members for each in proposals(row["tuples"])]))

    for row, tuples in rows:
        collapsed = collapse(parse(row["tokens"], row["basic"]), words)
        enhanced = enhance(collapsed, words)
        assert edge_set(collapsed) == set(map(tuple, row["ccproc"]))
        assert len(collapsed.edges) == len(row["ccproc"])
        assert edge_set(enhanced) == set(map(tuple, row["enhanced"]))
        assert [each.members for each in extract(enhanced, grammar)] == tuples

    assert len(rows) == 596


def test_of_two_subjects_the_first_is_shared(words):
    tree = (
        "men/NNS/nsubj>5 are/VBP/cop>5 in/IN/mark>5 parks/NNS/nsubj>5 "
        "playing/VBG/root>0 and/CC/cc>5 singing/VBG/conj>5"
    )

    found = words_of(collapse(basic_tree(tree), words))

    assert "nsubj(singing, men)" in found
    assert "nsubj(singing, parks)" not in found


def test_without_coordination_every_token_keeps_one_edge(words):
    graph = collapse(basic_tree("two/CD/nummod>2 dogs/NNS/root>0"), words)

    assert graph.edges == (("nummod", 2, 1), ("root", 0, 2))
    assert graph.copies == ()


def test_empty_parse(words):
    assert collapse(Parse((), (), (), (), ()), words).edges == ()


def test_missing_list_is_named():
    lists = {name: ("a b",) for name in NAMES if name != "pronouns-singular"}

    with pytest.raises(GrammarError, match="pronouns-singular"):
        DependencyWords.from_lists(lists)


@given(parse=parses())
def test_odd_input_never_fails(parse, words):
    graph = collapse(parse, words)

    size = len(graph.words)
    assert len(graph.tags) == len(graph.lemmas) == size
    assert graph.words[: len(parse.words)] == parse.words
    copied = graph.words[len(parse.words) :]
    assert copied == tuple(parse.words[i - 1] for i in graph.copies)
    assert all(0 <= a <= size and 1 <= b <= size for _, a, b in graph.edges)
    assert len(set(graph.edges)) == len(graph.edges)


@given(parse=parses(tree=True))
def test_trees_stay_rooted_and_complete(parse, words):
    graph = collapse(parse, words)

    assert [head for _, head, _ in graph.edges].count(0) == 1
    assert {child for _, _, child in graph.edges} == set(range(1, len(graph.words) + 1))
