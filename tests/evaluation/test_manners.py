"""Columns in, plain values out: what Python users expect of a result."""

import ast
import math
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from package_modules import FILES, tree

import spicepy
from spicepy import rewards
from spicepy.common import progress
from spicepy.common.errors import InputError
from spicepy.metrics.soft.metric import SpiceSoft
from spicepy.metrics.spice import Spice

CANDIDATES = ["A dog runs.", "two cats"]
REFERENCES = [["a dog is running", "a dog"], ["Two cats sleep on a bed."]]


def test_lists_are_samples() -> None:
    samples = [
        spicepy.Sample(i, c, tuple(r))
        for i, (c, r) in enumerate(zip(CANDIDATES, REFERENCES))
    ]

    found = spicepy.evaluate(
        candidates=CANDIDATES, references=REFERENCES, metrics=["spice", "bleu"]
    )

    assert found.to_dict() == spicepy.evaluate(samples, ["spice", "bleu"]).to_dict()


def test_arrays_and_their_ids() -> None:
    found = spicepy.evaluate(
        candidates=np.array(CANDIDATES),
        references=[np.array(r) for r in REFERENCES],
        image_ids=np.array([7, 3]),
        metrics=["bleu"],
    )

    ids = list(found.image_scores("bleu-1"))
    assert ids == [7, 3]
    assert {type(one) for one in ids} == {int}


def test_columns_of_pandas_and_back() -> None:
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame(
        {"id": ["a", "b"], "caption": CANDIDATES, "refs": REFERENCES}, index=[5, 6]
    )

    found = spicepy.evaluate(
        candidates=table["caption"], references=table["refs"], image_ids=table["id"]
    )

    frame = found.to_frame()
    assert list(frame.index) == ["a", "b"]
    assert list(frame.columns) == ["candidate", *found.keys]
    assert frame["spice"].to_dict() == found.image_scores("spice")


def test_columns_of_datasets() -> None:
    """Lazy columns, which no list is: of a table, and of a table that was filtered."""
    datasets = pytest.importorskip("datasets")
    rows = {
        "id": [9, 4, 7],
        "caption": [*CANDIDATES, "x"],
        "refs": [*REFERENCES, ["x"]],
    }
    whole = datasets.Dataset.from_dict(rows)
    table = whole.filter(lambda row: row["caption"] != "x")

    found = spicepy.evaluate(
        candidates=table["caption"], references=table["refs"], image_ids=table["id"]
    )

    expected = spicepy.evaluate(
        candidates=CANDIDATES, references=REFERENCES, image_ids=[9, 4]
    )
    assert found.to_dict() == expected.to_dict()
    as_rows = [
        {"image_id": r["id"], "test": r["caption"], "refs": r["refs"]} for r in table
    ]
    assert spicepy.evaluate(as_rows).to_dict() == expected.to_dict()
    arrays = table.with_format("numpy")
    again = spicepy.evaluate(
        candidates=arrays["caption"], references=arrays["refs"], image_ids=arrays["id"]
    )
    assert again.to_dict() == expected.to_dict()


def test_a_dictionary_of_columns_is_a_table() -> None:
    """As a slice of a data set of Hugging Face is."""
    table = {"image_id": [9, 4], "candidate": CANDIDATES, "references": REFERENCES}
    expected = spicepy.evaluate(
        candidates=CANDIDATES, references=REFERENCES, image_ids=[9, 4]
    )
    assert spicepy.evaluate(table).to_dict() == expected.to_dict()
    other = {"id": [9, 4], "cap": CANDIDATES, "refs": REFERENCES}
    names = {"image_id": "id", "candidate": "cap", "references": "refs"}
    found = spicepy.evaluate(other, columns=names)
    assert found.to_dict() == expected.to_dict()
    datasets = pytest.importorskip("datasets")
    assert spicepy.evaluate(datasets.Dataset.from_dict(table)[:]).to_dict() == (
        expected.to_dict()
    )
    with pytest.raises(spicepy.InputError, match="columns of different lengths"):
        spicepy.evaluate({**table, "image_id": [1]})
    sample = {"image_id": 1, "candidate": "a dog", "references": ["a dog"]}
    with pytest.raises(spicepy.InputError, match="found one sample"):
        spicepy.evaluate(sample)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: spicepy.parse(b"a dog"), "captions: found b'a dog'; give a string"),
        (lambda: spicepy.score(b"a dog", ["a dog"]), "candidate: found b'a dog'"),
        (
            lambda: spicepy.score(["a dog"], "a dog"),
            r"a list of candidates needs a list of references for each, such as "
            r"\[\['a dog'\]\]",
        ),
        (
            lambda: spicepy.evaluate(candidates=["a", "b"], references=[["a"]]),
            "2 candidates, but 1 list of references; the columns must have the same",
        ),
    ],
)
def test_captions_in_the_wrong_form(call, said) -> None:
    with pytest.raises(spicepy.InputError, match=said):
        call()


def test_a_grammar_is_shown_in_a_line() -> None:
    shown = repr(spicepy.load_grammar("spicepy-1"))
    assert shown.startswith("<Grammar spicepy-1@")
    assert len(shown) < 80


@pytest.mark.skipif(find_spec("pandas") is not None, reason="pandas is installed")
def test_without_pandas_its_name_is_said() -> None:
    found = spicepy.evaluate(
        candidates=CANDIDATES, references=REFERENCES, metrics=["bleu"]
    )

    with pytest.raises(spicepy.ResourceError, match="pip install pandas"):
        found.to_frame()


def test_tokens_are_not_tokenised_again() -> None:
    words = {"candidates": ["hello they 've"], "references": [["a  car 's door"]]}

    found = spicepy.evaluate(**words, metrics=["rouge"], tokenised=True)

    assert found.tokenised[0].candidate == "hello they 've"
    assert found.tokenised[0].references == ("a car 's door",)
    assert "tokeniser:none" in found.signature
    raw = spicepy.evaluate(**words, metrics=["rouge"])
    assert raw.tokenised[0].candidate != "hello they 've"


def test_scores_and_representations() -> None:
    found = spicepy.evaluate(
        candidates=CANDIDATES, references=REFERENCES, metrics=["spice", "bleu"]
    )

    scores = found.scores()
    assert list(scores) == list(found.keys)
    assert {type(score) for score in scores.values()} == {float}
    assert math.isnan(scores["spice-color"])
    assert repr(found) == (
        f"Evaluation(2 images: spice {scores['spice']:.4f}, "
        f"bleu-1 {scores['bleu-1']:.4f})"
    )
    html = ElementTree.fromstring(f"<p>{found._repr_html_()}</p>")
    assert [cell.text for cell in html.iter("td")][:2] == [
        "SPICE",
        f"{scores['spice']:.4f}",
    ]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "no samples"),
        ({"candidates": ["a"]}, "no samples"),
        ({"samples": [], "candidates": ["a"]}, "give either samples"),
        ({"samples": [], "image_ids": [1]}, "samples, which have ids, or candidates"),
        ({"candidates": ["a"], "references": []}, "1 candidate, but 0 lists of ref"),
        (
            {"candidates": ["a"], "references": [["a"]], "image_ids": [1, 2]},
            "1 candidate, but 2 image ids",
        ),
        ({"candidates": "a", "references": ["a"]}, "candidates: found 'a'"),
        ({"candidates": ["a"], "references": ["a"]}, "the references are 'a'"),
        ({"candidates": [3], "references": [["a"]]}, "the candidate is 3"),
    ],
)
def test_wrong_columns(given, said) -> None:
    with pytest.raises(InputError, match=said):
        spicepy.evaluate(**given)


@pytest.mark.parametrize(
    "caption",
    ["", "a dog", "a brown & white dog sits on a mat beside two cats", '<b> & "c"'],
)
def test_scene_graphs_are_drawn(caption: str) -> None:
    graph = spicepy.parse(caption)

    drawing = ElementTree.fromstring(graph._repr_svg_())

    texts = [e.text for e in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert set(map(str, graph.objects)) <= set(texts)
    lines = list(drawing.iter("{http://www.w3.org/2000/svg}line"))
    assert len(lines) == sum(source != target for source, target in graph.relations)


ONE = {"image_id": 1, "candidate": "a dog", "references": ["a dog runs"]}


@pytest.mark.parametrize("samples", [ONE, spicepy.Sample(1, "a", ("b",)), 3])
def test_what_is_no_list_of_samples_is_named(samples: object) -> None:
    with pytest.raises(InputError, match=r"samples: .*a list of samples"):
        spicepy.evaluate(samples)  # type: ignore[arg-type]


def test_references_of_a_sample_may_be_an_array() -> None:
    sample = ONE | {"references": np.array(ONE["references"])}

    found = spicepy.evaluate([sample], ["bleu"])

    assert found.scores() == spicepy.evaluate([ONE], ["bleu"]).scores()
    assert found.samples[0].references == ("a dog runs",)


@pytest.mark.parametrize("metrics", [None, 3, [3]])
def test_metrics_are_names(metrics: object) -> None:
    with pytest.raises(InputError, match="metrics: found"):
        spicepy.evaluate([ONE], metrics)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [None, 3])
def test_what_is_no_caption_is_an_input_error(value: object) -> None:
    with pytest.raises(InputError):
        spicepy.parse(value)  # type: ignore[call-overload]
    with pytest.raises(InputError):
        spicepy.score("a dog", value)  # type: ignore[arg-type]


DOORS = {
    "parse": lambda **wrong: spicepy.parse("a dog", **wrong),
    "score": lambda **wrong: spicepy.score("a dog", ["a dog"], **wrong),
    "Spice": Spice,
    "SpiceSoft": SpiceSoft,
}


@pytest.mark.parametrize("name", [*DOORS, "reward"])
def test_an_unknown_option_is_named_with_those_that_there_are(name: str) -> None:
    door = DOORS.get(name, lambda **wrong: rewards.Spice({1: ["a dog"]}, **wrong))
    called = "Spice" if name == "reward" else name
    message = (
        f"unknown {called} option 'grammer'; did you mean 'grammar'? Choose from: "
        "model, grammar, synonyms, sentences, cache, jobs"
    )
    with pytest.raises(InputError, match=re.escape(message)):
        door(grammer="spicepy-1")


def test_warnings_can_be_filtered_by_a_public_name() -> None:
    sample = {"image_id": 1, "test": "a dog", "refs": ["a dog"]}

    with pytest.warns(spicepy.SpicepyWarning, match="CIDEr"):
        spicepy.evaluate([sample], ["cider-d"])
    assert str(spicepy.SpicepyWarning) == "<class 'spicepy.SpicepyWarning'>"


def test_columns_by_a_mapping(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    named = {"image_id": "file", "candidate": "cap", "references": ["one", "two"]}
    table = pd.DataFrame(
        {
            "file": [3.0, 9.0],
            "cap": CANDIDATES,
            "one": ["a dog", "b"],
            "two": ["c", "d"],
        }
    )
    path = tmp_path / "x.csv"
    table.to_csv(path, index=False)

    for given in (table, table.to_dict("records"), path):
        found = spicepy.evaluate(given, ["bleu"], columns=named)
        assert [s.image_id for s in found.samples] == [3, 9]  # not 3.0
        assert [s.candidate for s in found.samples] == CANDIDATES
        assert found.samples[0].references == ("a dog", "c")


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"cap": "candidate"}, "unknown column 'cap'"),
        ({"candidate": 3}, "candidate is 3; a name"),
        (["cap"], "a mapping is expected"),
        ({"candidate": "caption"}, "caption"),
    ],
)
def test_columns_that_are_wrong(columns: Any, said: str) -> None:
    row = {"image_id": 1, "cap": "a dog", "refs": ["a dog"]}

    with pytest.raises(spicepy.InputError, match=said):
        spicepy.evaluate([row], ["bleu"], columns=columns)


def test_two_files_by_position_are_told_their_names(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text("[]")

    for metrics in (path, str(path)):
        with pytest.raises(spicepy.InputError, match=r"references=\.\.\."):
            spicepy.evaluate("a.json", metrics)  # type: ignore[arg-type]


def test_every_result_with_tables_fits_a_screen() -> None:
    found = [
        (path, node)
        for path in FILES
        if "def tables(" in path.read_text(encoding="utf-8")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef)
        and any(
            isinstance(n, ast.FunctionDef) and n.name == "tables" for n in node.body
        )
    ]
    bases = {node.name: {ast.unparse(base) for base in node.bases} for _, node in found}
    lacking = [
        name
        for name, own in bases.items()
        if not own & {"Displayed", "StudyResult", "Protocol"} and name != "Displayed"
        if not any(base.partition("[")[0] == "MeasuredCaptions" for base in own)
    ]

    assert len(found) > 15
    assert lacking == []


def test_representations_of_many_images_fit_a_screen(fixtures: Path) -> None:
    samples = spicepy.read_samples(fixtures / "scenes.json")
    few = samples[:40]
    evaluation = spicepy.evaluate(few, ["bleu", "spice", "spice-soft"])
    systems = {f"system {k}": evaluation for k in range(12)}
    shown: list[Any] = [
        samples,
        evaluation,
        spicepy.compare(systems, samples=20),
        spicepy.diagnose(evaluation),
        spicepy.parse("a dog and a cat in a red car . " * 40),
    ]

    for value in shown:
        assert 0 < len(repr(value)) <= 1500, type(value)
        html = getattr(value, "_repr_html_", str)()
        assert len(html) < 30_000, type(value)
        ElementTree.fromstring(f"<p>{html}</p>")
    assert repr(samples).endswith("… 400 samples]")
    assert repr(shown[2]).startswith("Comparison(Scores: ")
    printed = str(shown[2])
    assert "system 0" in printed
    assert max(map(len, printed.splitlines())) <= 100


def test_results_are_written_as_commands_write_them(tmp_path: Path) -> None:
    samples = [spicepy.Sample(n, "two dogs run", ("a dog runs",)) for n in range(3)]
    evaluation = spicepy.evaluate(samples, ["bleu"])
    results = (
        *(evaluation, spicepy.compare({"a": evaluation}, samples=20)),
        spicepy.diagnose(samples),
    )

    for number, result in enumerate(results):
        for kind in ("json", "csv", "md", "tex"):
            file, *_ = result.write(tmp_path / f"{number}.{kind}")
            assert file.read_text()
    text = (tmp_path / "1.tex").read_text()
    assert r"\toprule" in text
    assert "two dogs run" in (tmp_path / "0.csv").read_text()
    with pytest.raises(spicepy.InputError, match="unsupported file type"):
        evaluation.write(tmp_path / "x.doc")
    [book] = results[-1].write(tmp_path / "x.xlsx")
    assert book.read_bytes().startswith(b"PK")


def test_a_notebook_shows_progress_and_takes_it_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outputs: list[str] = []

    def display(html: str, *, display_id: bool) -> SimpleNamespace:
        assert display_id
        outputs.append(html)
        return SimpleNamespace(update=outputs.append)

    kernel = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=1))
    shown = SimpleNamespace(display=display, HTML=str)
    monkeypatch.setitem(sys.modules, "IPython", kernel)
    monkeypatch.setitem(sys.modules, "IPython.display", shown)
    monkeypatch.setattr(progress, "AFTER", 0)

    spicepy.evaluate(candidates=CANDIDATES, references=REFERENCES, metrics=["bleu"])

    assert any("scoring by metrics: 0 of 1" in output for output in outputs)
    assert outputs[-1] == ""
    heard: list[str] = []
    outputs.clear()
    with progress.listening(lambda stage, *_: heard.append(stage)):
        spicepy.evaluate(candidates=CANDIDATES, references=REFERENCES)
    assert heard
    assert not outputs


def test_captions_by_image_id_as_pycocoevalcap_has_them() -> None:
    gts = {7: ["two dogs run", "dogs"], "b": ["a red bus"]}
    res = {7: ["two dogs"], "b": ["a bus"]}
    texts = {key: captions[0] for key, captions in res.items()}

    found = spicepy.evaluate(candidates=res, references=gts, metrics=["bleu"])

    assert list(found.image_scores("BLEU-4")) == [7, "b"]
    same = spicepy.evaluate(candidates=texts, references=gts, metrics=["bleu"])
    assert same.scores() == found.scores()
    for candidates, words in (
        ({**res, 9: ["a"]}, "candidates without references: image 9"),
        ({**res, 7: ["a", "b"]}, "image 7: 2 candidates; give one"),
    ):
        with pytest.raises(InputError, match=words):
            spicepy.evaluate(candidates=candidates, references=gts)
    with pytest.raises(InputError, match=r"refs.json: no such file"):
        spicepy.evaluate(candidates=res, references="refs.json")
    with pytest.raises(InputError, match="give captions as candidates="):
        spicepy.evaluate(gts, res)


@pytest.mark.parametrize(
    "name", ["bleu-4", "BLEU-4", "Bleu_4", "CIDEr-D", "ciderD", "ROUGE_L", "Rouge-L"]
)
def test_scores_have_the_usual_spellings(name: str) -> None:
    metrics = ["Bleu_4", "CIDEr-D", "ROUGE_L"]
    found = spicepy.evaluate(
        candidates=CANDIDATES, references=REFERENCES, metrics=metrics
    )

    assert found.corpus_score(name) in found.scores().values()
    assert len(found.image_scores(name)) == 2
    with pytest.raises(InputError, match="did you mean 'bleu-4'"):
        found.corpus_score("BLEU")
    with pytest.raises(InputError, match="further ones are spice-soft, spider"):
        spicepy.evaluate(CANDIDATES, ["clip"])
