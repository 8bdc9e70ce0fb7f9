"""Overview: the numbers and shapes that the page's upper half draws.

In: a comparison, evaluations, diagnoses. Out: small values for the templates;
lengths are in SVG units, shares in 0-1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spicepy.diagnosis.diagnosis import Diagnosis
from spicepy.diagnosis.values import KINDS
from spicepy.diagnosis.words import ASPECTS, Aspect, Value, by_size
from spicepy.evaluation.comparison import Comparison
from spicepy.evaluation.evaluation import Evaluation

BINS = 20
_SHADES = 10
_TOP = 12
_UNSAID = "not said"


@dataclass(frozen=True, slots=True)
class Histogram:
    """One score's distribution: `shares[system][bin]` of its defined images."""

    title: str
    high: float
    shares: tuple[tuple[float, ...], ...]
    defined: tuple[int, ...]

    @property
    def top(self) -> float:
        """The largest share, for the scale."""
        return max((s for row in self.shares for s in row), default=0.0) or 1.0


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Values in the references (rows) against values said (columns).

    `cells[r][c]` is (number, shade 0-10), shades by shares of the row's values
    said; the last column, what was not said, by its share of the whole row.
    """

    system: str
    aspect: Aspect
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[tuple[int, int], ...], ...]


def titles(comparison: Comparison) -> dict[str, str]:
    """Every score's key and its title, in the paper's order."""
    return {
        key: comparison.titles.get(key, key.upper()) for key in comparison.intervals
    }


def axis(high: float) -> tuple[float, tuple[float, ...]]:
    """A round upper end of a scale from 0, and its ticks."""
    steps = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
    step = next((s for s in steps if high / s <= 6), 10)
    count = max(1, int(np.ceil(high / step - 1e-9)))
    return count * step, tuple(k * step for k in range(count + 1))


def bars(comparison: Comparison) -> dict[str, Any]:
    """SPICE's categories (or all scores, if none is titled) with their intervals."""
    named = titles(comparison)
    found = {
        named[key]: comparison.intervals[key]
        for key in comparison.titles or comparison.intervals
        if any(i.score == i.score for i in comparison.intervals[key])
    }
    finite = [i.high for each in found.values() for i in each if i.high == i.high]
    high, ticks = axis(max(finite, default=1.0) or 1.0)
    return {"groups": found, "high": high, "ticks": ticks}


def histograms(
    systems: Mapping[str, Evaluation], names: Mapping[str, str]
) -> list[Histogram]:
    """The distribution of every score over the images."""
    found = []
    for key, title in names.items():
        columns = []
        for evaluation in systems.values():
            scores = evaluation.image_scores(key).values()
            columns.append(np.array([s for s in scores if s is not None], float))
        high = max((float(c.max()) for c in columns if len(c)), default=1.0)
        high = 1.0 if high <= 1 else axis(high)[0]
        shares = tuple(
            tuple((np.histogram(c, BINS, (0, high))[0] / max(1, len(c))).tolist())
            for c in columns
        )
        found.append(Histogram(title, high, shares, tuple(map(len, columns))))
    return found


def heat_maps(diagnoses: Mapping[str, Diagnosis], aspect: Aspect) -> list[HeatMap]:
    """One map a system; all have the same rows and columns."""
    counted = {name: _confusion(found, aspect) for name, found in diagnoses.items()}
    pairs = [pair for cells in counted.values() for pair in cells]
    if not pairs:
        return []
    rows = sorted({e for e, _ in pairs}, key=by_size)
    said = {s for _, s in pairs if s != _UNSAID}
    columns: list[Value] = [*sorted(said, key=by_size), _UNSAID]
    maps = []
    for name, cells in counted.items():
        table = []
        for row in rows:
            said_of = [cells.get((row, column), 0) for column in columns]
            *given, unsaid = said_of
            shades = [_shaded(n, sum(given)) for n in given]
            table.append((*shades, _shaded(unsaid, sum(said_of))))
        texts = tuple(map(str, rows)), tuple(map(str, columns))
        maps.append(HeatMap(name, aspect, *texts, tuple(table)))
    return maps


def rankings(
    diagnoses: Mapping[str, Diagnosis],
) -> dict[str, list[list[tuple[str, int]]]]:
    """Kind of error -> for each system its most frequent tuples."""
    seen = {f.kind for d in diagnoses.values() for f in d.mistakes}
    return {
        kind: [found.most_frequent(kind, _TOP) for found in diagnoses.values()]
        for kind in KINDS
        if kind in seen
    }


def summaries(diagnoses: Mapping[str, Diagnosis]) -> list[tuple[str, str, Any]]:
    """(aspect, system, summary) where the references give a value at all."""
    found = [
        (aspect, name, diagnosis.summary(aspect))
        for aspect in ASPECTS
        for name, diagnosis in diagnoses.items()
    ]
    return [row for row in found if row[2]["observations"]]


def classes(diagnosis: Diagnosis, aspect: Aspect) -> Sequence[tuple[str, Any]]:
    """The most frequent object classes with a value, and their summaries."""
    return list(diagnosis.by_object(aspect).items())[:_TOP]


def _confusion(diagnosis: Diagnosis, aspect: Aspect) -> dict[tuple[Value, Value], int]:
    cells = dict(diagnosis.confusion(aspect))
    for o in diagnosis.of(aspect):
        if o.verdict == "unsaid":
            pair = o.expected, _UNSAID
            cells[pair] = cells.get(pair, 0) + 1
    return cells


def _shaded(number: int, total: int) -> tuple[int, int]:
    share = number / total if total else 0.0
    return number, 0 if not number else max(1, round(share * _SHADES))
