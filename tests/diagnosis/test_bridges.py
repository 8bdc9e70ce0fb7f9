"""The recipes of `how-to/bridges.md`, run with stand-ins for the tools."""

import csv
import json
import shutil
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from paths import ROOT

from docs.following import blocks_of

pytest.importorskip("pandas")


class Tools:
    """W&B, MLflow and FiftyOne: they keep what they are given."""

    def __init__(self) -> None:
        self.logged: dict[str, Any] = {}
        self.samples: list[Any] = []

    @contextmanager
    def run(self, *, project: str = "", config: Any = None) -> Any:
        self.logged |= {"project": project, "config": config}
        yield SimpleNamespace(log=self.logged.update)

    def modules(self) -> dict[str, Any]:
        def label(kind: str, names: tuple[str, ...]) -> Any:
            def make(**given: Any) -> SimpleNamespace:
                assert set(given) <= set(names)
                return SimpleNamespace(kind=kind, **given)

            return make

        class Sample(dict[str, Any]):
            def __init__(self, *, filepath: str) -> None:
                super().__init__(filepath=filepath)

        return {
            "wandb": SimpleNamespace(
                init=self.run, Table=lambda *, dataframe: dataframe
            ),
            "mlflow": SimpleNamespace(
                start_run=nullcontext,
                set_tag=lambda key, value: self.logged.update({key: value}),
                log_metrics=lambda metrics: self.logged.update(metrics=metrics),
                log_table=lambda *, data, artifact_file: self.logged.update(
                    {artifact_file: data}
                ),
            ),
            "fiftyone": SimpleNamespace(
                Sample=Sample,
                Classification=label("c", ("label", "confidence")),
                Classifications=label("cs", ("classifications",)),
                Detection=label("d", ("label", "bounding_box")),
                Detections=label("ds", ("detections",)),
                Dataset=lambda name: SimpleNamespace(add_samples=self.samples.extend),
            ),
        }


def test_the_recipes_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools, here = Tools(), ROOT / "fixtures/annotations"
    for name, module in tools.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    for name, own in (
        ("captions", "results"),
        ("references", "captions_val"),
        ("instances", "instances_val2014"),
    ):
        shutil.copy(here / f"{name}.json", tmp_path / f"{own}.json")
    monkeypatch.chdir(tmp_path)
    verdict = {"type": "choices", "value": {"choices": ["right"]}}
    names: dict[str, Any] = {}

    for block in blocks_of(ROOT / "docs/how-to/bridges.md"):
        if block.language != "python":
            continue
        if "export.json" in block.text:
            tasks = json.loads(Path("tasks.json").read_text())
            judged = [t | {"annotations": [{"result": [verdict]}]} for t in tasks]
            Path("export.json").write_text(json.dumps(judged))
        exec(block.text, names)

    assert tools.logged["config"] == {"spicepy": tools.logged["spicepy"]}
    assert tools.logged["metrics"]["spice"] == tools.logged["spice"]
    assert len(tools.logged["findings"]) == len(tools.logged["findings.json"]) > 5
    labels = [c.label for s in tools.samples for c in s["findings"].classifications]
    assert "invented object: dog" in labels
    found = [d for s in tools.samples for d in s["annotated"].detections]
    assert any(d.label == "wrong count: zebra, 3 (confirmed)" for d in found)
    assert all(0 <= part <= 1 for d in found for part in d.bounding_box)
    with Path("verdicts.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(tools.logged["findings"])
    assert {row["verdict"] for row in rows} == {"right"}
    header = (ROOT / "fixtures/verdicts/verdicts.csv").read_text().splitlines()[0]
    assert list(rows[0]) == header.split(",")
