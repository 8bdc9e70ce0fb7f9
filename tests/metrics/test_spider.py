"""SPIDEr: the mean of its parts, with and without a fluency factor."""

import pytest

import spicepy
from spicepy.common.errors import InputError
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.metrics.spider import Spider
from spicepy.tokenization.samples import TokenisedSample

SAMPLES = [
    {"image_id": 1, "test": "A dog runs.", "refs": ["a dog is running", "a dog"]},
    {"image_id": "b", "test": "two cats", "refs": ["two cats sleep on a bed"]},
    {"image_id": 3, "test": "a man", "refs": ["a woman rides a horse"]},
]


def test_spider_is_the_mean_of_cider_d_and_spice() -> None:
    result = spicepy.evaluate(SAMPLES, ["spice", "cider-d", "spider"])

    spice, cider = result.image_scores("spice"), result.image_scores("cider-d")
    for image_id, score in result.image_scores("spider").items():
        assert score == (cider[image_id] + spice[image_id]) / 2
    corpus = [result.corpus_score(key) for key in ("spider", "cider-d", "spice")]
    assert corpus[0] == pytest.approx((corpus[1] + corpus[2]) / 2, abs=1e-12)
    assert "SPIDEr|" in result.signature


def test_fluency_is_a_factor_on_each_score() -> None:
    asked: list[str] = []

    def fluency(captions: list[str]) -> list[float]:
        asked.extend(captions)
        return [1.0, 0.1, 1.0]

    plain = spicepy.evaluate(SAMPLES, ["spider"]).image_scores("spider")
    found = spicepy.evaluate(SAMPLES, [Spider(fluency=fluency)])

    scores = found.image_scores("spider-fl")
    assert asked == ["a dog runs", "two cats", "a man"]
    assert scores[1] == plain[1]
    assert scores["b"] == plain["b"] * 0.1
    assert "fluency:fluency" in found.signature


def test_wrong_fluency_is_refused() -> None:
    with pytest.raises(InputError, match="fluency gave factors of shape"):
        spicepy.evaluate(SAMPLES, [Spider(fluency=lambda captions: [1.0])])


def test_spider_takes_other_frequencies() -> None:
    samples = [TokenisedSample(1, "a dog", ("a dog runs",))]
    documents = [["a dog runs"], ["two cats"], ["a man"]]
    images = [TokenisedSample(i, "", tuple(d)) for i, d in enumerate(documents)]
    cider = Cider(frequencies=DocumentFrequencies.of(images, name="set"))

    found = Spider().for_documents(documents).count(samples).rows

    assert found.tolist() == Spider(cider=cider).count(samples).rows.tolist()
