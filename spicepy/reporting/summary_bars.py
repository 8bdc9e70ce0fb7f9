"""At a glance: what each system gets right, wrong and leaves unsaid, as bars.

In: diagnoses. Out: a `SummaryBars`: one `Column` for objects, for each aspect that the
references give a value at all, and for hallucinations; each has a `Bar` a system, on
the scale 0-1.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from spicepy.common.plain_values import plain
from spicepy.common.tables import Cell, Table
from spicepy.diagnosis.findings import VERDICTS, ImageDiagnosis
from spicepy.diagnosis.kinds import HALLUCINATED
from spicepy.diagnosis.lexicon.aspects import ASPECTS, Aspect
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.diagnosis.results.tables import wilson
from spicepy.diagnosis.thresholds import SUPPORT

PARTS = {
    "right": "right",
    "wrong": "wrong",
    "unsaid": "not said",
    "absent": "no object",
}
"""The names of a bar's parts as the page shows them."""
_PLURALS = {"color": "colours", "gender": "gender", "age": "age"}


@dataclass(frozen=True, slots=True)
class Bar:
    """One system's share of right answers (or of hallucinated objects).

    Attributes:
        parts: The names (right, wrong …) and numbers of the parts, from the left; the
            first part is the one that counts.
        share: The first part of all objects, 0-1; None without objects.
        low, high: Its 95 % interval (Wilson).
        mean_error: How far numbers are off on average; None for other things.
        best: Whether no system has a better share.
    """

    parts: tuple[tuple[str, int], ...]
    share: float | None
    low: float | None
    high: float | None
    mean_error: float | None = None
    best: bool = False

    def number(self, name: str) -> int:
        """Return how many objects a part has."""
        return dict(self.parts).get(name, 0)

    @property
    def total(self) -> int:
        """All objects."""
        return sum(number for _, number in self.parts)

    def stretches(self) -> Iterator[tuple[str, int, float, float]]:
        """(part, number, start, length) of the parts that are there, 0-1."""
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
class SummaryBars:
    """The opening view: a row a system, a column a respect; also a result to write."""

    systems: tuple[str, ...]
    columns: tuple[Column, ...]

    def tables(self) -> tuple[Table, ...]:
        """Return the shares, the best in bold."""
        rows: list[tuple[Cell, ...]] = [
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
        notes = tuple(f"{column.title}: {column.note}" for column in self.columns)
        heads = ("System", *names)
        return (Table(title, heads, tuple(rows), notes, digits=2, best=best),)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return dict(plain(self))


def bars_of(diagnoses: Mapping[str, Diagnosis]) -> SummaryBars:
    """Objects, aspects and hallucinations, where there are any to judge."""
    own = list(diagnoses.values())
    if not own:
        return SummaryBars((), ())
    note = f"things that at least {SUPPORT} references have"
    judged = [_column("objects", note, map(_objects, own))]
    for aspect in ASPECTS:
        bars = (_verdicts(diagnosis, aspect) for diagnosis in own)
        title = _PLURALS.get(aspect, f"{aspect}s")
        note = f"things to which the references give a {aspect}"
        judged.append(_column(title, note, bars))
    note = "things in the candidates that no reference has or is like"
    invented = map(_hallucinations, own)
    judged.append(_column("hallucinations", note, invented, higher=False))
    known = (column for column in judged if any(bar.total for bar in column.bars))
    return SummaryBars(tuple(diagnoses), tuple(known))


def _column(
    title: str, note: str, bars: Iterator[Bar], *, higher: bool = True
) -> Column:
    made = list(bars)
    # Shares that look the same in percent are equally good.
    shown = [None if bar.share is None else round(bar.share, 2) for bar in made]
    known = {share for share in shown if share is not None}
    best = (max if higher else min)(known) if len(known) > 1 else None
    marked = (
        replace(bar, best=best is not None and share == best)
        for bar, share in zip(made, shown)
    )
    return Column(title, note, higher, tuple(marked))


def _bar(parts: Sequence[tuple[str, int]]) -> Bar:
    first, total = parts[0][1], sum(number for _, number in parts)
    low, high = wilson(first, total) or (None, None)
    return Bar(tuple(parts), first / total if total else None, low, high)


def _verdicts(diagnosis: Diagnosis, aspect: Aspect) -> Bar:
    """Return the objects to which the references give a value."""
    summary = diagnosis.summary(aspect)
    bar = _bar([(verdict, int(summary[verdict] or 0)) for verdict in VERDICTS])
    return replace(bar, mean_error=summary["mean_absolute_error"])


def _objects(diagnosis: Diagnosis) -> Bar:
    """Return the references' objects: named, taken for another, or missed."""
    right = wrong = missed = 0
    for image in diagnosis.by_image:
        right += sum(number >= needed(image) for number in image.shared)
        instead, unnamed = _lost(image)
        wrong += instead
        missed += unnamed
    return _bar([("right", right), ("wrong", wrong), ("absent", missed)])


def _lost(image: ImageDiagnosis) -> tuple[int, int]:
    """How many of the references' objects are another in the candidate, or none."""
    sure = [f for f in image.findings if (f.references or 0) >= needed(image)]
    instead = sum(f.kind in HALLUCINATED and f.expected is not None for f in sure)
    return instead, sum(f.kind == "missed object" for f in sure)


def needed(image: ImageDiagnosis) -> int:
    """Return the references that must have an object for it to be missed."""
    return min(SUPPORT, image.references)


def _hallucinations(diagnosis: Diagnosis) -> Bar:
    """Return the candidates' objects: invented ones first, then those that may be."""
    wrong = sum(finding.kind in HALLUCINATED for finding in diagnosis.findings)
    unsure = sum(diagnosis.hidden().get(kind, 0) for kind in HALLUCINATED)
    mentions = sum(image.mentions for image in diagnosis.by_image)
    right = max(0, mentions - wrong - unsure)
    return _bar([("wrong", wrong), ("unsaid", unsure), ("right", right)])
