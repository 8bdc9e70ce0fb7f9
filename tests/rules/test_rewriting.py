"""Rewrite rules: what each change does to a graph, and what stays."""

from pathlib import Path

import pytest
from hypothesis import given
from parse_strategies import parses
from small_grammars import BEFORE, with_card

from spicepy.common.errors import GrammarError
from spicepy.parsing.trees import Parse
from spicepy.pipeline import Pipeline
from spicepy.rules.dependency_graphs import DependencyGraph
from spicepy.rules.engine import annotate, extract
from spicepy.rules.loading import load_grammar
from spicepy.rules.rewriting import MAX_REWRITES_PER_CARD, rewrite, trace
from spicepy.rules.values import Grammar


def graph(words: str, *edges: tuple[str, int, int]) -> DependencyGraph:
    """A graph of word/TAG pairs; lemmas are the words."""
    pairs = [pair.split("/") for pair in words.split()]
    found, tags = (tuple(column) for column in zip(*pairs))
    return DependencyGraph(found, tags, found, tuple(edges))


def grammar(folder: Path, card: str) -> Grammar:
    return with_card(folder, "rewrite", card)


WALL = graph("a/DT stone/NN wall/NN", ("det", 3, 1), ("compound", 3, 2), ("root", 0, 3))


def test_becomes_takes_the_place_of_the_matched_edges(tmp_path: Path) -> None:
    rules = grammar(
        tmp_path,
        'match = ["noun -compound-> what:@stuff"]\nbecomes = ["noun -amod-> what"]',
    )

    assert rewrite(WALL, rules).edges == (("det", 3, 1), ("amod", 3, 2), ("root", 0, 3))


def test_add_leaves_them(tmp_path: Path) -> None:
    rules = grammar(
        tmp_path, 'match = ["noun -compound-> what"]\nadd = ["what -amod-> noun"]'
    )

    assert set(rewrite(WALL, rules).edges) == {*WALL.edges, ("amod", 2, 3)}


def test_remove_takes_single_edges_of_the_match(tmp_path: Path) -> None:
    match = 'match = ["noun -compound|amod=x-> what", "? noun -det-> the"]\n'
    double = graph("a/DT stone/NN wall/NN", *WALL.edges, ("dep", 3, 2))
    determined = grammar(tmp_path, match + 'remove = ["noun -det-> the"]')
    alone = grammar(tmp_path, match + 'remove = ["noun -compound|amod-> what"]')
    stone = graph("stone/NN wall/NN", ("compound", 2, 1), ("root", 0, 2))

    assert rewrite(WALL, determined).edges == (("compound", 3, 2), ("root", 0, 3))
    assert set(rewrite(double, alone).edges) == {*double.edges} - {("compound", 3, 2)}
    assert rewrite(stone, determined) is stone  # an absent edge cannot go


PHASES = """
phases = ["first", "second"]
name = "mine"
version = "1"
labels = "universal-v1"
files = ["second.toml", "first/a.toml", "others.toml"]
[[rule]]
id = "object"
why = "Every noun."
match = ["noun"]
emit = "(noun)"
example = ["a dog => (dog)"]
"""


def card(name: str, more: str = "") -> str:
    return (
        f'[[rewrite]]\nid = "{name}"\nwhy = "Under test."\n{more}\n'
        'match = ["noun -det-> the"]\ndrop = "the"\nexample = ["a dog => (no, a)"]\n'
    )


def phased(folder: Path, others: str) -> Path:
    """A grammar of two phases, its cards in a file, a folder and another file."""
    (folder / "first").mkdir()
    files = {
        "grammar.toml": PHASES,
        "second.toml": card("by-file"),
        "first/a.toml": card("by-folder"),
        "others.toml": others,
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_cards_run_phase_by_phase(tmp_path: Path) -> None:
    rules = load_grammar(phased(tmp_path, card("by-key", 'phase = "first"')))

    found = [(rewrite.card.id, rewrite.phase) for rewrite in rules.rewrites]
    assert found == [
        ("by-folder", "first"),
        ("by-key", "first"),
        ("by-file", "second"),
    ]


def test_a_card_that_replaces_another_stays_in_its_phase(tmp_path: Path) -> None:
    base = phased(tmp_path, card("by-key", 'phase = "first"'))
    head = f'name = "x"\nversion = "1"\nlabels = "universal-v1"\nextends = "{base}"\n'
    (tmp_path / "own").mkdir()
    mine = tmp_path / "own" / "mine.toml"
    mine.write_text(head + card("by-file") + card("by-folder", 'phase = "second"'))

    rewrites = load_grammar(mine).rewrites
    assert [(x.card.id, x.phase) for x in rewrites] == [
        ("by-key", "first"),
        ("by-file", "second"),
        ("by-folder", "second"),
    ]


@pytest.mark.parametrize(
    ("others", "message"),
    [
        (card("lost"), "G109 names no 'phase'; known: first, second"),
        (card("lost", 'phase = "frist"'), "G109 unknown phase 'frist'; did you mean"),
    ],
)
def test_a_card_of_no_known_phase_is_refused(
    tmp_path: Path, others: str, message: str
) -> None:
    with pytest.raises(GrammarError, match=message):
        load_grammar(phased(tmp_path, others))


def test_a_phase_that_no_grammar_declares_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GrammarError, match="G109 phase 'names': the grammar declares"):
        grammar(tmp_path, 'phase = "names"\nmatch = ["noun"]\ndrop = "noun"')


def test_join_makes_one_name_of_two_words(tmp_path: Path) -> None:
    rules = grammar(tmp_path, 'match = ["noun -compound-> first"]\njoin = "first noun"')
    turned, changes = trace(WALL, rules)

    assert [t.members for t in extract(turned, rules)] == [("stone wall",)]
    assert [(c.card, c.made) for c in changes] == [("mine", (("stone wall",),))]


def test_replace_moves_what_hangs_on_a_node_and_drop_cuts_it_off(
    tmp_path: Path,
) -> None:
    herd = graph(
        "a/DT herd/NN of/IN cow/NNS",
        ("det", 2, 1),
        ("root", 0, 2),
        ("case", 4, 3),
        ("nmod:of", 2, 4),
    )
    match = 'match = ["group -nmod:of-> things"]\n'
    moved = rewrite(herd, grammar(tmp_path, match + 'replace = { group = "things" }'))
    cut = rewrite(herd, grammar(tmp_path, match + 'drop = "group"'))

    assert moved.edges == (("det", 4, 1), ("case", 4, 3), ("root", 0, 4))
    assert cut.edges == (("case", 4, 3),)


def test_a_label_is_made_of_words_of_the_match(tmp_path: Path) -> None:
    side = graph(
        "dog/NN on/IN side/NN of/IN road/NN",
        ("root", 0, 1),
        ("case", 3, 2),
        ("nmod:on_top_of", 1, 3),
        ("case", 5, 4),
        ("nmod:of", 3, 5),
    )
    rules = grammar(
        tmp_path,
        'match = ["head -nmod:*=how-> place", "place -nmod:of-> thing"]\n'
        'becomes = ["head -nmod:{how}_{place}_of-> thing"]',
    )

    assert ("nmod:on_top_of_side_of", 1, 5) in rewrite(side, rules).edges


def test_words_of_a_list_are_found_side_by_side(tmp_path: Path) -> None:
    card = (
        'match = ["noun -compound-> first"]\n'
        'where = { "first noun" = "lemma:@pairs" }\njoin = "first noun"'
    )
    rules = grammar(tmp_path, card)
    sign = graph("stop/NN sign/NN", ("compound", 2, 1), ("root", 0, 2))

    assert rewrite(sign, rules).lemmas == ("stop", "stop sign")
    assert rewrite(WALL, rules) is WALL


def test_list_in_a_pattern_that_must_not_hold(tmp_path: Path) -> None:
    card = (
        'match = ["noun -det-> a"]\nwithout = ["noun -compound-> _:@stuff"]\n'
        "becomes = []"
    )
    rules = grammar(tmp_path, card)
    sign = graph(
        "a/DT stop/NN sign/NN", ("det", 3, 1), ("compound", 3, 2), ("root", 0, 3)
    )

    assert rewrite(WALL, rules) is WALL
    assert ("det", 3, 1) not in rewrite(sign, rules).edges


def test_a_card_that_undoes_itself_stops(tmp_path: Path) -> None:
    rules = grammar(
        tmp_path, 'match = ["a -compound-> b"]\nbecomes = ["b -compound-> a"]'
    )

    assert len(trace(WALL, rules)[1]) == MAX_REWRITES_PER_CARD


def test_two_names_are_two_nodes(tmp_path: Path) -> None:
    rules = grammar(
        tmp_path,
        'match = ["noun -compound-> a", "noun -compound-> b"]\njoin = "a b"',
    )

    assert rewrite(WALL, rules) is WALL


def test_a_grammar_without_turns_leaves_the_graph() -> None:
    assert rewrite(WALL, load_grammar("spice-1.0")) is WALL


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ('match = ["a -compound-> b"]', "G104 says nothing of what is to change"),
        ('match = ["a -compound-> b"]\njoin = "a c"', "G203 'c'"),
        ('match = ["a -compound-> b"]\nreplace = { a = "c" }', "G203 'c'"),
        ('match = ["a -compound-> b"]\nbecomes = ["a -x"]', "G205 cannot read"),
        ('match = ["a -compound-> b"]\nbecomes = ["a -dep-> c"]', "G203 'c'"),
        ('match = ["a -compound-> b:@non"]\njoin = "a b"', "G302 unknown list '@non'"),
        ('match = ["a -compound-> b"]\nemit = "(a)"', "G103 unknown key 'emit'"),
    ],
)
def test_faults_of_turn_cards(tmp_path: Path, card: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        grammar(tmp_path, card)


def test_an_id_names_one_card_of_any_kind(tmp_path: Path) -> None:
    card = 'match = ["a -compound-> b"]\njoin = "a b"\n' + BEFORE[
        BEFORE.index("[[rule]]") :
    ].replace("[[rule]]", "[[annotation]]")

    with pytest.raises(GrammarError, match="G106 'object' is defined twice"):
        grammar(tmp_path, card)


def test_notes_stay_beside_the_tuples() -> None:
    rules = load_grammar("spicepy-1")
    dog = graph("a/DT dog/NN", ("det", 2, 1), ("root", 0, 2))

    assert [t.members for t in extract(dog, rules)] == [("dog",)]
    assert [t.members for t in annotate(dog, rules)] == [("dog", "1")]
    assert annotate(dog, load_grammar("spice-1.0")) == []


def test_the_published_grammar_keeps_its_digest() -> None:
    assert load_grammar("spice-1.0").digest.startswith("ddb3b27c")


PIPELINE = Pipeline(grammar="spicepy-1")


@given(parses())
def test_any_tree_gives_tuples_of_texts(parse: Parse) -> None:
    made = PIPELINE.stages.extract([parse])

    for tuple_ in made:
        assert len(tuple_.members) in (1, 2, 3)
        assert len(tuple_.tokens) == len(tuple_.members)
        assert all(0 <= token <= len(parse.words) for token in tuple_.tokens)


def test_retag_gives_the_lemma_of_the_tag(tmp_path: Path) -> None:
    rules = grammar(
        tmp_path,
        """match = ["noun:NOUN -amod-> many"]
where = { many = "text:hundred" }
retag = { many = "CD" }""",
    )
    given = DependencyGraph(
        ("hundred", "boats"),
        ("VBN", "NNS"),
        ("hundr", "boat"),
        (("amod", 2, 1), ("root", 0, 2)),
    )
    found, changes = trace(given, rules)
    assert found.tags == ("CD", "NNS")
    assert found.lemmas == ("hundred", "boat")
    assert found.edges == given.edges
    assert changes[0].made == (("hundred", "CD"),)


def test_a_tag_that_is_none_is_a_fault(tmp_path: Path) -> None:
    card = 'match = ["noun:NOUN -amod-> many"]\nretag = { many = "NUM" }'
    with pytest.raises(GrammarError, match="unknown tag 'NUM' in retag"):
        grammar(tmp_path, card)
