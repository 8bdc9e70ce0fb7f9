"""The correlation of metrics with human ratings, caption by caption."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from spicepy.common.errors import unknown
from spicepy.common.progress import advance
from spicepy.common.resources import LazyModule
from spicepy.common.settings import Raters
from spicepy.common.tables import Cells, P, Table
from spicepy.metrics.base import Array
from spicepy.study.coefficients import (
    COEFFICIENTS,
    Coefficient,
    bootstrap_intervals,
    coefficient,
    tied_pairs,
)
from spicepy.study.datasets import Judgment

stats = LazyModule("scipy.stats", "a study of correlations")

_ALL = 200  # Up to this many distinct points are kept as they are.
_CELLS = 30  # Otherwise points are moved to a grid with this many cells per side.


@dataclass(frozen=True, slots=True)
class Scatter:
    """Points and their regression line, rating = intercept + slope * score."""

    # `captions[i]` of them lie at (`scores[i]`, `ratings[i]`), or within a 60th of the
    # range around it. The line is NaN where it is undefined.
    scores: tuple[float, ...]
    ratings: tuple[float, ...]
    captions: tuple[int, ...]
    slope: float
    intercept: float


NOTHING = Scatter((), (), (), float("nan"), float("nan"))


def scatter_of(scores: Array, ratings: Array) -> Scatter:
    """Return the points of scores and ratings, in the same order, at most 900."""
    if not len(scores):
        return NOTHING
    both = np.column_stack([scores, ratings])
    places, counts = np.unique(both, axis=0, return_counts=True)
    if len(places) > _ALL:
        cells = np.column_stack([_binned(scores), _binned(ratings)])
        places, counts = np.unique(cells, axis=0, return_counts=True)
    return Scatter(
        tuple(places[:, 0].tolist()),
        tuple(places[:, 1].tolist()),
        tuple(counts.tolist()),
        *line(scores, ratings),
    )


def line(scores: Array, ratings: Array) -> tuple[float, float]:
    """Return the slope and intercept of a least squares fit; NaN where undefined."""
    if len(scores) < 2 or not np.ptp(scores):
        return float("nan"), float("nan")
    fitted = stats.linregress(scores, ratings)
    return float(fitted.slope), float(fitted.intercept)


def _binned(values: Array) -> Array:
    """Return each value moved to the middle of its cell; few distinct ones stay."""
    if len(np.unique(values)) <= _CELLS:
        return values
    low, width = values.min(), np.ptp(values) / _CELLS
    cells = np.minimum(np.floor((values - low) / width), _CELLS - 1)
    middle: Array = low + (cells + 0.5) * width
    return middle


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
    """Yield every key, of `values` (captions, keys), against every human column."""
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
        x = np.repeat(scored, [len(j.ratings[human]) for j, _ in judged])
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


def caption_table(correlations: Sequence[Correlation], notes: tuple[str, ...]) -> Table:
    """Return one row for each human column and key."""
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
    return Table("Correlation with people, captions", columns, rows, notes)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of the raters of one human column."""

    # Correlations (-1 to 1) are between a rating and the mean of the item's other
    # ratings, over all ratings; `alpha` is Krippendorff's for interval data.
    human: str
    items: int
    ratings: int
    kendall_b: float
    spearman: float
    pearson: float
    alpha: float
    between: float = float("nan")
    raters: int = 0


def agreement(human: str, ratings: Sequence[Sequence[float]]) -> Agreement | None:
    """Return the agreement over items with several ratings; None without any."""
    several = [np.array(r, dtype=np.float64) for r in ratings if len(r) > 1]
    if not several:
        return None
    own = np.concatenate(several)
    others = np.concatenate([(r.sum() - r) / (len(r) - 1) for r in several])
    return Agreement(
        human,
        len(several),
        len(own),
        coefficient("kendall-b", own, others).value,
        coefficient("spearman", own, others).value,
        coefficient("pearson", own, others).value,
        _alpha(several),
        *_between(several),
    )


def _between(items: Sequence[Array]) -> tuple[float, int]:
    """Return mean τ-b of all pairs of raters, and how many raters there are."""
    # Anderson et al. 2016, SPICE, the inter-human figure for Flickr8k, whose captions
    # have the same three raters.
    if len({len(ratings) for ratings in items}) > 1:
        return float("nan"), 0
    raters = np.array(items).T
    values = [coefficient("kendall-b", x, y).value for x, y in combinations(raters, 2)]
    known = [value for value in values if value == value]
    return float(np.mean(known)) if known else float("nan"), len(raters)


def _alpha(items: Sequence[Array]) -> float:
    """Return Krippendorff's alpha with squared differences, in closed form.

    1 - observed / expected disagreement; the mean squared difference of all
    ordered pairs among n values is twice their variance (n - 1 degrees).

    Source: Krippendorff 2004, Content Analysis, section 11.3.
    """
    pooled = np.concatenate(items)
    expected = 2 * pooled.var(ddof=1)
    observed = sum(len(r) * 2 * r.var(ddof=1) for r in items) / len(pooled)
    return float(1 - observed / expected) if expected else float("nan")


def agreement_table(agreements: Sequence[Agreement]) -> Table:
    """Return one row for each human column."""
    columns = (
        *("human", "τ-b of two raters", "τ-b", "ρ", "r", "Krippendorff's α"),
        *("raters", "captions", "ratings"),
    )
    rows = tuple(
        (
            *(a.human, a.between, a.kendall_b, a.spearman, a.pearson, a.alpha),
            *(a.raters or None, a.items, a.ratings),
        )
        for a in agreements
    )
    notes = (
        "τ-b of two raters: mean over all pairs of raters (the n-th number is the same "
        "person's); undefined where captions have different numbers of ratings",
        "other correlations: a rating with the mean of the caption's other ratings",
    )
    return Table("Agreement of people", columns, rows, notes)
