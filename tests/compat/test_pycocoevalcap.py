"""Callers of pycocoevalcap get the same from spicepy, beside the real package."""

import math
from importlib.util import find_spec
from pathlib import Path

import coco_callers
import numpy as np
import pytest
from coco_callers import Annotations, harness, raw_text, whole_evaluation
from spicepy.compat.pycocoevalcap.bleu.bleu import Bleu
from spicepy.compat.pycocoevalcap.cider.cider import Cider
from spicepy.compat.pycocoevalcap.eval import COCOEvalCap
from spicepy.compat.pycocoevalcap.meteor.meteor import Meteor
from spicepy.compat.pycocoevalcap.rouge.rouge import Rouge
from spicepy.compat.pycocoevalcap.spice.spice import CATEGORIES, Spice
from spicepy.compat.pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

import spicepy
from spicepy.common.errors import InputError, ResourceError
from spicepy.metrics.meteor.paraphrases import find_paraphrases

OURS = "spicepy.compat.pycocoevalcap"
GTS = {
    30: ["a brown dog runs on the grass", "the dog is running"],
    4: ["two men sit on a bench", "men sitting outside"],
    "x": ["a red bus in a street", "bus", "the bus drives  down the road"],
    7: ["", "a cat"],
}
RES = {
    "x": ["a bus in the street"],
    7: ["a cat and a cat and a cat"],
    4: ["two people are sitting on a bench"],
    30: ["a dog is running on the grass"],
}
REFERENCES = [(i, text) for i, texts in GTS.items() for text in texts if text]
COCO = Annotations([*REFERENCES, (9, "A Dog's ball, on the sand.")])
RESULTS = Annotations([*((i, texts[0]) for i, texts in RES.items()), (9, "a ball")])

real = pytest.mark.skipif(
    find_spec("pycocoevalcap") is None, reason="pycocoevalcap is not installed"
)
with_table = pytest.mark.skipif(
    find_paraphrases() is None, reason="METEOR's paraphrase table is not installed"
)


@real
@pytest.mark.parametrize("module", ["bleu.bleu", "rouge.rouge", "cider.cider"])
def test_scores_equal_the_real_ones(module: str, capsys) -> None:
    score, scores = coco_callers.scorer(OURS, module).compute_score(GTS, RES)
    printed = capsys.readouterr().out
    true, trues = coco_callers.scorer("pycocoevalcap", module).compute_score(GTS, RES)

    assert printed == capsys.readouterr().out
    assert type(score) is type(true)
    assert type(scores) is type(trues)
    assert np.array_equal(score, true)
    assert np.array_equal(scores, trues)


@real
def test_raw_text_scores_as_with_the_real_one() -> None:
    candidates = ["A dog, running.", "Two men  sit on a bench", "the\tBus"]
    references = [["A dog is running."], ["Two men sit.", "Men"], ["the bus", "Bus"]]

    found = raw_text(OURS, candidates, references)

    assert found == raw_text("pycocoevalcap", candidates, references)


@real
@pytest.mark.slow
def test_meteor_takes_the_table_of_the_real_package() -> None:
    score, scores = Meteor().compute_score(GTS, RES)

    assert 0 < score < 1
    assert len(scores) == len(GTS)
    assert all(type(one) is float for one in scores)


def test_bleu_prints_unless_told_not_to(capsys) -> None:
    score, scores = Bleu(2).compute_score(GTS, RES, verbose=0)

    assert capsys.readouterr().out == ""
    assert isinstance(score, list)
    assert [len(one) for one in scores] == [4, 4]
    assert len(score) == 2
    Bleu(2).compute_score(GTS, RES)
    assert capsys.readouterr().out.startswith("{'testlen': ")


def test_arrays_of_rouge_and_cider() -> None:
    for made in (Rouge(), Cider(n=4, sigma=6.0)):
        score, scores = made.compute_score(GTS, RES)
        assert isinstance(score, np.float64)
        assert scores.shape == (4,)
        assert scores.dtype == float
        assert score == scores.mean()
    assert Rouge().calc_score(["a dog"], ["a dog", "two cats"]) == 1.0


def test_spice_has_every_category_in_the_order_of_the_keys() -> None:
    score, images = Spice().compute_score(GTS, RES)

    assert [tuple(image) for image in images] == [CATEGORIES] * 4
    for image in images:
        for category in image.values():
            assert list(category) == ["pr", "re", "f", "fn", "numImages", "fp", "tp"]
            assert {type(value) for value in category.values()} == {float}
    expected = [spicepy.score(RES[key][0], GTS[key]) for key in GTS]
    assert [image["All"]["f"] for image in images] == [one.f for one in expected]
    assert score == np.mean([one.f for one in expected])
    cardinality = [image["Cardinality"]["f"] for image in images]
    assert math.isnan(cardinality[0])
    assert cardinality[1] == 0.0


def test_spice_tokenises_raw_captions() -> None:
    raw = Spice().compute_score({1: ["A dog's ball."]}, {1: ["The ball of a Dog."]})
    tokens = Spice().compute_score({1: ["a dog 's ball"]}, {1: ["the ball of a dog"]})

    assert raw[1] == tokens[1]


def test_a_harness_gets_spice_back() -> None:
    """lmms-eval: COCO objects made in memory, and SPICE, which it leaves out."""
    modules = ["bleu.bleu", "rouge.rouge", "cider.cider", "spice.spice"]

    found = harness(OURS, COCO, RESULTS, modules)

    samples = [
        spicepy.Sample(
            i,
            RESULTS.imgToAnns[i][0]["caption"],
            tuple(a["caption"] for a in COCO.imgToAnns[i]),
        )
        for i in COCO.getImgIds()
    ]
    expected = spicepy.evaluate(samples, ["bleu", "rouge", "cider-d", "spice"])
    keys = ("bleu-1", "bleu-2", "bleu-3", "bleu-4", "rouge-l", "cider-d", "spice")
    assert list(found.values()) == pytest.approx(
        [expected.corpus_score(key) for key in keys], abs=1e-15
    )


@with_table
@pytest.mark.slow
def test_a_whole_evaluation(capsys) -> None:
    """LAVIS and BLIP: `COCOEvalCap`, its scores printed by name."""
    found = whole_evaluation(OURS, COCO, RESULTS)

    names = [*(f"Bleu_{n}" for n in range(1, 5)), "METEOR", "ROUGE_L", "CIDEr", "SPICE"]
    assert list(found.eval) == names
    assert [one["image_id"] for one in found.evalImgs] == RESULTS.getImgIds()
    assert found.imgToEval["x"] is found.evalImgs[0]
    assert set(found.evalImgs[0]) == {"image_id", *names}
    assert found.imgToEval["x"]["SPICE"]["All"]["tp"] > 0
    assert "CIDEr: " in capsys.readouterr().out


def test_a_whole_evaluation_without_meteor() -> None:
    evaluator = COCOEvalCap(COCO, RESULTS)
    evaluator.metrics = ("Bleu", "SPICE")
    evaluator.evaluate()

    assert list(evaluator.eval) == ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "SPICE"]


def test_objects_of_pycocotools(tmp_path: Path) -> None:
    coco_module = pytest.importorskip("pycocotools.coco")
    coco = coco_module.COCO()
    coco.dataset = {
        "images": [{"id": 2}, {"id": 1}],
        "annotations": [
            {"id": 1, "image_id": 2, "caption": "A dog runs."},
            {"id": 2, "image_id": 1, "caption": "Two cats sleep."},
        ],
    }
    coco.createIndex()
    results = coco.loadRes(
        [{"image_id": 1, "caption": "cats"}, {"image_id": 2, "caption": "a dog runs"}]
    )
    evaluator = COCOEvalCap(coco, results)
    evaluator.metrics = ("ROUGE_L", "SPICE")

    evaluator.evaluate()

    assert evaluator.imgToEval[2]["SPICE"]["All"]["f"] == 1.0
    assert evaluator.imgToEval[2]["ROUGE_L"] == 1.0
    assert evaluator.imgToEval[1]["ROUGE_L"] < 1.0


def test_meteor_refuses_without_its_table(monkeypatch) -> None:
    monkeypatch.setattr("spicepy.compat.scorers.find_paraphrases", lambda: None)

    with pytest.raises(ResourceError, match=r"paraphrase-en\.gz"):
        Meteor()
    with pytest.raises(ResourceError, match=r"paraphrase-en\.gz"):
        COCOEvalCap(COCO, RESULTS).evaluate()


def test_tokenizer_takes_annotations_strings_and_lists() -> None:
    tokenize = PTBTokenizer().tokenize

    annotations = {5: [{"caption": "A dog's ball."}, {"caption": "..."}], "b": []}
    assert tokenize(annotations) == {5: ["a dog 's ball", ""], "b": []}
    assert tokenize({5: ["A dog."]}) == {5: ["a dog"]}
    assert PTBTokenizer.tokenize(["A dog.", "Cats!"]) == {0: ["a dog"], 1: ["cats"]}
    assert PTBTokenizer.tokenize([["A dog."], ["a", "B"]]) == {
        0: ["a dog"],
        1: ["a", "b"],
    }


@pytest.mark.parametrize(
    ("gts", "res", "said"),
    [
        (GTS, {**RES, 99: ["a"]}, "candidates without references: image 99"),
        ({**GTS, 99: ["a"]}, RES, "references without a candidate: image 99"),
        (GTS, {**RES, 4: ["a", "b"]}, "image 4: 2 candidates"),
        (GTS, {**RES, 4: []}, "image 4: 0 candidates"),
        ({**GTS, 4: []}, RES, "image 4: no references"),
        (GTS, {**RES, "x": "a bus"}, "image 'x': res has 'a bus'"),
        (GTS, {**RES, "x": [{"caption": "a"}]}, "PTBTokenizer"),
        ({}, {}, "no images"),
        ([["a"]], RES, "gts: found .* it must be a mapping"),
        (GTS, None, "res: found null; it must be a mapping"),
    ],
)
@pytest.mark.parametrize("module", coco_callers.SCORERS)
def test_wrong_input_names_the_id(module, gts, res, said, monkeypatch) -> None:
    if module == "meteor.meteor" and find_paraphrases() is None:
        pytest.skip("no paraphrase table")
    if module == "spice.spice" and "2 candidates" in said:
        pytest.skip("SPICE takes several")

    with pytest.raises(InputError, match=said):
        coco_callers.scorer(OURS, module).compute_score(gts, res)


def test_a_caption_that_is_too_long_is_named_by_its_id() -> None:
    long = {"b": ["a dog"], 7: ["a dog " * 1001]}

    with pytest.raises(InputError, match="image 7: "):
        Spice().compute_score(long, long)


def test_wrong_options_and_annotations() -> None:
    for make in (lambda: Bleu(5), lambda: Cider(n=3), lambda: Cider(GTS)):
        with pytest.raises(InputError):
            make()
    with pytest.raises(InputError, match="image 3: no key 'caption'"):
        PTBTokenizer().tokenize({3: [{"text": "a"}]})
    with pytest.raises(InputError, match="image 3: the captions are 'a'"):
        PTBTokenizer().tokenize({3: "a"})
    evaluator = COCOEvalCap(COCO, RESULTS)
    evaluator.metrics, evaluator.params["image_id"] = ("Bleu",), [5]
    with pytest.raises(InputError, match="image 5: coco has no annotations"):
        evaluator.evaluate()
    evaluator.params["image_id"] = []
    with pytest.raises(InputError, match=r"no images: params.'image_id'. is empty"):
        evaluator.evaluate()
    with pytest.raises(InputError, match=r"coco is the path 'refs.json'; an object"):
        COCOEvalCap("refs.json", "a.json")
    evaluator.metrics = ("WMD",)
    with pytest.raises(InputError, match="unknown metric 'WMD'"):
        evaluator.evaluate()
