"""Comparing systems: every score side by side, with confidence and significance.

In: one `Evaluation` a system, over the same images. Out: a `Comparison`, whose
intervals and p-values come from the additive statistics alone: 1,000 resamples
of 5,000 images take seconds. Each metric is resampled once a system, and all pairs
share the resamples.

Source: Anderson et al. 2016, SPICE, Table 2 (the layout by category); Koehn 2004
and Riezler & Maxwell 2005 (the tests, see `spicepy.metrics.significance`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from spicepy.common.errors import InputError, brief, counted
from spicepy.common.json_values import plain
from spicepy.common.settings import SEED, Correction, Family, check_settings
from spicepy.common.tables import Cell, Cells, Table, highest
from spicepy.evaluation.evaluation import Evaluation
from spicepy.evaluation.pairwise import (
    POWER,
    PairTest,
    check_comparable,
    check_correction,
    corrected,
    floor_warning,
    pair_tests,
    resamples_for,
    rows_by_metric,
)
from spicepy.metrics.significance import (
    Interval,
    all_resampled,
    all_shuffled,
    intervals_of,
)

_WIDE = 10  # The most scores that are columns; more are rows.


@dataclass(frozen=True, slots=True)
class Comparison:
    """Scores of several systems on the same images.

    `intervals[key][i]` is the interval of system i. Scores are in their
    metric's range (0-1; CIDEr 0-10). `family` names the tests that were corrected
    together; `warnings` has the reasons for which no test can be significant. `further`
    are tables of other analyses of the systems, shown after those of the scores.
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
    family: Family = "score"
    warnings: tuple[str, ...] = ()
    lower_is_better: frozenset[str] = frozenset()
    further: tuple[Table, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain values, None for an undefined one."""
        values = dict(plain(replace(self, lower_is_better=frozenset())))
        del values["titles"], values["lower_is_better"]
        if not self.further:
            del values["further"]
        return values

    def title(self, key: str) -> str:
        """Return the title of a score's column, by default its key."""
        return self.titles.get(key, key)

    def tables(self) -> tuple[Table, ...]:
        """Return scores; intervals; with two or more systems, tests."""
        tests = (self.significance(),) if self.tests else ()
        return (self.scores(), self.confidence(), *tests, *self.further)

    def scores(self) -> Table:
        """Return one row per system, one column per score: the paper's Table 2.

        More than ten scores stand below each other, one column per system. The best of
        several systems is bold.
        """
        notes = (counted(self.images, "image"),)
        several = len(self.systems) > 1
        if len(self.intervals) > _WIDE:
            below: list[Cells] = [
                (self.title(key), *(each.score for each in intervals))
                for key, intervals in self.intervals.items()
            ]
            columns = ("Score", *self.systems)
            turned = self._best(list(zip(*below)), 0)
            best = frozenset((row, column) for column, row in turned if several)
            return Table("Scores", columns, below, notes, best=best)
        rows: list[Cells] = [
            (system, *(intervals[i].score for intervals in self.intervals.values()))
            for i, system in enumerate(self.systems)
        ]
        columns = ("System", *(self.title(key) for key in self.intervals))
        best = self._best(rows, 1) if several else frozenset()
        return Table("Scores", columns, rows, notes, best=best)

    def _best(
        self, rows: Sequence[Sequence[Cell]], first: int
    ) -> frozenset[tuple[int, int]]:
        """Return where the best scores stand; the columns of keys begin at `first`."""
        lower_is_better = {
            k
            for k, key in enumerate(self.intervals, first)
            if key in self.lower_is_better
        }
        turned = [
            [
                -c if k in lower_is_better and isinstance(c, float) else c
                for k, c in enumerate(row)
            ]
            for row in rows
        ]
        return highest(turned, range(first, first + len(self.intervals)))

    def confidence(self) -> Table:
        """Return one row per score and system, with its bootstrap interval."""
        rows: list[Cells] = [
            (self.title(key), system, interval.score, interval.low, interval.high)
            for key, intervals in self.intervals.items()
            for system, interval in zip(self.systems, intervals)
        ]
        note = (
            f"percentile bootstrap over {counted(self.images, 'image')}, "
            f"{self.samples} samples, seed {self.seed}"
        )
        percent = f"{100 * self.level:g} %"
        columns = ("Score", "System", "Value", f"{percent} low", f"{percent} high")
        return Table("Confidence intervals", columns, rows, (note,))

    def significance(self) -> Table:
        """Return one row per score and pair of systems: difference and p-values."""
        rows: list[Cells] = [
            (
                self.title(test.key),
                f"{test.first} - {test.second}",
                *(test.difference, test.low, test.high),
                *(test.p_bootstrap, test.p_randomization),
                *(test.corrected_bootstrap, test.corrected_randomization),
                test.detectable,
            )
            for test in self.tests
        ]
        columns = (
            *("Score", "Systems", "Difference", "low", "high"),
            *("p (bootstrap)", "p (randomization)"),
            *("corrected p (b)", "corrected p (r)", "detectable"),
        )
        size = _family_size(self.family, len(self.systems), len(self.intervals))
        together = "a score" if self.family == "score" else "the comparison"
        notes = (
            f"two-sided, {self.samples} samples (p from 1/{self.samples + 1}), "
            f"seed {self.seed}",
            f"correction: {self.correction}, over the tests of {together} ({size})",
            f"detectable: the smallest true difference that is found with a "
            f"probability of {POWER:g} on images like these",
            *self.warnings,
        )
        return Table("Paired differences", columns, rows, notes, digits=4)


def compare(
    systems: Mapping[str, Evaluation],
    *,
    samples: int | None = None,
    seed: int = SEED,
    level: float = 0.95,
    correction: Correction = "holm",
    family: Family = "score",
) -> Comparison:
    """Compare systems evaluated by the same metrics on the same images.

    Args:
        systems: The evaluation of each system by its name, in order.
        samples: Resamples (and shuffles) of the images; by default `samples_for`.
        seed: Random seed of every test; equal seeds give equal numbers.
        level: Confidence level, 0-1; a corrected p-value of 1 - level is significant.
        correction: The correction for many comparisons: "holm",
            "benjamini-hochberg", "none".
        family: Tests that are corrected together: those of one "score" (all pairs of
            systems) or "all" of the comparison.

    Raises:
        InputError: The systems' metrics or images differ, or an option is wrong.
    """
    if not systems:
        raise InputError("no systems to compare")
    if not isinstance(systems, Mapping):
        raise InputError("systems: a mapping of names to evaluations is expected")
    for name, one in systems.items():
        if not isinstance(one, Evaluation):
            raise InputError(f"{name}: found {brief(one)}; an evaluation is expected")
    check_correction(correction, family)
    check_settings(samples or 2, level, seed)
    check_comparable(systems)
    names, first = tuple(systems), next(iter(systems.values()))
    size = _family_size(family, len(names), len(first.keys))
    sharing = 1 if correction == "none" else size
    if samples is None:
        samples = samples_for(len(names), len(first.keys), level, correction, family)
    measured = rows_by_metric(systems)
    drawn = all_resampled(measured, samples, seed)
    swapped = all_shuffled(measured, samples, seed)
    intervals: dict[str, tuple[Interval, ...]] = {}
    tests: list[PairTest] = []
    for (metric, rows), resampled, p_values in zip(measured, drawn, swapped):
        each = [intervals_of(metric, r, d, level) for r, d in zip(rows, resampled)]
        intervals |= dict(zip(metric.keys, zip(*each), strict=True))
        for (i, j), p_value in p_values.items():
            tests += pair_tests(
                metric,
                (names[i], names[j]),
                (rows[i], rows[j]),
                resampled[i] - resampled[j],
                p_value,
                level=level,
                sharing=sharing,
            )
    # The scores of the papers come first.
    order = [*first.titles, *(key for key in first.keys if key not in first.titles)]
    images = len(first.samples)
    warning = floor_warning(size, samples, images, level, correction)
    return Comparison(
        names,
        {key: intervals[key] for key in order},
        corrected(tests, correction, family, order),
        *(images, samples, seed, level, correction),
        first.signature,
        first.titles,
        family,
        (warning,) if warning and tests else (),
        first.lower_is_better,
    )


def samples_for(
    systems: int,
    scores: int,
    level: float = 0.95,
    correction: Correction = "holm",
    family: Family = "score",
) -> int:
    """Return the number of resamples that `compare` takes by default.

    It is as many as the number of tests in a family needs, 1,000 or more, but for more
    than some 20 systems no more than are made in half a minute.

    Args:
        systems: The number of systems.
        scores: The number of scores.
        level: As for `compare`, as are the following.
        correction: The correction for many comparisons.
        family: Tests that are corrected together.
    """
    tests = 1 if correction == "none" else _family_size(family, systems, scores)
    return resamples_for(tests, level, pairs_of(systems))


def pairs_of(systems: int) -> int:
    """Return the number of pairs of systems, 1 if there is none."""
    return max(1, systems * (systems - 1) // 2)


def _family_size(family: Family, systems: int, scores: int) -> int:
    return pairs_of(systems) * (scores if family == "all" else 1)
