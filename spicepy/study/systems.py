"""Correlation over systems, and the Williams test between two metrics.

In: judgments whose captions name the system that wrote them, with their scores.
Out: `SystemCorrelation` and `MetricDifference` values; none where fewer than
three systems are named, since two points always lie on a line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from spicepy.common.tables import Cell, Table
from spicepy.metrics.base import Array
from spicepy.study.coefficients import Coefficient, coefficient
from spicepy.study.judgments import Judgment
from spicepy.study.scoring import SampleScores
from spicepy.study.williams import williams

SYSTEM_COEFFICIENTS = ("pearson", "spearman", "kendall-b")
_FEWEST = 3


@dataclass(frozen=True, slots=True)
class SystemMeans:
    """Corpus scores (systems, keys) and mean ratings (systems,) of systems."""

    human: str
    systems: tuple[str, ...]
    keys: tuple[str, ...]
    scores: Array
    ratings: Array


@dataclass(frozen=True, slots=True)
class SystemCorrelation:
    """Corpus scores of systems against their mean human scores."""

    human: str
    key: str
    systems: int
    coefficients: tuple[Coefficient, ...]


@dataclass(frozen=True, slots=True)
class MetricDifference:
    """Williams test: which metric's Pearson correlation over systems is larger?"""

    human: str
    first: str
    second: str
    r_first: float
    r_second: float
    r_between: float
    t: float
    p_value: float


def system_means(
    judgments: Sequence[Judgment], scores: SampleScores, human: str
) -> SystemMeans:
    """The corpus score and the mean rating of every named system's rated captions.

    Args:
        judgments: Rated captions, in the order of the scores.
        scores: Their scores.
        human: The human column.
    """
    members: dict[str, list[int]] = {}
    for i, judgment in enumerate(judgments):
        if judgment.system is not None and judgment.ratings[human]:
            members.setdefault(judgment.system, []).append(i)
    means = [
        np.mean([np.mean(judgments[i].ratings[human]) for i in rows])
        for rows in members.values()
    ]
    return SystemMeans(
        human,
        tuple(members),
        scores.keys,
        np.array([scores.corpus(np.array(rows)) for rows in members.values()]),
        np.array(means),
    )


def correlate_systems(means: SystemMeans) -> Iterator[SystemCorrelation]:
    """Pearson, Spearman and Kendall τ-b of every key over systems."""
    if len(means.systems) >= _FEWEST:
        for key, scores in zip(means.keys, means.scores.T, strict=True):
            known = ~np.isnan(scores)
            found = [
                coefficient(n, scores[known], means.ratings[known])
                for n in SYSTEM_COEFFICIENTS
            ]
            yield SystemCorrelation(means.human, key, int(known.sum()), tuple(found))


def metric_differences(means: SystemMeans) -> Iterator[MetricDifference]:
    """The Williams test of every pair of keys."""
    if len(means.systems) <= _FEWEST:
        return
    for i, j in combinations(range(len(means.keys)), 2):
        x, y, human = means.scores[:, i], means.scores[:, j], means.ratings
        known = ~np.isnan(x) & ~np.isnan(y)
        first, second, between = (
            coefficient("pearson", a[known], b[known]).value
            for a, b in ((x, human), (y, human), (x, y))
        )
        t, p_value = williams(first, second, between, int(known.sum()))
        names = means.keys[i], means.keys[j]
        yield MetricDifference(means.human, *names, first, second, between, t, p_value)


def system_table(found: Sequence[SystemCorrelation]) -> Table:
    """One row a human column and key."""
    columns = (
        "human",
        "metric",
        "r",
        "p (r)",
        "ρ",
        "p (ρ)",
        "τ-b",
        "p (τ-b)",
        "systems",
    )
    rows: list[tuple[Cell, ...]] = []
    for s in found:
        values = [v for c in s.coefficients for v in (c.value, c.p_value)]
        rows.append((s.human, s.key, *values, s.systems))
    return Table("Correlation with people, systems", columns, tuple(rows))


def difference_table(found: Sequence[MetricDifference]) -> Table:
    """One row a pair of keys."""
    columns = ("human", "first", "second", "r first", "r second", "r between", "t", "p")
    rows = tuple(
        (d.human, d.first, d.second, d.r_first, d.r_second, d.r_between, d.t, d.p_value)
        for d in found
    )
    notes = ("Williams test, two-sided; t > 0: the first metric correlates better",)
    return Table("Difference of two metrics, systems", columns, rows, notes)
