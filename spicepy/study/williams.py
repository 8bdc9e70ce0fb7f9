"""Williams test: whether two metrics correlate differently with the same ratings.

In: three Pearson correlations and the number of points. Out: t and p.
"""

from math import sqrt

from spicepy.common.lazy_imports import required


def williams_test(
    r_first: float, r_second: float, r_between: float, n: int
) -> tuple[float, float]:
    """Test whether one of two dependent correlations is larger.

    Args:
        r_first: Correlation of the first metric with the human scores, -1 to 1.
        r_second: Correlation of the second metric with the same human scores.
        r_between: Correlation of the two metrics with each other.
        n: Number of points (systems); fewer than 4 leave the test undefined.

    Returns:
        t with n - 3 degrees of freedom (positive if the first is larger) and
        its two-sided p-value; both NaN where undefined.

    Source: Williams 1959, The Comparison of Regression Variables; formula as in
    Steiger 1980, Tests for Comparing Elements of a Correlation Matrix, eq. 7.
    """
    if n < 4 or not max(abs(r_first), abs(r_second), abs(r_between)) <= 1:
        return float("nan"), float("nan")
    if r_first == r_second:
        return 0.0, 1.0
    determinant = (
        1 - r_first**2 - r_second**2 - r_between**2 + 2 * r_first * r_second * r_between
    )
    mean = (r_first + r_second) / 2
    spread = 2 * determinant * (n - 1) / (n - 3) + mean**2 * (1 - r_between) ** 3
    if spread <= 0:
        return float("nan"), float("nan")
    statistic = (r_first - r_second) * sqrt((n - 1) * (1 + r_between) / spread)
    student = required("scipy.stats", "the Williams test").t
    return statistic, float(2 * student.sf(abs(statistic), n - 3))
