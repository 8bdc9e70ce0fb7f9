"""Ray: the same bits as one process, whatever the workers, and whoever is killed."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from paths import ROOT

from spicepy import evaluate
from spicepy.common.errors import InputError
from spicepy.samples.reading import read_samples
from spicepy.scale import parts
from spicepy.scale.evaluating import evaluate_corpus
from spicepy.scale.on_ray import Cluster, ray_corpus

pytest.importorskip("ray.data", reason="needs ray: pip install 'spicepy-captions[ray]'")
pytestmark = pytest.mark.ray

SCENES = read_samples(ROOT / "fixtures" / "scenes.json")[:48]
NAMES = ("spice", "bleu", "rouge", "cider-d")


def lines_file(path: Path, samples=SCENES) -> Path:
    rows = (
        {"image_id": s.image_id, "candidate": s.candidate, "references": s.references}
        for s in samples
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def parquet_file(path: Path, samples, rows: int) -> Path:
    import pyarrow
    from pyarrow import parquet

    columns = {
        "image_id": [s.image_id for s in samples],
        "candidate": [s.candidate for s in samples],
        "references": [list(s.references) for s in samples],
    }
    parquet.write_table(pyarrow.table(columns), path, row_group_size=rows)
    return path


@pytest.mark.parametrize("workers", [1, 2])
def test_the_bits_of_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(parts, "ROWS", 7)
    files = [
        str(parquet_file(tmp_path / "a.parquet", SCENES[:30], 20)),
        str(parquet_file(tmp_path / "b.parquet", SCENES[30:], 9)),
    ]
    whole = evaluate(SCENES, NAMES)

    with ray_corpus(files, Cluster(workers=workers)) as corpus:
        found = evaluate_corpus(corpus, tmp_path / "scores.jsonl", NAMES)

    assert found.scores() == whole.scores()
    assert found.signature == whole.signature
    lines = (tmp_path / "scores.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == list(whole.entries())


def test_a_wrong_record_is_one_sentence(tmp_path: Path) -> None:
    path = lines_file(tmp_path / "a.jsonl")
    with path.open("a") as file:
        file.write('{"image_id": 900, "candidate": 7, "references": ["a"]}\n')

    with (
        ray_corpus([str(path)], Cluster(workers=1)) as corpus,
        pytest.raises(InputError, match=r"the candidate is 7; it must be a string"),
    ):
        evaluate_corpus(corpus, tmp_path / "scores.jsonl", ("bleu",))


class Killer:
    """A metric's stand-in: the first worker that counts with it is killed."""

    def __init__(self, metric, flag: Path) -> None:
        self.metric, self.flag = metric, flag

    def __getattr__(self, name: str):
        if name.startswith("__") or name == "metric":
            raise AttributeError(name)
        return getattr(self.metric, name)

    def with_corpus(self, frequencies) -> "Killer":
        return self

    def count(self, samples):
        try:
            self.flag.touch(exist_ok=False)
        except FileExistsError:
            return self.metric.count(samples)
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_worker_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from spicepy.metrics.ngrams.bleu import Bleu

    monkeypatch.setattr(parts, "BYTES", 1_000)
    path = lines_file(tmp_path / "a.jsonl")
    flag = tmp_path / "killed"

    with ray_corpus([str(path)], Cluster(workers=2)) as corpus:
        metrics = [Killer(Bleu(), flag)]
        found = evaluate_corpus(corpus, tmp_path / "scores.jsonl", metrics)

    assert flag.exists()
    assert found.scores() == evaluate(SCENES, ["bleu"]).scores()
    lines = (tmp_path / "scores.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["image_id"] for line in lines] == [
        s.image_id for s in SCENES
    ]


class Waiting(Killer):
    """Says where it works, and waits a little, so that its machine can be killed."""

    def count(self, samples):
        import ray

        node = ray.get_runtime_context().get_node_id()
        with suppress(FileExistsError):
            self.flag.with_name(f"node-{node}").touch(exist_ok=False)
            time.sleep(5)
        return self.metric.count(samples)


def test_a_killed_node_is_survived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ray.cluster_utils import Cluster as Machines

    from spicepy.metrics.ngrams.bleu import Bleu

    monkeypatch.setattr(parts, "BYTES", 1_000)
    path = lines_file(tmp_path / "a.jsonl")
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
        with ray_corpus([str(path)], cluster) as corpus:
            metrics = [Waiting(Bleu(), tmp_path / "flag")]
            found = evaluate_corpus(corpus, tmp_path / "scores.jsonl", metrics)
    finally:
        machines.shutdown()

    assert not killer.is_alive()
    assert found.scores() == evaluate(SCENES, ["bleu"]).scores()


def test_graphs_by_the_command(tmp_path: Path) -> None:
    rows = [{"image_id": n, "caption": s.candidate} for n, s in enumerate(SCENES)]
    captions = tmp_path / "captions.jsonl"
    captions.write_text("".join(json.dumps(row) + "\n" for row in rows))
    outputs = [tmp_path / "ray.jsonl", tmp_path / "local.jsonl"]
    command = [sys.executable, "-m", "spicepy", "parse", "-f", captions, "-q", "-o"]

    subprocess.run([*command, outputs[0], "--engine", "ray", "-j", "2"], check=True)
    subprocess.run([*command, outputs[1]], check=True)

    assert outputs[0].read_bytes() == outputs[1].read_bytes()
