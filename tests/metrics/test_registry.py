"""The registry, and what all n-gram metrics have in common."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from spicepy.captions.sample import Sample
from spicepy.common.errors import InputError, SpicepyWarning
from spicepy.common.settings import MetricOptions
from spicepy.evaluation.evaluation import evaluate
from spicepy.evaluation.options import METRICS, resolve
from spicepy.metrics.base import combine, subset
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.scale.evaluating import evaluate_stream
from spicepy.tokenization.samples import TokenisedSample

OTHERS = (
    *("spice", "spice-soft", "meteor", "chair", "counting", "faithful"),
    *("content-recall", "capture-like", "aloha-like"),  # undefined for some images
)
NGRAM = [name for name in METRICS if name not in OTHERS]
SAMPLES = [
    TokenisedSample("a", "a big red dog runs", ("the big red dog runs", "a dog")),
    TokenisedSample(
        2, "two cats sleep on a bed", ("cats on a bed", "two cats sleep on a bed")
    ),
    TokenisedSample(3, "", ("a man",)),
]
TOLERANCE = 1e-12


@pytest.mark.parametrize("name", NGRAM)
def test_every_name_makes_a_whole_metric(name):
    (metric,) = resolve([name])
    statistics = metric.count(SAMPLES)
    assert statistics.image_ids == ("a", 2, 3)
    scores = metric.image_scores(statistics.rows)
    assert scores.shape == (3, len(metric.keys))
    assert np.isfinite(scores).all()
    assert metric.signature()["metric"]
    assert METRICS[name].help


@pytest.mark.parametrize("name", NGRAM)
def test_corpus_scores_take_many_sums_at_once(name):
    """A bootstrap sample's sum is a row of weights times the rows."""
    (metric,) = resolve([name])
    rows = metric.count(SAMPLES).rows
    weights = np.array([[1, 1, 1], [2, 0, 1], [0, 3, 0]], float)
    together = metric.corpus_scores(weights @ rows, 3)
    apart = [metric.corpus_scores(w @ rows, 3) for w in weights]
    np.testing.assert_allclose(together, apart, rtol=1e-12)
    images = np.array([3, 3, 3])
    assert (metric.corpus_scores(weights @ rows, images) == together).all()


def test_keys_differ_between_metrics():
    keys = [key for metric in resolve(NGRAM) for key in metric.keys]
    assert len(set(keys)) == len(keys)


def test_bleu_rouge_and_cider_keys():
    keys = [m.keys for m in resolve(["bleu", " ROUGE ", "cider-d", "cider", "rouge-l"])]
    assert keys[0] == ("bleu-1", "bleu-2", "bleu-3", "bleu-4")
    assert keys[1:] == [("rouge-l",), ("cider-d",), ("cider",)]


def test_all_stands_for_the_standard_metrics():
    standard = [name for name, entry in METRICS.items() if entry.standard]
    assert standard == ["spice", "bleu", "rouge", "meteor", "cider-d", "cider"]


@pytest.mark.parametrize(
    ("name", "message"),
    [("spcie", "did you mean 'spice'"), ("Blue", "'bleu'"), ("", "unknown metric ''")],
)
def test_unknown_names_are_refused_with_the_nearest(name, message):
    with pytest.raises(InputError, match=message) as error:
        resolve(["bleu", name])
    assert "cider-d" in str(error.value)


def test_no_name_is_refused():
    with pytest.raises(InputError, match="no metric"):
        resolve([])


def test_meteor_says_how_to_get_its_table_and_goes_on_without(monkeypatch):
    monkeypatch.setattr(
        "spicepy.metrics.meteor.paraphrases.find_paraphrases", lambda: None
    )

    with pytest.warns(SpicepyWarning, match=r"captions\[meteor\].*PARAPHRASES"):
        [metric] = resolve(["meteor"])

    assert metric.keys == ("meteor-no-paraphrase",)


def test_frequencies_option(tmp_path):
    counted = DocumentFrequencies.of(SAMPLES, name="three")
    counted.save(tmp_path / "df.json")
    (metric,) = resolve(["cider-d"], MetricOptions(frequencies=tmp_path / "df.json"))
    assert metric.signature()["idf"] == counted.label


def test_importing_the_registry_loads_nothing_heavy():
    code = "import sys, spicepy.metrics; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"spacy", "nltk"} & set(done.stdout.split())


def test_combine_and_subset():
    (metric,) = resolve(["bleu"])
    whole = metric.count(SAMPLES)
    parts = combine([metric.count(SAMPLES[:2]), metric.count(SAMPLES[2:])])
    assert parts.image_ids == whole.image_ids
    assert (parts.rows == whole.rows).all()
    chosen = subset(whole, [3, "a"])
    assert chosen.image_ids == (3, "a")
    assert (chosen.rows == whole.rows[[2, 0]]).all()
    with pytest.raises(InputError, match="'b' has no statistics"):
        subset(whole, ["b"])
    with pytest.raises(InputError, match="'a' is in two parts"):
        combine([whole, whole])
    with pytest.raises(InputError, match="different metrics"):
        combine([whole, resolve(["rouge"])[0].count(SAMPLES[:1])])
    with pytest.raises(InputError, match="no statistics"):
        combine([])


def test_no_samples_have_no_rows():
    for metric in resolve(NGRAM):
        assert metric.count([]).image_ids == ()


def test_coco_images_equal_coco_caption(shared: Path):
    folder = shared / "oracle" / "ngram"
    images, theirs = (
        json.loads(gzip.decompress((folder / name).read_bytes()))
        for name in ("coco5k_tokenized.json.gz", "coco5k_scores.json.gz")
    )
    samples = [
        TokenisedSample(i["image_id"], i["test"], tuple(i["refs"])) for i in images
    ]
    names = iter(["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "ROUGE_L", "CIDEr"])
    for metric in resolve(["bleu", "rouge", "cider-d"]):
        rows = metric.count(samples).rows
        corpus = metric.corpus_scores(rows.sum(axis=0), len(samples))
        for column, whole in zip(metric.image_scores(rows).T, corpus):
            name = next(names)
            expected = theirs["per_image"][name]
            np.testing.assert_allclose(column, expected, rtol=0, atol=TOLERANCE)
            assert abs(whole - theirs["corpus"][name]) <= TOLERANCE


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Bleu_4", "bleu"),
        ("bleu4", "bleu"),
        ("ROUGE_L", "rouge-l"),
        ("CIDErD", "cider-d"),
    ],
)
def test_names_of_other_tools_are_understood(written: str, meant: str) -> None:
    [metric], [expected] = resolve([written]), resolve([meant])

    assert metric.keys == expected.keys


def test_no_two_metrics_have_the_same_letters() -> None:
    letters = {"".join(filter(str.isalnum, name)) for name in METRICS}

    assert len(letters) == len(METRICS)


def test_no_metric_is_refused(tmp_path) -> None:
    sample = {"image_id": 1, "candidate": "a dog", "references": ["dogs"]}
    for nothing in ([], (), ""):
        with pytest.raises(InputError, match="metric"):
            evaluate([sample], nothing)
        with pytest.raises(InputError, match="metric"):
            evaluate_stream(
                lambda: iter([("x", Sample(1, "a", ("b",)))]),
                tmp_path / "x.jsonl",
                nothing,
            )
    assert not list(tmp_path.iterdir())
