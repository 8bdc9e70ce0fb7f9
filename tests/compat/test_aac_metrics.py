"""The calls that users of aac-metrics make, written anew."""

import numpy as np
import pytest
from spicepy.compat.aac_metrics import evaluate, spider, spider_fl, spider_max

import spicepy.compat
from spicepy.common.errors import InputError, SpicepyWarning
from spicepy.compat import aac_metrics

CANDIDATES = ["a man is speaking", "rain falls"]
REFERENCES = [
    ["A man speaks.", "Someone speaks.", "A man is speaking."],
    ["Rain is falling hard on a surface"],
]


@pytest.fixture(autouse=True)
def _table(fixtures, monkeypatch) -> None:
    path = fixtures / "frozen" / "paraphrases.gz"
    monkeypatch.setenv("SPICEPY_PARAPHRASES", str(path))


def test_evaluate_gives_corpus_and_caption_scores() -> None:
    corpus, captions = evaluate(CANDIDATES, REFERENCES)

    assert list(corpus) == list(captions) == [*aac_metrics.DEFAULT, "spider", "meteor"]
    samples = [
        spicepy.Sample(i, c, r) for i, (c, r) in enumerate(zip(CANDIDATES, REFERENCES))
    ]
    expected = spicepy.evaluate(samples, ["cider-d"]).corpus_score("cider-d")
    assert corpus["cider_d"] == expected
    for name, scores in captions.items():
        assert scores.shape == (2,)
        assert np.ndim(corpus[name]) == 0  # a tensor where torch is loaded


def test_functions_of_one_metric() -> None:
    corpus, captions = spider(CANDIDATES, REFERENCES)
    assert list(corpus) == ["cider_d", "spice", "spider"]
    halves = (captions["cider_d"] + captions["spice"]) / 2
    assert captions["spider"].tolist() == halves.tolist()
    for name in ("rouge_l", "cider_d", "spice"):
        function = getattr(aac_metrics, name)
        assert function(CANDIDATES, REFERENCES)[0][name] > 0
    assert list(aac_metrics.bleu(CANDIDATES, REFERENCES, n=2)[0]) == ["bleu_2"]
    factors = spider_fl(CANDIDATES, REFERENCES, lambda texts: [0.1] * len(texts))
    assert factors[1]["spider_fl"].tolist() == (halves * 0.1).tolist()


def test_spider_max_takes_several_candidates() -> None:
    several = [[CANDIDATES[0], "a dog"], ["a cat", CANDIDATES[1]]]

    corpus, captions = spider_max(several, REFERENCES)

    alone = spider(CANDIDATES, REFERENCES)[1]["spider"]
    assert captions["spider_max"].tolist() == alone.tolist()
    assert corpus["spider_max"] == alone.mean()


def test_sets_leave_out_what_needs_a_network() -> None:
    with pytest.warns(SpicepyWarning, match="without spider_fl, fer"):
        corpus, _ = evaluate(CANDIDATES, REFERENCES, metrics="dcase2023", verbose=1)
    with pytest.warns(SpicepyWarning, match="fense, bert_score, mace"):
        everything, _ = evaluate(CANDIDATES, REFERENCES, metrics="all", java_path="x")

    assert list(corpus) == ["cider_d", "spice", "spider", "meteor"]
    assert {"bleu_1", "meteor", "spider", "vocab.cands"} < set(everything)
    assert everything["vocab.cands"] == 6


def test_a_set_without_the_table_of_meteor(monkeypatch) -> None:
    name = "spicepy.compat.audio.find_paraphrases"
    monkeypatch.setattr(name, lambda: None)

    with pytest.warns(
        SpicepyWarning, match=r"without meteor \(its paraphrase table is not"
    ):
        corpus, _ = evaluate(CANDIDATES, REFERENCES)

    assert "meteor" not in corpus


def test_spider_brings_its_parts_and_options_are_accepted() -> None:
    options = {"cache_path": "x", "java_path": "y", "verbose": 2, "preprocess": True}

    corpus, _ = evaluate(CANDIDATES, REFERENCES, metrics=["spider"], **options)
    alone = aac_metrics.cider_d(CANDIDATES, REFERENCES, return_all_scores=False)

    assert list(corpus) == ["cider_d", "spice", "spider"]
    assert alone == corpus["cider_d"]


def test_modules_and_classes_by_their_names() -> None:
    spicepy.compat.install(["aac_metrics"], replace=True)
    try:
        from aac_metrics.classes.spider import SPIDEr
        from aac_metrics.classes.spider_max import SPIDErMax
        from aac_metrics.functional import cider_d
        from aac_metrics.functional.evaluate import evaluate as theirs
        from aac_metrics.utils.tokenization import preprocess_mult_sents

        assert theirs is evaluate
        one = SPIDEr(return_all_scores=False)(CANDIDATES, REFERENCES)
        several = [[text] for text in CANDIDATES]
        assert SPIDErMax(return_all_scores=False)(several, REFERENCES) == one
        assert preprocess_mult_sents([["A dog."], []]) == [["a dog"], []]
        assert cider_d(CANDIDATES, REFERENCES)[0]["cider_d"] > 0
    finally:
        spicepy.compat.uninstall()


def test_batches_are_scored_together() -> None:
    from spicepy.compat.aac_metrics import CIDErD

    metric = CIDErD()
    for candidate, references in zip(CANDIDATES, REFERENCES):
        metric.update([candidate], [references])

    assert metric.compute()[0] == aac_metrics.cider_d(CANDIDATES, REFERENCES)[0]


def test_wrong_lists_and_names() -> None:
    with pytest.raises(InputError, match="1 candidate, but references of 2"):
        evaluate(CANDIDATES[:1], REFERENCES)
    with pytest.raises(InputError, match="'fense' is computed by a neural network"):
        evaluate(CANDIDATES, REFERENCES, metrics=["fense"])


@pytest.mark.parametrize("name", ["bleu", "rouge_l", "cider_d"])
def test_scores_equal_the_real_ones(name: str) -> None:
    real = pytest.importorskip("aac_metrics.functional")
    candidates = [*CANDIDATES, "a dog barks twice", "birds"]
    references = [
        ["a man speaks", "someone speaks", "a man is speaking"],
        ["rain is falling hard on a surface"],
        ["a dog is barking", "dogs bark  outside", "a dog barks"],
        ["birds are singing and birds chirp"],
    ]

    found = getattr(aac_metrics, name)(candidates, references)
    true = getattr(real, name)(candidates, references)

    assert [list(scores) for scores in found] == [list(scores) for scores in true]
    for ours, theirs in zip(found, true):
        for key, score in theirs.items():
            assert np.shape(ours[key]) == tuple(score.shape)
            assert ours[key].tolist() == pytest.approx(score.tolist(), abs=1e-12)
