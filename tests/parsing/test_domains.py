"""Other texts than COCO's, and bad ones: always a tree, and not a silly one.

The trees of `fixtures/domains` were annotated by hand for this project.
"""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ROOT

from benchmarks.accuracy.domain_trees import (
    DOMAINS,
    align,
    join,
    read_domain,
    without_marks,
    worse,
)
from benchmarks.accuracy.domains import count, figures, parse_texts
from spicepy.parsing.trees import Parse
from spicepy.pipeline import Pipeline

SENTENCES = [sentence for domain in DOMAINS for sentence in read_domain(domain)]
TEXTS = [sentence.text for sentence in SENTENCES]
WORDS = sorted({word for text in TEXTS for word in text.split()})
FLOORS = {
    "captions": 80.0,
    "audio": 55.0,
    "news": 55.0,
    "questions": 50.0,
    "fragments": 60.0,
    "long": 60.0,
}
"""Labelled attachment that any reasonable model reaches."""

BLOCK = """# sent_id = one
# domain = captions
# text = Two dogs run.
1\ttwo\ttwo\t_\tCD\t_\t2\tnummod\t_\t_
2\tdogs\tdog\t_\tNNS\t_\t3\tnsubj\t_\t_
3\trun\trun\t_\tVBP\t_\t0\troot\t_\t_
"""

PIPELINE = Pipeline()


def check(tree: Parse) -> None:
    """A tree over all words, from which the rules make tuples."""
    size = len(tree.words)
    assert tree.heads.count(0) == min(1, size)
    for place in range(1, size + 1):
        for _ in range(size):
            place = tree.heads[place - 1] if place else 0
        assert place == 0
    PIPELINE.stages.extract([tree])


def test_files_are_well_formed() -> None:
    assert 100 <= len(SENTENCES) <= 130
    assert max(Counter(sentence.name for sentence in SENTENCES).values()) == 1
    for domain in DOMAINS:
        assert {sentence.domain for sentence in read_domain(domain)} == {domain}
    for sentence in SENTENCES:
        check(sentence.tree)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("# domain = captions\n", "", "no line '# domain"),
        ("\t_\t_\n2", "\n2", "ten columns"),
        ("3\trun", "4\trun", "first column"),
        ("2\tnummod", "0\troot", "2 words have head 0"),
        ("2\tnummod", "7\tnummod", r"word 1 \(two\) has the head 7"),
        ("3\tnsubj", "1\tnsubj", "hangs on itself"),
        ("3\tnsubj", "3\tsubj", "unknown label 'subj'"),
        ("3\tnsubj", "3\troot", "head 0 or the label root"),
        ("NNS", "NOUN", "unknown tag 'NOUN'"),
        ("dogs\tdog", "dogs\tdogs", "lemma 'dogs', not 'dog'"),
        ("Two dogs run.", "Two dogs.", "text has the words 'two dogs'"),
        ("run.\n", "run.\n# typos = Tow dgos\n", "typos has the words"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    (tmp_path / "captions.conllu").write_text(BLOCK)
    assert read_domain("captions", tmp_path)[0].tree.heads == (2, 3, 0)
    assert BLOCK.count(old) == 1
    (tmp_path / "captions.conllu").write_text(BLOCK.replace(old, new))

    with pytest.raises(ValueError, match=rf"captions\.conllu, sentence 1.*{message}"):
        read_domain("captions", tmp_path)


def test_marks_and_typos_are_aligned() -> None:
    found = Parse(
        words=("Tow", "--", "dgos", "-rrb-", "run"),
        tags=("CD", ":", "NNS", "-RRB-", "VBP"),
        lemmas=("tow", "--", "dgo", "-rrb-", "run"),
        heads=(3, 5, 4, 5, 0),
        labels=("nummod", "punct", "dep", "nsubj", "root"),
    )

    assert without_marks(align(["two", "dogs", "run"], found)) == Parse(
        words=("two", "dogs", "run"),
        tags=("CD", "NNS", "VBP"),
        lemmas=("two", "dog", "run"),
        heads=(2, -1, 0),
        labels=("nummod", "dep", "root"),
    )


@pytest.mark.parametrize("domain", DOMAINS)
def test_reasonable_trees(domain: str) -> None:
    sentences = [sentence for sentence in SENTENCES if sentence.domain == domain]
    trees = parse_texts([sentence.text for sentence in sentences])

    assert figures(count(sentences, trees))["LAS"] >= FLOORS[domain]
    perfect = figures(count(sentences, [sentence.tree for sentence in sentences]))
    assert set(perfect.values()) == {100.0}


def test_case_and_missing_punctuation_change_nothing() -> None:
    plain = parse_texts(TEXTS)

    for kind in ("upper case", "title case", "no punctuation"):
        assert parse_texts([worse(sentence)[kind] for sentence in SENTENCES]) == plain


@pytest.mark.parametrize("kind", ["typos", "punctuation"])
def test_bad_captions_lose_little(kind: str) -> None:
    captions = [sentence for sentence in SENTENCES if sentence.variants]
    trees = parse_texts([sentence.variants[kind] for sentence in captions])
    aligned = [align(s.tree.words, tree) for s, tree in zip(captions, trees)]

    assert len(captions) >= 30
    assert figures(count(captions, aligned))["LAS"] >= 65
    for tree in trees:
        check(tree)


def test_long_texts() -> None:
    long = join(SENTENCES[:20])
    [tree] = parse_texts([long.text])

    assert len(tree.words) > 200
    assert tree.words == long.tree.words
    check(tree)


def test_same_alone_and_with_other_threads() -> None:
    together = parse_texts(TEXTS)
    module = "benchmarks.accuracy.domains"
    code = f"from {module} import parse_texts; print(parse_texts({TEXTS!r}))"
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "4")
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | threads | {"PYTHONIOENCODING": "utf-8"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == repr(together)
    assert [parse_texts([text])[0] for text in TEXTS[::9]] == together[::9]


MARKS = st.sampled_from([*".,;:!?'\"()[]{}-/\\*~&%$#@", "...", "--", "!!!", ":)", "…"])
ODD = (
    st.characters(exclude_categories=[])
    | st.sampled_from("\x00\t\r\u00a0\u200b\u2028\ufeff\u0301\ud800ﬁ犬🐶ẞİ１½—“")
    | st.sampled_from(["<b>", "</a>", "&amp;", "http://a.b", "a@b.c", "#dog"])
)
CHANGES = ("case", "double", "lose", "swap", "mark", "odd")


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """A sentence with letters in other case, doubled, lost, swapped or odd."""
    letters = list(draw(st.sampled_from(TEXTS)))
    for _ in range(draw(st.integers(1, 12))):
        at = draw(st.integers(0, len(letters)))
        change = draw(st.sampled_from(CHANGES))
        if change in ("mark", "odd"):
            letters.insert(at, draw(MARKS if change == "mark" else ODD))
        elif change == "swap":
            letters[at : at + 2] = letters[at : at + 2][::-1]
        else:
            made = {
                "case": str.swapcase,
                "double": lambda x: 2 * x,
                "lose": lambda x: "",
            }
            letters[at : at + 1] = map(made[change], letters[at : at + 1])
    return "".join(letters)


@settings(max_examples=25, deadline=None)
@given(st.lists(mutations(), min_size=1, max_size=6))
def test_mutated_sentences_give_a_tree(texts: list[str]) -> None:
    for tree in parse_texts(texts):
        check(tree)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=200))
def test_any_number_of_words_gives_a_tree(words: list[str]) -> None:
    check(parse_texts([" ".join(words)])[0])
