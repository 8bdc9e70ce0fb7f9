"""One sentence where a person would ask why a score is low, or high."""

import json
import warnings
from pathlib import Path

import pytest
from cli_run import run  # noqa: F401 (a fixture)
from commands import Run

import spicepy
from spicepy.compat import coco_samples, scorers
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.tokenization.samples import TokenisedSample

REFERENCES = [
    ["A brown dog runs on the grass.", "The dog is running in a park."],
    ["Two men sit on a bench.", "Some men are sitting outside."],
    ["A red bus drives down the street.", "The bus is on the road."],
    ["A woman holds an umbrella in the rain.", "She is standing with an umbrella."],
]
GOOD = ["a dog on grass", "men sit", "a bus in the street", "a woman with an umbrella"]
LONG = "the picture shows " + "a very big and beautiful dog in the green park " * 8
CASES = {
    "leak: 4 candidates": [texts[0] for texts in REFERENCES],
    "left-overs: 1 candidate has special": [f"{GOOD[0]} </s>", *GOOD[1:]],
    "left-overs: 2 candidates have special": ["a dog [PAD]", "men <eos>", *GOOD[2:]],
    "left-overs: 1 candidate has Markdown": ["a **dog** runs", *GOOD[1:]],
    'left-overs: 1 candidate is "nan"': ["nan", *GOOD[1:]],
    "length: 4 candidates have at least twenty": [LONG] * 4,
    "no blanks: 4": [
        "一只棕色的狗在草地上奔跑",
        "两个人坐在长凳上",
        "一辆红色的巴士行驶",
        "女人拿着雨伞在雨中",
    ],
    "language: most words": [
        "ein brauner Hund läuft über das Gras",
        "zwei Männer sitzen auf einer Bank",
        "ein roter Bus fährt die Straße entlang",
        "eine Frau hält einen Regenschirm",
    ],
    "language:": [
        "một con chó nâu chạy trên cỏ",
        "hai người đàn ông ngồi",
        "xe buýt",
        "ô",
    ],
    "sentences: 4": [f"A dog. It is {n}." for n in ("red", "big", "old", "new")],
}


def said(candidates: list[str], metrics: list = ["spice"]) -> list[str]:  # noqa: B006
    result = spicepy.evaluate(
        candidates=candidates, references=REFERENCES, metrics=metrics
    )
    return list(result.warnings)


@pytest.mark.parametrize("sentence", list(CASES))
def test_a_sign_is_named(sentence: str) -> None:
    assert [text for text in said(CASES[sentence]) if text.startswith(sentence)]


def test_python_warns(tmp_path: Path) -> None:
    """Of what the command line prints, in each door."""
    given = dict(enumerate(CASES["language:"]))
    references = dict(enumerate(REFERENCES))
    for door in (spicepy.evaluate, spicepy.diagnose):
        with pytest.warns(spicepy.SpicepyWarning, match="language: most words"):
            door(candidates=given, references=references)


def test_drop_ins_warn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coco_samples, "_WARNED", set())
    monkeypatch.setattr(coco_samples, "_LOOKED_AT", [])
    res = {n: [text] for n, text in enumerate(CASES["language:"])}
    gts = dict(enumerate(REFERENCES))
    with pytest.warns(spicepy.SpicepyWarning, match="language: most words"):
        scorers.Rouge().compute_score(gts, res)
    with warnings.catch_warnings():
        warnings.simplefilter("error", spicepy.SpicepyWarning)
        scorers.Rouge().compute_score(gts, res)


def test_diff_warns(tmp_path: Path, run: Run) -> None:  # noqa: F811
    files = []
    for name, texts in {"a": CASES["language:"], "b": GOOD}.items():
        rows = [
            {"image_id": n, "test": text, "refs": refs}
            for n, (text, refs) in enumerate(zip(texts, REFERENCES))
        ]
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(json.dumps(rows))

    assert "a: language: most words" in run("diff", *files).stderr


def test_good_captions_show_no_sign() -> None:
    assert said(GOOD) == []
    assert said(["dog runs", "men sit bench", "red bus", "woman umbrella rain"]) == []


def test_frequencies_of_another_vocabulary() -> None:
    numbers = [TokenisedSample(1, "", ("7 12 9", "12 9 4"))]
    metric = Cider(frequencies=DocumentFrequencies.of(numbers))

    assert [text for text in said(GOOD, [metric]) if text.startswith("frequencies:")]
    own = [TokenisedSample(1, "", ("a dog runs",))]
    assert said(GOOD, [Cider(frequencies=DocumentFrequencies.of(own))]) == []


@pytest.mark.parametrize("output", ["scores.json", "scores.jsonl"])
def test_every_door_warns(tmp_path: Path, run: Run, output: str) -> None:  # noqa: F811
    rows = [
        {"image_id": n, "test": f"{text} </s>", "refs": texts}
        for n, (text, texts) in enumerate(zip(GOOD, REFERENCES))
    ]
    path = tmp_path / "captions.json"
    path.write_text(json.dumps(rows))

    done = run("evaluate", path, "-m", "bleu", "-o", tmp_path / output)
    compared = run("compare", path, "-m", "bleu")

    assert "left-overs: 4 candidates have special tokens" in done.stderr
    assert "left-overs: 4 candidates have special tokens" in compared.stderr
