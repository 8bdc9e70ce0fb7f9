"""Extraction: parity with the original's proposals, order included, and limits."""

import gzip
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spicepy.common.errors import GrammarError
from spicepy.common.threads import no_collector
from spicepy.rules.dependency_graphs import DependencyGraph
from spicepy.rules.engine import extract
from spicepy.rules.loading import load_grammar
from spicepy.rules.patterns import index_graph
from spicepy.rules.rewriting import rewrite

SPICE = load_grammar("spice-1.0")
LABELS = ["nsubj", "dobj", "nmod:on", "amod", "compound", "cop", "case", "acl", "mwe"]


def graph(text: str, *edges: str, copies: tuple[int, ...] = ()) -> DependencyGraph:
    """A graph from "word/TAG/lemma …" and edges "label head dependent"."""
    rows = [(*token.split("/"), token.split("/")[0])[:3] for token in text.split()]
    split = [edge.split() for edge in edges]
    return DependencyGraph(
        words=tuple(row[0] for row in rows),
        tags=tuple(row[1] for row in rows),
        lemmas=tuple(row[2] for row in rows),
        edges=tuple((label, int(h), int(d)) for label, h, d in split),
        copies=copies,
    )


def test_rule_and_positions() -> None:
    ride = graph(
        "men/NNS/man riding/VBG/ride horses/NNS/horse",
        *("root 0 2", "nsubj 2 1", "dobj 2 3"),
    )
    first, *rest = extract(ride, SPICE)

    assert first.members == ("man", "ride", "horse")
    assert (first.rule, first.tokens) == ("clause-object", (1, 2, 3))
    assert [t.members for t in rest] == [("horse",), ("man",)]


def test_preposition_and_have_are_no_tokens() -> None:
    pen = graph("sheep/NN in/IN pen/NN", "root 0 1", "case 3 2", "nmod:in 1 3")

    assert extract(pen, SPICE)[0].tokens == (1, 0, 3)


def test_be_with_particle_leaves_a_blank() -> None:
    over = graph(
        "show/NN is/VBZ/be over/RP us/NN",
        *("root 0 2", "nsubj 2 1", "compound:prt 2 3", "nmod:on 2 4"),
    )

    assert extract(over, SPICE)[0].members == ("show", " over on", "us")


def test_copies_point_to_their_token() -> None:
    two = graph(
        "man/NN sits/VBZ/sit rock/NN sits/VBZ/sit",
        *("root 0 2", "nsubj 2 1", "nsubj 4 1", "nmod:on 4 3", "conj:and 2 4"),
        copies=(2,),
    )
    relation = extract(two, SPICE)[0]

    assert relation.members == ("man", "sit on", "rock")
    assert relation.tokens == (1, 2, 3)


def test_copies_are_visited_in_the_order_of_their_labels() -> None:
    cats = graph(
        "cat/NN door/NN hall/NN cat/NN cat/NN",
        *("root 0 1", "conj:or 1 4", "conj:and 1 5", "nmod:by 4 2", "nmod:in 5 3"),
        copies=(1, 1),
    )
    objects = [t.members for t in extract(cats, SPICE) if len(t.members) == 1]

    # Heads stand before dependents, and what is visited last stands first.
    assert objects == [("cat",), ("cat",), ("door",), ("cat",), ("hall",)]


def test_empty_graph() -> None:
    assert extract(DependencyGraph((), (), (), ()), SPICE) == []


def test_a_very_long_chain() -> None:
    size = 10_000
    edges = (("root", 0, 1), *(("compound", n, n + 1) for n in range(1, size)))
    chain = DependencyGraph(("dog",) * size, ("NN",) * size, ("dog",) * size, edges)

    assert len(extract(chain, SPICE)) == size - 1


@given(st.data())
def test_any_graph_is_safe(data: st.DataObject) -> None:
    """Cycles, self-loops and nonsense give tuples of the graph's own words."""
    size = data.draw(st.integers(1, 20))
    tag = st.sampled_from(["NN", "NNS", "VB", "JJ"])
    tags = tuple(data.draw(st.lists(tag, min_size=size, max_size=size)))
    node = st.integers(1, size)
    edges = data.draw(st.lists(st.tuples(st.sampled_from(LABELS), node, node)))
    words = tuple(f"w{n}" for n in range(1, size + 1))
    made = extract(DependencyGraph(words, tags, words, tuple(edges)), SPICE)
    assert all(0 <= token <= size for t in made for token in t.tokens)
    assert all(len(t.tokens) == len(t.members) for t in made)


def recorded(sentence: dict[str, Any]) -> DependencyGraph:
    tokens = sentence["tokens"]
    names = {end for _, *ends in sentence["enhanced"] for end in ends if "'" in end}
    copies = sorted(names, key=lambda end: (int(end.rstrip("'")), end))
    node = {name: len(tokens) + 1 + at for at, name in enumerate(copies)}
    of = tuple(int(name.rstrip("'")) for name in copies)
    words, tags, lemmas = zip(*tokens, *(tokens[n - 1] for n in of))
    edges = tuple(
        (label, node.get(h) or int(h), node.get(d) or int(d))
        for label, h, d in sentence["enhanced"]
    )
    return DependencyGraph(words, tags, lemmas, edges, of)


def printed(members: list[str]) -> tuple[str, ...]:
    return (members[0], members[2], members[1]) if members[2:] else tuple(members)


def test_recorded_captions(fixtures: Path) -> None:
    """Proposals of the original SPICE 1.0 for captions written for this project."""
    path = fixtures / "captions_parsed.jsonl.gz"
    wrong = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            made = [
                t.members
                for sentence in record["sentences"]
                for t in extract(recorded(sentence), SPICE)
            ]
            if made != [printed(members) for members in record["tuples"]]:
                wrong.append(record["caption"])
    assert wrong == []


def test_hand_made_trees(shared: Path) -> None:
    """All 334 trees of the specification."""
    for case in json.loads((shared / "spec/spice_cases.json").read_text()):
        tokens = list(zip(case["words"], case["tags"], case["lemmas"]))
        sentence = {"tokens": tokens, "enhanced": case["edges_enhanced"]}
        made = [t.members for t in extract(recorded(sentence), SPICE)]

        assert made == [printed(members) for members in case["proposals"]]


@pytest.mark.parametrize("count", [1, 2])
def test_grammars_live_side_by_side(count: int) -> None:
    smile = graph("woman/NN smiling/VBG/smile", "root 0 1", "acl 1 2")
    plain = [t.members for t in extract(smile, load_grammar("spice-1.0"))]
    meaning = load_grammar("spicepy-1")
    repaired = {t.members for t in extract(rewrite(smile, meaning), meaning)}

    assert plain == [("woman",)]
    assert repaired == {("woman",), ("woman", "smile")}


@pytest.mark.parametrize(
    ("member", "expected"),
    [("how", "on"), ("adjs", "big red"), ("how adjs", "on big red")],
)
def test_words_and_several_nodes_can_be_members(
    tmp_path: Path, member: str, expected: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\nversion = "1"\nlabels = "universal-v1"\n'
        "[[rule]]\nid = 'several'\nwhy = 'Words and several nodes.'\n"
        "match = ['noun -nmod:*=how-> other', '* noun -amod-> adjs']\n"
        f"emit = '(noun, {member})'\nexample = ['a dog => (dog, on)']\n",
        encoding="utf-8",
    )
    dog = graph(
        "big/JJ red/JJ dog/NN table/NN",
        *("root 0 3", "amod 3 1", "amod 3 2", "nmod:on 3 4"),
    )

    (found,) = extract(dog, load_grammar(path))

    assert found.members == ("dog", expected)


FREE = """
name = "free"
version = "1"
labels = "universal-v1"
tags = {{ NOUN = ["NN"] }}

[[rule]]
id = "seven"
why = "Seven clauses, nothing asked of them."
match = ["a:NOUN", {clauses}]
{more}
emit = "(a)"
example = ["a dog => (dog)"]
"""


@pytest.mark.slow
@pytest.mark.parametrize("where", ["match", "without"])
def test_a_rule_that_tries_too_much_is_refused(tmp_path: Path, where: str) -> None:
    """Without a bound, seven free clauses over 16 edges are 268 million matches."""
    free = [f'"a -*-> {name}"' for name in "bcdefgh"]
    clauses = ", ".join(free) if where == "match" else '"? a -det-> the"'
    pattern = " & ".join([*(text.strip('"') for text in free), "b -*-> z"])
    more = f'without = ["{pattern}"]' if where == "without" else ""
    path = tmp_path / "free.toml"
    path.write_text(FREE.format(clauses=clauses, more=more), encoding="utf-8")
    leaves = " ".join(f"leaf{n}/JJ" for n in range(16))
    tree = graph(f"dog/NN {leaves}", *(f"amod 1 {n + 2}" for n in range(16)))

    began = time.process_time()
    with pytest.raises(GrammarError) as caught, no_collector():
        extract(tree, load_grammar(path))

    assert time.process_time() - began < 10
    assert str(caught.value).startswith(
        'rule "seven" tries more than 1,000,000 edges in one caption, "dog leaf0 leaf1'
    )


def test_the_bound_grows_with_the_caption() -> None:
    """Work in proportion to the square of the edges is never refused."""
    words = " ".join(["dogs/NNS"] * 2_000)
    long = graph(words, *(f"conj:and 1 {n}" for n in range(2, 2_001)))

    assert index_graph(long).budget.limit == 1_999**2
    assert index_graph(graph("dogs/NNS")).budget.limit == 1_000_000
