"""Calls of public repositories that stopped here before; written anew."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from spicepy.compat.pycocoevalcap.bleu.bleu import Bleu
from spicepy.compat.pycocoevalcap.cider.cider import Cider
from spicepy.compat.pycocoevalcap.eval import COCOEvalCap
from spicepy.compat.pycocoevalcap.rouge.rouge import Rouge
from spicepy.compat.pycocoevalcap.spice.spice import Spice

import spicepy
from spicepy.common.errors import InputError
from spicepy.graph.exchange import read_graphs

GTS = {1: ["a dog runs on grass", "the dog is running"], 2: ["two men on a bench"]}
RES = {1: ["a dog runs on the grass"], 2: ["two men sit"]}


class Annotated:
    """A COCO object of images, recordings or videos, as copies name them."""

    def __init__(self, kind: str, captions: dict[Any, list[str]]) -> None:
        annotations = {
            key: [{"caption": text} for text in own] for key, own in captions.items()
        }
        setattr(self, f"{kind}ToAnns", annotations)
        setattr(self, f"get{kind.title()}Ids", lambda: list(annotations))


def test_subpackages_export_their_class() -> None:
    from spicepy.compat.pycocoevalcap.bleu import Bleu as own_bleu
    from spicepy.compat.pycocoevalcap.cider import Cider as own_cider
    from spicepy.compat.pycocoevalcap.meteor import Meteor  # noqa: F401
    from spicepy.compat.pycocoevalcap.rouge import Rouge as own_rouge
    from spicepy.compat.pycocoevalcap.spice import Spice as own_spice

    assert (own_bleu, own_cider, own_rouge, own_spice) == (Bleu, Cider, Rouge, Spice)


def test_videos_are_evaluated() -> None:
    found = COCOEvalCap(Annotated("video", GTS), Annotated("video", RES))
    found.metrics = ["CIDEr", "SPICE"]

    found.evaluate(verbose=False)

    assert found.params == {"video_id": [1, 2]}
    assert found.videoToEval[1]["video_id"] == 1
    assert [one["video_id"] for one in found.evalVideos] == [1, 2]
    assert list(found.eval) == ["CIDEr", "SPICE"]


def test_an_evaluation_without_spice() -> None:
    found = COCOEvalCap(Annotated("img", GTS), Annotated("img", RES))
    found.metrics = ["Bleu", "CIDEr", "SPICE"]

    found.evaluate_no_spice()

    assert list(found.eval) == ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "CIDEr"]


def test_types_and_a_tokeniser_as_arguments(capsys: pytest.CaptureFixture) -> None:
    sides = Annotated("img", GTS), Annotated("img", RES)
    found = COCOEvalCap(*sides, ["BLEU", "CIDEr"], None, verbose=False)
    own = COCOEvalCap(*sides, ["ROUGE_L"], lambda text: text.upper(), verbose=False)

    found.evaluate()
    own.evaluate()

    assert list(found.eval) == ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "CIDEr"]
    assert list(own.eval) == ["ROUGE_L"]
    assert capsys.readouterr().out == ""


def test_a_subset_says_what_chooses_its_images() -> None:
    found = COCOEvalCap(Annotated("img", {**GTS, 3: ["a cat"]}), Annotated("img", RES))

    with pytest.raises(
        InputError, match=r"params\['image_id'\] = cocoRes\.getImgIds\(\)"
    ):
        found.evaluate()


@pytest.mark.parametrize("scorer", [Bleu, Cider, Rouge, Spice])
def test_lists_are_paired_by_position(scorer: type) -> None:
    lists = scorer().compute_score(list(GTS.values()), list(RES.values()))

    assert str(lists) == str(scorer().compute_score(GTS, RES))
    with pytest.raises(InputError, match="2 lists of references, but 1 of candidates"):
        scorer().compute_score(list(GTS.values()), [["a dog"]])


def test_spice_of_several_candidates_is_that_of_their_one_graph() -> None:
    from spicepy.evaluation.multi_candidate import allspice

    several = {1: ["a dog", "it runs"], 2: ["two men sit"]}
    score, images = Spice().compute_score(GTS, several)

    expected = allspice(several, GTS)
    assert score == expected.corpus["allspice"]
    assert [one["All"]["f"] for one in images] == list(expected.images["allspice"])
    assert list(images[0]) == list(Spice().compute_score(GTS, RES)[1][0])


def test_spice_of_annotations_with_several_candidates() -> None:
    from spicepy.compat.pycocoevalcap.eval_spice import SpiceEval

    gts = {k: [{"caption": t} for t in texts] for k, texts in GTS.items()}
    res = {1: [{"caption": "A dog."}, {"caption": "It runs."}], 2: [{"caption": "men"}]}

    score, images = SpiceEval().evaluate(gts, res)

    assert score == np.mean([one["spice"]["All"]["f"] for one in images.values()])
    assert images[1]["image_id"] == 1


def test_self_cider_of_samples() -> None:
    """As eval_multi of self-critical training calls it."""
    from spicepy.compat.pyciderevalcap.cider.cider import Cider as Plain

    from spicepy.evaluation.multi_candidate import diversity

    scorer = Plain(df="corpus")
    for references in GTS.values():
        scorer.cider_scorer += (None, references)
    scorer.cider_scorer.compute_doc_freq()
    scorer.cider_scorer.ref_len = np.log(float(len(scorer.cider_scorer.crefs)))
    # Four words or more: an order that a caption lacks counts 0, also against itself.
    captions = {
        1: ["a brown dog runs on grass", "the dog is running", "two men on a bench"],
        2: ["two men sit outside", "two men on a bench"],
    }

    scores = []
    for matrix in scorer.my_self_cider(list(captions.values())):
        values = np.sqrt(np.clip(np.linalg.eigvalsh(matrix / 10), 0, None))
        scores.append(-np.log(values[-1] / values.sum()) / np.log(len(values)))

    assert [len(m) for m in scorer.my_self_cider([["a dog"], ["a", "b"]])] == [1, 2]
    expected = diversity(captions, GTS).images["self-cider"]
    assert scores == pytest.approx(list(expected))


def test_rouge_l_as_rouge_score_computes_it() -> None:
    candidates, references = ["the cat sat on mat"], [["a cat sat on the mat today"]]

    scores = spicepy.evaluate(
        candidates=candidates, references=references, metrics=["rouge-l-f1"]
    )

    assert scores.corpus_score("rouge-l-f1") == pytest.approx(2 / 3)
    assert "beta:1|" in scores.signature


def test_graphs_are_read_from_strings_of_factual(tmp_path: Path) -> None:
    record = {
        "image_id": 1,
        "candidate": "( man , ride , horse ) , ( horse , is , brown )",
        "references": ["( man , ride , horse )", "( horse , is , brown )"],
    }
    path = tmp_path / "graphs.json"
    path.write_text(json.dumps([record]))

    [sample] = read_graphs(path)

    found = [tuple(one.members) for one in sample.candidate]
    assert found == [("man", "ride", "horse"), ("horse", "brown")]
    assert len(sample.references) == 2


def test_a_module_of_evaluate_says_that_nothing_was_given() -> None:
    pytest.importorskip("evaluate")
    from spicepy.compat import evaluate_module

    metric = evaluate_module.CaptionMetric(config_name="rouge")

    with pytest.raises(InputError, match="no captions"):
        metric.compute(predictions=[], references=[])


def test_eval_has_the_scorers_that_programs_import_from_it() -> None:
    """As the tasks of lmms-eval do."""
    from spicepy.compat.pycocoevalcap import eval as module

    names = ("Bleu", "Cider", "Meteor", "PTBTokenizer", "Rouge", "Spice")
    assert all(hasattr(module, name) for name in names)


def test_scorers_of_meshed_memory_are_called_by_their_texts() -> None:
    """As GRIT's copy of `compute_scores` does."""
    from spicepy.compat.evaluation import Bleu, Cider, Rouge

    assert list(map(str, (Bleu(), Cider(), Rouge()))) == ["BLEU", "CIDEr", "ROUGE"]
