"""Corrected p-values, resamples and power, worked out by hand."""

import pytest

from spicepy.evaluation.pairwise import detectable, floor_warning, resamples_for


def test_resamples_by_the_number_of_tests() -> None:
    """A 20th of .05 is .0025; 70 tests at 70 / 28,001 reach it, one at 1 / 1,001."""
    assert resamples_for(1) == 1000
    assert resamples_for(10) == 4000
    assert resamples_for(70) == 28_000
    assert resamples_for(70, level=0.99) == 100_000


def test_the_floor_of_resamples_and_of_images() -> None:
    """70 / 1,001 = .07; five images can be swapped in 32 ways: 2 / 32 = .0625."""
    assert floor_warning(50, 1000, 500, 0.95, "holm") is None
    assert floor_warning(70, 1000, 500, 0.95, "none") is None
    few = floor_warning(70, 1000, 500, 0.95, "holm")
    assert few is not None
    assert "smallest p-value is 0.001, 0.07 corrected for 70 tests" in few
    assert few.endswith("take 28000 resamples")
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
