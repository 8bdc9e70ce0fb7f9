"""Count what each system says right, says wrong and leaves out.

Differences between systems are tested image by image. A system is the best only if it
is significantly better than every other one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from spicepy.common.json_values import plain
from spicepy.common.tables import Cells, P, Table
from spicepy.common.writing import Displayed
from spicepy.diagnosis.findings import SUPPORT, VERDICTS, ImageDiagnosis
from spicepy.diagnosis.kinds import HALLUCINATED
from spicepy.diagnosis.lexicon.aspects import ASPECTS, Aspect
from spicepy.diagnosis.results import sums, tables
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.metrics.base import Array
from spicepy.metrics.significance import Expectation, Pair, expectation, wilson

BEST: Final = (
    "bold: significantly better than every other system (paired approximate "
    "randomization, Holm-corrected p below .05)"
)
TEST: Final = "p: paired approximate randomization, two-sided, Holm-corrected"
PARTS = {
    "right": "right",
    "wrong": "wrong",
    "unsaid": "not said",
    "absent": "no object",
}
"""The names of a bar's parts as the page shows them."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One system's share of right answers (or of hallucinated objects)."""

    # The names (right, wrong …) and numbers of the parts, from the left.
    parts: tuple[tuple[str, float], ...]
    # The share of the first part in all objects, 0-1; None without objects.
    share: float | None
    # low, high: Its 95 % interval (Wilson).
    low: float | None
    high: float | None
    # The mean absolute error of numbers; None for other things.
    mean_error: float | None = None
    # Whether the share is significantly better than every other system's.
    best: bool = False

    def number(self, name: str) -> int:
        """Return the number of objects of a part."""
        return round(dict(self.parts).get(name, 0))

    @property
    def total(self) -> float:
        """All objects."""
        return sum(number for _, number in self.parts)

    def stretches(self) -> Iterator[tuple[str, float, float, float]]:
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
    """The expected errors of a caption, system by system."""

    title: str  # "says wrong" or "leaves out"
    numbers: tuple[Expectation, ...]  # The mean of each system with its 95 % interval
    # The number of the system that is significantly better than all others.
    best: int | None
    # The p-value of each pair of systems, of their numbers from 0; 0-1, Holm-corrected
    # over the pairs.
    p_values: Mapping[Pair, float]

    def difference(self, pair: Pair) -> float:
        """Return how many errors more a caption of the first system has."""
        first, second = (self.numbers[k].mean or 0.0 for k in pair)
        return first - second


@dataclass(frozen=True, slots=True, repr=False)
class SummaryBars(Displayed):
    """The opening view as a result: rows are systems, columns are respects."""

    systems: tuple[str, ...]
    columns: tuple[Column, ...]
    expected: tuple[ExpectedErrors, ...] = ()
    signature: str = ""

    def tables(self) -> tuple[Table, ...]:
        """Return tables of shares, expected errors and their tests; bold is best."""
        made = (self._shares(), *self._expected())
        return tuple(replace(t, signature=self.signature) for t in made if t.rows)

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
        notes = [f"{c.title.capitalize()}: {c.note}" for c in self.columns]
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
        title = "Estimated errors per caption"
        yield Table(title, ("System", *heads), rows, (tables.EXPECTED,), best=marked)
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
        title = "Estimated errors: paired differences"
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


_PLURALS: Final = {"gender": "gender", "age": "age"}


@dataclass(frozen=True, slots=True)
class Respect:
    """A respect in which systems are compared."""

    title: str  # Its name, such as "counts"
    note: str  # A phrase that describes what is counted
    # The names of the parts of a bar; the share is that of the first part.
    parts: Sequence[str]
    # A function that returns the number of each part in an image.
    count: Callable[[ImageDiagnosis], Sequence[float]]
    higher: bool = True  # Whether a larger share is better
    # The aspect of objects that is compared, None for objects themselves.
    aspect: Aspect | None = None


def bars_of(diagnoses: Mapping[str, Diagnosis]) -> SummaryBars:
    """Return expected errors, objects, aspects and hallucinations, as far as known."""
    systems = _in_one_order(list(diagnoses.values()))
    if not systems:
        return SummaryBars((), ())
    counted = [
        (respect, [np.array(list(map(respect.count, x)), float) for x in systems])
        for respect in _respects()
    ]
    known = [(r, numbers) for r, numbers in counted if any(n.any() for n in numbers)]
    named = list(sums.EXPECTED_OF.items())
    means = [
        [np.array([getattr(i, name) for i in images], float) for images in systems]
        for _, name in named
    ]
    rates = [[_share(n) for n in numbers] for _, numbers in known]
    # A rate of 1 is a mean.
    rates += [[np.stack([n, np.ones_like(n)], 1) for n in numbers] for numbers in means]
    by_system = [np.hstack(columns) for columns in zip(*rates)]
    higher = [respect.higher for respect, _ in known] + [False] * len(named)
    p_values = sums.corrected_p_values(by_system)
    best = sums.clearly_best(by_system, p_values, higher)
    columns = [
        _column(respect, numbers, list(diagnoses.values()), first)
        for (respect, numbers), first in zip(known, best)
    ]
    expected = [
        ExpectedErrors(
            title,
            tuple(expectation(values.tolist()) for values in means[k]),
            best[len(known) + k],
            {pair: float(values[len(known) + k]) for pair, values in p_values.items()},
        )
        for k, (title, _) in enumerate(named)
    ]
    [signature, *_] = (diagnosis.signature for diagnosis in diagnoses.values())
    return SummaryBars(tuple(diagnoses), tuple(columns), tuple(expected), signature)


def _respects() -> list[Respect]:
    note = f"things that at least {SUPPORT} references have"
    respects = [Respect("objects", note, ("right", "wrong", "absent"), _objects)]
    for aspect in ASPECTS:
        title = _PLURALS.get(aspect, f"{aspect}s")
        note = f"things whose {aspect} the references give"
        if aspect == "count":
            note = "things to which two or more references give a number"
        count = _verdicts(aspect)
        respects.append(Respect(title, note, VERDICTS, count, aspect=aspect))
    note = "things in the candidates that no reference has or is like"
    parts = ("wrong", "unsaid", "right")
    last = Respect("hallucinations", note, parts, _hallucinations, higher=False)
    return [*respects, last]


def _in_one_order(diagnoses: Sequence[Diagnosis]) -> list[Sequence[ImageDiagnosis]]:
    """Return the images of each system in the order of the first system."""
    if not diagnoses:
        return []
    order = [image.image_id for image in diagnoses[0].by_image]
    by_id = [{image.image_id: image for image in d.by_image} for d in diagnoses]
    return [[images[image_id] for image_id in order] for images in by_id]


def _share(numbers: Array) -> Array:
    """Return (first part, sum of the parts): (images, parts) -> (images, 2)."""
    return np.stack([numbers[:, 0], numbers.sum(axis=1)], axis=1)


def _column(
    respect: Respect,
    numbers: Sequence[Array],
    diagnoses: Sequence[Diagnosis],
    best: int | None,
) -> Column:
    bars = []
    for k, (counts, diagnosis) in enumerate(zip(numbers, diagnoses)):
        parts = tuple(zip(respect.parts, counts.sum(axis=0).tolist()))
        bar = replace(_bar(parts), best=k == best)
        if respect.aspect is not None:
            error = diagnosis.summary(respect.aspect)["mean_absolute_error"]
            bar = replace(bar, mean_error=error)
        bars.append(bar)
    return Column(respect.title, respect.note, respect.higher, tuple(bars))


def _bar(parts: tuple[tuple[str, float], ...]) -> Bar:
    first, total = parts[0][1], sum(number for _, number in parts)
    low, high = wilson(first, total) or (None, None)
    return Bar(parts, first / total if total else None, low, high)


def _verdicts(aspect: Aspect) -> Callable[[ImageDiagnosis], Sequence[float]]:
    """Return a function that counts the verdicts on values of an aspect."""

    def count(image: ImageDiagnosis) -> Sequence[float]:
        own = (o for o in image.observations if o.aspect == aspect)
        found = sums.weights((o.verdict, o.weight) for o in own)
        return [found.get(verdict, 0.0) for verdict in VERDICTS]

    return count


def _objects(image: ImageDiagnosis) -> Sequence[int]:
    """Return the numbers of the references' objects named, confused and left out."""
    # Their sum is the same for all systems.
    needed = min(SUPPORT, image.references)
    had = [said for number, said in image.shared if number >= needed]
    sure = (f for f in image.findings if (f.references or 0) >= needed)
    instead = sum(f.kind in HALLUCINATED and f.expected is not None for f in sure)
    instead = min(instead, had.count(False))
    return had.count(True), instead, had.count(False) - instead


def _hallucinations(image: ImageDiagnosis) -> Sequence[int]:
    """Return the numbers of invented, possibly invented and other objects said."""
    wrong = sum(finding.kind in HALLUCINATED for finding in image.findings)
    unsure = sum(kind in HALLUCINATED for kind in image.hidden)
    return wrong, unsure, max(0, image.mentions - wrong - unsure)
