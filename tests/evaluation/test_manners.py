"""Columns in, plain values out: what Python users expect of a result."""

import math
import re
from importlib.util import find_spec
from xml.etree import ElementTree

import numpy as np
import pytest

import spicepy
from spicepy import rewards
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
        ({"candidates": ["a"], "references": []}, "1 candidate, but 0 references"),
        (
            {"candidates": ["a"], "references": [["a"]], "image_ids": [1, 2]},
            "1 candidate, but 2 image_ids",
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


@pytest.mark.parametrize("samples", [ONE, spicepy.Sample(1, "a", ("b",)), "a.json", 3])
def test_what_is_no_list_of_samples_is_named(samples: object) -> None:
    with pytest.raises(InputError, match=r"samples: .*a list of samples is expected"):
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
        f"no {called} option 'grammer' here; did you mean 'grammar'? There are: "
        "grammar, model, synonyms, sentences, jobs, cache"
    )
    with pytest.raises(InputError, match=re.escape(message)):
        door(grammer="spicepy-1")


def test_warnings_can_be_filtered_by_a_public_name() -> None:
    sample = {"image_id": 1, "test": "a dog", "refs": ["a dog"]}

    with pytest.warns(spicepy.SpicepyWarning, match="CIDEr"):
        spicepy.evaluate([sample], ["cider-d"])
    assert str(spicepy.SpicepyWarning) == "<class 'spicepy.SpicepyWarning'>"
