"""A machine of a Ray cluster is killed; its part is done again elsewhere."""

import json
import os
import threading
import time
from pathlib import Path

import pytest
from paths import ROOT
from ray_workers import Waiting

from spicepy import evaluate
from spicepy.captions.reading import read_samples
from spicepy.captions.streams import Source
from spicepy.scale.evaluating import evaluate_corpus
from spicepy.scale.jobs import Corpus
from spicepy.scale.ray_cluster import Cluster

pytestmark = pytest.mark.ray

SCENES = read_samples(ROOT / "fixtures" / "scenes.json")[:48]


def write_lines(path: Path) -> Path:
    rows = (
        {"image_id": s.image_id, "candidate": s.candidate, "references": s.references}
        for s in SCENES
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_killed_node_is_survived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray", reason="pip install 'spicepy-captions[ray]'")
    from ray.cluster_utils import Cluster as Machines

    paths_ = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    monkeypatch.setenv("PYTHONPATH", paths_)
    path = write_lines(tmp_path / "a.jsonl")
    machines = Machines(initialize_head=True, head_node_args={"num_cpus": 0})
    nodes = [machines.add_node(num_cpus=1) for _ in range(2)]
    machines.wait_for_nodes()

    def kill() -> None:
        while len(list(tmp_path.glob("node-*"))) < 2:
            time.sleep(0.1)
        machines.remove_node(nodes[1], allow_graceful=False)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    try:
        cluster = Cluster(address=machines.address, workers=2)
        with cluster.running() as run:
            corpus = Corpus(Source([path]).samples, cut=40, run=run)
            metrics = [Waiting(tmp_path / "flag")]
            found = evaluate_corpus(corpus, tmp_path / "scores.jsonl", metrics)
    finally:
        machines.shutdown()

    assert not killer.is_alive()
    assert found.scores() == evaluate(SCENES, ["bleu"]).scores()
