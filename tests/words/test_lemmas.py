"""Lemmas by tag: recorded, irregular and unseen words."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spicepy.words.morphology import lemmatize


@pytest.mark.parametrize(
    ("word", "tag", "lemma"),
    [
        ("riding", "VBG", "ride"),
        ("staring", "VBG", "stare"),
        ("shines", "VBZ", "shine"),
        ("sitting", "VBG", "sit"),
        ("lay", "VBD", "lay"),
        ("lit", "VBN", "light"),
        ("older", "JJR", "older"),
        ("clothes", "NNS", "clothes"),
        ("scissors", "NNS", "scissors"),
        ("people", "NNS", "people"),
        ("shelves", "NNS", "shelf"),
        ("cookies", "NNS", "cookie"),
        ("an", "DT", "a"),
        ("his", "PRP$", "he"),
        ("n't", "RB", "not"),
        ("running", "NN", "running"),
        ("Dogs", "NNS", "dog"),
        ("Adams", "NNP", "Adams"),
        ("shouted", "VBD", "shout"),
        ("hoped", "VBD", "hope"),
        ("kitten", "NNS", "kitten"),  # of a wrong tag
        ("near", "PRP$", "near"),
        ("-lrb-", "NN", "-lrb-"),
        ("-lrb-", "NNS", "-lrb-_NNS"),
        ("-rrb-", "VBD", "-rrb-_VBD"),
        ("'ll", "MD", "will"),
    ],
)
def test_as_the_original(word: str, tag: str, lemma: str) -> None:
    assert lemmatize(word, tag) == lemma


@pytest.mark.parametrize(
    ("word", "tag", "lemma"),
    [
        ("blorking", "VBG", "blork"),
        ("zipping", "VBG", "zip"),
        ("postulating", "VBG", "postulate"),
        ("overtaken", "VBN", "overtake"),
        ("sought", "VBD", "seek"),
        ("wugs", "NNS", "wug"),
        ("wuggies", "NNS", "wuggy"),
    ],
)
def test_unseen_words_follow_the_rules(word: str, tag: str, lemma: str) -> None:
    assert lemmatize(word, tag) == lemma


def test_recorded_captions(fixtures: Path) -> None:
    wrong, total = [], 0
    with gzip.open(fixtures / "captions_parsed.jsonl.gz", "rt") as lines:
        for line in lines:
            for sentence in json.loads(line)["sentences"]:
                for word, tag, lemma in sentence["tokens"]:
                    total += 1
                    if lemmatize(word, tag) != lemma:
                        wrong.append((word, tag, lemma, lemmatize(word, tag)))

    assert len(wrong) <= 0.001 * total, wrong


@given(st.text(max_size=12), st.sampled_from(["NN", "NNS", "VBG", "VBZ", "RB", "XX"]))
def test_never_empty(word: str, tag: str) -> None:
    assert bool(lemmatize(word, tag)) == bool(word)
