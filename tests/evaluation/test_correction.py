"""Corrected p-values, resamples and power, worked out by hand."""

import pytest

from spicepy.evaluation.comparison import samples_for
from spicepy.evaluation.pairwise import detectable, effort, floor_warning, resamples_for


def test_resamples_by_the_number_of_tests() -> None:
    """A 20th of .05 is .0025; 70 tests at 70 / 28,001 reach it, one at 1 / 1,001."""
    assert resamples_for(1) == 1000
    assert resamples_for(10) == 4000
    assert resamples_for(70) == 28_000
    assert resamples_for(70, level=0.99) == 100_000


def test_resamples_of_many_pairs_are_bounded() -> None:
    """20 systems have 190 pairs, 300 have 44,850, whose tests took hours."""
    assert resamples_for(190, pairs=190) == resamples_for(190) == 76_000
    for systems in range(2, 600):
        pairs = systems * (systems - 1) // 2
        samples = resamples_for(pairs, pairs=pairs)
        assert samples == 1000 or samples * pairs <= 20_000_000
    assert samples_for(300, 7) == samples_for(300, 7, family="all") == 1000
    assert samples_for(20, 7, correction="none") == 1000


def test_long_comparisons_are_announced() -> None:
    assert effort(1, 100_000, 7) == effort(45, 18_000, 7) == ""
    assert effort(44_850, 1000, 7) == (
        "44,850 pairs of systems, each tested with 1,000 resamples: that takes about "
        "38 s (--samples sets another number)"
    )
    assert "about 63 minutes" in effort(44_850, 100_000, 7)


def test_the_floor_of_resamples_and_of_images() -> None:
    """70 / 1,001 = .07; five images can be swapped in 32 ways: 2 / 32 = .0625."""
    assert floor_warning(50, 1000, 500, 0.95, "holm") is None
    assert floor_warning(70, 1000, 500, 0.95, "none") is None
    few = floor_warning(70, 1000, 500, 0.95, "holm")
    assert few is not None
    assert "smallest p-value is 0.001, 0.07 corrected for 70 tests" in few
    assert few.endswith("take 28000 resamples")
    many = floor_warning(44_850, 1000, 500, 0.95, "holm")
    assert many is not None
    assert many.endswith("take 897000 resamples or compare fewer systems")
    images = floor_warning(1, 1000, 5, 0.95, "holm")
    assert images is not None
    assert "with 5 images the smallest p-value is 0.062, above 0.05" in images
    alone = floor_warning(70, 1000, 500, 0.95, "benjamini-hochberg")
    assert alone is not None
    assert alone.startswith("no difference can be significant by itself")


def test_the_detectable_difference_by_hand() -> None:
    """z of .975 and .8 are 1.960 and 0.842; of ten tests, z of .9975 is 2.807."""
    assert detectable(0.01, 1) == pytest.approx(0.01 * (1.960 + 0.842), abs=1e-5)
    assert detectable(0.01, 10) == pytest.approx(0.01 * (2.807 + 0.842), abs=1e-5)
