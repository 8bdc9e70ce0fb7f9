"""Progress in logs."""

import pytest

from spicepy import evaluate
from spicepy.common.progress import advance, listening, log_lines, time_left


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
        "parsing: 1,200 of 4,000 (40 a second, 70 s left)",
        "parsing: 2,400 of 4,000 (40 a second, 40 s left)",
        "parsing: 3,600 of 4,000 (40 a second, 10 s left)",
        "writing: 1 of 20",
    ]


def test_a_total_that_is_not_known() -> None:
    now = 0.0
    lines: list[str] = []
    with listening(log_lines(lines.append, clock=lambda: now)):
        advance("reading", 0, 0)
        now = 31.0
        advance("reading", 62, 0)

    assert lines == ["reading: 62 (2.0 a second)"]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0 s"), (99, "99 s"), (101, "2 min"), (5990, "1 h 40 min")],
)
def test_time_left(seconds: float, said: str) -> None:
    assert time_left(seconds) == said


def test_building_a_result_is_a_stage() -> None:
    stages: list[tuple[str, int, int]] = []
    samples = [{"image_id": i, "test": "a", "refs": ["a"]} for i in range(3)]
    with listening(lambda *told: stages.append(told)):
        evaluate(samples, ["bleu"]).to_dict()

    assert ("building the result", 3, 3) in stages


def test_nobody_listens_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    advance("parsing", 1, 2)

    assert capsys.readouterr() == ("", "")
