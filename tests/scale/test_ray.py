"""Ray: the same bits as one process, whatever the workers, and whoever is killed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT
from ray_workers import Killer

from spicepy import evaluate
from spicepy.captions.reading import read_samples
from spicepy.captions.streams import Source
from spicepy.common.errors import InputError
from spicepy.scale.evaluating import evaluate_corpus
from spicepy.scale.jobs import Corpus
from spicepy.scale.ray_cluster import Cluster

pytestmark = pytest.mark.ray


@pytest.fixture(scope="module", autouse=True)
def ray_here():
    """Ray is started once; its processes find the tests' helpers."""
    pytest.importorskip("ray", reason="pip install 'spicepy-captions[ray]'")
    import ray

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "tests")]))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        yield
        ray.shutdown()


SCENES = read_samples(ROOT / "fixtures" / "scenes.json")[:48]
NAMES = ("spice", "bleu", "rouge", "cider-d")


def lines_file(path: Path, samples=SCENES) -> Path:
    rows = (
        {"image_id": s.image_id, "candidate": s.candidate, "references": s.references}
        for s in samples
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def evaluated(paths: list[Path], output: Path, metrics, workers: int):
    with Cluster(workers=workers).running() as run:
        corpus = Corpus(Source(paths).samples, cut=40, run=run)
        return evaluate_corpus(corpus, output, metrics)


@pytest.mark.parametrize("workers", [1, 2])
def test_the_bits_of_one_process(tmp_path: Path, workers: int) -> None:
    files = [
        lines_file(tmp_path / "a.jsonl", SCENES[:30]),
        lines_file(tmp_path / "b.jsonl", SCENES[30:]),
    ]
    whole = evaluate(SCENES, NAMES)

    found = evaluated(files, tmp_path / "scores.jsonl", NAMES, workers)

    assert found.scores() == whole.scores()
    assert found.signature == whole.signature
    lines = (tmp_path / "scores.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == list(whole.entries())


def test_a_wrong_record_is_one_sentence(tmp_path: Path) -> None:
    path = lines_file(tmp_path / "a.jsonl")
    with path.open("a") as file:
        file.write('{"image_id": 900, "candidate": 7, "references": ["a"]}\n')

    with pytest.raises(InputError, match=r"the candidate is 7; it must be a string"):
        evaluated([path], tmp_path / "scores.jsonl", ("bleu",), 1)


def test_a_killed_worker_is_replaced(tmp_path: Path) -> None:
    path = lines_file(tmp_path / "a.jsonl")
    flag = tmp_path / "killed"

    metrics = [Killer(flag)]
    found = evaluated([path], tmp_path / "scores.jsonl", metrics, 2)

    assert flag.exists()
    assert found.scores() == evaluate(SCENES, ["bleu"]).scores()
    lines = (tmp_path / "scores.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["image_id"] for line in lines] == [
        s.image_id for s in SCENES
    ]


def test_graphs_by_the_command(tmp_path: Path) -> None:
    rows = [{"image_id": n, "caption": s.candidate} for n, s in enumerate(SCENES)]
    captions = tmp_path / "captions.jsonl"
    captions.write_text("".join(json.dumps(row) + "\n" for row in rows))
    outputs = [tmp_path / "ray.jsonl", tmp_path / "local.jsonl"]
    command = [sys.executable, "-m", "spicepy", "parse", "-f", captions, "-q", "-o"]

    subprocess.run([*command, outputs[0], "--engine", "ray", "-j", "2"], check=True)
    subprocess.run([*command, outputs[1]], check=True)

    assert outputs[0].read_bytes() == outputs[1].read_bytes()
