"""Metrics of torchmetrics: batches, collections, copies, two processes."""

import math
import os
import pickle
import socket
from typing import Any

import pytest

import spicepy
from spicepy.common.errors import InputError
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.tokenization.samples import TokenisedSample

torch = pytest.importorskip("torch")
torchmetrics = pytest.importorskip("torchmetrics")

from spicepy.compat.torchmetrics import CaptionScore  # noqa: E402

CANDIDATES = ["A dog runs.", "two cats", "a man on a horse", "a red bus"]
REFERENCES = [
    ["a dog is running", "a dog"],
    ["Two cats sleep on a bed."],
    ["A man rides a horse."],
    ["The bus is red.", "a bus in a street"],
]


def whole(name: str) -> dict[str, float]:
    return spicepy.evaluate(
        candidates=CANDIDATES, references=REFERENCES, metrics=[name]
    ).scores()


def plain(scores: dict[str, Any]) -> dict[str, float]:
    return {key: float(score) for key, score in scores.items()}


@pytest.mark.parametrize("name", ["spice", "bleu", "rouge", "bleu-smooth-3"])
def test_batches_give_the_corpus_score(name: str) -> None:
    score = CaptionScore(name)
    score.update(CANDIDATES[:3], REFERENCES[:3])
    score.update([], [])
    score.update(CANDIDATES[3:], REFERENCES[3:])

    assert plain(score.compute()) == pytest.approx(
        whole(name), rel=0, abs=0, nan_ok=True
    )
    score.reset()
    with pytest.warns(UserWarning, match="before"):
        assert all(math.isnan(value) for value in plain(score.compute()).values())


def test_collections_clones_and_pickles() -> None:
    collection = torchmetrics.MetricCollection(
        {"s": CaptionScore("spice"), "r": CaptionScore("rouge")}
    )
    collection.update(CANDIDATES, REFERENCES)
    copies = [collection.clone(), pickle.loads(pickle.dumps(collection))]

    found = plain(collection.compute())
    assert found["rouge-l"] == pytest.approx(whole("rouge")["rouge-l"])
    for copy in copies:
        assert plain(copy.compute()) == pytest.approx(found, nan_ok=True)


def test_cider_needs_frequencies() -> None:
    with pytest.raises(InputError, match="document frequencies"):
        CaptionScore("cider-d")
    documents = [["a dog runs"], ["two cats sleep"], ["a man rides a horse"]]
    images = [TokenisedSample(i, "", tuple(d)) for i, d in enumerate(documents)]
    score = CaptionScore(Cider(frequencies=DocumentFrequencies.of(images, name="set")))
    score.update(CANDIDATES, REFERENCES)
    assert plain(score.compute())["cider-d"] > 0


def test_plot_and_tracker() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    tracker = torchmetrics.MetricTracker(
        torchmetrics.MetricCollection({"r": CaptionScore("rouge")})
    )
    for candidate in ("a dog", "a dog runs"):
        tracker.increment()
        tracker.update([candidate], [["a dog runs"]])

    assert tracker.best_metric(return_step=True) == ({"rouge-l": 1.0}, {"rouge-l": 1})
    score = CaptionScore("bleu")
    score.update(CANDIDATES, REFERENCES)
    _, axes = score.plot()
    assert len(axes.get_lines()) == len(score.metric.keys)


def process(
    rank: int, port: int, folder: str, name: str, parts: tuple[tuple[int, ...], ...]
) -> None:
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    torch.distributed.init_process_group("gloo", rank=rank, world_size=2)
    score = CaptionScore(name)
    if picks := parts[rank]:
        score.update([CANDIDATES[i] for i in picks], [REFERENCES[i] for i in picks])
    found = plain(score.compute())
    with open(f"{folder}/{rank}", "wb") as file:
        pickle.dump(found, file)
    torch.distributed.destroy_process_group()


@pytest.mark.parametrize(
    ("name", "parts"),
    [("spice", ((0, 1, 3), (2,))), ("rouge", ((), (0, 1, 2, 3))), ("rouge", ((), ()))],
    ids=["unequal parts", "a process without captions", "no captions"],
)
def test_two_processes_give_what_one_gives(tmp_path, name, parts) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    torch.multiprocessing.spawn(process, (port, str(tmp_path), name, parts), nprocs=2)
    alone = CaptionScore(name)
    gathered = [i for part in parts for i in part]  # the order of the processes
    alone.update([CANDIDATES[i] for i in gathered], [REFERENCES[i] for i in gathered])

    expected = plain(alone.compute())
    for rank in range(2):
        found = pickle.loads((tmp_path / str(rank)).read_bytes())
        assert found == pytest.approx(expected, abs=0, rel=0, nan_ok=True)
