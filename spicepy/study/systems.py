"""Correlation over systems, and the Williams test between two metrics.

There are none where fewer than three systems are named, since two points always lie on
a line.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from spicepy.captions.reading import read_records
from spicepy.captions.records import ColumnNames
from spicepy.captions.sample import clean, keys_of, listed
from spicepy.common.errors import InputError, brief
from spicepy.common.tables import Cell, Cells, P, Table
from spicepy.metrics.base import Array
from spicepy.study.coefficients import Coefficient, coefficient, williams_test
from spicepy.study.datasets import Judgment
from spicepy.study.scoring import SampleScores

SYSTEM_COEFFICIENTS = ("pearson", "spearman", "kendall-b")
_MIN_SYSTEMS = 3


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

    # `names`, `scores` and `ratings` are those of the systems that have a score.
    human: str
    key: str
    systems: int
    coefficients: tuple[Coefficient, ...]
    names: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    ratings: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class MetricDifference:
    """Test which metric has the larger Pearson correlation over systems (Williams)."""

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
    """Return corpus scores and mean ratings of the systems' rated captions."""
    members = _members(judgments, [bool(j.ratings[human]) for j in judgments])
    means = [
        float(np.mean([np.mean(judgments[i].ratings[human]) for i in rows]))
        for rows in members.values()
    ]
    return _means(members, scores, human, means)


def rated_systems(
    judgments: Sequence[Judgment],
    scores: SampleScores,
    human: str,
    ratings: Mapping[str, float],
) -> SystemMeans:
    """Return the means of systems rated as a whole, over all their captions."""
    members = _members(judgments, [j.system in ratings for j in judgments])
    return _means(members, scores, human, [ratings[name] for name in members])


def _members(
    judgments: Sequence[Judgment], wanted: Sequence[bool]
) -> dict[str, list[int]]:
    """Return the wanted captions of each named system."""
    members: dict[str, list[int]] = {}
    for i, judgment in enumerate(judgments):
        if judgment.system is not None and wanted[i]:
            members.setdefault(judgment.system, []).append(i)
    return members


def _means(
    members: Mapping[str, Sequence[int]],
    scores: SampleScores,
    human: str,
    ratings: Sequence[float],
) -> SystemMeans:
    scores_of = np.array([scores.corpus(np.array(rows)) for rows in members.values()])
    return SystemMeans(human, tuple(members), scores.keys, scores_of, np.array(ratings))


def correlate_systems(means: SystemMeans) -> Iterator[SystemCorrelation]:
    """Yield Pearson, Spearman and Kendall τ-b of every key over systems."""
    if len(means.systems) >= _MIN_SYSTEMS:
        for key, scores in zip(means.keys, means.scores.T, strict=True):
            known = ~np.isnan(scores)
            coefficients = [
                coefficient(n, scores[known], means.ratings[known])
                for n in SYSTEM_COEFFICIENTS
            ]
            yield SystemCorrelation(
                means.human,
                key,
                int(known.sum()),
                tuple(coefficients),
                tuple(n for n, k in zip(means.systems, known, strict=True) if k),
                tuple(scores[known].tolist()),
                tuple(means.ratings[known].tolist()),
            )


def metric_differences(means: SystemMeans) -> Iterator[MetricDifference]:
    """Yield the Williams test of every pair of keys."""
    if len(means.systems) <= _MIN_SYSTEMS:
        return
    for i, j in combinations(range(len(means.keys)), 2):
        x, y, human = means.scores[:, i], means.scores[:, j], means.ratings
        known = ~np.isnan(x) & ~np.isnan(y)
        first, second, between = (
            coefficient("pearson", a[known], b[known]).value
            for a, b in ((x, human), (y, human), (x, y))
        )
        t, p_value = williams_test(first, second, between, int(known.sum()))
        names = means.keys[i], means.keys[j]
        yield MetricDifference(means.human, *names, first, second, between, t, p_value)


def system_table(correlations: Sequence[SystemCorrelation]) -> Table:
    """Return one row for each human column and key."""
    columns = (
        *("human", "metric", "r", "p (r)", "ρ", "p (ρ)", "τ-b", "p (τ-b)", "systems"),
    )
    rows: list[Cells] = []
    for s in correlations:
        values = [v for c in s.coefficients for v in (c.value, P(c.p_value))]
        rows.append((s.human, s.key, *values, s.systems))
    return Table("Correlation with people, systems", columns, rows)


def difference_tables(differences: Sequence[MetricDifference]) -> Iterator[Table]:
    """Yield for each human column the p-values, keys against keys."""
    # The statistic t and the correlations that it is computed from are in the JSON
    # only.
    for human in dict.fromkeys(d.human for d in differences):
        p_values: dict[tuple[str, str], Cell] = {}
        for d in differences:
            if d.human == human:
                p_values[d.first, d.second] = p_values[d.second, d.first] = P(d.p_value)
        keys = tuple(dict.fromkeys(key for pair in p_values for key in pair))
        rows = tuple((a, *(p_values.get((a, b)) for b in keys)) for a in keys)
        note = "p of the Williams test, two-sided, not corrected for their number"
        title = f"Difference of two metrics, systems ({human})"
        yield Table(title, ("", *keys), rows, (note,))


# Human ratings of whole systems in place of captions.
#
# JSON lines, JSON or CSV, one system per record, with one or more columns of numbers:
#
#     {"system": "B", "M1": 0.27, "M2": 0.32}

SystemRatings = Mapping[str, Mapping[str, float]]  # Human column -> system -> rating


def read_system_ratings(path: str | Path) -> SystemRatings:
    """Read a file of systems with ratings: every column but `system` is a human one."""
    human: dict[str, dict[str, float]] = {}
    for where, record in read_records(path, ColumnNames("system")):
        key = "system" if "system" in record else "image_id"  # so it is called in CSV
        name = _system(record, key, where)
        where = f"{where} (system {brief(name)})"
        columns = [column for column in record if column != key]
        if not columns:
            raise InputError(f"{where}: no column of numbers apart from 'system'")
        if human and set(columns) != set(human):
            raise InputError(
                f"{where}: the columns are {clean(', '.join(columns))[:200]}, those of "
                f"the first system {', '.join(human)[:200]}"
            )
        for column in columns:
            ratings = human.setdefault(clean(column), {})
            if name in ratings:
                raise InputError(f"{where}: this system was rated before")
            ratings[name] = _number(record[column], f"{where}: {column}")
    return human


def check_systems(
    given: SystemRatings, judgments: Sequence[Judgment], names: Sequence[str]
) -> None:
    """Refuse ratings that do not fit the captions."""
    # Captions or systems must have ratings, no column those of both, and the systems of
    # the captions and of the ratings must be the same.
    if not given:
        if not names:
            raise InputError(
                "no human columns: neither captions nor systems have ratings"
            )
        return
    twice = [name for name in given if name in names]
    if twice:
        raise InputError(
            f"the human column {brief(twice[0])} rates captions and whole systems; "
            "give one of them another name"
        )
    wrote = {j.system for j in judgments if j.system is not None}
    for rated in given.values():
        silent = [name for name in rated if name not in wrote]
        if silent:
            raise InputError(f"rated systems without captions: {listed(silent)}")
        unrated = sorted(wrote - rated.keys())
        if unrated:
            raise InputError(f"systems without a rating: {listed(unrated)}")


def _system(record: Mapping[str, Any], key: str, where: str) -> str:
    value = record.get(key)
    if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
        return clean(str(value))
    if key not in record:
        raise InputError(f"{where}: no 'system' ({keys_of(record)})")
    raise InputError(f"{where}: system is {brief(value)}; it must be a name")


def _number(value: Any, where: str) -> float:
    try:
        number = float("x" if isinstance(value, bool) else value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not isfinite(number):
        raise InputError(f"{where} is {brief(value)}; it must be a number")
    return number
