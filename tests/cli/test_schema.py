"""JSON outputs of every command beside the JSON Schema that is published."""

import gzip
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from commands import Run
from jsonschema import Draft202012Validator
from paths import ROOT
from toy_pcfg import grammar as toy_grammar
from toy_pcfg import model_file

from spicepy.common.writing import SCHEMA_VERSION
from spicepy.parsing.exact.pcfg import KNOWN

FIXTURES = ROOT / "fixtures"
EXAMPLE, ANNOTATED = FIXTURES / "example", FIXTURES / "annotations"
A, B = EXAMPLE / "system-a.json", EXAMPLE / "system-b.json"
REFERENCES = ("--references", EXAMPLE / "references.json")
CAPTIONS = (ANNOTATED / "captions.json", "--instances", ANNOTATED / "instances.json")
BLEU = ("--metrics", "bleu")

SCHEMA = json.loads(
    (files("spicepy.common") / "results.schema.json").read_text(encoding="utf-8")
)

FILES: list[tuple[Any, ...]] = [
    ("evaluate", "--candidates", A, *REFERENCES, "-m", "spice,cider-d", "--tuples"),
    ("compare", A, B, *REFERENCES, "-m", "bleu,spice", "--samples", 20),
    ("compare", A, B, *REFERENCES, "-m", "spice", "--samples", 20, "--patterns"),
    ("check", B, "--against", A, *REFERENCES, "--max-drop", "bleu-4=.5"),
    (
        "check",
        B,
        "--against",
        A,
        *REFERENCES,
        "--max-drop",
        "bleu-4=.9",
        "--significant",
    ),
    ("diagnose", "--candidates", A, *REFERENCES),
    ("diff", A, B, *REFERENCES),
    ("chair", *CAPTIONS),
    ("count", *CAPTIONS),
    ("verify", CAPTIONS[0], "--answers", ANNOTATED / "answers.jsonl"),
    ("loocv", FIXTURES / "loocv.json", *BLEU),
    ("loocv", FIXTURES / "loocv.json", REFERENCES[1], *BLEU, "--images", 4),
    ("correlate", FIXTURES / "judgments.jsonl", *BLEU, "--samples", 20),
    ("pairs", FIXTURES / "pairs.jsonl", *BLEU, "--repeats", 2),
    ("stability", A, B, *REFERENCES, *BLEU, "--samples", 10),
]
PRINTED: list[tuple[Any, ...]] = [
    ("explain", "two dogs run"),
    ("explain", "A dog runs. A cat sleeps."),
    ("explain", "two dogs run", "a dog"),
    ("model list", "model", "list"),
    ("grammar show", "grammar", "show"),
    ("grammar show", "grammar", "show", "--rule", "object"),
]


def check(name: str, value: Any) -> None:
    """Validate an output; every key at its top must be in the schema."""
    entry = SCHEMA["$defs"][name]
    whole = {"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]}
    faults = [e.message[:200] for e in Draft202012Validator(whole).iter_errors(value)]
    assert not faults, faults
    if isinstance(value, dict):
        assert value["schema_version"] == SCHEMA_VERSION
        forms = (form.get("properties", ()) for form in entry.get("oneOf", [entry]))
        assert set(value) <= set().union(*forms)


def test_the_schema_is_one_and_refuses_what_lacks_a_key() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    score = {"schema_version": 1, "signature": "", "warnings": [], "corpus": {}}
    check("evaluate", {**score, "images": 2})
    for wrong in ({**score}, {**score, "images": 2, "corpus": {"bleu-1": "high"}}):
        with pytest.raises(AssertionError):
            check("evaluate", wrong)


@pytest.mark.slow
@pytest.mark.parametrize("command", FILES, ids=lambda command: command[0])
def test_files(run: Run, tmp_path: Path, command: tuple[Any, ...]) -> None:
    done = run(*command, "--output", tmp_path / "x.json", "--quiet")

    assert done.returncode in (0, 1), done.stderr
    check(command[0], json.loads((tmp_path / "x.json").read_text(encoding="utf-8")))


@pytest.mark.slow
@pytest.mark.parametrize("command", PRINTED, ids=lambda command: command[0])
def test_printed(run: Run, command: tuple[Any, ...]) -> None:
    name, *arguments = command
    words = (name, *arguments) if name == "explain" else arguments

    done = run(*words, "--json")

    assert done.returncode == 0, done.stderr
    check(name.replace(" ", "-"), json.loads(done.stdout))


def test_scores_in_blocks(run: Run, tmp_path: Path) -> None:
    given = ("--candidates", A, *REFERENCES, *BLEU)
    run("evaluate", *given, "-o", tmp_path / "x.jsonl", "--quiet")

    check("evaluate", json.loads((tmp_path / "x.corpus.json").read_text()))


def test_pope(run: Run, tmp_path: Path) -> None:
    answers, output = tmp_path / "answers.jsonl", tmp_path / "x.json"
    splits = [tmp_path / "random.jsonl", tmp_path / "popular.jsonl"]
    for path in splits:
        path.write_text('{"question_id": 1, "label": "yes"}\n')
    for number in (1, 2):
        answers.write_text('{"answer": "Yes."}\n' * number)
        done = run("pope", answers, *splits[:number], "-o", output)
        assert done.returncode == 0, done.stderr
        check("pope", json.loads(output.read_text()))


def test_models_and_caches(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPICEPY_DATA", str(tmp_path / "data"))
    monkeypatch.setitem(KNOWN, toy_grammar().digest, "toy")
    model, cache = tmp_path / "toy.ser.gz", tmp_path / "cache"
    model.write_bytes(model_file())
    table = tmp_path / "table.gz"
    table.write_bytes(gzip.compress(b"0.5\na dog\nthe dog\n"))
    given = ("--candidates", A, *REFERENCES, "--cache", cache, "--quiet")
    assert run("evaluate", *given).returncode == 0

    for name, *arguments in (
        ("model-add", "model", "add", model),
        ("model-info", "model", "info", "toy"),
        ("model-paraphrases", "model", "paraphrases", table),
        ("cache-info", "cache", "info", "--cache", cache),
    ):
        done = run(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        check(name, json.loads(done.stdout))
