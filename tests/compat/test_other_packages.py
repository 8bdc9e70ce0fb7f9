"""Scorers and packages that real captioning code imports, beside the originals."""

import multiprocessing
import pickle
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from spicepy.compat.pyciderevalcap.cider.cider import Cider as PlainCider
from spicepy.compat.pyciderevalcap.cider.cider_scorer import CiderScorer as PlainScorer
from spicepy.compat.pyciderevalcap.ciderD.ciderD import CiderD
from spicepy.compat.pyciderevalcap.ciderD.ciderD_scorer import (
    CiderScorer as CiderDScorer,
)
from spicepy.compat.pyciderevalcap.eval import CIDErEvalCap
from spicepy.compat.pyciderevalcap.tokenizer.ptbtokenizer import (
    PTBTokenizer as RefsTokenizer,
)
from spicepy.compat.pycocoevalcap.bleu.bleu_scorer import BleuScorer
from spicepy.compat.pycocoevalcap.cider.cider import Cider
from spicepy.compat.pycocoevalcap.cider.cider_scorer import CiderScorer
from spicepy.compat.pycocoevalcap.eval import COCOEvalCap
from spicepy.compat.pycocoevalcap.eval_spice import COCOEvalCapSpice
from spicepy.compat.pycocoevalcap.rouge.rouge import my_lcs
from spicepy.compat.pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

import spicepy.compat
from spicepy.common.errors import InputError, ResourceError, SpicepyWarning
from spicepy.compat import evaluation
from spicepy.metrics.meteor import paraphrases

GTS = {1: ["a dog runs on grass", "the dog is running"], 2: ["two men on a bench"]}
RES = {1: ["a dog runs on the grass"], 2: ["two men sit"]}
RESULTS = [{"image_id": key, "caption": RES[key]} for key in RES]

real = pytest.mark.skipif(
    find_spec("pycocoevalcap") is None, reason="pycocoevalcap is not installed"
)


def filled(package: str, module: str, name: str):
    """Return a scorer with two images, filled as callers do."""
    scorer = getattr(import_module(f"{package}.{module}"), name)(n=4)
    for key, references in GTS.items():
        scorer += (RES[key][0], references)
    return scorer


@real
@pytest.mark.parametrize(
    ("module", "name"),
    [("bleu.bleu_scorer", "BleuScorer"), ("cider.cider_scorer", "CiderScorer")],
)
def test_scorers_equal_the_real_ones(module: str, name: str) -> None:
    ours = filled("spicepy.compat.pycocoevalcap", module, name).compute_score()
    theirs = filled("pycocoevalcap", module, name).compute_score()

    for own, other in zip(ours, theirs, strict=True):
        assert np.array_equal(own, other)


def test_scorers_are_joined() -> None:
    first, second = BleuScorer("a dog", ["a dog runs"]), BleuScorer("a", ["a cat"])

    first += second
    other = first.copy()
    other.cook_append("a cat", ["the cat"])

    assert first.size() == 2
    assert other.size() == 3


@pytest.mark.parametrize(
    ("scorer", "one_by_one"), [(CiderDScorer, CiderD), (PlainScorer, PlainCider)]
)
def test_scorers_of_self_critical_training(scorer: type, one_by_one: type) -> None:
    added = scorer(df_mode="corpus")
    for key, [caption] in RES.items():
        added += (caption, GTS[key])
    whole = one_by_one().compute_score(GTS, RESULTS)

    assert np.array_equal(added.compute_score()[1], whole[1])


def test_document_frequencies_are_counted_for_a_pickle(tmp_path: Path) -> None:
    """As the scripts do that prepare the data of self-critical training."""
    scorer = CiderDScorer(df_mode="corpus")
    for references in GTS.values():
        scorer.cook_append(None, references)
    scorer.compute_doc_freq()
    content = {
        "document_frequency": scorer.document_frequency,
        "ref_len": len(scorer.crefs),
    }
    path = tmp_path / "words.p"
    path.write_bytes(pickle.dumps(content, protocol=2))

    scores = [CiderD(df=df).compute_score(GTS, RESULTS) for df in ("corpus", str(path))]

    assert np.array_equal(scores[0][1], scores[1][1])


def test_a_scorer_names_the_image_that_is_wrong() -> None:
    scorer = CiderScorer("a dog", ["a dog runs"])

    with pytest.raises(InputError, match="image 1: the references are 'a'"):
        scorer += ("a dog", "a")


@real
@given(st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc")))
def test_lcs_equals_the_real_one(one: list[str], other: list[str]) -> None:
    from pycocoevalcap.rouge.rouge import my_lcs as theirs

    assert my_lcs(one, other) == theirs(one, other)


def test_subclasses_see_every_score() -> None:
    seen = []

    class Own(COCOEvalCapSpice):
        def setEval(self, score: float, method: str) -> None:
            seen.append(method)
            super().setEval(score, method)

    Own(*annotations()).evaluate()

    assert seen == ["SPICE"]


def annotations():
    from coco_callers import Annotations

    references = [(key, text) for key, texts in GTS.items() for text in texts]
    return Annotations(references), Annotations([(k, v[0]) for k, v in RES.items()])


def test_meteor_is_left_out_if_asked(monkeypatch) -> None:
    monkeypatch.setattr("spicepy.compat.coco_evaluation.find_paraphrases", lambda: None)
    monkeypatch.setenv("SPICEPY_METEOR", "skip")
    evaluator = COCOEvalCap(*annotations())
    evaluator.metrics = ("METEOR", "CIDEr")

    with pytest.warns(SpicepyWarning, match="METEOR is left out"):
        evaluator.evaluate()

    assert list(evaluator.eval) == ["CIDEr"]


def test_meteor_says_how_to_get_its_table(monkeypatch) -> None:
    monkeypatch.setattr("spicepy.compat.scorers.find_paraphrases", lambda: None)

    with pytest.raises(ResourceError, match=r"spicepy-captions\[meteor\].*=skip"):
        COCOEvalCap(*annotations()).evaluate()


def test_a_package_without_a_table_hides_no_other(tmp_path, monkeypatch) -> None:
    for name, has_table in (("first", False), ("second", True)):
        data = tmp_path / name / "pycocoevalcap" / "meteor" / "data"
        data.mkdir(parents=True)
        (tmp_path / name / "pycocoevalcap" / "__init__.py").touch()
        if has_table:
            (data / "paraphrase-en.gz").touch()
    folders = [str(tmp_path / "first"), str(tmp_path / "second")]
    monkeypatch.setattr(sys, "path", [*folders, *sys.path])

    found = paraphrases.find_paraphrases()

    assert found is not None
    assert tmp_path / "second" in found.parents


def test_a_table_is_named_by_the_environment(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("SPICEPY_PARAPHRASES", str(tmp_path / "none.gz"))

    with pytest.raises(ResourceError, match=r"SPICEPY_PARAPHRASES=.*none\.gz"):
        paraphrases.find_paraphrases()


def test_results_may_hold_an_image_twice() -> None:
    _, [once, _] = CiderD().compute_score(GTS, RESULTS)
    _, scores = CiderD().compute_score(GTS, [*RESULTS, RESULTS[0]])

    assert scores[0] == scores[2]
    assert once == Cider().compute_score(GTS, RES)[1][0]


def test_frequencies_are_read_from_a_pickle(tmp_path, monkeypatch) -> None:
    frequency = {("a",): 3.0, ("dog",): 2.0, ("a", "dog"): 1.0}
    content = {"document_frequency": frequency, "ref_len": 10}
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "train-words.p").write_bytes(pickle.dumps(content))
    monkeypatch.chdir(tmp_path)

    mean, scores = CiderD(df="train-words").compute_score(GTS, RESULTS)

    assert mean == scores.mean() > 0
    assert PlainCider(df="corpus").method() == "CIDEr"


@pytest.mark.parametrize("entry", [{"image_id": 1}, {"image_id": 1, "caption": []}, 1])
def test_a_bad_result_is_named(entry: object) -> None:
    with pytest.raises(InputError, match=r"res\[0\] is"):
        CiderD().compute_score(GTS, [entry])


def test_the_tokeniser_takes_the_argument_of_copies() -> None:
    captions = {1: [{"caption": "A dog."}]}

    assert PTBTokenizer(verbose=False).tokenize(captions) == {1: ["a dog"]}


def test_the_tokeniser_takes_references_or_candidates() -> None:
    references = {"x": [{"caption": "A dog."}, {"caption": "Dogs!"}]}
    candidates = [{"image_id": "x", "caption": "A cat."}]

    assert RefsTokenizer("gts").tokenize(references) == {"x": ["a dog", "dogs"]}
    assert RefsTokenizer("res").tokenize(candidates) == [
        {"image_id": "x", "caption": ["a cat"]}
    ]
    with pytest.raises(InputError, match="only 'gts' and 'res'"):
        RefsTokenizer("x")


def test_frequencies_of_a_set_of_references() -> None:
    own = evaluation.Cider(GTS).compute_score(GTS, RES)

    assert np.array_equal(own[1], Cider().compute_score(GTS, RES)[1])
    assert str(evaluation.Cider()) == "CIDEr"
    assert evaluation.PTBTokenizer.tokenize(["A dog.", ["A cat."]]) == {
        0: ["a dog"],
        1: ["a cat"],
    }


def test_the_modules_of_the_package_evaluation_are_there() -> None:
    spicepy.compat.install(["metrics_of_mine=evaluation"])
    try:
        modules = ("bleu", "cider", "meteor", "rouge", "spice", "tokenizer")
        names = ("Bleu", "Cider", "Meteor", "Rouge", "Spice", "PTBTokenizer")
        for module, name in zip(modules, names, strict=True):
            assert hasattr(import_module(f"metrics_of_mine.{module}"), name)
    finally:
        spicepy.compat.uninstall()


PROGRAM = """
import multiprocessing, sys
def where(_):
    from pycocoevalcap.cider.cider import Cider
    from pyciderevalcap.ciderD.ciderD import CiderD
    return Cider.__module__
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(where(0), *pool.map(where, [0]), sys.argv[1:])
"""


def test_a_program_is_run_with_its_workers(tmp_path: Path) -> None:
    assert multiprocessing.get_all_start_methods()
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)

    done = subprocess.run(
        [sys.executable, "-m", "spicepy.compat", "run", str(program), "--own", "1"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    ours = "spicepy.compat.scorers"
    assert done.stdout.strip() == f"{ours} {ours} ['--own', '1']", done.stderr


COPY = """
from other.pycocoevalcap.cider.cider import Cider
from other.kept import kept
import evaluation
print(Cider.__module__, kept, evaluation.own)
"""


def test_copies_inside_other_packages_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "other/pycocoevalcap").mkdir(parents=True)
    (tmp_path / "other/__init__.py").touch()
    (tmp_path / "other/kept.py").write_text("kept = 1")
    (tmp_path / "evaluation").mkdir()
    (tmp_path / "evaluation/__init__.py").write_text("own = 2")
    (tmp_path / "program.py").write_text(COPY)

    done = subprocess.run(
        [sys.executable, "-m", "spicepy.compat", "run", str(tmp_path / "program.py")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    ours = "spicepy.compat.scorers"
    assert done.stdout.strip() == f"{ours} 1 2", done.stderr


def test_a_copy_may_have_another_name() -> None:
    spicepy.compat.install(["other.metrics=evaluation"])
    try:
        assert find_spec("spicepy.compat.evaluation")
        assert sys.meta_path[0].own("other.metrics") == "spicepy.compat.evaluation"
    finally:
        spicepy.compat.uninstall()


class Audio:
    """A COCO object of the copies for audio captioning."""

    def __init__(self, captions: dict[str, list[str]]) -> None:
        self.audioToAnns = {
            key: [{"caption": text} for text in own] for key, own in captions.items()
        }

    def getAudioIds(self) -> list[str]:
        return list(self.audioToAnns)


def test_recordings_get_spider(capsys: pytest.CaptureFixture[str]) -> None:
    references = Audio({"a": ["Rain falls.", "It rains."], "b": ["A dog barks."]})
    found = COCOEvalCap(references, Audio({"a": ["rain falls"], "b": ["a dog"]}))
    found.metrics = ["CIDEr", "SPICE"]
    found.params["audio_id"] = ["b", "a"]

    found.evaluate(verbose=False)

    assert list(found.audioToEval) == ["b", "a"]
    one = found.audioToEval["a"]
    assert one["SPIDEr"] == (one["CIDEr"] + one["SPICE"]["All"]["f"]) / 2
    assert found.eval["SPIDEr"] == (found.eval["CIDEr"] + found.eval["SPICE"]) / 2
    assert capsys.readouterr().out == ""


def test_both_ciders_of_raw_captions() -> None:
    gts = {"x": [{"caption": "A dog runs."}], "y": [{"caption": "Two cats sleep."}]}
    res = [
        {"image_id": "y", "caption": "Two cats sleep."},
        {"image_id": "x", "caption": "A cat"},
    ]

    found = CIDErEvalCap(gts, res, "corpus").evaluate()

    assert {name: len(scores) for name, scores in found.items()} == {
        "CIDEr": 2,
        "CIDErD": 2,
    }
    assert found["CIDErD"][0] > found["CIDErD"][1] > 0
