"""Damaged files end in a sentence, never in a traceback; see `fuzz_readers`."""

from pathlib import Path

import pytest

from benchmarks.robustness.fuzz_readers import cases, run

FILES = 2000


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(4))
def test_damaged_files(part: int) -> None:
    count = FILES // 20

    assert run(part * count, count, seed=0) == []


@pytest.mark.filterwarnings("ignore")
def test_the_files_are_good_before_they_are_damaged(tmp_path: Path) -> None:
    # Not a test for each: their names come from studies and runs, which take seconds.
    for number, case in enumerate(cases()):
        path = tmp_path / f"{number}{case.suffix}"
        path.write_bytes(case.data)
        try:
            case.read(path)
        except Exception as error:
            error.add_note(case.name)
            raise
