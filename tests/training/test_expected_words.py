"""The recipe of the table of expected words, on a few captions."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

from spicepy.diagnosis.lexicon import lexicon as table
from training.errors import expected_words

SCENES = (
    ["a dog lies on a couch", "a puppy on a couch", "the dog sleeps on a sofa"],
    ["a cat sits on a fence", "a kitten on a fence", "the cat rests on a wall"],
)


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    texts = [SCENES[n % 2] for n in range(60)]
    monkeypatch.setattr(expected_words, "captions", lambda shared: texts)
    path = tmp_path / "words.npz"
    arguments = ["--steps", "60", "--output", str(path)]
    monkeypatch.setattr(sys, "argv", ["expected_words.py", *arguments])
    expected_words.main()
    return path


def test_words_are_expected_where_others_say_what_goes_with_them(made: Path) -> None:
    read = table._read_weights(made)
    words = table.ExpectedWords()
    words.__dict__["_table"] = read

    told = words.evidence_of([["dog", "couch"]])
    assert words.log_odds("puppy", told).known > words.log_odds("kitten", told).known
    assert "a" not in read.rows  # Content words only.
