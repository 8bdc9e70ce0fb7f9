"""Verdicts that a report's page exported, as the training script reads them."""

from pathlib import Path

import pytest

from training.errors.verdicts import Verdict, exported_verdicts

HEAD = "data,row,error,verdict,sample,tuple,candidate,references\n"
ROW = 'mine,7,wrong count,right,,"dog, 3",three dogs,"[""two dogs"", ""dogs""]"\n'


def test_a_file_is_read_as_it_is_exported(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    path.write_text(HEAD + ROW, encoding="utf-8")

    [(verdict, row)] = exported_verdicts([path])
    assert verdict == Verdict("mine", "wrong count", "dog, 3", 1.0)
    assert row["image_id"] == "7"
    assert row["candidate"] == "three dogs"
    assert row["references"] == ["two dogs", "dogs"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("data,row,error,verdict,sample,tuple\n", "no column 'candidate'"),
        (HEAD + ROW.replace("right", "perhaps"), "row 2: KeyError.*right, debatable"),
        (HEAD + ROW.replace('"[""two', '"two'), "row 2: .*JSON list"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "verdicts.csv"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(ValueError, match=message):
        exported_verdicts([path])
