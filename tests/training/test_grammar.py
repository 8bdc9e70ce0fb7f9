"""What the original's scores say of its grammar, learnt from made-up captions."""

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

from spicepy.parsing.bundled.analyser import attach, mend_labels, read_part
from spicepy.parsing.bundled.chart import Node, best_trees
from spicepy.parsing.bundled.weights import (
    UNIT,
    CandidateChoices,
    PhraseGrammar,
    hashed,
    open_spans,
)
from spicepy.parsing.bundled.words import ParserThresholds
from training.grammar.attachments import learn_attachments
from training.grammar.compiling import compile_grammar
from training.grammar.fitting import fit
from training.grammar.kbest import read_kbest, write_made_up
from training.grammar.learning import compiled
from training.grammar.observations import Observations
from training.grammar.symbols import Rule, analysed, beside, head_of
from training.parser.convert import soft
from training.parser.files import write_part

WORDS = ["a", "dog", "runs", "in", "the", "park"]
TAGS = [["DT"], ["NN"], ["VBZ", "NNS"], ["IN"], ["DT"], ["NN"]]


def observe(path: Path) -> Observations:
    """Read the differences of scores in a file."""
    seen = Observations()
    for words, found in read_kbest(path):
        seen.add(words, found)
    return seen


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory) -> Observations:
    return observe(write_made_up(tmp_path_factory.mktemp("x") / "x"))


@pytest.fixture(scope="module")
def grammar(
    observed: Observations, tmp_path_factory: pytest.TempPathFactory
) -> PhraseGrammar:
    path = write_made_up(tmp_path_factory.mktemp("x") / "x")
    attachments = learn_attachments(
        (analysed(tree.brackets, words), tree)
        for words, found in read_kbest(path)
        for tree in found
    )
    return compiled(observed, fit(observed), attachments)


def everything(words: list[str], tags: list[list[str]]) -> CandidateChoices:
    """Leave all phrases open."""
    return CandidateChoices(
        [words], [tags], np.ones((1, len(words) + 1, len(words) + 1), bool)
    )


def test_symbols_say_what_is_around_and_inside() -> None:
    tree = analysed(
        "(S (NP DT NN) (VP VBZ (PP IN (NP NN))))", ["a", "dog", "is", "in", "sand"]
    )

    assert [(rule.symbol, rule.parts) for rule in tree.rules] == [
        ("NP-B^S", ("DT^NP", "NN^NP")),
        ("NP-B-U^PP", ("NN^NP",)),
        ("PP^VP", ("IN^PP~V", "NP-B-U^PP")),
        ("VP-VBF^S", ("VBZ^VP~be", "PP^VP")),
        ("S^ROOT", ("NP-B^S", "VP-VBF^S")),
        ("ROOT", ("S^ROOT",)),
    ]
    assert tree.places[3] == (2, 3, 5)
    assert tree.leaves[2] == ("VBZ^VP~be", "is")


def test_prepositions_before_a_clause_have_a_symbol_of_their_own() -> None:
    words = ["a", "group", "of", "people", "running"]
    clause = analysed("(NP (NP DT NN) (PP IN (S (NP NNS) (VP VBG))))", words)
    phrase = analysed("(NP (NP DT NN) (PP IN (NP (NP NNS) (VP VBG))))", words)

    assert clause.leaves[2] == ("IN^PP~Ns", "of")
    assert phrase.leaves[2] == ("IN^PP~N", "of")


def test_tags_before_and_after_each_symbol() -> None:
    found = list(beside(analysed("(S (NP DT NN) (VP VBZ))", ["a", "dog", "runs"])))

    assert found == [
        ("", "ROOT", ""),
        ("", "DT^NP", "NN"),
        ("DT", "NN^NP", "VBZ"),
        ("NN", "VBZ^VP", ""),
        ("", "NP-B^S", "VBZ"),
        ("NN", "VP-VBF-U^S", ""),
        ("", "S^ROOT", ""),
    ]


def test_heads_of_phrases() -> None:
    assert head_of("NP", ("DT", "NN", "NNS")) == 2
    assert head_of("NP", ("NP", "PP")) == 0
    assert head_of("VP", ("MD", "VP")) == 0
    assert head_of("ADVP", ("RB", "RB")) == 1


def test_differences_of_scores_are_fitted(observed: Observations) -> None:
    fitted = fit(observed)

    assert len(observed.targets) == 72
    assert fitted.error < 0.1


def test_a_tree_that_scores_less_than_asked_stays_where_it_is(tmp_path: Path) -> None:
    path = write_made_up(tmp_path / "x")
    seen = observe(path)
    words, found = next(iter(read_kbest(path)))
    best, *_, worst = (analysed(tree.brackets, words) for tree in found)
    before = fit(seen)

    seen.add_difference(worst, best, found[-1].score + 5, at_most=True)
    same = fit(seen, before)
    seen.add_difference(worst, best, found[-1].score - 20, at_most=True)
    lower = fit(seen, same)

    moved = abs(same.weights - before.weights).max()
    assert moved < 0.01
    assert abs(lower.weights - same.weights).max() > 5 * moved


def test_the_chart_finds_the_tree_of_the_original(grammar: PhraseGrammar) -> None:
    [tree] = best_trees(everything(WORDS, TAGS), grammar)

    assert tree is not None
    tags, heads, labels = attach(tree, grammar, WORDS)
    assert tags == ("DT", "NN", "VBZ", "IN", "DT", "NN")
    assert heads == (2, 3, 0, 6, 6, 3)
    assert labels == ("det", "nsubj", "root", "case", "det", "nmod")


def test_only_open_tags_and_phrases_are_in_trees(grammar: PhraseGrammar) -> None:
    noun = [*TAGS[:2], ["NNS"], *TAGS[3:]]
    choices = everything(WORDS, noun)
    choices.spans[0, 0, 3] = False

    [found] = best_trees(everything(WORDS, noun), grammar)
    [none] = best_trees(choices, grammar)

    assert found is not None
    assert attach(found, grammar, WORDS).heads == (3, 3, 0, 6, 6, 3)
    assert none is None


def test_sentences_do_not_change_each_other(grammar: PhraseGrammar) -> None:
    noun = [*TAGS[:2], ["NNS"], *TAGS[3:]]
    spans = np.ones((3, 7, 7), bool)

    both = best_trees(CandidateChoices([WORDS] * 3, [TAGS, noun, TAGS], spans), grammar)

    alone = [best_trees(everything(WORDS, tags), grammar)[0] for tags in (TAGS, noun)]
    assert both == [*alone, alone[0]]


def test_the_best_of_all_trees_is_found() -> None:
    """A made-up grammar with one symbol, of which all trees can be listed."""
    rules = [
        Rule("ROOT", ("X^",), 0),
        Rule("X^", ("X^", "X^"), 0),
        Rule("X^", ("X^", "X^", "T^"), 0),
        Rule("X^", ("T^",), 0),
        Rule("X^", ("U^", "T^"), 0),
    ]
    for seed in range(20):
        random = np.random.default_rng(seed)
        worth = np.rint(random.normal(size=len(rules)) * UNIT) / UNIT
        words = {hashed(x): 1.0 * n for n, x in enumerate(("T a", "T b", "U a", "U b"))}
        leaves = [("T^", "a"), ("U^", "b")]
        made = compile_grammar(rules, worth, [1.0] * 5, leaves, words, ({}, {}), {})
        sentence = list("abab")
        tags = [["T", "U"]] * 4

        [tree] = best_trees(everything(sentence, tags), made)

        scores = dict(zip(((r.symbol, r.parts) for r in rules), worth * UNIT))
        best = max(
            brute_force(made, scores, sentence, 0, 4).get("ROOT", []), default=None
        )
        assert (tree is None) == (best is None)
        if tree:
            assert worth_of(tree, made, scores, sentence) == best


def brute_force(
    made: PhraseGrammar,
    scores: dict[tuple[str, tuple[str, ...]], float],
    words: list[str],
    begin: int,
    end: int,
) -> dict[str, list[float]]:
    """Return the scores of all trees of a span by symbol, chains up to two long."""
    found: dict[str, list[float]] = {}
    if end == begin + 1:
        for tag in "TU":
            [(numbers, worth)] = made.of_words([(words[begin], tag)])
            for number, value in zip(numbers.tolist(), worth.tolist()):
                found.setdefault(made.symbols[number], []).append(value)
    for (symbol, parts), score in scores.items():
        for cuts in product(range(begin + 1, end), repeat=len(parts) - 1):
            ends = [begin, *cuts, end]
            if len(parts) > 1 and all(a < b for a, b in pairwise(ends)):
                rows = [
                    brute_force(made, scores, words, a, b).get(part, [])
                    for part, (a, b) in zip(parts, pairwise(ends))
                ]
                found.setdefault(symbol, []).extend(
                    score + sum(row) for row in product(*rows)
                )
    for symbol, part in (("X^", "T^"), ("ROOT", "X^")):
        more = [scores[symbol, (part,)] + x for x in found.get(part, [])]
        found.setdefault(symbol, []).extend(more)
    return found


def worth_of(
    node: Node,
    made: PhraseGrammar,
    scores: dict[tuple[str, tuple[str, ...]], float],
    words: list[str],
) -> float:
    number, begin, _, parts = node
    symbol = made.symbols[number]
    if not parts:
        [(numbers, worth)] = made.of_words([(words[begin], made.tags[number])])
        return float(worth[numbers.tolist().index(number)])
    names = tuple(made.symbols[part[0]] for part in parts)
    below = sum(worth_of(part, made, scores, words) for part in parts)
    return scores[symbol, names] + below


def test_a_phrase_has_at_most_one_word_with_a_head_outside() -> None:
    # a dog runs: a -> dog -> runs -> root, or dog -> root.
    arcs = np.zeros((1, 3, 4), bool)
    arcs[0, [0, 1, 1, 2], [2, 3, 0, 0]] = True

    spans = open_spans(arcs)

    assert spans[0, 0, 2]
    assert spans[0, 0, 3]
    assert spans[0, 1, 3]
    arcs[0, 1, 3] = False
    assert not open_spans(arcs)[0, 1, 3]


def test_written_and_read_again(grammar: PhraseGrammar, tmp_path: Path) -> None:
    write_part(tmp_path, grammar.names, grammar.arrays)
    again = PhraseGrammar(*read_part(tmp_path))

    choices = everything(WORDS, TAGS)
    assert best_trees(choices, again) == best_trees(choices, grammar)


def test_symbols_are_frequent_beside_some_tags(grammar: PhraseGrammar) -> None:
    kinds = [("",), ("DT",), ("NN",), ("DT", "NN"), ("never seen",)]
    before, after = grammar.beside(kinds)
    noun = grammar.symbols.index("NN^NP")

    assert before.shape == after.shape == (len(kinds), len(grammar.symbols))
    assert before[1, noun] > before[2, noun] + 2 * UNIT
    assert before[3].tolist() == np.maximum(before[1], before[2]).tolist()
    assert (before[4] >= before).all()


def test_narrow_beams_keep_what_is_likely_between_its_words(
    grammar: PhraseGrammar,
) -> None:
    wide = ParserThresholds(beam=99.0, phrase_beam=99.0, word_beam=99.0)
    narrow = ParserThresholds(beam=99.0, phrase_beam=0.0, word_beam=0.0)
    choices = everything(WORDS, [[*tags, "JJ"] for tags in TAGS])

    assert best_trees(choices, grammar, narrow) == best_trees(choices, grammar, wide)


def test_unknown_words_are_known_by_their_ends(grammar: PhraseGrammar) -> None:
    wanted = ("frog", "NN"), ("hog", "NN"), ("xyz", "NN"), ("frog", "ZZ")
    (numbers, worth), like, other, no_tag = grammar.of_words(wanted)

    assert numbers.tolist() == like[0].tolist()
    assert worth.tolist() == like[1].tolist()
    assert other[0].tolist() == numbers.tolist()
    assert no_tag[0].tolist() == []


def test_targets_tell_how_close_a_tag_was(tmp_path: Path) -> None:
    words, found = next(iter(read_kbest(write_made_up(tmp_path / "x"))))

    targets = soft(found)

    assert words[2] == "runs"
    [(word, tag, share), (_, other, rest)] = targets["tags"]
    assert (word, tag, other) == (2, "VBZ", "NNS")
    assert share + rest == pytest.approx(1)
    assert np.log(share / rest) == pytest.approx(0.7 / 0.5)


@pytest.mark.parametrize(
    ("text", "heads", "labels", "mended"),
    [
        (
            "a man has fallen",
            [2, 4, 4, 0],
            ["det", "nsubjpass", "aux", "root"],
            ["det", "nsubj", "aux", "root"],
        ),
        (
            "a man is seen",
            [2, 4, 4, 0],
            ["det", "nsubj", "auxpass", "root"],
            ["det", "nsubjpass", "auxpass", "root"],
        ),
        ("no grass", [2, 0], ["det", "root"], ["neg", "root"]),
        (
            "sits as he eats",
            [0, 4, 4, 1],
            ["root", "mark", "nsubj", "ccomp"],
            ["root", "mark", "nsubj", "advcl"],
        ),
        (
            "says that he eats",
            [0, 4, 4, 1],
            ["root", "mark", "nsubj", "advcl"],
            ["root", "mark", "nsubj", "ccomp"],
        ),
        (
            "wants to eat",
            [0, 3, 1],
            ["root", "mark", "xcomp"],
            ["root", "mark", "xcomp"],
        ),
        (
            "sees it move",
            [0, 3, 1],
            ["root", "nsubj", "xcomp"],
            ["root", "nsubj", "ccomp"],
        ),
    ],
)
def test_labels_that_depend_on_words_are_mended(
    text: str, heads: list[int], labels: list[str], mended: list[str]
) -> None:
    mend_labels(text.split(), heads, labels)

    assert labels == mended
