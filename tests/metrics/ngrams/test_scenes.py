"""BLEU, ROUGE-L and CIDEr-D of the project's own images are coco-caption's."""

import json
from pathlib import Path

import numpy as np
import pytest

from spicepy.captions.reading import read_samples
from spicepy.metrics.base import Metric
from spicepy.metrics.ngrams.bleu import Bleu
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.ngrams.rouge import RougeL
from spicepy.tokenization.samples import tokenised_samples


@pytest.mark.parametrize(
    ("metric", "names"),
    [
        (Bleu(), ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4"]),
        (RougeL(), ["ROUGE_L"]),
        (Cider(), ["CIDEr-D"]),
    ],
    ids=["bleu", "rouge", "cider"],
)
def test_scenes_equal_coco_caption(
    fixtures: Path, metric: Metric, names: list[str]
) -> None:
    theirs = json.loads((fixtures / "scenes_scores.json").read_text())
    samples = read_samples(fixtures / "scenes.json")

    found = metric.count(tokenised_samples(samples))

    scores = metric.image_scores(found.rows)
    whole = metric.corpus_scores(found.rows.sum(axis=0), len(samples))
    for own, corpus, name in zip(scores.T, whole, names, strict=True):
        images = [theirs[name]["images"][str(i)] for i in found.image_ids]
        np.testing.assert_allclose(own, images, rtol=0, atol=1e-12)
        assert corpus == pytest.approx(theirs[name]["corpus"], abs=1e-12)
