"""Study results come back from their files whole; anything else is refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toys import Overlap

from spicepy.common.errors import InputError
from spicepy.common.writing import write
from spicepy.reporting.study_figures import Study, page, read_result
from spicepy.study.accuracy import pairs
from spicepy.study.correlation import correlate
from spicepy.study.datasets import read_dataset, read_judgments
from spicepy.study.leave_one_out import loocv
from spicepy.study.preferences import read_pairs
from spicepy.study.scoring import random_caption


@pytest.fixture(scope="module")
def results(fixtures: Path) -> dict[str, Study]:
    metrics = [Overlap()]
    preferences, _ = read_pairs(fixtures / "pairs.jsonl")
    judgments = read_judgments(fixtures / "judgments.jsonl")
    captions = read_dataset(fixtures / "loocv.json")
    return {
        "loocv": loocv(captions, metrics=metrics, bounds=[random_caption()]),
        "correlate": correlate(judgments, metrics=metrics, samples=10),
        "pairs": pairs(preferences, metrics=metrics, references=[1, None], repeats=2),
    }


@pytest.mark.parametrize("study", ["loocv", "correlate", "pairs"])
def test_a_result_comes_back_whole(
    study: str, results: dict[str, Study], tmp_path: Path
) -> None:
    (path,) = write(results[study], tmp_path / f"{study}.json")
    read = read_result(path)

    assert type(read) is type(results[study])
    assert read.to_dict() == results[study].to_dict()
    assert page(read) == page(results[study])


def test_other_files_are_refused(fixtures: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(
        InputError,
        match=r"table.json, line 1, .*--output FILE.json",
    ):
        read_result(path)
    with pytest.raises(InputError, match=r"scenes.json: a JSON list, not a study's"):
        read_result(fixtures / "scenes.json")
    path.write_text('{"signature": "SPICE", "corpus": {}}')
    with pytest.raises(InputError, match=r"'signature', 'corpus'.*, not a study's"):
        read_result(path)
    for text, message in (
        ("[" * 99_999, "nested too deeply"),
        ("1" * 5000, "more than 4,300 digits"),
        ('{"study": 1, "study": 2}', "the key 'study' occurs twice"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=f"table.json: .*{message}"):
            read_result(path)
    with pytest.raises(InputError, match="no such file"):
        read_result(tmp_path / "missing.json")


def _set(*place: Any, to: Any) -> Callable[[Any], None]:
    def change(values: Any) -> None:
        for key in place[:-1]:
            values = values[key]
        values[place[-1]] = to

    return change


@pytest.mark.parametrize(
    ("study", "change"),
    [
        ("loocv", lambda v: v.pop("summaries")),
        ("loocv", _set("extra", to=1)),
        ("loocv", _set("summaries", 0, "micro", to="high")),
        ("loocv", _set("summaries", 0, "micro", to=10**400)),
        ("loocv", _set("signatures", to="x")),
        ("loocv", _set("protocol", to=[])),
        ("loocv", _set("rank_correlations", 0, "coefficient", to="tau")),
        ("loocv", lambda v: v["rank_correlations"][0]["values"].pop()),
        ("loocv", _set("summaries", 0, to=3)),
        ("correlate", _set("captions", 0, "items", to=1.5)),
        ("correlate", lambda v: v["captions"][0]["coefficients"].pop()),
        ("pairs", lambda v: v["accuracies"].pop()),
        ("pairs", _set("accuracies", to=[])),
    ],
)
def test_damaged_files_are_refused(
    study: str,
    change: Callable[[Any], None],
    results: dict[str, Study],
    tmp_path: Path,
) -> None:
    (path,) = write(results[study], tmp_path / "x.json")
    values = json.loads(path.read_text())
    change(values)
    path.write_text(json.dumps(values))

    message = f"x.json: a part of this result of {study} is missing or wrong"
    with pytest.raises(InputError, match=message):
        read_result(path)
