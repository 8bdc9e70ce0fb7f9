"""Every pair of systems, tested for every score, and corrected for their number."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from statistics import NormalDist
from typing import get_args

from spicepy.captions.sample import ImageId, Sample, listed
from spicepy.common.errors import InputError, brief, counted
from spicepy.common.settings import Correction, Family
from spicepy.evaluation.evaluation import Evaluation
from spicepy.metrics.base import Array, Metric
from spicepy.metrics.significance import (
    MetricRows,
    adjust,
    corpus,
    in_same_order,
    standard_errors,
    tested,
)

# Many comparisons: corrected p-values, the number of resamples they need, and power.

POWER = 0.8
_MIN_SAMPLES = 1000
_MAX_SAMPLES = 100_000
_PAIRED = 20_000_000  # resamples of all pairs together
_SECONDS = 1.2e-7  # of the processor for a pair, a resample and a score
_FINENESS = 20  # smallest corrected p-values in a level


def check_correction(method: str, family: str) -> None:
    """Refuse unknown names before any work."""
    for what, name, known in (
        ("correction", method, get_args(Correction)),
        ("family", family, get_args(Family)),
    ):
        if name not in known:
            raise InputError(f"unknown {what} {brief(name)}; known: {', '.join(known)}")


def resamples_for(tests: int, level: float = 0.95, pairs: int = 1) -> int:
    """Return the number of resamples needed for corrected p-values fine enough."""
    # The smallest corrected p-value is then a 20th of 1 - level, unless that would take
    # too long: each of `pairs` is tested in every resample. It is 1,000 to 100,000; for
    # more than 200 pairs no more than 20 million in all pairs together, and still 1,000
    # or more.
    enough = ceil(round(_FINENESS * tests / (1 - level), 6))
    return max(_MIN_SAMPLES, min(enough, _MAX_SAMPLES, _PAIRED // pairs))


def effort(pairs: int, samples: int, scores: int) -> str:
    """Return how long the tests of all pairs will take, "" if it is some seconds."""
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
    """Return a warning if no corrected p-value can be below 1 - level."""
    # The smallest p-value is 1 / (samples + 1). That of shuffled captions is at least 2
    # / 2^images: there are 2^images ways to swap them, and two are the observed one.
    tests = 1 if method == "none" else tests
    drawn, swapped = 1 / (samples + 1), 2.0 ** (1 - images)
    alpha = 1 - level
    if tests * max(drawn, swapped) <= alpha:
        return None
    cause, smallest = counted(samples, "resample"), drawn
    needed = max(ceil(tests / alpha), resamples_for(tests, level))
    remedy = f"take {needed} resamples"
    if needed > _MAX_SAMPLES:
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

    `error` is the standard error of the observed difference; the tests share the level.
    Without any variance (NaN) there is nothing to estimate it from.

    Source: Cohen 1988, Statistical Power Analysis for the Behavioral Sciences,
    section 2.4, for a normal difference, two-sided, with a power of 0.8.
    """
    normal = NormalDist()
    wanted = normal.inv_cdf(1 - (1 - level) / (2 * tests))
    return error * (wanted + normal.inv_cdf(POWER)) if error else float("nan")


@dataclass(frozen=True, slots=True)
class PairTest:
    """first - second of one score, tested two ways, raw and corrected."""

    # `low` and `high` bound the difference. The corrected p-values take the tests of a
    # family together: all pairs of systems, for this score or for all scores.
    # `detectable` is the smallest true difference that a test on these images would
    # find with a power of 0.8, see `spicepy.evaluation.pairwise.detectable`.
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
    """Yield the tests of two systems for every key of a metric, uncorrected."""
    # `drawn` are differences of the resampled scores, (samples, keys), and `randomized`
    # the p-values of swapped captions, (keys,). `sharing` tests are corrected together.
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


# Several systems side by side: the same images, metrics and order of rows.


def common_images(systems: Mapping[str, Sequence[Sample]]) -> dict[str, list[Sample]]:
    """Return the samples of the images that every system has, in the first's order."""
    of_image = {n: {s.image_id: s for s in samples} for n, samples in systems.items()}
    first, *others = of_image.values()
    shared = [i for i in first if all(i in other for other in others)]
    if not shared:
        raise InputError("no image is common to all systems")
    return {name: [by_id[i] for i in shared] for name, by_id in of_image.items()}


def check_images(systems: Mapping[str, Sequence[Sample]]) -> None:
    """Refuse systems that lack images or references another system has; list them."""
    everything: dict[ImageId, tuple[str, ...]] = {}
    for samples in systems.values():
        for sample in samples:
            known = everything.setdefault(sample.image_id, sample.references)
            if known != sample.references:
                raise InputError(
                    f"image {brief(sample.image_id)} has different references in the "
                    "systems' files; give one file with --references"
                )
    faults = []
    for name, samples in systems.items():
        ids = {s.image_id for s in samples}
        missing = [i for i in everything if i not in ids]
        if missing:
            faults.append(f"{name} lacks {listed(missing)}")
    if faults:
        raise InputError(
            "; ".join(faults) + " (use --common to compare the images of all systems)"
        )


def check_comparable(systems: Mapping[str, Evaluation]) -> None:
    """Refuse systems that different metrics scored, or on different images."""
    (name, first), *others = systems.items()
    for other, second in others:
        if _protocol(first) != _protocol(second):
            raise InputError(
                f"{name} and {other} are not comparable: {first.signature!r} "
                f"against {second.signature!r}"
            )
        check_images({name: first.samples, other: second.samples})


def _protocol(system: Evaluation) -> list[str]:
    return [each.metric.protocol(each.signature) for each in system.measured]


def rows_by_metric(systems: Mapping[str, Evaluation]) -> list[MetricRows]:
    """Return each metric and each system's rows, in the first system's order."""
    pairs: list[MetricRows] = []
    for first, *others in zip(*(system.measured for system in systems.values())):
        statistics = [measured.statistics for measured in (first, *others)]
        rows = [in_same_order(first.statistics, one).rows for one in statistics]
        pairs.append((first.metric, rows))
    return pairs
