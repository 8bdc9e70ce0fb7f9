"""Estimated errors per caption.

In: the expected numbers of errors by image. Out: an `Expectation`, or a table.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np

from spicepy.common.settings import SEED
from spicepy.common.tables import Cell, Table
from spicepy.diagnosis.findings import Observation
from spicepy.diagnosis.lexicon.aspects import Aspect, Value
from spicepy.metrics.base import Array, means_of_defined, total
from spicepy.metrics.significance import (
    Expectation,
    Pair,
    adjust,
    shuffled_p_values,
)

K = TypeVar("K", bound=Hashable)

EXPECTED: Final = (
    "each finding counts by its probability, hidden ones included; 95 % intervals"
)
"""The note below expected numbers."""
EXPECTED_OF: Final = {"says wrong": "risk", "leaves out": "omissions"}
"""Question -> the attribute of an `ImageDiagnosis` with its expected number."""


def expectation_table(expectations: Mapping[str, Expectation]) -> Table:
    """Return a table of expected errors by question."""
    rows = [(name, e.mean, e.low, e.high) for name, e in expectations.items()]
    title = "Estimated errors per caption"
    return Table(title, ("A caption", "mean", "from", "to"), rows, (EXPECTED,))


# Paired tests: whether the error rates of two systems differ significantly.
#
# Source: Riezler & Maxwell 2005, On Some Pitfalls in Automatic Evaluation and
# Significance Testing for MT, section 4 (approximate randomisation).

LEVEL: Final = 0.05  # A corrected p-value below this is significant
_SHUFFLES: Final = 2000  # How often the captions of both systems are swapped.


class _Rates:
    """Rates, of which an image has both parts side by side."""

    def corpus_scores(self, totals: Array, images: int = 0) -> Array:
        """Return rates from sums of parts: (..., 2 rates) -> (..., rates)."""
        return means_of_defined(totals)


def paired_p_values(systems: Sequence[Array]) -> dict[Pair, Array]:
    """Return the two-sided p-values (rates,) for every pair of systems."""
    # `systems` have the parts of each system's rates, (images, 2 rates), in one order
    # of images. A rate is the sum of its first part over images, divided by the sum of
    # its second part; one that is undefined has the p-value NaN.
    if not systems or not len(systems[0]):
        return {}
    return shuffled_p_values(_Rates(), systems, _SHUFFLES, SEED)


def corrected_p_values(systems: Sequence[Array]) -> dict[Pair, Array]:
    """Return `paired_p_values`, Holm-corrected for the number of pairs."""
    p_values = paired_p_values(systems)
    if not p_values:
        return {}
    corrected = [adjust(column) for column in zip(*p_values.values())]
    return dict(zip(p_values, np.array(corrected).T, strict=True))


def clearly_best(
    systems: Sequence[Array], p_values: Mapping[Pair, Array], higher: Sequence[bool]
) -> list[int | None]:
    """Return for each rate the system that is significantly better than every other."""
    # `p_values` are those of `corrected_p_values`; `higher`: whether a higher rate is
    # better.
    if not p_values:
        return [None] * len(higher)
    rates = [_Rates().corpus_scores(total(parts)) for parts in systems]
    found: list[int | None] = []
    for k, up in enumerate(higher):
        known = [n for n, own in enumerate(rates) if own[k] == own[k]]
        first = (max if up else min)(known, key=lambda n: rates[n][k], default=-1)
        pairs = [(min(first, n), max(first, n)) for n in known if n != first]
        clear = bool(pairs) and all(p_values[pair][k] < LEVEL for pair in pairs)
        found.append(first if clear else None)
    return found


# Confusion maps: the values that candidates give objects, by the references' values.

UNSAID: Final = "not said"
ABSENT: Final = "no object"
_LARGE: Final = 4
_COUNTS: Final = ("1", "2", "3", f"{_LARGE}+", "many")


@dataclass(frozen=True, slots=True)
class ConfusionMap:
    """The number of objects for each pair of values."""

    aspect: Aspect  # The aspect
    rows: tuple[str, ...]  # The references' values
    columns: tuple[str, ...]  # The candidates' values, then "not said" and "no object"
    cells: Mapping[tuple[str, str], float]  # (row, column) -> number of objects
    # Row -> the number of its objects on the diagonal that are wrong all the same,
    # since different numbers such as 5 and 6, or "3 or 4" and "100 or more", share a
    # row and a column.
    wrong: Mapping[str, float]

    def share(self, row: str, column: str) -> float:
        """Return the share of a row's objects that are in a column, 0-1."""
        whole = self.objects(row)
        return self.cells.get((row, column), 0.0) / whole if whole else 0.0

    def objects(self, row: str) -> float:
        """Return the number of objects to which the references give a row's value."""
        return sum(self.cells.get((row, column), 0.0) for column in self.columns)

    def table(self) -> Table:
        """Return a table of the numbers, each with its share of the row."""
        title = f"Confusion of {self.aspect}: columns are what candidates said"
        notes = ("in brackets: shares of the row in percent", *self.notes())
        rows = tuple(
            (row, *(self._cell(row, c) for c in self.columns)) for row in self.rows
        )
        return Table(
            title, (f"{self.aspect} in references", *self.columns), rows, notes
        )

    def notes(self) -> Sequence[str]:
        """Return a note on each row with wrong numbers on the diagonal."""
        return [
            f"{rounded(self.wrong[row])} of {rounded(self.cells[row, row])} in {row} "
            "are wrong numbers"
            for row in self.rows
            if row in self.wrong
        ]

    def _cell(self, row: str, column: str) -> Cell:
        number = self.cells.get((row, column))
        if not number:
            return None
        return f"{rounded(number)} ({100 * self.share(row, column):.0f})"


def confusion_map(aspect: Aspect, observations: Iterable[Observation]) -> ConfusionMap:
    """Return the map of an aspect; numbers of four or more share a row and a column."""
    seen = [((shown_as(o.expected), _said(o)), o) for o in observations]
    cells = weights((pair, o.weight) for pair, o in seen)
    values = {value for pair in cells for value in pair} - {UNSAID, ABSENT}
    rows = in_order(aspect, values)
    amiss = ((a, o.weight) for (a, b), o in seen if a == b and o.verdict == "wrong")
    wrong = weights(amiss)
    return ConfusionMap(aspect, rows, (*rows, UNSAID, ABSENT), cells, wrong)


def weights(pairs: Iterable[tuple[K, float]]) -> dict[K, float]:
    """Return key -> the sum of its weights."""
    sums: dict[K, float] = {}
    for key, weight in pairs:
        sums[key] = sums.get(key, 0.0) + weight
    return sums


def rounded(number: float) -> int:
    """Return a number of objects as a whole number; what is there is at least 1."""
    return max(1, round(number))


def in_order(aspect: Aspect, values: Iterable[str]) -> tuple[str, ...]:
    """Return values in the order of a map; maps of counts have the same rows always."""
    if aspect != "count":
        return tuple(sorted(values))
    return (*sorted(set(values).difference(_COUNTS)), *_COUNTS)


def shown_as(value: Value) -> str:
    """Return a value as a map shows it: numbers of four or more as "4+"."""
    return f"{_LARGE}+" if isinstance(value, int) and value >= _LARGE else str(value)


def _said(seen: Observation) -> str:
    if seen.verdict == "absent":
        return ABSENT
    return UNSAID if seen.said is None else shown_as(seen.said)
