"""Progress in logs."""

import pytest

from spicepy import evaluate
from spicepy.common.progress import advance, listening, log_lines


def test_a_log_gets_a_line_every_half_minute() -> None:
    now = 0.0
    lines: list[str] = []
    with listening(log_lines(lines.append, clock=lambda: now)):
        for done in range(0, 100):
            now = 1.0 * done
            advance("parsing", 40 * done, 4000)
        now = 125.0
        advance("writing", 1, 20)

    assert lines == [
        "parsing: 1,200 of 4,000 (40 a second)",
        "parsing: 2,400 of 4,000 (40 a second)",
        "parsing: 3,600 of 4,000 (40 a second)",
        "writing: 1 of 20",
    ]


def test_building_a_result_is_a_stage() -> None:
    stages: list[tuple[str, int, int]] = []
    samples = [{"image_id": i, "test": "a", "refs": ["a"]} for i in range(3)]
    with listening(lambda *told: stages.append(told)):
        evaluate(samples, ["bleu"]).to_dict()

    assert ("building the result", 3, 3) in stages


def test_nobody_listens_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    advance("parsing", 1, 2)

    assert capsys.readouterr() == ("", "")
