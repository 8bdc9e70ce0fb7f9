"""Spelling: which words are unknown, and what the misspelt ones should be."""

import pytest

from spicepy.pipeline import Pipeline
from spicepy.words.spelling import is_known, mended, usual_words


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *(("teh", "the"), ("runing", "running"), ("peopel", "people")),
        *(("skatebaord", "skateboard"), ("umbrela", "umbrella"), ("girafe", "giraffe")),
        *(("w/o", "without"), ("w /", "with"), ("runer", "runner")),
        *(("standign", "standing"), ("elephent", "elephant"), ("kitchin", "kitchen")),
    ],
)
def test_certain_words_are_mended(written: str, meant: str) -> None:
    assert mended(written) == meant


@pytest.mark.parametrize(
    "word",
    [
        *("provides", "others", "whose", "filing", "staring", "hopping", "grated"),
        *("groomer", "waxers"),
        *("blorp", "xqzt", "abq", "Teh", "th3", "café", "te", ""),
    ],
)
def test_other_words_stay(word: str) -> None:
    assert mended(word) is None


def test_known_words() -> None:
    words = ("dogs", "creates", "groomer", "runing", "runer")
    assert [w for w in words if is_known(w)] == ["dogs", "creates", "groomer"]


def test_usual_words_are_known_as_they_are() -> None:
    assert all(mended(word) is None for word in usual_words())


def test_captions_are_mended_by_a_grammar_with_the_list() -> None:
    caption = "Teh man is runing on teh beach"
    made = Pipeline(grammar="spicepy-1").trace(caption)
    assert str(made.graph) == "(beach) (man) (man, run on, beach)"
    assert made.spelling == {"teh": "the", "runing": "running"}
    assert made.to_dict()["spelling"] == {"teh": "the", "runing": "running"}
    assert Pipeline().trace(caption).spelling == {}
    assert Pipeline().text(caption) == "teh man is runing on teh beach"
