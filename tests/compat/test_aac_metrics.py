"""The calls that users of aac-metrics make, written anew."""

import numpy as np
import pytest

import spicepy
from spicepy.common.errors import InputError
from spicepy.compat import aac_metrics
from spicepy.compat.aac_metrics import evaluate, spider, spider_fl, spider_max

CANDIDATES = ["a man is speaking", "rain falls"]
REFERENCES = [
    ["A man speaks.", "Someone speaks.", "A man is speaking."],
    ["Rain is falling hard on a surface"],
]


def test_evaluate_gives_corpus_and_caption_scores() -> None:
    corpus, captions = evaluate(CANDIDATES, REFERENCES)

    assert list(corpus) == list(captions) == [*aac_metrics.DEFAULT, "spider"]
    samples = [
        spicepy.Sample(i, c, r) for i, (c, r) in enumerate(zip(CANDIDATES, REFERENCES))
    ]
    expected = spicepy.evaluate(samples, ["cider-d"]).corpus_score("cider-d")
    assert corpus["cider_d"] == expected
    for name, scores in captions.items():
        assert scores.shape == (2,)
        assert isinstance(corpus[name], np.float64)


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


def test_wrong_lists_and_names() -> None:
    with pytest.raises(InputError, match="1 candidate, but references of 2"):
        evaluate(CANDIDATES[:1], REFERENCES)
    with pytest.raises(InputError, match="no metric 'fense'"):
        evaluate(CANDIDATES, REFERENCES, ["fense"])


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
