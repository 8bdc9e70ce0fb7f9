"""Damaged files end in a sentence, never in a traceback; see `fuzz_readers`."""

import warnings
from pathlib import Path

import pytest

from benchmarks.robustness.fuzz_readers import cases, run

FILES = 2000


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(4))
def test_damaged_files(part: int) -> None:
    count = FILES // 20

    assert run(part * count, count, seed=0) == []


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_the_files_are_good_before_they_are_damaged(case, tmp_path: Path) -> None:
    path = tmp_path / f"x{case.suffix}"
    path.write_bytes(case.data)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        case.read(path)
