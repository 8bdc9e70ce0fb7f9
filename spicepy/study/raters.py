"""The agreement of raters with each other: the ceiling for every metric.

In: the ratings of each item; items with two or more ratings are compared. Out: an
`Agreement`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from spicepy.common.tables import Table
from spicepy.metrics.base import Array
from spicepy.study.coefficients import coefficient


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of the raters of one human column.

    Correlations (-1 to 1) are between a rating and the mean of the item's other
    ratings, over all ratings; `alpha` is Krippendorff's for interval data.
    """

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
    """Return mean τ-b of all pairs of raters, and how many raters there are.

    Source: Anderson et al. 2016, SPICE, the inter-human figure for Flickr8k, whose
    captions have the same three raters.
    """
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
    """Return one row a human column."""
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
