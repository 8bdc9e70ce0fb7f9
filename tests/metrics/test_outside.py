"""A function of the user's as a metric, in every command that scores."""

import json
import sys
from pathlib import Path

import pytest
from cli_run import run  # noqa: F401 (a fixture)
from commands import Run

import spicepy
from spicepy.common.errors import InputError
from spicepy.metrics.outside import Outside

SAMPLES = [
    {"image_id": n, "candidate": text, "references": ["A dog runs."]}
    for n, text in enumerate(["A Dog!", "a cat sleeps", "Dogs"])
]
MODULE = """
def capitals(samples):
    return [sum(map(str.isupper, s.candidate)) for s in samples]
capitals.lower_is_better = True
capitals.signature = "capitals-1"
capitals.range = (0, 10)
"""


def test_scores_are_those_of_the_function() -> None:
    def length(samples):
        return [len(sample.candidate) for sample in samples]

    found = spicepy.evaluate(SAMPLES, [length, "bleu"])

    assert found.corpus_score("length") == (6 + 12 + 4) / 3
    assert found.image_scores("length") == {0: 6, 1: 12, 2: 4}
    assert found.signature.startswith("length|refs:1|")


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda samples: [1.0], r"shape \(1,\) for 3 samples"),
        (lambda samples: [0, float("nan"), 0], "image 1 has the score nan"),
        (lambda samples: ["a"] * 3, "not numbers"),
    ],
)
def test_wrong_scores_are_named(function, said) -> None:
    with pytest.raises(InputError, match=said):
        spicepy.evaluate(SAMPLES, [Outside(function)])


def test_in_commands(tmp_path: Path, run: Run, monkeypatch) -> None:  # noqa: F811
    monkeypatch.chdir(tmp_path)
    Path("own_marks.py").write_text(MODULE)
    for name in ("a.json", "b.json"):
        Path(name).write_text(json.dumps(SAMPLES))
    own = ["-m", "bleu", "--metric-from", "own_marks:capitals"]

    evaluated = run("evaluate", "a.json", *own, "-o", "scores.json")
    compared = run("compare", "a.json", "b.json", *own)
    limits = ["--max-rise", "capitals=.1"]
    checked = run("check", "a.json", "--against", "b.json", *own[2:], *limits)
    missing = run("evaluate", "a.json", "--metric-from", "own_marks:none")

    assert evaluated.returncode == compared.returncode == 0, evaluated.stderr
    assert (checked.returncode, "capitals" in checked.stdout) == (0, True)
    scores = json.loads(Path("scores.json").read_text())
    assert scores["corpus"]["capitals"] == 1.0
    assert "capitals" in compared.stdout
    assert "outside:capitals-1" in scores["signature"]
    assert missing.returncode == 2
    assert "own_marks has no none" in missing.stderr


OWN = """
X = 5


def boom(samples):
    raise ValueError("no picture of it")


def many(samples):
    return [float("nan") for _ in samples]
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("boom", "boom: ValueError in mym.py, line 6: no picture of it"),
        ("many", "many: image 1 has the score nan; it must be a finite number"),
        ("X", "--metric-from mym:X: it is 5, not a function of samples"),
    ],
)
def test_what_a_function_does_wrong_is_said_with_its_place(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run: Run,  # noqa: F811
    name: str,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mym.py").write_text(OWN)
    Path("a.json").write_text('[{"image_id": 1, "test": "a dog", "refs": ["a dog"]}]')
    monkeypatch.delitem(sys.modules, "mym", raising=False)

    done = run("evaluate", "a.json", "-m", "bleu", "--metric-from", f"mym:{name}")

    assert (done.returncode, said in done.stderr) == (2, True), done.stderr
