"""The names of `import spicepy`: files in, captions where evaluations are expected."""

import json
import math
import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import spicepy
from spicepy import rewards
from spicepy.cli import command_line
from spicepy.cli._options import ScoringOptions
from spicepy.common.errors import brief
from spicepy.common.settings import MetricOptions
from spicepy.metrics.meteor.metric import Meteor
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.soft.metric import SpiceSoft
from spicepy.pipeline import Pipeline, PipelineOptions

CAPTIONS = [
    {
        "image_id": 1,
        "test": "three dogs run on the beach",
        "refs": ["two dogs running on a beach", "a pair of dogs play on the sand"],
    },
    {"image_id": 2, "test": "a man rides a horse", "refs": ["a man on a horse"]},
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the captions as one file, and as a pair of files."""
    folder = tmp_path_factory.mktemp("captions")
    results = [{"image_id": c["image_id"], "caption": c["test"]} for c in CAPTIONS]
    references = [
        {"image_id": c["image_id"], "caption": text}
        for c in CAPTIONS
        for text in c["refs"]
    ]
    for name, content in (
        ("captions", CAPTIONS),
        ("results", results),
        ("refs", {"annotations": references}),
    ):
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


def test_files_are_samples(folder: Path) -> None:
    expected = spicepy.evaluate(CAPTIONS, ["spice", "bleu"]).to_dict()
    captions = folder / "captions.json"
    pair = {"candidates": folder / "results.json", "references": folder / "refs.json"}

    for path in (captions, str(captions)):
        assert spicepy.evaluate(path, ["spice", "bleu"]).to_dict() == expected
    assert spicepy.evaluate(**pair, metrics=["spice", "bleu"]).to_dict() == expected
    mixed = spicepy.evaluate(
        pair["candidates"], ["spice", "bleu"], references=pair["references"]
    )
    assert mixed.to_dict() == expected
    samples = spicepy.read_samples(captions)
    assert spicepy.evaluate(samples, ["spice", "bleu"]).to_dict() == expected


def test_a_pair_of_files_may_have_other_images(folder: Path, tmp_path: Path) -> None:
    one = tmp_path / "one.json"
    one.write_text(json.dumps([{"image_id": 2, "caption": "a man"}]), encoding="utf-8")
    pair = {"candidates": one, "references": folder / "refs.json"}

    with pytest.raises(spicepy.InputError, match="references without a candidate"):
        spicepy.evaluate(**pair, metrics=["bleu"])
    found = spicepy.evaluate(**pair, metrics=["bleu"], common=True)
    assert [sample.image_id for sample in found.samples] == [2]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"samples": "none.json"}, "none.json: no such file"),
        ({"samples": "results.json"}, r"without references; give .* references=\.\.\."),
        ({"candidates": "a.json", "references": [["a"]]}, "two lists or two files"),
        ({"candidates": ["a"], "references": "a.json"}, "two lists or two files"),
        (
            {"candidates": "a.json", "references": "b.json", "image_ids": [1]},
            "image_ids go with lists",
        ),
        ({"samples": CAPTIONS, "common": True}, "common is for a pair of files"),
    ],
)
def test_wrong_files(
    given: dict[str, object], said: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(spicepy.InputError, match=said):
        spicepy.evaluate(**given)  # type: ignore[arg-type]


def test_options_of_metrics_by_name(tmp_path: Path) -> None:
    options = {"grammar": "spicepy-1", "synonyms": "none", "cache": tmp_path, "jobs": 1}

    found = spicepy.evaluate(CAPTIONS, **options)

    assert "grammar:spicepy-1" in found.signature
    assert "synonyms:none" in found.signature
    assert list(tmp_path.iterdir())
    own = spicepy.evaluate(CAPTIONS, grammar=spicepy.load_grammar("spicepy-1"))
    assert own.scores()["spice"] == spicepy.evaluate(
        CAPTIONS, grammar="spicepy-1"
    ).corpus_score("spice")


def test_an_option_that_no_metric_uses_is_warned_of() -> None:
    with pytest.warns(spicepy.SpicepyWarning, match=r"grammar is ignored.*bleu"):
        spicepy.evaluate(CAPTIONS, ["bleu"], grammar="spicepy-1")


VERBS = {
    "evaluate": lambda **wrong: spicepy.evaluate(CAPTIONS, **wrong),
    "diagnose": lambda **wrong: spicepy.diagnose(CAPTIONS, **wrong),
    "compare": lambda **wrong: spicepy.compare({"a": CAPTIONS}, **wrong),
    "report": lambda **wrong: spicepy.report({"a": CAPTIONS}, "a.html", **wrong),
}


@pytest.mark.parametrize("name", VERBS)
def test_an_unknown_option_is_an_error_with_our_name(name: str) -> None:
    said = re.escape(f"unknown {name} option 'grammer'; did you mean 'grammar'?")

    with pytest.raises(spicepy.InputError, match=said):
        VERBS[name](grammer="spicepy-1")


@pytest.mark.parametrize(
    ("verb", "wrong", "meant"),
    [
        ("diagnose", "precison", "precision"),
        ("diagnose", "lexikon", "lexicon"),
        ("diagnose", "answer", "answers"),
        ("evaluate", "metric", "metrics"),
        ("compare", "metric", "metrics"),
    ],
)
def test_own_parameters_are_among_the_choices(
    verb: str, wrong: str, meant: str
) -> None:
    with pytest.raises(spicepy.InputError, match=f"did you mean '{meant}'"):
        VERBS[verb](**{wrong: 0.5})


@pytest.mark.parametrize("precision", [2, 50, -1, "0.5", math.nan, None])
def test_a_precision_is_a_share(precision: float) -> None:
    said = re.escape(f"precision is {brief(precision)}; it must be a number from 0 to")

    with pytest.raises(spicepy.InputError, match=said):
        spicepy.diagnose(CAPTIONS, precision=precision)
    with pytest.raises(spicepy.InputError, match=said):
        spicepy.diagnose(CAPTIONS).believed(precision)


def test_names_of_a_diagnosis_are_checked() -> None:
    found = spicepy.diagnose(CAPTIONS)

    assert found.summary("Count") == found.summary("count")
    with pytest.raises(spicepy.InputError, match="'colour'; did you mean 'color'"):
        found.summary("colour")
    with pytest.raises(spicepy.InputError, match="'counts'; did you mean 'count'"):
        found.confusion("counts")
    with pytest.raises(spicepy.InputError, match="did you mean 'wrong color'"):
        found.most_frequent("wrong colour")


@pytest.mark.parametrize("name", ["vectors", "paraphrases", "categories", "instances"])
def test_a_file_of_an_option_is_a_path(name: str) -> None:
    with pytest.raises(spicepy.InputError, match=f"{name} is 3; it must be a"):
        spicepy.evaluate(CAPTIONS, ["bleu"], **{name: 3})


def test_undefined_numbers_are_nan_in_python_and_null_in_json() -> None:
    found = spicepy.evaluate(CAPTIONS)

    assert math.isnan(found.corpus_score("spice-color"))
    assert math.isnan(found.scores()["spice-color"])
    assert all(map(math.isnan, found.image_scores("spice-color").values()))
    color = spicepy.score("a dog", ["a dog"]).counts["Color"]
    assert all(map(math.isnan, (color.f, color.precision, color.recall)))
    assert "NaN" not in json.dumps(found.to_dict())
    assert found.to_dict()["corpus"]["spice"]["Color"]["f"] is None
    assert color.to_dict()["f"] is None


def test_several_candidates_have_a_score_each() -> None:
    candidates = ["a dog", "a red cat"]
    references = [["a dog"], ["a cat", "a red cat sleeps"]]
    alone = [spicepy.score(c, r) for c, r in zip(candidates, references)]

    assert spicepy.score(candidates, references) == alone
    assert spicepy.score(np.array(candidates), references) == alone  # type: ignore[call-overload]
    assert spicepy.score([], []) == []
    with pytest.raises(
        spicepy.InputError, match="2 candidates, but 1 list of references"
    ):
        spicepy.score(candidates, references[:1])
    with pytest.raises(spicepy.InputError, match="candidate: found"):
        spicepy.score(None, ["a dog"])  # type: ignore[call-overload]
    with pytest.raises(spicepy.InputError, match="the references are 'a dog'"):
        spicepy.score(["a dog"], ["a dog"])


def test_matched_tuples_know_the_rule_that_made_them() -> None:
    found = spicepy.score("a red dog runs", ["a red dog", "a dog sits"])

    rules = {str(t): (t.rule, t.tokens) for t in found.matched}
    assert rules["(dog, red)"] == ("adjective-modifier", (3, 2))
    assert all(t.rule for t in (*found.matched, *found.spurious, *found.missing))


def test_diagnosis_is_that_of_the_command(folder: Path, tmp_path: Path) -> None:
    written = tmp_path / "diagnosis.json"
    arguments = ["diagnose", str(folder / "captions.json"), "-q", "-o", str(written)]
    command_line()(arguments, standalone_mode=False)
    expected = json.loads(written.read_text(encoding="utf-8"))
    del expected["spicepy"], expected["schema_version"]

    results, references = folder / "results.json", folder / "refs.json"
    for found in (
        spicepy.diagnose(folder / "captions.json"),
        spicepy.diagnose(CAPTIONS),
        spicepy.diagnose(spicepy.evaluate(CAPTIONS)),
        spicepy.diagnose(results, references=references),
        spicepy.diagnose(candidates=results, references=references),
    ):
        assert json.loads(json.dumps(found.to_dict())) == expected


def test_systems_are_evaluations_or_captions(folder: Path) -> None:
    better = [CAPTIONS[0] | {"test": "two dogs run on the beach"}, CAPTIONS[1]]
    evaluations = {
        "a": spicepy.evaluate(CAPTIONS, ["bleu"]),
        "b": spicepy.evaluate(better, ["bleu"]),
    }
    expected = spicepy.compare(evaluations, samples=100).to_dict()

    given = {"a": folder / "captions.json", "b": better}
    assert spicepy.compare(given, ["bleu"], samples=100).to_dict() == expected
    mixed = {"a": evaluations["a"], "b": better}
    assert spicepy.compare(mixed, ["bleu"], samples=100).to_dict() == expected


@pytest.mark.parametrize("systems", [[], {}, ["captions.json"], "captions.json"])
def test_systems_have_names(systems: object) -> None:
    with pytest.raises(spicepy.InputError, match=r"systems: found .* a mapping"):
        spicepy.compare(systems)  # type: ignore[arg-type]


def test_an_evaluation_takes_no_options_of_scoring() -> None:
    evaluation = spicepy.evaluate(CAPTIONS, ["bleu"])

    with pytest.raises(spicepy.InputError, match="has been scored already"):
        spicepy.diagnose(evaluation, grammar="spicepy-1")
    with pytest.raises(spicepy.InputError, match="has been scored already"):
        spicepy.compare({"a": evaluation}, references="refs.json")


def test_systems_may_have_columns_of_other_names(tmp_path: Path) -> None:
    columns = {"image_id": "photo", "candidate": "said", "references": ["one", "two"]}
    rows = ["photo,said,one,two", "1,three dogs run,two dogs run,dogs running"]
    rows.append("2,a man rides a horse,a man on a horse,a rider")
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    table = [dict(zip(rows[0].split(","), row.split(","))) for row in rows[1:]]
    scored = {"mine": spicepy.evaluate(path, ["bleu"], columns=columns)}

    for given in (path, table):
        options = {"columns": columns, "samples": 20}
        compared = spicepy.compare({"mine": given}, ["bleu"], **options)
        assert compared.to_dict() == spicepy.compare(scored, samples=20).to_dict()
        page = tmp_path / "page.html"
        assert spicepy.report({"mine": given}, page, ["bleu"], **options) == [page]
        assert "three dogs run" in page.read_text(encoding="utf-8")
    with pytest.raises(spicepy.InputError, match="columns is for captions"):
        spicepy.compare(scored, columns=columns)


def test_a_report_of_files(folder: Path, tmp_path: Path) -> None:
    page, refs = tmp_path / "report.html", folder / "refs.json"

    written = spicepy.report({"mine": folder / "results.json"}, page, references=refs)

    assert written == [page]
    assert "mine" in page.read_text(encoding="utf-8")
    with pytest.raises(spicepy.InputError, match=r"\.html"):
        spicepy.report({"mine": CAPTIONS}, "report.pdf")


def test_users_see_what_they_need_of_an_evaluation() -> None:
    names = {n for n in dir(spicepy.evaluate(CAPTIONS, ["bleu"])) if n[0] != "_"}

    assert names == {
        *("samples", "warnings", "keys", "titles", "signature"),
        *("corpus_score", "image_scores", "scores", "to_frame", "to_dict"),
        *("tables", "write"),
    }
    assert dir(spicepy.study) == sorted(spicepy.study.__all__)


def test_options_have_one_name_and_one_default_everywhere() -> None:
    """In metrics made by name and on the command line; pipelines have some of them."""
    metrics = {f.name: f.default for f in fields(MetricOptions)}
    shell = {f.name: f.default for f in fields(ScoringOptions)}

    assert shell == metrics | {"metric_from": None}  # in Python it is an object
    pipeline = {f.name: f.default for f in fields(PipelineOptions)}
    assert pipeline.items() <= metrics.items()
    with pytest.raises(spicepy.InputError, match="unknown Pipeline option 'grammer'"):
        Pipeline(grammer="spice-1.0")


def test_findings_are_a_frame_with_their_captions() -> None:
    frame = spicepy.diagnose(CAPTIONS).to_frame()
    wrong = frame[frame.error == "wrong count"].iloc[0]
    assert wrong.caption == CAPTIONS[0]["test"]
    assert wrong.reference_captions == " | ".join(CAPTIONS[0]["refs"])
    assert list(frame.probability.dropna()) == sorted(
        frame.probability.dropna(), reverse=True
    )


def test_annotations_refute_findings(tmp_path: Path) -> None:
    dog = {"id": 1, "image_id": 1, "category_id": 1, "iscrowd": 0}
    annotated = {
        "images": [{"id": 1}, {"id": 2}],
        "annotations": [{**dog, "id": n} for n in (1, 2, 3)],
        "categories": [{"id": 1, "name": "dog"}],
    }
    file = tmp_path / "instances.json"
    file.write_text(json.dumps(annotated))
    found = spicepy.diagnose(CAPTIONS, instances=file, precision=0)
    assert "wrong count" not in {f.kind for f in found.diagnosis.ranked}
    assert "wrong count" not in set(found.to_frame().error)
    with pytest.raises(spicepy.InputError, match="needs a vocabulary"):
        spicepy.diagnose(CAPTIONS, instances=file, vocabulary=None)


@pytest.mark.parametrize(
    "call",
    [
        lambda: Meteor(5),
        lambda: Meteor([]),
        lambda: SpiceSoft(vectors=5),
        lambda: Cider(frequencies=5),
        lambda: Cider(frequencies="corpus"),
        lambda: rewards.CiderD(5),
        lambda: rewards.CiderD({1: ["a dog"]}),
        lambda: rewards.Spice(5),
        lambda: rewards.Spice("captions.json"),
        lambda: spicepy.compare({"a": CAPTIONS, "b": CAPTIONS}, samples="many"),
        lambda: spicepy.compare({"a": CAPTIONS, "b": CAPTIONS}, level="high"),
        lambda: spicepy.read_samples(5),
        lambda: spicepy.evaluate(5),
        lambda: spicepy.evaluate(CAPTIONS, "spice", grammar=5),
    ],
)
def test_values_of_another_type_are_refused(call) -> None:
    with pytest.raises(spicepy.InputError, match="; "):
        call()


def test_a_table_of_pyarrow_is_a_list_of_samples() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({key: [c[key] for c in CAPTIONS] for key in CAPTIONS[0]})
    scores = spicepy.evaluate(CAPTIONS, "bleu").scores()
    assert spicepy.evaluate(table, "bleu").scores() == scores
    with pytest.raises(spicepy.InputError, match="candidate"):
        spicepy.evaluate(pyarrow.table({"id": [1, 2]}), "bleu")


def test_every_public_name_can_be_imported() -> None:
    assert all(getattr(spicepy, name) is not None for name in spicepy.__all__)
