"""Intervals and tests on a toy metric whose numbers a reader can check."""

import time
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from spicepy.captions.sample import Sample
from spicepy.common.errors import InputError
from spicepy.metrics.base import Array, Statistics
from spicepy.metrics.significance import (
    adjust,
    bootstrap,
    corpus,
    in_same_order,
    resampled_scores,
    share_difference,
    shuffled_p_values,
)
from spicepy.metrics.significance import tested as bootstrapped


class Ratio:
    """Two keys of two columns: the mean of the first, first over second."""

    keys = ("mean", "ratio")

    def count(self, samples: Sequence[Sample]) -> Statistics:
        raise NotImplementedError

    def image_scores(self, rows: Array) -> Array:
        return self.corpus_scores(rows, 1)

    def corpus_scores(self, totals: Array, images: int | Array) -> Array:
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = totals[..., 0] / totals[..., 1]
        return np.stack([totals[..., 0] / images, ratio], axis=-1)

    def signature(self) -> Mapping[str, str]:
        return {"metric": "ratio"}


def statistics(rows: Array) -> Statistics:
    return Statistics(tuple(range(len(rows))), np.asarray(rows, dtype=np.float64))


def system(generator: np.random.Generator, images: int, rate: float) -> Statistics:
    total = generator.poisson(4, images) + 1
    return statistics(np.stack([generator.binomial(total, rate), total], axis=1))


def paired_bootstrap(
    first: Statistics, second: Statistics, samples: int = 1000, seed: int = 0
) -> Array:
    """P-values of the keys."""
    rows = [first.rows, second.rows]
    a, b = resampled_scores(Ratio(), rows, samples, seed)
    scores = corpus(Ratio(), rows[0]), corpus(Ratio(), rows[1])
    return bootstrapped(scores, a - b, 0.95)[0]


def randomization(
    first: Statistics, second: Statistics, samples: int = 1000, seed: int = 0
) -> Array:
    """P-values of the keys."""
    rows = [first.rows, second.rows]
    [p_values] = shuffled_p_values(Ratio(), rows, samples, seed).values()
    return p_values


def test_interval_of_the_mean_equals_the_normal_one() -> None:
    drawn = system(np.random.default_rng(0), 2000, 0.4)
    found = bootstrap(Ratio(), drawn, samples=2000)["mean"]
    values = drawn.rows[:, 0]
    error = values.std() / len(values) ** 0.5

    assert found.score == pytest.approx(values.mean())
    assert found.standard_error == pytest.approx(error, rel=0.1)
    assert found.low == pytest.approx(values.mean() - 1.96 * error, abs=0.2 * error)
    assert found.high == pytest.approx(values.mean() + 1.96 * error, abs=0.2 * error)


def test_same_seed_same_numbers_and_other_seed_others() -> None:
    drawn = system(np.random.default_rng(0), 50, 0.4)

    assert bootstrap(Ratio(), drawn, seed=1) == bootstrap(Ratio(), drawn, seed=1)
    assert bootstrap(Ratio(), drawn, seed=1) != bootstrap(Ratio(), drawn, seed=2)


@pytest.mark.parametrize("test", [paired_bootstrap, randomization])
def test_a_clear_difference_is_found_and_none_between_equals(test) -> None:
    generator = np.random.default_rng(0)
    worse, better = system(generator, 300, 0.3), system(generator, 300, 0.6)

    assert test(better, worse)[1] == pytest.approx(1 / 1001)
    assert test(better, better).tolist() == [1.0, 1.0]


def test_randomization_is_exact_on_a_case_done_by_hand() -> None:
    """Three images, all better by 1: of 8 shuffles 2 are as far from zero."""
    first = statistics(np.array([[2.0, 1], [2, 1], [2, 1]]))
    second = statistics(np.array([[1.0, 1], [1, 1], [1, 1]]))

    found = randomization(first, second, samples=20000)

    assert found[0] == pytest.approx(2 / 8, abs=0.01)


@pytest.mark.parametrize("test", [paired_bootstrap, randomization])
def test_false_positives_stay_at_the_level(test) -> None:
    generator = np.random.default_rng(3)
    p_values = [
        test(system(generator, 100, 0.4), system(generator, 100, 0.4), 200, run)[1]
        for run in range(200)
    ]

    assert 0.01 <= np.mean(np.array(p_values) <= 0.05) <= 0.10


def test_images_are_aligned_by_id() -> None:
    first = Statistics(("a", 7, "b"), np.array([[1.0, 1], [2, 2], [3, 3]]))
    second = Statistics((7, "b", "a"), np.array([[2.0, 2], [3, 3], [1, 1]]))

    assert in_same_order(first, second).image_ids == first.image_ids
    assert np.array_equal(in_same_order(first, second).rows, first.rows)


def test_different_images_are_named() -> None:
    first = Statistics(("a", 7), np.ones((2, 2)))
    second = Statistics(("a", "7"), np.ones((2, 2)))

    with pytest.raises(
        InputError, match="7 only in the first, image '7' only in the second"
    ):
        in_same_order(first, second)


def test_an_undefined_key_is_none() -> None:
    nothing = statistics(np.zeros((5, 2)))
    found = bootstrap(Ratio(), nothing).to_dict()["intervals"]

    assert found[0]["score"] == 0
    assert found[1]["score"] is None
    assert found[1]["low"] is None
    assert np.isnan(paired_bootstrap(nothing, nothing)[1])


def test_options_are_checked() -> None:
    with pytest.raises(InputError, match="no image"):
        bootstrap(Ratio(), statistics(np.zeros((0, 2))))
    with pytest.raises(InputError, match="1 resample;"):
        bootstrap(Ratio(), statistics(np.ones((2, 2))), samples=1)
    with pytest.raises(InputError, match="level"):
        bootstrap(Ratio(), statistics(np.ones((2, 2))), level=95)


def test_holm_on_a_worked_example() -> None:
    """0.01 × 4; 0.02 × 3; 0.03 × 2 raised to its predecessor; 0.04 likewise."""
    adjusted = adjust([0.02, 0.01, 0.04, np.nan, 0.03])

    assert adjusted[[0, 1, 2, 4]] == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert np.isnan(adjusted[3])


def test_other_corrections() -> None:
    assert adjust([0.01, 0.04], "benjamini-hochberg") == pytest.approx([0.02, 0.04])
    assert adjust([0.01, 0.04], "none") == pytest.approx([0.01, 0.04])
    with pytest.raises(InputError, match="known: holm"):
        adjust([0.1], "bonferroni")  # type: ignore[arg-type]


@given(st.lists(st.floats(0, 1), max_size=8))
def test_adjusted_values_never_fall_and_keep_their_order(values: list[float]) -> None:
    adjusted = adjust(values)

    assert all(adjusted >= np.array(values))
    assert all(adjusted <= 1)
    order = np.argsort(values, kind="stable")
    assert all(np.diff(adjusted[order]) >= 0)


def test_a_thousand_resamples_of_five_thousand_images_are_quick() -> None:
    drawn = system(np.random.default_rng(0), 5000, 0.4)
    start = time.process_time()
    bootstrap(Ratio(), drawn)

    assert time.process_time() - start < 2


@given(st.lists(st.floats(0, 1), max_size=12))
def test_benjamini_hochberg_is_scipys(values: list[float]) -> None:
    adjusted = adjust(values, "benjamini-hochberg")

    expected = false_discovery_control(values) if values else []
    assert adjusted.tolist() == list(expected)


def test_the_interval_of_a_difference_of_shares() -> None:
    """The example of Newcombe 1998, table II, method 10."""
    assert share_difference(56, 70, 48, 80) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert share_difference(5, 5, 7, 7)[1] > 0 > share_difference(5, 5, 7, 7)[0]
    assert share_difference(0, 0, 1, 2) is None
