"""The credit of a metric for every pair, and its means by category.

In: scores of both captions of each pair. Out: `Accuracy` values and their tables.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spicepy.common.plurals import counted
from spicepy.common.tables import Cells, Table
from spicepy.metrics.base import Array
from spicepy.study.preferences import Pair
from spicepy.study.scoring import SampleScores

ALL = "all pairs"
MEAN = "mean of categories"

CREDIT: Mapping[str, float] = {"half": 0.5, "strict": 0.0, "equal": 1.0}
_TIE = 1e-12  # Scores closer than this are a tie, since sums are rounded.


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Accuracy (0-1) of one key in one category with a given number of references.

    `accuracy` is the mean over repeated samples of references, `sd` its standard
    deviation between samples (n - 1 degrees of freedom; NaN for one sample). `tied` is
    the share of pairs with equal scores, which count by the tie rule. Two undefined
    scores are a tie; an undefined score loses against a defined one. `references` is
    None if all were used.
    """

    key: str
    category: str
    references: int | None
    accuracy: float
    sd: float
    tied: float
    pairs: int


def accuracies_of(
    preferences: Sequence[Pair], scores: SampleScores, count: int | None, credit: float
) -> Iterator[Accuracy]:
    """Yield accuracies of every key and category, their mean and the whole."""
    kinds = np.array([pair.category for pair in preferences], dtype=object)
    names = sorted(set(kinds)) if len(set(kinds)) > 1 else []
    signs = np.array([1.0 if p.preferred == "a" else -1.0 for p in preferences])
    for key in scores.keys:
        ahead, ties = lead(scores[key], len(preferences))
        credits = np.where(ties, credit, ahead * signs > 0)
        tied = ties.astype(np.float64)
        means = {name: credits[:, kinds == name].mean(axis=1) for name in names}
        for name in names:
            pairs_of = kinds == name
            yield _accuracy(key, name, count, means[name], tied[:, pairs_of])
        if names:
            mean = np.mean(list(means.values()), axis=0)
            yield _accuracy(key, MEAN, count, mean, tied)
        yield _accuracy(key, ALL, count, credits.mean(axis=1), tied)


def lead(scores: Array, pairs: int) -> tuple[Array, NDArray[np.bool_]]:
    """Return the lead of the first caption, and whether scores tie: (repeats, pairs).

    Args:
        scores: Scores of one key, ordered by pair, then repeat, then caption. An
            undefined score ranks last.
        pairs: Number of pairs.
    """
    both = scores.reshape(pairs, -1, 2).swapaxes(0, 1)
    ranked = np.where(np.isnan(both), -np.inf, both)
    with np.errstate(invalid="ignore"):
        ahead = ranked[..., 0] - ranked[..., 1]
    ties = np.isnan(ahead) | (np.abs(ahead) <= _TIE)
    return np.where(ties, 0.0, ahead), ties


def first_wins(scores: Array, pairs: int) -> Array:
    """Return the share of repeats that the first caption wins; ties are half: (pairs,).

    Arguments as for `lead`.
    """
    ahead, ties = lead(scores, pairs)
    shares: Array = np.where(ties, 0.5, ahead > 0).mean(axis=0)
    return shares


def _accuracy(
    key: str, category: str, count: int | None, repeats: Array, tied: Array
) -> Accuracy:
    sd = float(repeats.std(ddof=1)) if len(repeats) > 1 else float("nan")
    mean = float(repeats.mean())
    return Accuracy(key, category, count, mean, sd, float(tied.mean()), tied.shape[1])


def accuracy_tables(
    accuracies: Sequence[Accuracy], notes: tuple[str, ...]
) -> Iterator[Table]:
    """Yield metrics by category; if references vary, one table a category more."""
    counts = list(dict.fromkeys(a.references for a in accuracies))
    yield _by_category(accuracies, counts[-1], notes)
    if len(counts) > 1:
        yield from _by_references(accuracies, notes)


def _by_category(
    accuracies: Sequence[Accuracy], count: int | None, notes: tuple[str, ...]
) -> Table:
    chosen = [a for a in accuracies if a.references == count]
    categories = tuple(dict.fromkeys(a.category for a in chosen))
    keys = dict.fromkeys(a.key for a in chosen)
    cells = {(a.key, a.category): a for a in chosen}
    rows: list[Cells] = []
    for key in keys:
        values = [cells[key, category].accuracy for category in categories]
        rows.append((key, *values, cells[key, ALL].tied))
    title = f"Pairwise accuracy, {of_references(count)}"
    return Table(title, ("metric", *categories, "tied"), rows, notes)


def of_references(count: int | None) -> str:
    """Return a number of references in words; None is all of them."""
    return "all references" if count is None else counted(count, "reference")


def _by_references(
    accuracies: Sequence[Accuracy], notes: tuple[str, ...]
) -> Iterator[Table]:
    counts = tuple(dict.fromkeys(a.references for a in accuracies))
    cells = {(a.key, a.category, a.references): a for a in accuracies}
    keys = tuple(dict.fromkeys(a.key for a in accuracies))
    columns = [f"{c or 'all'}{part}" for c in counts for part in ("", " sd")]
    for category in dict.fromkeys(a.category for a in accuracies):
        rows: list[Cells] = []
        for key in keys:
            chosen = [cells[key, category, c] for c in counts]
            rows.append((key, *(v for a in chosen for v in (a.accuracy, a.sd))))
        title = f"Accuracy by number of references, {category}"
        yield Table(title, ("metric", *columns), rows, notes)
