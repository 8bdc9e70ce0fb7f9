"""The correlation of metrics with human ratings, caption by caption.

In: judgments with their scores. Out: a `Correlation` for every human column and key,
and their table.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from spicepy.common.errors import unknown
from spicepy.common.progress import advance
from spicepy.common.settings import Raters
from spicepy.common.tables import Cells, P, Table
from spicepy.metrics.base import Array
from spicepy.study.coefficients import (
    COEFFICIENTS,
    Coefficient,
    coefficient,
    tied_pairs,
)
from spicepy.study.intervals import bootstrap_intervals
from spicepy.study.judgments import Judgment
from spicepy.study.scatter import NOTHING, Scatter, scatter_of


@dataclass(frozen=True, slots=True)
class Correlation:
    """One metric against one human column over all captions.

    `items` captions have a score and ratings, `points` enter the coefficients
    (more than items when raters are flattened). `ties` and `human_ties` are the
    shares of tied pairs of items, `zeros` is the share of items scored 0; `scatter`
    has the items as a picture shows them.
    """

    human: str
    key: str
    items: int
    points: int
    ties: float
    human_ties: float
    zeros: float
    coefficients: tuple[Coefficient, ...]
    scatter: Scatter = NOTHING

    def __getitem__(self, name: str) -> Coefficient:
        for each in self.coefficients:
            if each.name == name:
                return each
        raise unknown("coefficient", name, (c.name for c in self.coefficients))


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of raters and intervals."""

    raters: Raters
    samples: int
    level: float
    seed: int


def correlate_captions(
    judgments: Sequence[Judgment],
    keys: Sequence[str],
    values: Array,
    names: Sequence[str],
    settings: Settings,
) -> Iterator[Correlation]:
    """Yield every key against every human column.

    Args:
        judgments: Rated captions, in the order of the scores.
        keys: The scores' names.
        values: The scores, (captions, keys).
        names: The human columns.
        settings: Raters and intervals.
    """
    total = len(names) * len(keys)
    for i, human in enumerate(names):
        for k, key in enumerate(keys):
            advance("correlating", i * len(keys) + k, total)
            yield _correlation(human, key, values[:, k], judgments, settings)
    advance("correlating", total, total)


def _correlation(
    human: str,
    key: str,
    scores: Array,
    judgments: Sequence[Judgment],
    settings: Settings,
) -> Correlation:
    both = zip(judgments, scores.tolist(), strict=True)
    judged = [(j, s) for j, s in both if s == s and j.ratings[human]]
    scored = np.array([s for _, s in judged])
    means = np.array([np.mean(j.ratings[human]) for j, _ in judged])
    x, y, images = scored, means, [j.image_id for j, _ in judged]
    if settings.raters == "flatten":
        counts = [len(j.ratings[human]) for j, _ in judged]
        x = np.repeat(scored, counts)
        y = np.array([r for j, _ in judged for r in j.ratings[human]])
        images = [j.image_id for j, _ in judged for _ in j.ratings[human]]
    coefficients = [coefficient(name, x, y) for name in COEFFICIENTS]
    if settings.samples:
        intervals = bootstrap_intervals(
            x,
            y,
            images,
            samples=settings.samples,
            level=settings.level,
            seed=settings.seed,
        )
        coefficients = [
            replace(c, low=low, high=high)
            for c, (low, high) in zip(coefficients, intervals, strict=True)
        ]
    return Correlation(
        human,
        key,
        len(scored),
        len(x),
        tied_pairs(scored),
        tied_pairs(means),
        float((scored == 0).mean()) if len(scored) else float("nan"),
        tuple(coefficients),
        scatter_of(scored, means),
    )


def caption_table(
    correlations: Sequence[Correlation], protocol: Mapping[str, Any]
) -> Table:
    """Return one row a human column and key."""
    rows: list[Cells] = []
    for c in correlations:
        first, *others = c.coefficients
        bounds = (first.value, first.low, first.high, P(first.p_value))
        further = [v for f in others for v in (f.value, P(f.p_value))]
        counts = (c.items, c.points, c.ties, c.human_ties, c.zeros)
        rows.append((c.human, c.key, *bounds, *further, *counts))
    columns = (
        *("human", "metric", "τ-b", "low", "high", "p (τ-b)", "τ-c", "p (τ-c)"),
        *("ρ", "p (ρ)", "r", "p (r)"),
        *("captions", "points", "ties", "human ties", "zeros"),
    )
    notes = tuple(f"{name}: {value}" for name, value in protocol.items())
    return Table("Correlation with people, captions", columns, rows, notes)
