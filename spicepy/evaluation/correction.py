"""Many comparisons: corrected p-values, the number of resamples they need, and power.

In: p-values, numbers of tests and images, standard errors. Out: corrected p-values,
warnings, and the smallest differences that tests on these images can detect.
"""

from math import ceil
from statistics import NormalDist
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from spicepy.common.errors import InputError, shown
from spicepy.common.plurals import counted
from spicepy.common.settings import Correction, Family
from spicepy.metrics.base import Array

POWER = 0.8
_FEWEST = 1000
_MOST = 100_000
_PAIRED = 20_000_000  # resamples of all pairs together
_SECONDS = 1.2e-7  # of the processor for a pair, a resample and a score
_FINENESS = 20  # smallest corrected p-values in a level


def adjust(p_values: ArrayLike, method: Correction = "holm") -> Array:
    """Correct p-values for their number; NaN (an undefined test) is left out.

    Args:
        p_values: One a comparison, 0-1.
        method: "holm" bounds the chance of any false positive,
            "benjamini-hochberg" their expected share, "none" changes nothing.

    Returns:
        Adjusted p-values in the same order: compare them with the level.

    Raises:
        InputError: The method is unknown.

    Source: Holm 1979; Benjamini & Hochberg 1995 (scipy).
    """
    adjusted = np.array(p_values, dtype=np.float64)
    known = ~np.isnan(adjusted)
    values = adjusted[known]
    if method == "holm":
        order = np.argsort(values, kind="stable")
        factors = np.arange(len(values), 0, -1)
        steps = np.maximum.accumulate(values[order] * factors)
        values[order] = np.minimum(steps, 1.0)
    elif method == "benjamini-hochberg":
        order = np.argsort(values, kind="stable")[::-1]  # the largest first
        shares = len(values) / np.arange(len(values), 0, -1)
        steps = np.minimum.accumulate(values[order] * shares)
        values[order] = np.minimum(steps, 1.0)
    elif method != "none":
        raise InputError(
            f"unknown correction {shown(method)}; known: holm, benjamini-hochberg, none"
        )
    adjusted[known] = values
    return adjusted


def check_correction(method: str, family: str) -> None:
    """Refuse unknown names before any work.

    Raises:
        InputError: The method or the family is unknown.
    """
    for what, name, known in (
        ("correction", method, get_args(Correction)),
        ("family", family, get_args(Family)),
    ):
        if name not in known:
            raise InputError(f"unknown {what} {shown(name)}; known: {', '.join(known)}")


def resamples_for(tests: int, level: float = 0.95, pairs: int = 1) -> int:
    """Return the number of resamples needed for corrected p-values fine enough.

    The smallest corrected p-value is then a 20th of 1 - level, unless that would take
    too long: each pair of systems is tested in every resample.

    Args:
        tests: Tests that are corrected together.
        level: 1 minus the p-value that counts as significant.
        pairs: Pairs of systems.

    Returns:
        1,000 to 100,000; for more than 200 pairs, no more than 20 million in all
        pairs together, and still 1,000 or more.
    """
    enough = ceil(round(_FINENESS * tests / (1 - level), 6))
    return max(_FEWEST, min(enough, _MOST, _PAIRED // pairs))


def effort(pairs: int, samples: int, scores: int) -> str:
    """Return how long the tests of all pairs will take, "" if it is some seconds.

    Args:
        pairs: Pairs of systems.
        samples: Resamples.
        scores: Scores that are compared.
    """
    seconds = _SECONDS * pairs * samples * scores
    if seconds < 10:
        return ""
    time = f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:,.0f} minutes"
    return (
        f"{counted(pairs, 'pair')} of systems, each tested with {samples:,} resamples: "
        f"that takes about {time} (--samples sets another number)"
    )


def floor_warning(
    tests: int, samples: int, images: int, level: float, method: Correction
) -> str | None:
    """Return a warning if no corrected p-value can be below 1 - level.

    The smallest p-value is 1 / (samples + 1). That of shuffled captions is, besides,
    2 / 2^images: there are 2^images ways to swap them, and two are the observed one.
    """
    tests = 1 if method == "none" else tests
    drawn, swapped = 1 / (samples + 1), 2.0 ** (1 - images)
    alpha = 1 - level
    if tests * max(drawn, swapped) <= alpha:
        return None
    cause, smallest = counted(samples, "resample"), drawn
    needed = max(ceil(tests / alpha), resamples_for(tests, level))
    remedy = f"take {needed} resamples"
    if needed > _MOST:
        remedy += " or compare fewer systems"
    if swapped > drawn:
        cause, smallest, remedy = counted(images, "image"), swapped, "take more images"
    after = f", {min(1.0, tests * smallest):.2g} corrected for {tests} tests"
    alone = " by itself" if method == "benjamini-hochberg" else ""
    return (
        f"no difference can be significant{alone}: with {cause} the smallest p-value "
        f"is {smallest:.2g}{after if tests > 1 else ''}, above {alpha:.2g}; {remedy}"
    )


def detectable(error: float, tests: int, level: float = 0.95) -> float:
    """Return the smallest true difference that a test would find four times in five.

    Args:
        error: Standard error of the observed difference.
        tests: Tests that are corrected together; the level is shared among them.
        level: 1 minus the p-value that counts as significant.

    Source: Cohen 1988, Statistical Power Analysis for the Behavioral Sciences,
    section 2.4, for a normal difference, two-sided, with a power of 0.8.
    """
    normal = NormalDist()
    wanted = normal.inv_cdf(1 - (1 - level) / (2 * tests))
    return error * (wanted + normal.inv_cdf(POWER))
