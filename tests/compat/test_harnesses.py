"""The snippets of "Use spicepy in … lm-eval and lighteval", with the real packages."""

import json
import re
from types import SimpleNamespace
from typing import Any

import pytest
from paths import ROOT

import spicepy

PAGE = (ROOT / "docs/how-to/harnesses.md").read_text(encoding="utf-8")
CANDIDATES = ["A dog runs.", "two cats"]
REFERENCES = [["a dog is running", "a dog"], ["Two cats sleep on a bed."]]
SPICE = spicepy.evaluate(
    candidates=CANDIDATES, references=REFERENCES, metrics=["spice"]
).corpus_score("spice")


def run_snippet(name: str) -> dict[str, Any]:
    """The names that a snippet of the page defines."""
    [code] = re.findall(
        rf"```{{code-block}} python\n:name: {name}\n(.*?)```", PAGE, re.S
    )
    names: dict[str, Any] = {}
    exec(compile(code, name, "exec"), names)
    return names


def test_a_task_of_lm_eval(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    task_module = pytest.importorskip("lm_eval.api.task")
    names = run_snippet("lm-eval")
    documents = tmp_path / "documents.jsonl"
    documents.write_text(
        "".join(json.dumps({"captions": r}) + "\n" for r in REFERENCES)
    )
    task = task_module.ConfigurableTask(
        config={
            "task": "captions",
            "dataset_path": "json",
            "dataset_kwargs": {
                "data_files": {"test": str(documents)},
                "cache_dir": str(tmp_path / "cache"),
            },
            "test_split": "test",
            "doc_to_text": "A caption:",
            "doc_to_target": "captions",
            # The rest is what the YAML of the page says.
            "output_type": "generate_until",
            "process_results": names["captions"],
            "metric_list": [
                {"metric": "spice", "aggregation": "spice", "higher_is_better": True}
            ],
        }
    )

    documents = list(task.test_docs())
    found = [task.process_results(d, [c]) for d, c in zip(documents, CANDIDATES)]

    assert [list(one) for one in found] == [["spice"], ["spice"]]
    assert task.aggregation()["spice"]([one["spice"] for one in found]) == SPICE
    assert task.higher_is_better() == {"spice": True}


def test_a_metric_of_lighteval() -> None:
    pytest.importorskip("lighteval.metrics.metrics")
    names = run_snippet("lighteval")
    metric = names["spice"]

    samples = []
    for candidate, references in zip(CANDIDATES, REFERENCES):
        document = SimpleNamespace(get_golds=lambda own=references: own)
        response = SimpleNamespace(final_text=[candidate])
        samples.append(metric.compute_sample(doc=document, model_response=response))

    [together] = metric.get_corpus_aggregations().values()
    assert together([one["spice"] for one in samples]) == SPICE
    pytest.importorskip("aenum").extend_enum(names["Metrics"], "spice", metric)
    assert names["Metrics"]["spice"].value is metric
