"""Findings for a spreadsheet: pandas, CSV and Excel."""

import csv
import json
from pathlib import Path

import pytest

import spicepy
from spicepy.cli import command_line

COLUMNS = [
    *("image_id", "error", "tuple", "expected", "said", "words", "probability"),
    *("support", "pattern", "caption", "references"),
]
PLACES = ("sofa", "carpet", "bridge", "lawn", "boat", "porch", "hill", "truck")


def captions() -> list[dict[str, object]]:
    """Captions of dogs, a third of which say "cat", and one with a formula."""
    forms = ("A brown {} on a {}.", "A {} lies on the {}.", "The {} is on a {} alone.")
    rows: list[dict[str, object]] = []
    for n in range(45):
        place, own, others = PLACES[n % 8], forms[n % 3], [*forms[: n % 3]]
        others += forms[n % 3 + 1 :]
        said = own.format("cat" if n < 15 else "dog", place)
        refs = [form.format("dog", place) for form in (*others, own)]
        rows.append({"image_id": n, "test": said, "refs": refs})
    rows.append({"image_id": 45, "test": "=three dogs", "refs": ["two dogs"] * 3})
    return rows


def test_a_frame_has_a_row_for_each_finding_the_most_probable_first() -> None:
    pytest.importorskip("pandas")
    found = spicepy.diagnose(captions(), precision=0)
    frame = found.to_frame()

    assert list(frame.columns) == COLUMNS
    assert len(frame) == len(found.findings)
    assert frame["probability"].is_monotonic_decreasing
    confused = frame[frame["error"] == "confused object"]
    assert set(confused["pattern"]) == {'says "cat" for "dog"'}
    assert all("cat" in caption for caption in confused["caption"])
    assert all(text.count(" | ") == 2 for text in confused["references"])
    assert list(spicepy.diagnose(captions()[20:25]).to_frame().columns) == COLUMNS


def test_csv_and_excel_have_the_same_findings(tmp_path: Path) -> None:
    load = pytest.importorskip("openpyxl").load_workbook
    source = tmp_path / "captions.json"
    source.write_text(json.dumps(captions()), encoding="utf-8")
    files = [tmp_path / "x.csv", tmp_path / "x.xlsx"]
    outputs = [part for file in files for part in ("-o", str(file))]
    arguments = ["diagnose", str(source), "-q", "--bom", "--precision", "0", *outputs]
    command_line()(arguments, standalone_mode=False)

    assert files[0].read_bytes().startswith(b"\xef\xbb\xbfimage_id,")
    with files[0].open(encoding="utf-8-sig", newline="") as file:
        header, *rows = csv.reader(file)
    book = load(files[1])
    sheet = [[cell.value for cell in row] for row in book["errors"].iter_rows()]
    assert header == sheet[0] == COLUMNS
    assert [row[:3] for row in rows] == [[str(c) for c in r[:3]] for r in sheet[1:]]
    assert book.sheetnames[:2] == ["errors", "patterns"]
    [formula] = [row for row in book["errors"].iter_rows() if row[0].value == 45][:1]
    assert (formula[9].value, formula[9].data_type) == ("=three dogs", "s")
