"""Paired tests of rates: who differs, and who is clearly best."""

import numpy as np

from spicepy.diagnosis.results import sums as paired
from spicepy.diagnosis.results.sums import corrected_p_values, paired_p_values


def parts(hits: list[float], images: int = 40) -> np.ndarray:
    """Rates whose first numbers repeat; out of one an image."""
    counted = np.resize(np.array(hits, float), images)
    return np.stack([counted, np.ones(images)], axis=1)


def clearly_best(systems: list[np.ndarray], higher: list[bool]) -> list[int | None]:
    return paired.clearly_best(systems, corrected_p_values(systems), higher)


def test_equal_systems_do_not_differ() -> None:
    same = paired_p_values([parts([0, 1]), parts([0, 1])])

    assert same[0, 1][0] == 1
    assert clearly_best([parts([0, 1]), parts([0, 1])], [True]) == [None]
    assert clearly_best([parts([0, 1])], [True]) == [None]


def test_a_star_needs_a_significant_difference_to_every_other_system() -> None:
    good, bad, middle = parts([1, 1, 1, 0]), parts([0, 0, 0, 1]), parts([1, 1, 0, 1, 1])

    assert clearly_best([good, bad], [True]) == [0]
    assert clearly_best([good, bad], [False]) == [1]
    assert clearly_best([good, bad, middle], [True]) == [None]
    assert clearly_best([good, middle, bad], [False]) == [2]


def test_what_is_undefined_has_no_best_system() -> None:
    nothing = np.zeros((5, 2))

    assert np.isnan(paired_p_values([nothing, nothing])[0, 1][0])
    assert clearly_best([nothing, nothing], [True]) == [None]
    assert clearly_best([np.zeros((0, 2))] * 2, [True]) == [None]
