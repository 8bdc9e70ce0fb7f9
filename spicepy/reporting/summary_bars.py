"""The values of the opening view: bars of shares and expected errors, by system.

`reporting.summarising` makes them, the page draws them, and `--table` writes them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from spicepy.common.plain_values import plain
from spicepy.common.tables import Cells, P, Table
from spicepy.diagnosis.results.expectations import EXPECTED, Expectation
from spicepy.diagnosis.results.paired import Pair

BEST: Final = (
    "bold: significantly better than every other system (paired approximate "
    "randomisation, Holm-corrected p below .05)"
)
TEST: Final = "p: paired approximate randomisation, two-sided, Holm-corrected"
PARTS = {
    "right": "right",
    "wrong": "wrong",
    "unsaid": "not said",
    "absent": "no object",
}
"""The names of a bar's parts as the page shows them."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One system's share of right answers (or of hallucinated objects).

    Attributes:
        parts: The names (right, wrong …) and numbers of the parts, from the left.
        share: The share of the first part in all objects, 0-1; None without objects.
        low, high: Its 95 % interval (Wilson).
        mean_error: The mean absolute error of numbers; None for other things.
        best: Whether the share is significantly better than every other system's.
    """

    parts: tuple[tuple[str, int], ...]
    share: float | None
    low: float | None
    high: float | None
    mean_error: float | None = None
    best: bool = False

    def number(self, name: str) -> int:
        """Return the number of objects of a part."""
        return dict(self.parts).get(name, 0)

    @property
    def total(self) -> int:
        """All objects."""
        return sum(number for _, number in self.parts)

    def stretches(self) -> Iterator[tuple[str, int, float, float]]:
        """Yield (part, number, start, length) of parts with objects, lengths in 0-1."""
        start = 0.0
        for name, number in self.parts:
            if number:
                yield name, number, start, number / self.total
                start += number / self.total


@dataclass(frozen=True, slots=True)
class Column:
    """The bars of all systems in one respect; `higher`: a larger share is better."""

    title: str
    note: str
    higher: bool
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class ExpectedErrors:
    """The expected errors of a caption, system by system.

    Attributes:
        title: "says wrong" or "leaves out".
        numbers: The mean of each system with its 95 % interval.
        best: The number of the system that is significantly better than all others.
        p_values: The p-value of each pair of systems, of their numbers from 0; 0-1,
            Holm-corrected over the pairs.
    """

    title: str
    numbers: tuple[Expectation, ...]
    best: int | None
    p_values: Mapping[Pair, float]

    def difference(self, pair: Pair) -> float:
        """Return how many errors more a caption of the first system has."""
        first, second = (self.numbers[k].mean or 0.0 for k in pair)
        return first - second


@dataclass(frozen=True, slots=True)
class SummaryBars:
    """The opening view as a result: rows are systems, columns are respects."""

    systems: tuple[str, ...]
    columns: tuple[Column, ...]
    expected: tuple[ExpectedErrors, ...] = ()

    def tables(self) -> tuple[Table, ...]:
        """Return tables of shares, expected errors and their tests; bold is best."""
        return tuple(t for t in (self._shares(), *self._expected()) if t.rows)

    def _shares(self) -> Table:
        rows = [
            (system, *(column.bars[k].share for column in self.columns))
            for k, system in enumerate(self.systems)
        ]
        names = (
            c.title if c.higher else f"{c.title} (lower is better)"
            for c in self.columns
        )
        best = frozenset(
            (row, place)
            for place, column in enumerate(self.columns, 1)
            for row, bar in enumerate(column.bars)
            if bar.best
        )
        title = "Shares of objects that systems get right"
        notes = [f"{column.title}: {column.note}" for column in self.columns]
        notes += [BEST] if len(self.systems) > 1 else []
        heads = ("System", *names)
        return Table(title, heads, rows, tuple(notes), digits=2, best=best)

    def _expected(self) -> Iterator[Table]:
        rows: list[Cells] = []
        for k, system in enumerate(self.systems):
            means = [expected.numbers[k] for expected in self.expected]
            rows.append((system, *(x for n in means for x in (n.mean, n.low, n.high))))
        heads = (x for e in self.expected for x in (e.title, "from", "to"))
        best = {(e.best, 1 + 3 * k) for k, e in enumerate(self.expected)}
        marked = frozenset((row, place) for row, place in best if row is not None)
        title = "Expected errors of a caption"
        yield Table(title, ("System", *heads), rows, (EXPECTED,), best=marked)
        tests = [
            (
                e.title,
                f"{self.systems[a]} - {self.systems[b]}",
                e.difference((a, b)),
                P(p),
            )
            for e in self.expected
            for (a, b), p in e.p_values.items()
        ]
        columns = ("Expected", "Systems", "difference", "p")
        title = "Expected errors: paired differences"
        yield Table(title, columns, tests, (TEST,))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        expected = [
            {
                "title": expected.title,
                "numbers": plain(expected.numbers),
                "best": expected.best,
                "tests": [
                    {"systems": list(pair), "p_value": p}
                    for pair, p in expected.p_values.items()
                ],
            }
            for expected in self.expected
        ]
        return {**plain(replace(self, expected=())), "expected": expected}
