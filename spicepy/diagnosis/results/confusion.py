"""Confusion maps: the values that candidates give objects, by the references' values.

In: observations of one aspect. Out: a `ConfusionMap`, whose rows are the references'
values and whose columns are the candidates' values.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from spicepy.common.tables import Cell, Table
from spicepy.diagnosis.findings import Observation
from spicepy.diagnosis.lexicon.aspects import Aspect, Value

UNSAID: Final = "not said"
ABSENT: Final = "no object"
_LARGE: Final = 4
_COUNTS: Final = ("1", "2", "3", f"{_LARGE}+", "many")


@dataclass(frozen=True, slots=True)
class ConfusionMap:
    """The number of objects for each pair of values.

    Attributes:
        aspect: The aspect.
        rows: The references' values.
        columns: The candidates' values, then "not said" and "no object".
        cells: (row, column) -> number of objects.
        wrong: Row -> the number of its objects on the diagonal that are wrong all the
            same, since different numbers such as 5 and 6, or "3 or 4" and "100 or
            more", share a row and a column.
    """

    aspect: Aspect
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Counter[tuple[str, str]]
    wrong: Counter[str]

    def share(self, row: str, column: str) -> float:
        """Return the share of a row's objects that are in a column, 0-1."""
        whole = self.objects(row)
        return self.cells[row, column] / whole if whole else 0.0

    def objects(self, row: str) -> int:
        """Return the number of objects to which the references give a row's value."""
        return sum(self.cells[row, column] for column in self.columns)

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
            f"{self.wrong[row]} of {self.cells[row, row]} in {row} are wrong numbers"
            for row in self.rows
            if self.wrong[row]
        ]

    def _cell(self, row: str, column: str) -> Cell:
        number = self.cells[row, column]
        return f"{number} ({100 * self.share(row, column):.0f})" if number else None


def confusion_map(aspect: Aspect, observations: Iterable[Observation]) -> ConfusionMap:
    """Return the map of an aspect; numbers from four on share a row and a column."""
    seen = [(shown_as(o.expected), _said(o), o.verdict) for o in observations]
    cells = Counter((expected, said) for expected, said, _ in seen)
    values = {value for pair in cells for value in pair} - {UNSAID, ABSENT}
    rows = in_order(aspect, values)
    wrong = Counter(a for a, b, verdict in seen if a == b and verdict == "wrong")
    return ConfusionMap(aspect, rows, (*rows, UNSAID, ABSENT), cells, wrong)


def in_order(aspect: Aspect, values: Iterable[str]) -> tuple[str, ...]:
    """Return values in the order of a map; maps of counts have the same rows always."""
    if aspect != "count":
        return tuple(sorted(values))
    return (*sorted(set(values).difference(_COUNTS)), *_COUNTS)


def shown_as(value: Value) -> str:
    """Return a value as a map shows it: numbers from four on as "4+"."""
    return f"{_LARGE}+" if isinstance(value, int) and value >= _LARGE else str(value)


def _said(seen: Observation) -> str:
    if seen.verdict == "absent":
        return ABSENT
    return UNSAID if seen.said is None else shown_as(seen.said)
