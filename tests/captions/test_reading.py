"""Captions files: every format, every way to get one wrong."""

import gzip
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

from spicepy.captions.reading import (
    chosen_samples,
    read_candidates,
    read_pair,
    read_references,
    read_samples,
)
from spicepy.captions.sample import ImageId, Sample, as_samples, pair
from spicepy.common.errors import InputError, SpicepyWarning
from spicepy.graph.exchange import read_graphs

SAMPLES = [Sample(7, "a dog", ("a cat", "two cats")), Sample("x", "", ("rain",))]
SPICE = [
    {"image_id": 7, "test": "a dog", "refs": ["a cat", "two cats"]},
    {"image_id": "x", "test": "", "refs": ["rain"]},
]


def write(path: Path, text: str | bytes) -> Path:
    data = text.encode() if isinstance(text, str) else text
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.mark.parametrize("name", ["a.json", "a.json.gz", "a.txt"])
def test_spice_json(tmp_path: Path, name: str) -> None:
    assert read_samples(write(tmp_path / name, json.dumps(SPICE))) == SAMPLES


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson.gz", "a"])
def test_json_lines(tmp_path: Path, name: str) -> None:
    text = "\n".join(map(json.dumps, SPICE)) + "\n"
    assert read_samples(write(tmp_path / name, text)) == SAMPLES


def test_our_own_key_names(tmp_path: Path) -> None:
    record = {"image_id": 1, "candidate": "a", "references": ["b"]}
    path = write(tmp_path / "a.json", json.dumps([record]))

    assert read_samples(path) == [Sample(1, "a", ("b",))]


@pytest.mark.parametrize(("kind", "sep"), [("csv", ","), ("tsv", "\t")])
def test_delimited(tmp_path: Path, kind: str, sep: str) -> None:
    rows = [["image_id", "candidate", "reference_1", "reference_2"]]
    rows += [["12", "a dog", "a cat", ""], ["3", "b", "c", "d"]]
    path = write(tmp_path / f"a.{kind}", "\n".join(map(sep.join, rows)))

    assert read_samples(path) == [
        Sample(12, "a dog", ("a cat",)),
        Sample(3, "b", ("c", "d")),
    ]


def test_delimited_ids_stay_text_unless_all_are_integers(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "image_id,candidate,reference\n007,a,b\n8,c,d\n")

    assert [s.image_id for s in read_samples(path)] == ["007", "8"]


def test_byte_order_mark_is_fine(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", b"\xef\xbb\xbf" + json.dumps(SPICE).encode())

    assert read_samples(path) == SAMPLES


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(json.dumps(SPICE).encode()))
    monkeypatch.setattr("sys.stdin", stdin)

    assert read_samples("-") == SAMPLES


def test_coco_pair_is_joined_by_id_not_by_position(tmp_path: Path) -> None:
    notes = [{"image_id": i, "caption": c} for i, c in [(2, "b"), (1, "a"), (2, "bb")]]
    references = write(tmp_path / "r.json", json.dumps({"annotations": notes}))
    found = [{"image_id": 1, "caption": "A"}, {"image_id": 2, "caption": "B"}]
    candidates = write(tmp_path / "c.json", json.dumps(found))

    assert read_pair(candidates, references) == [
        Sample(1, "A", ("a",)),
        Sample(2, "B", ("b", "bb")),
    ]


def test_either_side_of_a_pair_may_be_in_spice_form(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", json.dumps(SPICE))

    assert read_candidates(path) == {7: "a dog", "x": ""}
    assert read_references(path) == {7: ("a cat", "two cats"), "x": ("rain",)}


def test_mixed_ids_keep_their_types_and_are_never_confused() -> None:
    samples = pair({1: "int", "1": "text"}, {"1": ["t"], 1: ["i"]})

    assert samples == [Sample(1, "int", ("i",)), Sample("1", "text", ("t",))]


def test_common_images_only() -> None:
    said = "left out: 1 image without references, and 2 images without a candidate"
    with pytest.warns(SpicepyWarning, match=said):
        samples = pair({1: "a", 2: "b"}, {2: ["c"], 3: ["d"], 4: ["e"]}, common=True)

    assert samples == [Sample(2, "b", ("c",))]


def test_half_an_emoji_is_replaced() -> None:
    [sample] = as_samples([Sample(1, "a \ud83d dog", ("a \U0001f415",))])

    assert sample == Sample(1, "a � dog", ("a \U0001f415",))


@pytest.mark.parametrize("name", ["a.json", "a.ndjson", "a.txt"])
def test_json_and_json_lines_are_told_apart_by_the_text(
    tmp_path: Path, name: str
) -> None:
    for text in ("\n".join(map(json.dumps, SPICE)), json.dumps(SPICE, indent=1)):
        assert read_samples(write(tmp_path / name, text)) == SAMPLES


def test_numbers_and_strings_of_numpy_are_ids(tmp_path: Path) -> None:
    ids = [np.int64(7), np.uint8(8), np.str_("x"), 9, "y"]
    samples = as_samples([Sample(i, "a", ("b",)) for i in ids])

    assert [s.image_id for s in samples] == [7, 8, "x", 9, "y"]
    assert [type(s.image_id) for s in samples] == [int, int, str, int, str]
    [paired] = pair({np.int64(7): "a"}, {7: ["b"]})
    assert type(paired.image_id) is int
    for wrong in (np.float64(1.5), np.bool_(True), True, b"x", "", None):
        with pytest.raises(InputError, match="integer or a non-empty string"):
            as_samples([Sample(wrong, "a", ("b",))])  # type: ignore[arg-type]


LONG = "x" * 800_000


@pytest.mark.parametrize(
    "record",
    [
        {"image_id": [LONG], "test": "a", "refs": ["b"]},
        {"image_id": LONG, "test": 3, "refs": ["b"]},
        {"image_id": 1, "test": [LONG], "refs": ["b"]},
        {"image_id": 1, "test": "a", "refs": [["b"], LONG]},
        {"image_id": 1, "test": "a", "refs": LONG},
        {"image_id": 1, "test": "a", LONG: "b"},
        {LONG: 1, "test": "a"},
        [LONG],
    ],
)
def test_messages_quote_a_little_of_long_values(tmp_path: Path, record: object) -> None:
    path = write(tmp_path / "a.json", json.dumps([record]))

    with pytest.raises(InputError) as caught:
        read_samples(path)

    assert len(str(caught.value)) < 700 + len(str(path))
    assert str(path) in str(caught.value)


GRAPH_FAULTS = {
    "letters": ("dog", [["a"]], "candidate: 'dog' is not a list of tuples"),
    "keys": ({"dog": 1}, [["a"]], "candidate: {'dog': 1} is not a list of tuples"),
    "null": (None, [["a"]], "candidate: null is not a list of tuples"),
    "number": (3, [["a"]], "candidate: 3 is not a list of tuples"),
    "long": ([["a"], ["a", "b", "c", "d"]], [["a"]], "candidate, tuple 2 is"),
    "member": ([["a", None]], [["a"]], "tuple 1.* has the member null"),
    "text": ([["a"]], "dog", "the references are 'dog'; they must be a list of tuples"),
    "object": ([["a"]], {"a": "b"}, "the references are {'a': 'b'}"),
    "none": ([["a"]], None, "the references are null"),
    "nulls": ([["a"]], [[["a"]], None], "reference 2: null is not a list of tuples"),
    "empty": ([["a"]], [], "no references"),
}


@pytest.mark.parametrize("fault", GRAPH_FAULTS)
def test_graphs_of_a_wrong_shape(tmp_path: Path, fault: str) -> None:
    candidate, references, message = GRAPH_FAULTS[fault]
    good = {"image_id": 6, "candidate": [["a"]], "references": ["a"]}
    wrong = {"image_id": 7, "candidate": candidate, "references": references}
    path = write(tmp_path / "g.json", json.dumps([good, wrong]))

    place = rf"^{re.escape(str(path))}, entry 2 \(image 7\)"
    with pytest.raises(InputError, match=f"{place}.*{message}"):
        read_graphs(path)


FAULTS = {
    "empty": ("a.json", "", "the file is empty"),
    "blank": ("a.json", " \n", "the file is empty"),
    "no-entries": ("a.json", "[]", "no captions in the file"),
    "syntax": ("a.json", '[{"image_id": 1,\n "test" "a"}]', "line 2, column 9"),
    "line-syntax": ("a.jsonl", '{"image_id": 1}\n{"image_id"', "line 2, column"),
    "scalar": ("a.json", "3", "expected a list of objects"),
    "not-object": ("a.json", '["a dog"]', "entry 1: expected an object, found .a dog."),
    "no-id": ("a.json", '[{"id": 1, "test": "a"}]', "no key 'image_id'.*--id-column"),
    "float-id": ("a.json", '[{"image_id": 1.5}]', "image_id is 1.5"),
    "bool-id": ("a.json", '[{"image_id": true}]', "image_id is true"),
    "no-test": ("a.json", '[{"image_id": 5, "refs": ["a"]}]', "image 5.*'candidate'"),
    "no-refs": ("a.json", '[{"image_id": 5, "test": "a"}]', "image 5.*'references'"),
    "empty-refs": (
        "a.json",
        '[{"image_id": 5, "test": "a", "refs": []}]',
        "entry 1 .image 5.: no references",
    ),
    "text-refs": (
        "a.json",
        '[{"image_id": 5, "test": "a", "refs": "b"}]',
        "must be a list",
    ),
    "null-caption": (
        "a.json",
        '[{"image_id": 5, "test": null, "refs": ["b"]}]',
        "image 5.*candidate is null",
    ),
    "number-reference": (
        "a.json",
        '[{"image_id": 5, "test": "a", "refs": ["b", 3]}]',
        "reference 2 is 3",
    ),
    "twice": (
        "a.json",
        '[{"image_id": 5, "test": "a", "refs": ["b"]},'
        ' {"image_id": 5, "test": "c", "refs": ["b"]}]',
        "image 5 occurs twice, with different candidates: 'a' and 'c'",
    ),
    "csv-header": ("a.csv", "id,candidate,reference\n1,a,b\n", "--id-column"),
    "csv-cells": ("a.csv", "image_id,candidate,reference\n1,a\n", "line 2: 2 cells"),
    "csv-no-refs": ("a.csv", "image_id,candidate,reference\n1,a,\n", "no references"),
    "csv-quote": (
        "a.csv",
        'image_id,candidate,reference\n1,"a,b\n',
        "a quote is not closed",
    ),
    "latin-1": (
        "a.json",
        b'[{"image_id": 1,\n "test": "caf\xe9"}]',
        "line 2: byte 0xe9",
    ),
    "csv-column-twice": (
        "a.csv",
        "image_id,candidate,candidate,reference\n1,a,b,c\n",
        "line 1: the column 'candidate' occurs twice",
    ),
    "key-twice": (
        "a.json",
        '[{"image_id": 1}, {"image_id": 5, "test": "a", "test": "b"}]',
        "entry 2: the key 'test' occurs twice",
    ),
    "digits": ("a.jsonl", f'{{"image_id": {"1" * 5000}}}', "line 1: a number has more"),
    "deep": ("a.jsonl", "{}\n" + "[" * 99_999, "line 2: .* nested too deeply"),
    "not-gzip": ("a.json.gz", None, "cannot be read"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_name_file_and_place(tmp_path: Path, fault: str) -> None:
    name, text, message = FAULTS[fault]
    path = tmp_path / name
    if text is None:
        path.write_bytes(b"[]")
    else:
        write(path, text)

    with pytest.raises(InputError, match=message) as caught:
        read_samples(path)
    assert str(path) in str(caught.value)


def test_missing_file() -> None:
    with pytest.raises(InputError, match=r"nowhere\.json: no such file"):
        read_samples("nowhere.json")


def test_candidates_twice(tmp_path: Path) -> None:
    rows = [{"image_id": 1, "caption": c} for c in "ab"]
    path = write(tmp_path / "c.json", json.dumps(rows))

    with pytest.raises(InputError, match=r"image 1.*another candidate"):
        read_candidates(path)


def test_unpaired_images_are_listed() -> None:
    message = "candidates without references: image 1; references.*: images 3, '1'"
    with pytest.raises(InputError, match=message):
        pair({1: "a", 2: "b"}, {2: ["b"], 3: ["c"], "1": ["d"]})


@pytest.mark.parametrize(("one", "other"), [("42", 42), (42, "42")])
def test_a_number_may_be_written_as_a_text_on_one_side(
    tmp_path: Path, one: ImageId, other: ImageId
) -> None:
    own = [{"image_id": one, "caption": "a dog"}]
    theirs = [{"image_id": other, "caption": "dogs"}]
    paths = [
        write(tmp_path / f"{n}.json", json.dumps(rows))
        for n, rows in (("own", own), ("theirs", theirs))
    ]

    assert read_pair(*paths) == [Sample(other, "a dog", ("dogs",))]
    mapped = chosen_samples(None, {one: "a dog"}, {other: ["dogs"]}, None)
    assert list(mapped) == [Sample(other, "a dog", ("dogs",))]
    with pytest.raises(InputError, match="image '1': two candidates name it"):
        chosen_samples(None, {1: "a", "1": "b"}, {"1": ["c"]}, None)


def test_of_two_keys_for_one_side_the_one_taken_is_named(tmp_path: Path) -> None:
    row = {"image_id": 1, "candidate": "a", "test": "b", "refs": ["c"]}
    further = {"image_id": 1, "test": "a", "references": ["b"], "refs": ["c"]}
    both = {"image_id": 1, "caption": "a", "references": ["b"]}
    path = write(tmp_path / "a.json", json.dumps([both]))

    with pytest.warns(SpicepyWarning, match="'candidate' and 'test' .*'candidate' is"):
        assert as_samples([row])[0].candidate == "a"
    with pytest.warns(SpicepyWarning, match="'references' and 'refs' .*'references' i"):
        assert as_samples([further])[0].references == ("b",)
    with pytest.warns(
        SpicepyWarning, match="'caption' and 'references' .*'caption' is"
    ):
        assert read_references(path) == {1: ("a",)}
    assert read_candidates(path) == {1: "a"}


def test_nothing_in_common() -> None:
    with pytest.raises(InputError, match="no image has both"):
        pair({1: "a"}, {2: ["b"]}, common=True)


def test_numbers_for_names() -> None:
    with pytest.raises(InputError, match="one side are numbers, and of the other text"):
        pair({1: "a"}, {"1000.jpg": ["b"]}, common=True)


def test_no_samples() -> None:
    with pytest.raises(InputError, match="no samples"):
        as_samples([])


def test_samples_of_a_wrong_type() -> None:
    with pytest.raises(InputError, match="sample 1 is 'a dog'"):
        as_samples(["a dog"])  # type: ignore[list-item]


def test_a_pair_that_does_not_fit_names_both_files(tmp_path: Path) -> None:
    candidates, references = tmp_path / "results.json", tmp_path / "captions.json"
    candidates.write_text('[{"image_id": 1, "caption": "a dog"}]')
    references.write_text('[{"image_id": 2, "caption": "a dog"}]')

    with pytest.raises(InputError) as caught:
        read_pair(candidates, references)

    for text in (str(candidates), str(references), "without references: image 1"):
        assert text in str(caught.value)


def several(library: str, *texts: str) -> object:
    """Captions in the kind of list that a library has."""
    if library == "numpy":
        return np.array(texts)
    if library == "numpy objects":
        return np.array(texts, dtype=object)
    module = pytest.importorskip(library)
    return module.array(texts) if library == "pyarrow" else module.Series(texts)


@pytest.mark.parametrize(
    "library", ["numpy", "numpy objects", "pandas", "polars", "pyarrow"]
)
def test_any_row_of_captions_is_a_list_of_references(library: str) -> None:
    record = {"image_id": 1, "candidate": "a dog"}
    for texts in (["dogs"], ["dogs", "two dogs"]):
        expected = [Sample(1, "a dog", tuple(texts))]

        assert as_samples([{**record, "references": tuple(texts)}]) == expected
        row = several(library, *texts)
        assert as_samples([{**record, "references": row}]) == expected
        assert as_samples([Sample(1, "a dog", row)]) == expected
    with pytest.raises(InputError, match=r"\(image 1\): no references"):
        as_samples([{**record, "references": several(library)}])


def test_scalars_of_arrays_and_of_arrow_are_plain_values() -> None:
    scalar = pytest.importorskip("pyarrow").scalar
    references = scalar(["dogs"])
    samples = [
        {"image_id": scalar(1), "candidate": scalar("a"), "references": references},
        {"image_id": np.array(2), "candidate": np.array("a"), "references": ["dogs"]},
    ]

    assert as_samples(samples) == [Sample(i, "a", ("dogs",)) for i in (1, 2)]
    for wrong in (scalar(None), np.array(2.5), np.array("dogs")):
        with pytest.raises(InputError):
            as_samples([{"image_id": 1, "candidate": "a", "references": wrong}])
