"""A corpus score has the same bits by whichever way it is asked for."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from spicepy.compat.pycocoevalcap.bleu.bleu import Bleu
from spicepy.compat.pycocoevalcap.cider.cider import Cider
from spicepy.compat.pycocoevalcap.rouge.rouge import Rouge
from spicepy.compat.pycocoevalcap.spice.spice import Spice

import spicepy
from spicepy.captions.reading import read_samples
from spicepy.captions.sample import Sample
from spicepy.metrics.base import total
from spicepy.metrics.ngrams import cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.scale.evaluating import evaluate_stream
from spicepy.tokenization.samples import tokenised_samples

ROOT = Path(__file__).parents[2]
RAW = read_samples(ROOT / "fixtures" / "scenes.json")
SAMPLES = [
    Sample(s.image_id, s.candidate, s.references) for s in tokenised_samples(RAW)
]
GTS = {sample.image_id: list(sample.references) for sample in SAMPLES}
RES = {sample.image_id: [sample.candidate] for sample in SAMPLES}
DOORS = {"spice": Spice, "rouge-l": Rouge, "cider-d": Cider}
NAMES = {"rouge-l": "rouge"}


def bits(value: Any) -> str:
    return float(value).hex()


@pytest.mark.parametrize("key", list(DOORS))
def test_pycocoevalcap(key: str) -> None:
    found = spicepy.evaluate(SAMPLES, [NAMES.get(key, key)], tokenised=True)

    score, images = DOORS[key]().compute_score(GTS, RES)

    assert bits(score) == bits(found.corpus_score(key))
    own = [one["All"]["f"] for one in images] if key == "spice" else images
    assert bits(score) == bits(np.mean(np.array(own)))  # as pycocoevalcap does


def test_bleu() -> None:
    found = spicepy.evaluate(SAMPLES, ["bleu"], tokenised=True).scores()

    scores, _ = Bleu().compute_score(GTS, RES, verbose=0)

    assert [bits(score) for score in scores] == list(map(bits, found.values()))


@pytest.mark.parametrize("name", ["spice", "rouge", "bleu", "cider-d"])
def test_torchmetrics(name: str) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("torchmetrics")
    from spicepy.compat.torchmetrics import CaptionScore

    metric: Any = name
    if name == "cider-d":
        tokens = tokenised_samples(RAW)
        metric = cider.Cider(frequencies=DocumentFrequencies.of(tokens))
    score = CaptionScore(metric, tokenised=True)
    for at in range(0, len(SAMPLES), 7):
        part = SAMPLES[at : at + 7]
        score.update([s.candidate for s in part], [s.references for s in part])

    found = spicepy.evaluate(SAMPLES, [name], tokenised=True).scores()
    assert {key: bits(value) for key, value in score.compute().items()} == {
        key: bits(value) for key, value in found.items()
    }


def test_blocks(tmp_path: Path) -> None:
    raw = RAW[:60]
    placed = [(f"line {at}", sample) for at, sample in enumerate(raw, 1)]
    names = ("spice", "spice-soft", "spider", "rouge", "bleu")
    whole = spicepy.evaluate(raw, names).scores()

    found = evaluate_stream(lambda: iter(placed), tmp_path / "a.jsonl", names).scores()

    assert {k: bits(v) for k, v in found.items()} == {
        k: bits(v) for k, v in whole.items()
    }


@pytest.mark.parametrize("images", [1, 7, 8, 129, 1000, 9001])
def test_a_column_is_added_as_if_it_stood_alone(images: int) -> None:
    rows = np.random.default_rng(images).lognormal(size=(images, 3))

    assert total(rows).tolist() == [np.sum(column.tolist()) for column in rows.T]
    assert total(rows)[0] == pytest.approx(math.fsum(rows[:, 0]), rel=1e-12)
