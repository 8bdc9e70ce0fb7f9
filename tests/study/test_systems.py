"""Whole systems against people: ratings of captions or of systems, by hand."""

from pathlib import Path

import pytest
from toys import Overlap

from spicepy.common.errors import InputError
from spicepy.study.correlation import correlate
from spicepy.study.datasets import Judgment
from spicepy.study.systems import read_system_ratings

CAPTIONS = {
    "A": "a dog runs",
    "B": "a dog sits",
    "C": "a cat sits",
    "D": "the cat sits",
}
"""Overlap with the reference: 1, 2/3, 1/3, 0."""


def judgments(**ratings: float) -> list[Judgment]:
    return [
        Judgment(1, caption, ("a dog runs fast",), _rated(system, ratings), system)
        for system, caption in CAPTIONS.items()
    ]


def _rated(system: str, ratings: dict[str, float]) -> dict[str, tuple[float, ...]]:
    return {"human": (ratings[system],)} if ratings else {}


def test_ratings_of_systems_give_what_the_same_ratings_of_captions_give() -> None:
    """Scores 3, 2, 1, 0 thirds against 4, 2, 3, 1: r = 4/5, τ-b = (5 - 1)/6."""
    rated = {"A": 4.0, "B": 2.0, "C": 3.0, "D": 1.0}
    by_caption = correlate(judgments(**rated), metrics=[Overlap()], samples=0)
    by_system = correlate(
        judgments(), metrics=[Overlap()], samples=0, system_ratings={"M1": rated}
    )
    overlap = by_system.systems[0]

    assert overlap.human == "M1"
    assert overlap.coefficients[0].value == pytest.approx(0.8)
    assert overlap.coefficients[2].value == pytest.approx(4 / 6)
    # As texts, since NaN is not equal to itself.
    assert str(overlap.coefficients) == str(by_caption.systems[0].coefficients)
    assert overlap.names == ("A", "B", "C", "D")
    assert overlap.scores == pytest.approx((1, 2 / 3, 1 / 3, 0))
    assert overlap.ratings == (4, 2, 3, 1)
    assert by_system.captions == by_system.agreement == ()
    assert by_system.tables()[0].title == "Correlation with people, systems"


def test_the_file_has_a_system_a_record(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("system,M1,M2\nA,0.27,0.3\n7,0.25,0.32\n")

    assert read_system_ratings(path) == {
        "M1": {"A": 0.27, "7": 0.25},
        "M2": {"A": 0.3, "7": 0.32},
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,M1\nA,1\n", r"line 1: no 'system' .*'name'"),
        ("system,M1\n,1\n", "line 2: system is ''; it must be a name"),
        ("system\nA\n", r"system 'A'\): no column of numbers"),
        ("system,M1\nA,good\n", r"s.csv, line 2 \(system 'A'\): M1 is 'good'"),
        ("system,M1\nA,nan\n", "M1 is 'nan'; it must be a number"),
        ("system,M1\nA,1\nA,2\n", r"line 3 \(system 'A'\): this system was rated"),
    ],
)
def test_wrong_files_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "s.csv"
    path.write_text(text)

    with pytest.raises(InputError, match=message):
        read_system_ratings(path)


def test_systems_must_be_those_of_the_captions() -> None:
    rated = {"A": 4.0, "B": 2.0, "C": 3.0}

    def given(ratings: dict[str, dict[str, float]], **own: float) -> None:
        correlate(judgments(**own), metrics=[Overlap()], system_ratings=ratings)

    with pytest.raises(InputError, match=r"without a rating: .*D"):
        given({"M1": rated})
    with pytest.raises(InputError, match=r"without captions: .*E"):
        given({"M1": rated | {"D": 1.0, "E": 2.0}})
    with pytest.raises(InputError, match="'human' rates captions and whole systems"):
        given({"human": rated | {"D": 1.0}}, **rated, D=1.0)
    with pytest.raises(InputError, match="neither captions nor systems"):
        given({})


def test_the_williams_tests_are_one_small_table_a_human_column() -> None:
    rated = {"A": 4.0, "B": 2.0, "C": 3.0, "D": 1.0}
    found = correlate(judgments(**rated), metrics=[Overlap(), "bleu"], samples=0)
    [table] = [t for t in found.tables() if t.title.startswith("Difference")]
    one = next(d for d in found.differences if d.second == "bleu-1")

    assert table.columns == (
        "",
        "overlap",
        "length",
        *(f"bleu-{n}" for n in range(1, 5)),
    )
    assert [row[0] for row in table.rows] == list(table.columns[1:])
    assert table.rows[0][1] is None
    assert table.rows[0][3] == table.rows[2][1] == pytest.approx(one.p_value)
