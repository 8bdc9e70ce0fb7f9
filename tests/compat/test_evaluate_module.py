"""Hugging Face `evaluate` loads spicepy's metrics by path, offline."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import spicepy
from spicepy.common.errors import ResourceError

CANDIDATES = ["A dog runs.", "two cats"]
REFERENCES = [["a dog is running", "a dog"], ["Two cats sleep on a bed."]]

CALLS = """
import json, sys
import evaluate
from spicepy.compat import evaluate_module
candidates, references = json.loads(sys.argv[1])
found = {}
for name in ("spice", "bleu", "cider-d"):
    metric = evaluate.load(evaluate_module.__file__, name)
    found[name] = metric.compute(predictions=candidates, references=references)
batches = evaluate.load(evaluate_module.__file__, "rouge")
for one, own in zip(candidates, references):
    batches.add_batch(predictions=[one], references=[own])
found["rouge"] = batches.compute()
plain = evaluate.load(evaluate_module.__file__)
one = plain.compute(predictions=["a dog"], references=["a dog"], tokenised=True)
print(json.dumps([found, one["spice"]]))
"""


@pytest.mark.slow
@pytest.mark.skipif(find_spec("evaluate") is None, reason="evaluate is not installed")
def test_scores_are_those_of_spicepy(tmp_path: Path) -> None:
    offline = {"HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", CALLS, json.dumps([CANDIDATES, REFERENCES])],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **offline, "HF_HOME": str(tmp_path)},
    )

    assert done.returncode == 0, done.stderr
    found, identical = json.loads(done.stdout.splitlines()[-1])
    assert identical == 1.0
    for name, scores in found.items():
        expected = spicepy.evaluate(
            candidates=CANDIDATES, references=REFERENCES, metrics=[name]
        ).scores()
        assert scores == pytest.approx(expected, nan_ok=True)


@pytest.mark.skipif(find_spec("evaluate") is not None, reason="evaluate is installed")
def test_without_it_its_name_is_said() -> None:
    with pytest.raises(ResourceError, match=r"pip install (evaluate|datasets)"):
        import spicepy.compat.evaluate_module  # noqa: F401
