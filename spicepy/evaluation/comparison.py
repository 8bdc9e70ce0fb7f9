"""Comparing systems: every score side by side, with confidence and significance.

In: one `Evaluation` a system, over the same images. Out: a `Comparison`, whose
intervals and p-values come from the additive statistics alone: 1,000 resamples
of 5,000 images take seconds.

Source: Anderson et al. 2016, SPICE, Table 2 (the layout by category); Koehn 2004
and Riezler & Maxwell 2005 (the tests, see `spicepy.evaluation.significance`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from spicepy.common.errors import InputError, shown
from spicepy.common.plain import plain
from spicepy.common.tables import Cell, Table
from spicepy.evaluation.evaluation import Evaluation
from spicepy.evaluation.significance import (
    SEED,
    Correction,
    Interval,
    adjust,
    approximate_randomization,
    bootstrap,
    check_settings,
    in_same_order,
    paired_bootstrap,
)
from spicepy.samples.sample import ImageId, Sample, listed

_WIDE = 10  # scores that stand side by side


@dataclass(frozen=True, slots=True)
class PairTest:
    """first - second of one score, tested two ways, raw and corrected.

    `low` and `high` bound the difference. The corrected p-values take all
    scores and pairs of the comparison together.
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


@dataclass(frozen=True, slots=True)
class Comparison:
    """Scores of several systems on the same images.

    `intervals[key][i]` is the interval of system i. Scores are in their
    metric's range (0-1; CIDEr 0-10).
    """

    systems: tuple[str, ...]
    intervals: Mapping[str, tuple[Interval, ...]]
    tests: tuple[PairTest, ...]
    images: int
    samples: int
    seed: int
    level: float
    correction: str
    signature: str
    titles: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain values, None for an undefined one."""
        found = dict(plain(self))
        del found["titles"]
        return found

    def title(self, key: str) -> str:
        """The title of a score's column: its key, unless the metric has another."""
        return self.titles.get(key, key)

    def tables(self) -> tuple[Table, ...]:
        """Scores; intervals; with two or more systems, tests."""
        found = (self.scores(), self.confidence())
        return (*found, self.significance()) if self.tests else found

    def scores(self) -> Table:
        """A row a system, a column a score: the paper's Table 2.

        More than ten scores stand below each other, a column a system.
        """
        notes = (f"{self.images} images",)
        if len(self.intervals) > _WIDE:
            below: list[tuple[Cell, ...]] = [
                (self.title(key), *(each.score for each in found))
                for key, found in self.intervals.items()
            ]
            return Table("Scores", ("Score", *self.systems), tuple(below), notes)
        rows: list[tuple[Cell, ...]] = [
            (system, *(found[i].score for found in self.intervals.values()))
            for i, system in enumerate(self.systems)
        ]
        columns = ("System", *(self.title(key) for key in self.intervals))
        return Table("Scores", columns, tuple(rows), notes)

    def confidence(self) -> Table:
        """A row a score and system, with its bootstrap interval."""
        rows: list[tuple[Cell, ...]] = [
            (self.title(key), system, found.score, found.low, found.high)
            for key, intervals in self.intervals.items()
            for system, found in zip(self.systems, intervals)
        ]
        note = (
            f"percentile bootstrap over {self.images} images, "
            f"{self.samples} samples, seed {self.seed}"
        )
        percent = f"{100 * self.level:g} %"
        columns = ("Score", "System", "Value", f"{percent} low", f"{percent} high")
        return Table("Confidence intervals", columns, tuple(rows), (note,))

    def significance(self) -> Table:
        """A row a score and pair of systems: the difference and its p-values."""
        rows: list[tuple[Cell, ...]] = [
            (
                self.title(test.key),
                f"{test.first} - {test.second}",
                *(test.difference, test.low, test.high),
                *(test.p_bootstrap, test.p_randomization),
                *(test.corrected_bootstrap, test.corrected_randomization),
            )
            for test in self.tests
        ]
        columns = (
            *("Score", "Systems", "Difference", "low", "high"),
            *("p (bootstrap)", "p (randomization)"),
            *("corrected p (b)", "corrected p (r)"),
        )
        note = (
            f"two-sided, {self.samples} samples, seed {self.seed}; "
            f"correction over {len(self.tests)} comparisons: {self.correction}"
        )
        return Table("Paired differences", columns, tuple(rows), (note,), digits=4)


def compare(
    systems: Mapping[str, Evaluation],
    *,
    samples: int = 1000,
    seed: int = SEED,
    level: float = 0.95,
    correction: Correction = "holm",
) -> Comparison:
    """Compare systems evaluated by the same metrics on the same images.

    Args:
        systems: The evaluation of each system by its name, in order.
        samples: Resamples (or shuffles) of the images.
        seed: Of every test; equal seeds give equal numbers.
        level: Of the intervals, 0-1.
        correction: For many comparisons: "holm", "benjamini-hochberg", "none".

    Raises:
        InputError: The systems' metrics or images differ, or an option is wrong.
    """
    if not systems:
        raise InputError("no systems to compare")
    adjust([], correction)
    check_settings(samples, level, seed)
    names = tuple(systems)
    first = systems[names[0]]
    for name in names[1:]:
        _same(names[0], first, name, systems[name])
    intervals: dict[str, tuple[Interval, ...]] = {}
    tests: list[tuple[Any, ...]] = []
    options: dict[str, Any] = {"samples": samples, "seed": seed}
    for column, measured in enumerate(first.measured):
        metric = measured.metric
        rows = [systems[name].measured[column].statistics for name in names]
        rows = [in_same_order(rows[0], each) for each in rows]
        found = [bootstrap(metric, r, level=level, **options) for r in rows]
        for key in metric.keys:
            intervals[key] = tuple(each[key] for each in found)
        for a, b in combinations(range(len(names)), 2):
            resampled = paired_bootstrap(
                metric, rows[a], rows[b], level=level, **options
            )
            swapped = approximate_randomization(metric, rows[a], rows[b], **options)
            tests += [
                (names[a], names[b], d, swapped[d.key].p_value)
                for d in resampled.differences
            ]
    order = _ordered(first.keys, first.titles)
    return Comparison(
        names,
        {key: intervals[key] for key in order},
        _corrected(tests, correction, order),
        len(first.samples),
        *(samples, seed, level, correction),
        first.signature,
        first.titles,
    )


def common_images(systems: Mapping[str, Sequence[Sample]]) -> dict[str, list[Sample]]:
    """The samples of the images that every system has, in the first's order.

    Raises:
        InputError: There is no such image.
    """
    found = {n: {s.image_id: s for s in samples} for n, samples in systems.items()}
    first, *others = found.values()
    shared = [i for i in first if all(i in other for other in others)]
    if not shared:
        raise InputError("no image is common to all systems")
    return {name: [by_id[i] for i in shared] for name, by_id in found.items()}


def check_images(systems: Mapping[str, Sequence[Sample]]) -> None:
    """Refuse systems that lack images or references another system has.

    Raises:
        InputError: It lists the images each system lacks.
    """
    everything: dict[ImageId, tuple[str, ...]] = {}
    for samples in systems.values():
        for sample in samples:
            known = everything.setdefault(sample.image_id, sample.references)
            if known != sample.references:
                raise InputError(
                    f"image {shown(sample.image_id)} has different references in the "
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


def _same(name: str, first: Evaluation, other: str, second: Evaluation) -> None:
    if first.signature != second.signature:
        raise InputError(
            f"{name} and {other} are not comparable: {first.signature!r} "
            f"against {second.signature!r}"
        )
    check_images({name: first.samples, other: second.samples})


def _ordered(keys: Sequence[str], titles: Mapping[str, str]) -> list[str]:
    """Those of the papers first, in their order."""
    return [*titles, *(key for key in keys if key not in titles)]


def _corrected(
    tests: list[tuple[Any, ...]], correction: Correction, order: Sequence[str]
) -> tuple[PairTest, ...]:
    by_bootstrap = adjust([d.p_value for _, _, d, _ in tests], correction)
    by_randomization = adjust([p for *_, p in tests], correction)
    found = [
        PairTest(
            *(d.key, first, second, d.difference, d.low, d.high, d.p_value, p),
            *(float(b), float(r)),
        )
        for (first, second, d, p), b, r in zip(tests, by_bootstrap, by_randomization)
    ]
    rank = {key: i for i, key in enumerate(order)}
    return tuple(sorted(found, key=lambda test: rank[test.key]))
