"""Any result with tables as files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from spicepy.common.errors import InputError
from spicepy.common.tables import Table
from spicepy.common.writing import check_output, write


class Numbers:
    """Two tables and their values."""

    def tables(self) -> tuple[Table, ...]:
        first = Table("A & B", ("x", "y"), (("a_b", 0.5), ("c", None)))
        return first, Table("C", ("z",), ((1,),))

    def to_dict(self) -> dict[str, Any]:
        return {"x": [0.5, None]}


def named(result: Numbers) -> Mapping[str, str]:
    return {"": "main", "more": str(len(result.tables()))}


def test_forms(tmp_path: Path) -> None:
    names = [f"x.{kind}" for kind in ("json", "csv", "md", "tex")]
    written = [p.name for n in names for p in write(Numbers(), tmp_path / n)]

    assert written == ["x.json", "x.csv", "x-2.csv", "x.md", "x.tex"]
    assert json.loads((tmp_path / "x.json").read_text())["x"] == [0.5, None]
    assert (tmp_path / "x.csv").read_text() == "x,y\na_b,0.5\nc,\n"
    assert "| a_b | 0.500 |" in (tmp_path / "x.md").read_text()
    assert r"a\_b & 0.500 \\" in (tmp_path / "x.tex").read_text()


def test_forms_of_a_caller(tmp_path: Path) -> None:
    written = write(Numbers(), tmp_path / "x.csv", {".csv": named})

    assert [p.name for p in written] == ["x.csv", "x-more.csv"]
    assert (tmp_path / "x-more.csv").read_text() == "2"


def test_wrong_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"use \.json, \.csv, \.md or \.tex$"):
        check_output(tmp_path / "x.docx")
    with pytest.raises(InputError, match="does not exist"):
        check_output(tmp_path / "no" / "x.json")
    assert check_output(tmp_path / "x.HTML", [".html"]).suffix == ".HTML"
