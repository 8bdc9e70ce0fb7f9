"""Results that CHAIR and counting share: captions and scores.

In: captions that a metric has measured against annotations. Out: their statistics,
corpus scores with intervals, and the table of scores.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final, Generic, TypeVar

import numpy as np

from spicepy.annotations.chair import CaptionObjects
from spicepy.annotations.counting import CaptionCounts
from spicepy.common.settings import SEED
from spicepy.common.tables import Cell, Table
from spicepy.evaluation.significance import Bootstrap, bootstrap
from spicepy.metrics.base import Metric, Statistics, number
from spicepy.metrics.totals import total

_HEADS: Final = {
    **{"low": "from", "high": "to"},
    **{"off-by-one": "off by one", "mae": "MAE", "always_two": "always two"},
}
"""The heads of columns that are not called as their values are."""

Caption = TypeVar("Caption", CaptionObjects, CaptionCounts)
Measure = TypeVar("Measure", bound=Metric)


@dataclass(frozen=True)
class MeasuredCaptions(Generic[Caption, Measure]):
    """Captions measured by one metric.

    Attributes:
        captions: Every caption with what was measured, in the order of the file.
        metric: The metric that measured them.
        seed: Random seed of the intervals.
    """

    captions: tuple[Caption, ...]
    metric: Measure
    seed: int = SEED
    titles: ClassVar[Mapping[str, str]]
    """The titles of the scores in tables."""
    width: ClassVar[int]
    """The number of columns of a row."""

    @cached_property
    def statistics(self) -> Statistics:
        """The row of each caption; an image has a row for each of its captions."""
        rows = np.array([c.row for c in self.captions]).reshape(-1, self.width)
        return Statistics(tuple(c.image_id for c in self.captions), rows)

    @property
    def signature(self) -> str:
        """Everything that can change the scores."""
        return "; ".join(f"{k}:{v}" for k, v in self.metric.signature().items())

    @property
    def signatures(self) -> tuple[str, ...]:
        """The signature, as pages show it."""
        return (self.signature,)

    def corpus(self) -> dict[str, float | None]:
        """Return the corpus scores by key, None where undefined."""
        rows = self.statistics.rows
        scores = self.metric.corpus_scores(total(rows), len(rows))
        return dict(zip(self.metric.keys, map(number, scores)))

    @cached_property
    def bootstrap(self) -> Bootstrap:
        """The 95 % intervals of the scores, from 1,000 resamples of captions."""
        return bootstrap(self.metric, self.statistics, seed=self.seed)

    def intervals(self) -> dict[str, list[float | None]]:
        """Return the ends of the intervals by key, None where undefined."""
        return {
            i.key: [number(i.low), number(i.high)] for i in self.bootstrap.intervals
        }

    def score_rows(self) -> tuple[tuple[Cell, ...], ...]:
        """Return the scores and their intervals as rows of a table."""
        intervals = self.bootstrap.intervals
        return tuple((self.titles[i.key], i.score, i.low, i.high) for i in intervals)


def entry_table(
    title: str,
    first: str,
    entries: Mapping[Any, Mapping[str, Any]],
    keys: Iterable[str],
    limit: int | None = None,
) -> Table:
    """Return a table of named entries, a row each.

    Args:
        title: The title of the table.
        first: The head of the names' column.
        entries: Name -> values by key.
        keys: The values to show.
        limit: The number of entries to show; None for all.
    """
    chosen, shown = tuple(keys), list(entries.items())[:limit]
    heads = (first, *(_HEADS.get(key, key) for key in chosen))
    rows = tuple((str(name), *(row[key] for key in chosen)) for name, row in shown)
    return Table(title, heads, rows)
