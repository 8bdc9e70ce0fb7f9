"""Coefficients against scipy, agreement and Williams' test against hand values."""

import json
import math
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from toys import Overlap

from spicepy.common.errors import InputError
from spicepy.common.tables import render
from spicepy.study.captions import agreement
from spicepy.study.coefficients import (
    COEFFICIENTS,
    bootstrap_intervals,
    coefficient,
    resamples,
    tied_pairs,
    weighable,
    weighted_coefficients,
    williams_test,
)
from spicepy.study.correlation import correlate
from spicepy.study.datasets import Judgment, read_judgments


def judgment(image: int, candidate: str, *ratings: float, **more) -> Judgment:
    references = more.pop("references", ("a dog that runs", "a cat"))
    return Judgment(image, candidate, references, {"human": ratings}, **more)


JUDGMENTS = [
    judgment(1, "a dog runs", 5, 4),
    judgment(1, "a dog jumps", 4, 3),
    judgment(2, "two buses jump", 1, 2),
    judgment(3, "a bus", 3, 3),
    judgment(3, "dog dog bus", 2, 4),
]
OVERLAPS = [1, 2 / 3, 0, 1 / 2, 2 / 3]
MEANS = [4.5, 3.5, 1.5, 3, 3]


def test_kendall_by_hand() -> None:
    """Pairs of OVERLAPS and MEANS: 8 agree, none disagree, one tie on each side."""
    concordant, pairs = 8, 10
    found = coefficient("kendall-b", np.array(OVERLAPS), np.array(MEANS)).value
    scaled = coefficient("kendall-c", np.array(OVERLAPS), np.array(MEANS)).value

    assert found == pytest.approx(concordant / (pairs - 1))
    assert scaled == pytest.approx(2 * concordant / (25 * (4 - 1) / 4))


@pytest.mark.parametrize("raters", ["average", "flatten"])
def test_caption_level_equals_scipy(raters: str) -> None:
    found = correlate(JUDGMENTS, metrics=[Overlap()], raters=raters, samples=20)
    x, y = OVERLAPS, MEANS
    if raters == "flatten":
        x = [score for score in OVERLAPS for _ in range(2)]
        y = [r for j in JUDGMENTS for r in j.ratings["human"]]
    overlap = found.caption("overlap")

    assert overlap["kendall-b"].value == pytest.approx(stats.kendalltau(x, y)[0])
    expected = stats.kendalltau(x, y, variant="c")[0]
    assert overlap["kendall-c"].value == pytest.approx(expected)
    assert overlap["spearman"].value == pytest.approx(stats.spearmanr(x, y)[0])
    assert overlap["pearson"].value == pytest.approx(stats.pearsonr(x, y)[0])
    assert overlap["pearson"].low <= overlap["pearson"].value
    assert (overlap.items, overlap.points) == (5, len(x))
    assert overlap.zeros == 1 / 5
    assert overlap.ties == overlap.human_ties == 1 / 10


def test_a_candidate_leaves_its_references_unless_told_otherwise() -> None:
    alone = judgment(4, "A cat.", 5, references=("a cat",))
    given = [judgment(1, "a dog runs", 1), judgment(2, "a bus", 0), alone]
    removed = correlate(given, metrics=[Overlap()], samples=0)
    kept = correlate(given, metrics=[Overlap()], samples=0, equal="keep")

    assert removed.protocol["captions left without references"] == 1
    assert removed.caption("overlap").items == 2
    assert kept.caption("overlap").items == 3


def test_a_rated_reference_leaves_all_candidates_of_its_image() -> None:
    references = ("a dog runs", "a bus")
    given = [
        judgment(1, "A dog runs.", 5, references=references),
        judgment(1, "a dog", 2, references=references),
    ]
    own = correlate(given, metrics=[Overlap()], samples=0)
    image = correlate(given, metrics=[Overlap()], samples=0, equal="image")

    assert "refs:1-2" in own.signatures[0]
    assert "refs:1|" in image.signatures[0]
    assert (
        "all captions of the image" in image.protocol["candidate equal to a reference"]
    )
    with pytest.raises(InputError, match="one of own, image, keep"):
        correlate(given, metrics=[Overlap()], equal="none")


def test_intervals_resample_whole_images() -> None:
    for weights in resamples(["a", "b", "a"], 50, seed=1):
        assert weights[0] == weights[2]
        assert weights[0] + weights[1] == 2


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3)),
        min_size=2,
        max_size=12,
    )
)
def test_weighted_coefficients_equal_scipy_on_repeated_points(points: list) -> None:
    values = np.array([(x, y) for x, y, count in points for _ in range(count)], float)
    if len(values) < 2:
        return
    x, y, counts = np.array(points, float).T
    found = weighted_coefficients(weighable(x, y), counts)
    expected = [coefficient(n, *values.T).value for n in COEFFICIENTS]

    assert found == pytest.approx(expected, nan_ok=True, abs=1e-12)


def test_both_ways_to_intervals_agree(monkeypatch) -> None:
    generator = np.random.default_rng(0)
    x, y = generator.random(60), generator.integers(0, 4, 60).astype(float)
    options = {"samples": 50, "level": 0.9, "seed": 1}
    images = [i // 3 for i in range(60)]
    from_table = bootstrap_intervals(x, y, images, **options)
    monkeypatch.setattr("spicepy.study.coefficients._LEVELS", 0)
    from_scipy = bootstrap_intervals(x, y, images, **options)

    assert np.array(from_table) == pytest.approx(np.array(from_scipy))
    assert all(low < high for low, high in from_table)


@pytest.mark.parametrize("samples", [0, 10])
def test_a_score_that_no_caption_has_is_undefined(samples: int) -> None:
    found = correlate(JUDGMENTS, metrics=["spice"], samples=samples)

    size = found.caption("spice-cardinality")
    assert size.items == 0
    assert all(math.isnan(c.value) and math.isnan(c.low) for c in size.coefficients)
    assert "–" in render(found.tables()[0], "markdown")


def test_ties() -> None:
    assert tied_pairs(np.array([1.0, 1, 1, 2])) == 3 / 6
    assert np.isnan(tied_pairs(np.array([1.0])))


def test_agreement_of_raters() -> None:
    """Krippendorff 2004, 11.3: alpha 0 by construction, 1 when all agree."""
    same = agreement("human", [(1, 1), (2, 2), (3, 3)])
    mixed = agreement("human", [(1, 2), (3, 3), (5,)])

    assert same is not None
    assert same.alpha == same.pearson == 1
    assert mixed is not None
    assert (mixed.items, mixed.ratings) == (2, 4)
    # observed: mean of (1, 1, 0, 0); expected: twice the variance of 1 2 3 3
    assert mixed.alpha == pytest.approx(1 - 0.5 / (2 * np.var([1, 2, 3, 3], ddof=1)))
    assert agreement("human", [(1,), (2,)]) is None


def test_agreement_of_pairs_of_raters_by_hand() -> None:
    """Three raters of three captions: 1 2 3, 1 3 2 and 2 2 3.

    τ-b of the first two is (2 - 1) / 3. The third ties two captions: with the first
    2 of 2 pairs agree, 2 / sqrt(3 * 2); with the second 1 agrees and 1 does not.
    """
    found = agreement("human", [(1, 1, 2), (2, 3, 2), (3, 2, 3)])
    uneven = agreement("human", [(1, 1, 2), (2, 3), (3, 2, 3)])

    assert found is not None
    assert found.raters == 3
    assert found.between == pytest.approx((1 / 3 + 2 / 6**0.5 + 0) / 3)
    assert uneven is not None
    assert uneven.raters == 0
    assert np.isnan(uneven.between)


def test_p_values_are_in_the_caption_table() -> None:
    found = correlate(JUDGMENTS, metrics=[Overlap()], samples=0)
    table, overlap = found.tables()[0], found.caption("overlap")
    columns = ("p (τ-b)", "p (τ-c)", "p (ρ)", "p (r)")

    assert [table.rows[0][table.columns.index(c)] for c in columns] == [
        c.p_value for c in overlap.coefficients
    ]


def test_williams_on_a_published_value() -> None:
    """Documentation of R's psych::r.test, Steiger's case A: t = -0.89, p = 0.37."""
    t, p_value = williams_test(0.4, 0.5, 0.1, 103)

    assert t == pytest.approx(-0.89, abs=0.005)
    assert p_value == pytest.approx(0.37, abs=0.005)


def test_williams_is_antisymmetric_and_knows_its_limits() -> None:
    first, second = williams_test(0.9, 0.7, 0.8, 12), williams_test(0.7, 0.9, 0.8, 12)

    assert first[0] == -second[0]
    assert first[1] == second[1]
    assert williams_test(0.5, 0.5, 0.9, 12) == (0.0, 1.0)
    assert np.isnan(williams_test(0.5, 0.4, 0.9, 3)[0])


def test_systems(fixtures: Path) -> None:
    judgments = read_judgments(fixtures / "judgments.jsonl")
    found = correlate(judgments, metrics=[Overlap()], samples=0)
    overlap = found.systems[0]
    means = {}
    for j in judgments:
        means.setdefault(j.system, []).append(np.mean(j.ratings["human"]))

    assert len(means) == overlap.systems == 5
    assert overlap.coefficients[0].value > 0.8
    assert len(found.differences) == 1
    assert [t.title for t in found.tables()] == [
        "Correlation with people, captions",
        "Agreement of people",
        "Correlation with people, systems",
        "Difference of two metrics, systems (human)",
        "References equal to a candidate",
    ]
    json.dumps(found.to_dict(), allow_nan=False)


def test_csv_judgments(tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    path.write_text(
        "image_id,candidate,reference_1,reference_2,system,human,fluency\n"
        "1,a dog,a dog runs,,A,3;4,1\n"
    )

    assert read_judgments(path, ("human", "fluency")) == [
        Judgment(1, "a dog", ("a dog runs",), {"human": (3, 4), "fluency": (1,)}, "A")
    ]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"human": 1, "references": ["b"]}, "line 1 .*no key 'candidate'"),
        ({"candidate": "a", "human": 1, "references": []}, "no references"),
        ({"candidate": "a", "score": 1, "references": ["b"]}, "'human'.*: score"),
        ({"candidate": "a", "human": "x", "references": ["b"]}, "human is 'x'"),
        ({"candidate": "a", "human": [None], "references": ["b"]}, r"human is \[null"),
        ({"candidate": 3, "human": 1, "references": ["b"]}, "candidate is 3"),
        ({"candidate": "a", "human": 10**400, "references": ["b"]}, "human is 1000"),
        (
            {"candidate": "a", "human": 1, "references": ["b"], "system": ["x"]},
            r"system is \['x'\]; it must be a text",
        ),
    ],
)
def test_wrong_judgments_are_named(tmp_path: Path, record: dict, message: str) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text(json.dumps(record) + "\n")

    with pytest.raises(InputError, match=message):
        read_judgments(path)


def test_captions_may_be_unrated_in_one_respect(tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    path.write_text(
        "image_id,candidate,reference,system,good,fluent\n"
        "1,a dog,a dog runs,A,3;4,\n2,two cats,the cats,A,1,2\n3,a bus,a car,B,,4\n"
    )
    found = correlate(
        read_judgments(path, ("good", "fluent")), metrics=[Overlap()], samples=0
    )

    assert found.caption("overlap", "good").items == 2
    assert found.caption("overlap", "fluent").items == 2
    with pytest.raises(InputError, match="no caption has a rating in the column 'x'"):
        correlate([Judgment(1, "a", ("b",), {"x": ()})], metrics=[Overlap()])


def test_wrong_options_are_named() -> None:
    with pytest.raises(InputError, match="'average' or 'flatten'"):
        correlate(JUDGMENTS, metrics=[Overlap()], raters="mean")
    with pytest.raises(InputError, match="no judgments"):
        correlate([], metrics=[Overlap()])


@pytest.mark.parametrize("name", ["kendall-b", "kendall-c", "spearman", "pearson"])
def test_p_values_of_few_points_are_exact(name: str) -> None:
    def p_value(x: list[float], y: list[float]) -> float:
        return coefficient(name, np.array(x), np.array(y)).p_value

    straight = [1.0, 2.0, 3.0]
    assert p_value(straight, [2.0, 4.0, 6.0]) == pytest.approx(1 / 3)
    assert p_value(straight[:2], [5.0, 1.0]) == 1
    # Four points and one pair of equal values: 2 of 12 orders are as far from 0.
    assert p_value([1, 2, 3, 4], [1, 2, 2, 3]) == pytest.approx(1 / 6)
    many = np.arange(9.0)
    assert p_value(many.tolist(), (many**2).tolist()) < 1e-4


def test_exact_p_values_are_those_of_scipy() -> None:
    x, y = np.random.default_rng(1).random((2, 5))
    kendall = coefficient("kendall-b", x, y)
    assert kendall.p_value == pytest.approx(stats.kendalltau(x, y).pvalue)
    for name, function in (("spearman", stats.spearmanr), ("pearson", stats.pearsonr)):
        orders = [abs(function(x, np.array(each))[0]) for each in permutations(y)]
        wanted = np.mean(np.array(orders) >= orders[0] - 1e-9)
        assert coefficient(name, x, y).p_value == pytest.approx(wanted)


def test_equal_ratings_are_warned_of() -> None:
    rated = [
        Judgment(n, text, ("a dog runs",), {"human": (3.0, 3.0)})
        for n, text in enumerate(["a dog", "a cat", "two dogs run"])
    ]

    found = correlate(rated, metrics=[Overlap()], samples=0)

    assert found.warnings == (
        "all ratings in the column 'human' are 3: no correlation with them is defined",
    )


def test_columns_of_several_ratings_are_found(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("image_id,candidate,reference,marks\n1,a dog,a dog runs,4;4;5\n")

    with pytest.raises(InputError, match=r"columns of numbers: marks \(--human marks"):
        read_judgments(path)
