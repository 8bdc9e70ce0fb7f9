"""Every pair of systems, tested for every score, and corrected for their number.

In: the rows of two systems, their resampled differences and the p-values of swapped
captions. Out: `PairTest` values, and the same with corrected p-values.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from spicepy.common.settings import Correction, Family
from spicepy.evaluation.correction import adjust, detectable
from spicepy.evaluation.resampling import corpus, standard_errors
from spicepy.evaluation.significance import tested
from spicepy.metrics.base import Array, Metric


@dataclass(frozen=True, slots=True)
class PairTest:
    """first - second of one score, tested two ways, raw and corrected.

    `low` and `high` bound the difference. The corrected p-values take the tests of
    a family together: all pairs of systems, for this score or for all scores.
    `detectable` is the smallest true difference that a test on these images would
    find with a power of 0.8, see `spicepy.evaluation.correction.detectable`.
    """

    key: str
    first: str
    second: str
    difference: float
    low: float
    high: float
    p_bootstrap: float
    p_randomization: float
    corrected_bootstrap: float
    corrected_randomization: float
    detectable: float


def pair_tests(
    metric: Metric,
    names: tuple[str, str],
    rows: tuple[Array, Array],
    drawn: Array,
    randomized: Array,
    *,
    level: float,
    sharing: int,
) -> Iterator[PairTest]:
    """Yield the tests of two systems for every key of a metric, p-values uncorrected.

    Args:
        metric: The metric that made the rows.
        names: Names of the systems.
        rows: Rows of each system, in the same order of images.
        drawn: Differences of the resampled scores, (samples, keys).
        randomized: P-values of swapped captions, (keys,).
        level: Confidence level of the bounds.
        sharing: Tests that are corrected together.
    """
    scores = corpus(metric, rows[0]), corpus(metric, rows[1])
    p_values, (low, high) = tested(scores, drawn, level)
    errors = standard_errors(drawn)
    for k, key in enumerate(metric.keys):
        yield PairTest(
            key,
            *names,
            difference=float(scores[0][k] - scores[1][k]),
            low=float(low[k]),
            high=float(high[k]),
            p_bootstrap=float(p_values[k]),
            p_randomization=float(randomized[k]),
            corrected_bootstrap=float(p_values[k]),
            corrected_randomization=float(randomized[k]),
            detectable=detectable(float(errors[k]), sharing, level),
        )


def corrected(
    tests: Sequence[PairTest],
    correction: Correction,
    family: Family,
    order: Sequence[str],
) -> tuple[PairTest, ...]:
    """Return the tests with corrected p-values, in the order of the keys."""
    rank = {key: i for i, key in enumerate(order)}
    families: dict[str, list[PairTest]] = {}
    for test in sorted(tests, key=lambda test: rank[test.key]):
        families.setdefault(test.key if family == "score" else "", []).append(test)
    results: list[PairTest] = []
    for members in families.values():
        bootstrap = adjust([t.p_bootstrap for t in members], correction)
        randomization = adjust([t.p_randomization for t in members], correction)
        results += [
            replace(t, corrected_bootstrap=float(b), corrected_randomization=float(r))
            for t, b, r in zip(members, bootstrap, randomization)
        ]
    return tuple(results)
