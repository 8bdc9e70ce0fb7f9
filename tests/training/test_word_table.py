"""The recipe of the word table, on a few captions and with a teacher of our own."""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("scipy")

from spicepy.metrics.soft.table import load_table
from training.words import teacher, word_table

SCENES = [
    ("a dog runs in the park", "a puppy is running on the grass"),
    ("a cat sleeps on a sofa", "a kitten naps on the couch"),
    ("two boats on a lake", "a pair of boats on the water"),
]
MEANING = {"puppy": "dog", "kitten": "cat", "couch": "sofa", "naps": "sleeps"}


def encode(texts: Sequence[str]) -> np.ndarray:
    """Words of one meaning in one direction, 384 dimensions as the real teacher."""
    found = np.zeros((len(texts), 384), np.float32)
    for row, text in enumerate(texts):
        for word in text.split():
            meaning = MEANING.get(word, word)
            seed = list(meaning.encode())
            found[row] += np.random.default_rng(seed).normal(size=384)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("words")
    lines = [
        (f"{caption} {place}", f"{number} {place}")
        for place in ("today", "outside", "at noon", "again", "in the rain")
        for number, captions in enumerate(SCENES)
        for caption in captions
    ]
    captions, images = zip(*lines)
    (folder / "captions.txt").write_text("\n".join(captions), encoding="utf-8")
    (folder / "images.txt").write_text("\n".join(images), encoding="utf-8")
    return folder


def make(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setattr(teacher, "encode", encode)
    monkeypatch.setattr(teacher, "words", lambda: ["horse", "[unused]", "##ly"])
    arguments = ["--captions", folder / "captions.txt", "--images"]
    arguments += [folder / "images.txt", "--work", folder / f"work-{name}"]
    arguments += ["--output", folder / f"{name}.npz"]
    monkeypatch.setattr(sys, "argv", ["word_table.py", *map(str, arguments)])
    word_table.main()
    return (folder / f"{name}.npz").read_bytes()


def test_one_call_makes_a_table(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(made, "one", monkeypatch)
    table = load_table(made / "one.npz")
    assert {"dog", "puppy", "boat", "horse"} <= set(table.rows)

    def cosine(one: str, other: str) -> float:
        first, second = (table.vectors[table.rows[word]] for word in (one, other))
        return float(first @ second / np.sqrt((first @ first) * (second @ second)))

    assert cosine("dog", "puppy") > 0.6 > 0.3 > cosine("dog", "sofa")


def test_two_calls_make_the_same_table(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = make(made, "first", monkeypatch)
    assert make(made, "second", monkeypatch) == first
    assert make(made, "first", monkeypatch) == first
