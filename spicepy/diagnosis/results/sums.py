"""Sums over the images of a diagnosis, and tests of whether two systems differ.

In: the observations, findings and expected numbers of images. Out: shares of verdicts,
rates of hallucinated objects, confusion maps and p-values.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, isnan, nan
from typing import Final, TypeVar

import numpy as np

from spicepy.common.settings import SEED
from spicepy.common.tables import Cell, Table
from spicepy.diagnosis.findings import (
    VERDICTS,
    Finding,
    ImageDiagnosis,
    Kind,
    Observation,
)
from spicepy.diagnosis.kinds import HALLUCINATED
from spicepy.diagnosis.lexicon.aspects import Aspect, Value
from spicepy.graph.matching import Counts
from spicepy.metrics.base import Array, means_of_defined, total
from spicepy.metrics.significance import Pair, adjust, shuffled_p_values, wilson
from spicepy.metrics.spice import CategoryScore

K = TypeVar("K", bound=Hashable)

EXPECTED_OF: Final = {"says wrong": "risk", "leaves out": "omissions"}
"""Question -> the attribute of an `ImageDiagnosis` with its expected number."""
ValueSummary = dict[str, float | int | None]
"""The values of `summarise`, in their order."""


def categories(counts: Sequence[Mapping[str, Counts]]) -> dict[str, CategoryScore]:
    """Return category -> its score over the images."""
    names = dict.fromkeys(name for of_image in counts for name in of_image)
    return {name: _category([c[name] for c in counts if name in c]) for name in names}


def _category(counts: Sequence[Counts]) -> CategoryScore:
    def mean(values: Iterable[float]) -> float:
        known = [v for v in values if not isnan(v)]
        return sum(known) / len(known) if known else nan

    return CategoryScore(
        mean(c.f for c in counts),
        mean(c.precision for c in counts),
        mean(c.recall for c in counts),
        sum(c.tp for c in counts),
        sum(c.fp for c in counts),
        sum(c.fn for c in counts),
        sum(c.defined for c in counts),
    )


def confusions(observations: Iterable[Observation]) -> dict[tuple[Value, Value], int]:
    """Return (expected, said) -> number of observations with both values."""
    pairs = weights(
        ((o.expected, o.said), o.weight) for o in observations if o.said is not None
    )
    return {pair: rounded(number) for pair, number in pairs.items()}


@dataclass(frozen=True, slots=True)
class Hallucinations:
    """Objects that the candidates have and the references do not.

    Source: after Rohrbach et al. 2018, section 3.1; their CHAIR also has what is
    annotated, and is measured with `--instances`.
    """

    per_caption: float | None  # The share of captions with such an object, 0-1
    per_mention: float | None  # The share of mentioned objects that are such, 0-1
    captions: int  # The number of captions
    mentions: int  # The number of mentioned objects
    classes: tuple[tuple[str, int], ...]  # (noun, number), the most frequent first


def hallucinations(images: Sequence[ImageDiagnosis]) -> Hallucinations:
    """Return the rates of hallucinated objects over the images, with their nouns."""
    kinds = HALLUCINATED
    own = [[f.members[0] for f in i.findings if f.kind in kinds] for i in images]
    return _rates(own, sum(image.mentions for image in images))


def unnamed_classes(images: Sequence[ImageDiagnosis]) -> Hallucinations:
    """Return the rates of a vocabulary's classes that no reference names."""
    own = [[name for name, there in i.objects if not there] for i in images]
    return _rates(own, sum(len(image.objects) for image in images))


def _rates(own: Sequence[Sequence[str]], mentions: int) -> Hallucinations:
    """Return the rates of invented names among mentions and captions."""
    names = Counter(name for of_image in own for name in of_image)
    return Hallucinations(
        sum(map(bool, own)) / len(own) if own else None,
        names.total() / mentions if mentions else None,
        len(own),
        mentions,
        tuple(sorted(names.items(), key=lambda item: (-item[1], item[0]))),
    )


def summarise(observations: Sequence[Observation]) -> ValueSummary:
    """Return the numbers and shares of verdicts, accuracy and mean absolute error."""
    verdicts = weights((o.verdict, o.weight) for o in observations)
    number = {verdict: verdicts.get(verdict, 0.0) for verdict in VERDICTS}
    whole, given = fsum(number.values()), number["right"] + number["wrong"]
    distances = [
        (o.weight * abs(o.said - o.expected), o.weight)
        for o in observations
        if isinstance(o.said, int) and isinstance(o.expected, int)
    ]
    distance, numbers = (fsum(x) for x in zip(*distances)) if distances else (0.0, 0.0)
    return {
        "observations": _number(whole),
        **{verdict: _number(number[verdict]) for verdict in VERDICTS},
        **{
            f"{verdict}_{name}": value
            for verdict in VERDICTS
            for name, value in _share(number[verdict], whole)
        },
        "accuracy": number["right"] / given if given else None,
        "mean_absolute_error": distance / numbers if numbers else None,
    }


def _number(weight: float) -> float | int:
    """Return a sum of weights, which has fractions only for numbers of things."""
    exact = round(weight, 2)
    return int(exact) if exact.is_integer() else exact


def _share(hits: float, total: float) -> list[tuple[str, float | None]]:
    low, high = wilson(hits, total) or (None, None)
    return [("share", hits / total if total else None), ("low", low), ("high", high)]


def classes(observations: Iterable[Observation]) -> dict[str, ValueSummary]:
    """Return `summarise` by object class, the most frequent first."""
    groups: dict[str, list[Observation]] = {}
    for observation in observations:
        groups.setdefault(observation.object, []).append(observation)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return {name: summarise(group) for name, group in ordered}


def most_frequent(findings: Iterable[Finding], kind: Kind) -> list[tuple[str, int]]:
    """Return the tuples of a kind with their numbers, the most frequent first."""
    printed = Counter(f.text for f in findings if f.kind == kind)
    return sorted(printed.items(), key=lambda item: (-item[1], item[0]))


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
