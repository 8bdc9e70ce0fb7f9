"""The label map: constructions as en_core_web_sm labels them, odd input."""

import pytest
from hypothesis import given
from parse_strategies import parses

from benchmarks.java_graphs import basic_tree
from spicepy.common.errors import ResourceError
from spicepy.parsing.labels import scheme_of, to_universal
from spicepy.parsing.trees import Parse
from spicepy.rules.collapsing import collapse
from spicepy.rules.dependency_graphs import DependencyWords, enhance
from spicepy.rules.loading import load_grammar

CLEAR = [
    *("root", "prep", "pobj", "pcomp", "attr", "acomp", "nsubj", "conj", "cc", "amod"),
    *(
        "compound",
        "nummod",
        "npadvmod",
        "relcl",
        "acl",
        "agent",
        "aux",
        "dative",
        "prt",
    ),
]


@pytest.fixture(scope="module")
def words() -> DependencyWords:
    return DependencyWords.from_lists(load_grammar("spice-1.0").lists)


def test_scheme_of_stock_models_is_clear():
    assert scheme_of(["ROOT", "prep", "pobj", "relcl", "nsubj"]) == "clear"


def test_scheme_of_the_bundled_parser_is_universal():
    assert scheme_of(["ROOT", "nmod", "case", "dobj", "cop", "nsubj"]) == "ud"


def test_unknown_scheme_names_the_labels():
    with pytest.raises(ResourceError, match="obj, obl"):
        scheme_of(["obl", "obj"])


def test_universal_trees_pass_unchanged():
    tree = basic_tree("two/CD/nummod>2 dogs/NNS/root>0")

    assert to_universal(tree, "ud") is tree


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (
            "dog/NN/nsubj>2 is/VBZ/root>0 in/IN/prep>2 car/NN/pobj>3",
            "nsubj(car, dog) cop(car, is) case(car, in) root(ROOT, car)",
        ),
        (
            "sky/NN/nsubj>2 is/VBZ/root>0 very/RB/advmod>4 cloudy/JJ/acomp>2",
            "nsubj(cloudy, sky) cop(cloudy, is) advmod(cloudy, very) "
            "root(ROOT, cloudy)",
        ),
        (
            "there/EX/expl>2 is/VBZ/root>0 clock/NN/attr>2 on/IN/prep>3 wall/NN/pobj>4",
            "expl(is, there) root(ROOT, is) nsubj(is, clock) case(wall, on) "
            "nmod:on(clock, wall)",
        ),
        (
            "boat/NN/nsubj>2 is/VBZ/root>0 close/JJ/acomp>2 to/IN/prep>3 "
            "dock/NN/pobj>4",
            "nsubj(dock, boat) cop(dock, is) case(dock, close) mwe(close, to) "
            "root(ROOT, dock)",
        ),
        (
            "cat/NN/root>0 on/IN/prep>1 top/NN/pobj>2 of/IN/prep>3 car/NN/pobj>4",
            "root(ROOT, cat) case(car, on) mwe(on, top) mwe(on, of) "
            "nmod:on_top_of(cat, car)",
        ),
        (
            "jump/VB/root>0 out/IN/prep>1 of/IN/prep>2 box/NN/pobj>3",
            "root(ROOT, jump) case(box, out) mwe(out, of) nmod:out_of(jump, box)",
        ),
        (
            "cake/NN/nsubjpass>3 is/VBZ/auxpass>3 cut/VBN/root>0 by/IN/agent>3 "
            "woman/NN/pobj>4",
            "nsubjpass(cut, cake) auxpass(cut, is) root(ROOT, cut) case(woman, by) "
            "nmod:agent(cut, woman)",
        ),
        (
            "tool/NN/root>0 for/IN/prep>1 cutting/VBG/pcomp>2 bread/NN/dobj>3",
            "root(ROOT, tool) mark(cutting, for) acl(tool, cutting) "
            "dobj(cutting, bread)",
        ),
        (
            "swims/VBZ/root>0 every/DT/det>3 day/NN/npadvmod>1",
            "root(ROOT, swims) det(day, every) nmod:tmod(swims, day)",
        ),
        (
            "rice/NN/root>0 beans/NNS/conj>1 and/CC/cc>2 meat/NN/conj>2",
            "root(ROOT, rice) conj:and(rice, beans) conj:and(rice, meat) cc(rice, and)",
        ),
        (
            "steel/NN/compound>3 kitchen/NN/compound>3 sink/NN/root>0",
            "compound(sink, steel) compound(sink, kitchen) root(ROOT, sink)",
        ),
        (
            "stainless/JJ/amod>2 steel/NN/compound>3 sink/NN/root>0",
            "amod(sink, stainless) compound(sink, steel) root(ROOT, sink)",
        ),
        (
            "woman/NN/nsubj>2 smiling/VBG/root>0",
            "root(ROOT, woman) acl(woman, smiling)",
        ),
        (
            "girl/NN/root>0 standing/VBG/acl>1 here/RB/advmod>2 and/CC/cc>2 "
            "waving/VBG/conj>2",
            "root(ROOT, girl) dep(girl, standing) advmod(standing, here) "
            "cc(standing, and) conj:and(standing, waving) dep(girl, waving)",
        ),
        (
            "hands/VBZ/root>0 woman/NN/dative>1 rose/NN/dobj>1",
            "root(ROOT, hands) iobj(hands, woman) dobj(hands, rose)",
        ),
        (
            "man/NN/root>0 who/WP/nsubj>3 runs/VBZ/relcl>1",
            "root(ROOT, man) nsubj(runs, who) acl:relcl(man, runs)",
        ),
        (
            "sits/VBZ/root>0 on/IN/prep>1 rock/NN/pobj>2 and/CC/cc>2 under/IN/conj>2 "
            "tree/NN/pobj>5",
            "root(ROOT, sits) case(rock, on) nmod:on(sits, rock) cc(sits, and) "
            "case(tree, under) nmod:under(sits, tree) conj:and(sits, sits)",
        ),
    ],
)
def test_construction(tree, expected, words):
    graph = enhance(collapse(to_universal(basic_tree(tree), "clear"), words), words)
    names = ["ROOT", *graph.words]

    found = {f"{a}({names[b]}, {names[c]})" for a, b, c in graph.edges}

    assert found == {f"{edge})" for edge in expected.rstrip(")").split(") ")}


def test_empty_parse():
    empty = Parse((), (), (), (), ())

    assert to_universal(empty, "clear") == empty


@given(parse=parses(labels=CLEAR))
def test_odd_input_never_fails(parse, words):
    tree = to_universal(parse, "clear")

    assert (tree.words, tree.tags, tree.lemmas) == (
        parse.words,
        parse.tags,
        parse.lemmas,
    )
    enhance(collapse(tree, words), words)


@given(parse=parses(labels=CLEAR, tree=True))
def test_trees_stay_trees(parse):
    tree = to_universal(parse, "clear")

    assert tree.heads.count(0) == 1
    for position in range(1, len(tree.words) + 1):
        steps = 0
        while position:
            position = tree.heads[position - 1]
            steps += 1
            assert steps <= len(tree.words)
