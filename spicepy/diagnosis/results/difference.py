"""Differences: the errors that a new version of a captioner fixed and made.

In: the diagnoses of both versions on the same images, and their captions. Out: a
`Difference`: errors that are gone, new or still there, kind by kind, with examples;
and for counts, colours … how many objects became right, and how many no longer are.

Two errors of an image are one and the same if they are of one kind and about one
thing: the thing whose value is wrong, or the one that is missed or taken for another.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import comb
from operator import attrgetter
from typing import Any, Final, Literal

from spicepy.common.plain_values import plain
from spicepy.common.tables import Cell, Table
from spicepy.diagnosis.findings import Finding, ImageDiagnosis, Kind
from spicepy.diagnosis.kinds import NAMES, REMARKS
from spicepy.diagnosis.lexicon.aspects import ASPECTS, Aspect
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.samples.sample import ImageId, Sample

Change = Literal["fixed", "broken", "kept"]
ALL: Final = "all errors"
"""The name of the sum over all kinds of errors."""
EXAMPLES: Final = 3
"""Examples of a kind, fixed and broken, that the tables show."""

_LEAST: Final = 0.001  # The least p-value that is printed.
_EXPECTED: Final = {"wrong statements": "risk", "things left out": "omissions"}


@dataclass(frozen=True, slots=True)
class ChangedError:
    """An error that the new version fixed, made (broken) or kept.

    Attributes:
        finding: The error; of a kept one, the new version's.
        old, new: The captions of both versions.
        reference: The image's first reference.
    """

    change: Change
    finding: Finding
    old: str
    new: str
    reference: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        finding: Finding = self.finding
        return {
            "image_id": finding.image_id,
            "change": self.change,
            "error": finding.kind,
            "tuple": ", ".join(finding.members),
            "expected": finding.expected,
            "said": finding.said,
            "references": finding.references,
            "words": finding.words,
            "probability": finding.probability,
            "old": self.old,
            "new": self.new,
            "reference": self.reference,
        }


@dataclass(frozen=True, slots=True)
class Balance:
    """Numbers of errors of one kind (or of objects that are right) in both versions.

    Attributes:
        old, new: How many there are.
        gone: In the old version only.
        added: In the new version only.
        p_value: The p-value of the sign test over images, 0-1: the probability that
            as many images or more change to one side if both are equally likely.
    """

    name: str
    old: int
    new: int
    gone: int
    added: int
    p_value: float


@dataclass(frozen=True, slots=True)
class Expected:
    """Expected numbers a caption in both versions, hidden findings included.

    Attributes:
        name: "wrong statements" or "things left out".
        old, new: The means over images.
        p_value: The p-value of the sign test over images, 0-1.
    """

    name: str
    old: float
    new: float
    p_value: float


@dataclass(frozen=True)
class Difference:
    """The changes of a new version, image by image.

    Attributes:
        systems: The names of the old and the new version.
        images: How many images there are.
        errors: A balance for each kind of error that occurs.
        right: A balance of right objects for each aspect that occurs.
        changes: Every error of both versions, kind by kind in the images' order.
        expected: The expected numbers of wrong statements and of omissions.
        signature: How captions were read.
    """

    systems: tuple[str, str]
    images: int
    errors: tuple[Balance, ...]
    right: tuple[Balance, ...]
    changes: tuple[ChangedError, ...]
    expected: tuple[Expected, ...] = ()
    signature: str = ""

    def examples(
        self, kind: str, change: Change, number: int = EXAMPLES
    ) -> list[ChangedError]:
        """Return the first errors of a kind that were fixed (broken, kept)."""
        changes = (
            c for c in self.changes if (c.finding.kind, c.change) == (kind, change)
        )
        return [example for example, _ in zip(changes, range(number))]

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers and every changed error as plain values."""
        return {
            "systems": list(self.systems),
            "images": self.images,
            "signature": self.signature,
            "expected": plain(self.expected),
            "errors": plain(self.errors),
            "right": plain(self.right),
            "changes": [change.to_dict() for change in self.changes],
        }

    def tables(self) -> tuple[Table, ...]:
        """Return errors by kind, right objects by aspect, examples."""
        tables = [self._expected(), self._errors()]
        if self.right:
            tables.append(self._right())
        for change in ("fixed", "broken"):
            if table := self._examples(change):
                tables.append(table)
        return tuple(tables)

    def rows(self) -> dict[str, Table]:
        """Return tables by name: a row for each changed error, and the sums."""
        rows = [tuple(change.to_dict().values()) for change in self.changes]
        names = tuple(self.changes[0].to_dict()) if self.changes else ("image_id",)
        tables = {"errors": Table("Changed errors", names, tuple(rows))}
        return tables | {"kinds": self._errors(), "values": self._right()}

    def _errors(self) -> Table:
        old, new = self.systems
        columns = ("Error", old, new, "fixed", "broken", "p")
        notes = (
            f"{self.images} images; fixed: errors of {old} only, broken: of {new} only",
            "p: sign test over the images with fewer or more errors of the kind",
            "less specific, more specific: other words, no errors",
        )
        title = f"Errors: what {new} fixed and broke"
        return Table(title, columns, tuple(map(_row, self.errors)), notes)

    def _expected(self) -> Table:
        rows = tuple((e.name, e.old, e.new, _p_value(e.p_value)) for e in self.expected)
        note = "sums of the probabilities of all findings, listed or hidden"
        title = "Expected a caption"
        return Table(title, ("Expected", *self.systems, "p"), rows, (note,))

    def _right(self) -> Table:
        old, new = self.systems
        columns = ("Right", old, new, "no longer right", "became right", "p")
        note = "objects to which the references give a value, and the candidate as well"
        title = f"Counts, colours …: what {new} says right"
        return Table(title, columns, tuple(map(_row, self.right)), (note,))

    def _examples(self, change: Change) -> Table | None:
        old, new = self.systems
        examples = [c for b in self.errors for c in self.examples(b.name, change)]
        rows: list[tuple[Cell, ...]] = [
            (c.finding.kind, _about(c.finding), c.finding.image_id, c.old, c.new)
            for c in examples
        ]
        columns = ("Error", "about", "image", old, new)
        title = f"Examples: {change}"
        return Table(title, columns, tuple(rows)) if rows else None


def compare_versions(
    systems: Mapping[str, tuple[Diagnosis, Sequence[Sample]]], signature: str = ""
) -> Difference:
    """Compare the errors of two versions.

    Args:
        systems: The old, then the new version: its diagnosis and its samples, of the
            same images in the same order.
        signature: How the captions were read, kept with the result.
    """
    (old_name, (old, old_samples)), (new_name, (new, new_samples)) = systems.items()
    pairs = list(zip(old.by_image, new.by_image, strict=True))
    changes = [
        ChangedError(change, finding, a.candidate, b.candidate, a.references[0])
        for (one, other), a, b in zip(pairs, old_samples, new_samples, strict=True)
        for change, finding in _changes(one, other)
    ]
    changes.sort(key=lambda c: NAMES.index(c.finding.kind))
    by_kind = {kind: tuple(c) for kind, c in groupby(changes, lambda c: c.finding.kind)}
    errors = [_balance(kind, findings) for kind, findings in by_kind.items()]
    kinds = [*(k for k in by_kind if k not in REMARKS)]
    mistakes = [change for kind in kinds for change in by_kind[kind]]
    remarks = [e for e in errors if e.name not in kinds]
    every = _balance(ALL, mistakes)
    right = tuple(b for b in (_right(a, pairs) for a in ASPECTS) if b.old or b.new)
    return Difference(
        (old_name, new_name),
        len(pairs),
        (*(e for e in errors if e.name in kinds), every, *remarks),
        right,
        tuple(changes),
        tuple(_expected(name, pairs) for name in _EXPECTED),
        signature,
    )


def sign_test(fewer: int, more: int) -> float:
    """Return the exact two-sided p-value of `fewer` against `more`, 0-1.

    Source: Dixon & Mood 1946, The statistical sign test.
    """
    total, low = fewer + more, min(fewer, more)
    tail = sum(comb(total, k) for k in range(low + 1))
    return min(1.0, float(Fraction(2 * tail, 2**total)))


def _changes(
    old: ImageDiagnosis, new: ImageDiagnosis
) -> Iterator[tuple[Change, Finding]]:
    """Yield the errors of one image in both versions; kept ones count once."""
    before, after = map(_by_thing, (old.findings, new.findings))
    for thing in dict.fromkeys((*before, *after)):
        was, now = before.get(thing, []), after.get(thing, [])
        same = min(len(was), len(now))
        yield from (("fixed", finding) for finding in was[same:])
        yield from (("broken", finding) for finding in now[same:])
        yield from (("kept", finding) for finding in now[:same])


def _by_thing(findings: Sequence[Finding]) -> dict[tuple[str, str], list[Finding]]:
    """Return (kind, thing) -> errors; a substituted noun is that of the references."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        thing = finding.members[0]
        if finding.said == thing and finding.expected is not None:
            thing = str(finding.expected)
        groups.setdefault((finding.kind, thing), []).append(finding)
    return groups


def _balance(kind: Kind | str, changes: Sequence[ChangedError]) -> Balance:
    """Return how often a kind of error was fixed, broken and kept."""
    numbers = Counter(change.change for change in changes)
    by_image: Counter[ImageId] = Counter()
    for change in changes:
        step = {"fixed": -1, "broken": 1, "kept": 0}[change.change]
        by_image[change.finding.image_id] += step
    kept, gone, added = (numbers[c] for c in ("kept", "fixed", "broken"))
    p_value = _over_images(list(by_image.values()))
    return Balance(kind, kept + gone, kept + added, gone, added, p_value)


def _expected(
    name: str, pairs: Sequence[tuple[ImageDiagnosis, ImageDiagnosis]]
) -> Expected:
    """Return the expected numbers of both versions."""
    of = attrgetter(_EXPECTED[name])
    both = [(of(old), of(new)) for old, new in pairs]
    steps = [(new > old) - (new < old) for old, new in both]
    old, new = (sum(own) / max(1, len(pairs)) for own in zip(*both)) if both else (0, 0)
    return Expected(name, old, new, _over_images(steps))


def _right(
    aspect: Aspect, pairs: Sequence[tuple[ImageDiagnosis, ImageDiagnosis]]
) -> Balance:
    """Return how many objects are right in an aspect."""
    old = new = gone = added = 0
    steps = []
    for one, other in pairs:
        before, after = (_right_objects(image, aspect) for image in (one, other))
        old, new = old + before.total(), new + after.total()
        lost, won = (before - after).total(), (after - before).total()
        gone, added = gone + lost, added + won
        steps.append(won - lost)
    return Balance(aspect, old, new, gone, added, _over_images(steps))


def _right_objects(image: ImageDiagnosis, aspect: Aspect) -> Counter[str]:
    own = (o for o in image.observations if o.aspect == aspect)
    return Counter(o.object for o in own if o.verdict == "right")


def _over_images(steps: Sequence[int]) -> float:
    return sign_test(sum(s < 0 for s in steps), sum(s > 0 for s in steps))


def _row(balance: Balance) -> tuple[Cell, ...]:
    return (
        *(balance.name, balance.old, balance.new),
        *(balance.gone, balance.added, _p_value(balance.p_value)),
    )


def _p_value(value: float) -> Cell:
    """Return a p-value, small ones as text: a test never gives 0."""
    return "<.001" if value < _LEAST else value


def _about(finding: Finding) -> str:
    """Return an error in short: "dog, 3 (references: 2)"."""
    about = ", ".join(finding.members)
    if finding.expected is None:
        return about
    return f"{about} (references: {finding.expected})"
