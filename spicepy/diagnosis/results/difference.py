"""Differences: the errors that a new version of a captioner corrected and added.

In: the diagnoses of both versions on the same images, and their captions. Out: a
`Difference`: the change of each error, kind by kind, with examples; and for counts,
colours … how many objects became right, and how many no longer are.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice
from math import comb
from operator import attrgetter
from typing import Any, Final

import numpy as np

from spicepy.common.plain_values import plain
from spicepy.common.tables import Cell, P, Table
from spicepy.diagnosis.analysis import Analysis
from spicepy.diagnosis.findings import Finding, ImageDiagnosis, Kind
from spicepy.diagnosis.kinds import MISSING, NAMES, QUESTIONS
from spicepy.diagnosis.lexicon.aspects import ASPECTS, Aspect
from spicepy.diagnosis.results.changes import (
    CHANGES,
    Change,
    changes_of,
    question_of,
)
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.diagnosis.results.expectations import (
    EXPECTED,
    EXPECTED_OF,
    Expectation,
    expectation,
)
from spicepy.diagnosis.results.paired import paired_p_values
from spicepy.samples.sample import Sample

ALL: Final = "all"
"""The name of the sum over the kinds that answer a question."""
EXAMPLES: Final = 3
"""The number of examples that the tables show for a kind and change."""


@dataclass(frozen=True, slots=True)
class ChangedError:
    """An error with its change from the old to the new version.

    Attributes:
        change: The change; see `results.changes`.
        finding: The error; if it is new or kept, that of the new version.
        old, new: The captions of both versions.
        reference: The image's first reference.
        replaced_by: The new version's error that replaces it, None without one.
    """

    change: Change
    finding: Finding
    old: str
    new: str
    reference: str
    replaced_by: Finding | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        finding, by = self.finding, self.replaced_by
        return {
            "image_id": finding.image_id,
            "question": question_of(finding.kind),
            "change": self.change,
            "error": finding.kind,
            "tuple": finding.text,
            "expected": finding.expected,
            "said": finding.said,
            "references": finding.references,
            "words": finding.words,
            "probability": finding.probability,
            "replaced_by": by and f"{by.kind}: {by.text}",
            "old": self.old,
            "new": self.new,
            "reference": self.reference,
        }


@dataclass(frozen=True, slots=True)
class Balance:
    """The numbers of errors of one kind in both versions, and of their changes.

    Attributes:
        name: The kind, or `ALL` for the sum over the kinds that answer a question.
        old, new: The numbers of errors in both versions.
        numbers: Change -> number of errors.
        p_value: The p-value of the sign test over images, 0-1: the probability that
            as many images or more change to one side if both are equally likely.
    """

    name: str
    old: int
    new: int
    numbers: Mapping[Change, int]
    p_value: float


@dataclass(frozen=True, slots=True)
class RightBalance:
    """The numbers of objects that are right in an aspect in both versions.

    Attributes:
        name: The aspect.
        old, new: The numbers of right objects in both versions.
        lost: How many are no longer right in the new version.
        won: How many became right in the new version.
        p_value: The p-value of the sign test over images, 0-1.
    """

    name: str
    old: int
    new: int
    lost: int
    won: int
    p_value: float


@dataclass(frozen=True, slots=True)
class Expected:
    """The expected errors of a caption in both versions, hidden findings included.

    Attributes:
        name: The question: "says wrong" or "leaves out".
        old, new: The means over images.
        difference: The mean of new - old with its 95 % interval.
        p_value: The p-value of paired approximate randomisation, 0-1.
    """

    name: str
    old: float
    new: float
    difference: Expectation
    p_value: float


@dataclass(frozen=True)
class Difference:
    """The changes of a new version, image by image.

    Attributes:
        systems: The names of the old and the new version.
        images: The number of images.
        errors: Question -> the balances of the kinds that occur, after their sum; there
            is no sum of remarks.
        right: The balance of right objects for each aspect that occurs.
        changes: Every finding of both versions, kind by kind in the order of images.
        expected: The expected numbers of wrong statements and of omissions.
        signature: The signature of the way in which captions were read.
    """

    systems: tuple[str, str]
    images: int
    errors: Mapping[str, tuple[Balance, ...]]
    right: tuple[RightBalance, ...]
    changes: tuple[ChangedError, ...]
    expected: tuple[Expected, ...] = ()
    signature: str = ""

    def examples(self, kind: str, change: Change) -> list[ChangedError]:
        """Return the first errors of a kind and change."""
        every = (c for c in self.changes if c.finding.kind == kind)
        return list(islice((c for c in every if c.change == change), EXAMPLES))

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
        """Return expected errors, errors by question, right objects, and examples."""
        tables = [self._expected()]
        tables += [self._errors(q) for q, balances in self.errors.items() if balances]
        if self.right:
            tables.append(self._right())
        for change in CHANGES[:-1]:
            if table := self._examples(change):
                tables.append(table)
        return tuple(tables)

    def rows(self) -> dict[str, Table]:
        """Return tables by name: a row for each changed error, and the sums."""
        rows = [tuple(change.to_dict().values()) for change in self.changes]
        names = tuple(self.changes[0].to_dict()) if self.changes else ("image_id",)
        tables = {"errors": Table("Changed errors", names, rows)}
        kinds = [
            (question, *_row(balance))
            for question, balances in self.errors.items()
            for balance in balances
        ]
        columns = ("Question", *self._columns("Kind"))
        tables["kinds"] = Table("Errors", columns, tuple(kinds))
        return tables | {"values": self._right()}

    def _columns(self, first: str) -> tuple[str, ...]:
        made = ("corrected", "dropped", "replaced", "new errors")
        return (first, *self.systems, *made, "p")

    def _errors(self, question: str) -> Table:
        old, new = self.systems
        notes: tuple[str, ...] = (
            f"{self.images} images; corrected: {new} has it right; dropped: it says "
            f"nothing of it; replaced: by another error about it; new: {old} has no "
            "error there",
            "p: sign test over the images with fewer or more errors of the kind",
        )
        if question != next(q for q, balances in self.errors.items() if balances):
            notes = ()  # The first table alone has the notes.
        title = f"{question.capitalize()}: what became of it in {new}"
        rows = tuple(map(_row, self.errors[question]))
        return Table(title, self._columns("Kind"), rows, notes)

    def _expected(self) -> Table:
        rows = [
            (
                *(e.name, e.old, e.new),
                *(e.difference.mean, e.difference.low, e.difference.high),
                P(e.p_value),
            )
            for e in self.expected
        ]
        columns = ("A caption", *self.systems, "difference", "from", "to", "p")
        test = "p: paired approximate randomisation, two-sided"
        return Table("Expected errors of a caption", columns, rows, (EXPECTED, test))

    def _right(self) -> Table:
        old, new = self.systems
        columns = ("Right", old, new, "no longer right", "became right", "p")
        note = "objects to which the references give a value, and the candidate as well"
        title = f"Counts, colours …: what {new} says right"
        rows = [(b.name, b.old, b.new, b.lost, b.won, P(b.p_value)) for b in self.right]
        return Table(title, columns, rows, (note,))

    def _examples(self, change: Change) -> Table | None:
        old, new = self.systems
        kinds = [b.name for balances in self.errors.values() for b in balances]
        rows = [
            (c.finding.kind, _about(c.finding), c.finding.image_id, c.old, c.new)
            for kind in kinds
            for c in self.examples(kind, change)
        ]
        columns = ("Error", "about", "image", old, new)
        title = f"Examples: {change}"
        return Table(title, columns, rows) if rows else None


def compare_versions(
    systems: Mapping[str, tuple[Diagnosis, Sequence[Sample]]],
    signature: str = "",
    analysis: Analysis | None = None,
    precision: float = 0.0,
) -> Difference:
    """Compare the errors of two versions.

    Args:
        systems: The old, then the new version: its diagnosis with all findings and
            its samples, of the same images in the same order.
        signature: The signature of the way in which captions were read.
        analysis: The analysis that made the diagnoses and has the readings of their
            captions; by default a new one.
        precision: The probability (0-1) from which on errors are listed.
    """
    analysis = analysis or Analysis()
    (old_name, (old, old_samples)), (new_name, (new, new_samples)) = systems.items()
    every = zip(old.by_image, new.by_image, strict=True)
    # One listing for both, so that their numbers can be compared.
    listing = old.people.listing((*old.by_image, *new.by_image), precision)
    shown = [version.listed_by(listing).by_image for version in (old, new)]
    pairs = list(zip(*shown, strict=True))
    readings = analysis.reader.read(sample.candidate for sample in new_samples)

    def names(caption: str, noun: str) -> bool:
        same = analysis.aligner.is_same_class
        return any(same(thing.name, noun) for thing in readings[caption].things)

    def says(caption: str, word: str) -> bool:
        said, of = readings[caption].lemmas, analysis.lexicon.aspects.of
        return word in map(str, (*said, *of("count", said), *of("color", said)))

    changes = [
        ChangedError(change, finding, a.candidate, b.candidate, a.references[0], by)
        for (one, other), a, b in zip(every, old_samples, new_samples, strict=True)
        for change, finding, by in changes_of(
            one,
            other,
            listing.has,
            partial(names, b.candidate),
            partial(says, b.candidate),
        )
    ]
    changes.sort(key=lambda c: NAMES.index(c.finding.kind))
    errors = {
        question: tuple(_balances(question, pairs, changes)) for question in QUESTIONS
    }
    right = tuple(b for b in (_right(a, pairs) for a in ASPECTS) if b.old or b.new)
    return Difference(
        (old_name, new_name),
        len(pairs),
        errors,
        right,
        tuple(changes),
        tuple(_expected(name, pairs) for name in EXPECTED_OF),
        signature,
    )


def _balances(
    question: str,
    pairs: Sequence[tuple[ImageDiagnosis, ImageDiagnosis]],
    changes: Sequence[ChangedError],
) -> Iterator[Balance]:
    """Yield the sum over a question's kinds, then each kind; remarks have no sum."""
    kinds = QUESTIONS[question]
    occur = {f.kind for pair in pairs for image in pair for f in image.findings}
    known = [kind for kind in kinds if kind in occur]
    if question in EXPECTED_OF and known:
        yield _balance(ALL, kinds, pairs, changes)
    for kind in known:
        yield _balance(kind, (kind,), pairs, changes)


def sign_test(fewer: int, more: int) -> float:
    """Return the exact two-sided p-value of `fewer` against `more`, 0-1.

    Source: Dixon & Mood 1946, The statistical sign test.
    """
    total, low = fewer + more, min(fewer, more)
    tail = sum(comb(total, k) for k in range(low + 1))
    return min(1.0, float(Fraction(2 * tail, 2**total)))


def _balance(
    name: str,
    kinds: Sequence[Kind],
    pairs: Sequence[tuple[ImageDiagnosis, ImageDiagnosis]],
    changes: Sequence[ChangedError],
) -> Balance:
    """Return the numbers of errors of some kinds, and of their changes."""
    counted = Counter(c.change for c in changes if c.finding.kind in kinds)
    numbers: dict[Change, int] = {change: counted[change] for change in CHANGES}
    both = [
        [sum(f.kind in kinds for f in image.findings) for image in pair]
        for pair in pairs
    ]
    old, new = map(sum, zip(*both))
    p_value = _over_images([after - before for before, after in both])
    return Balance(name, old, new, numbers, p_value)


def _expected(
    name: str, pairs: Sequence[tuple[ImageDiagnosis, ImageDiagnosis]]
) -> Expected:
    """Return the expected errors of a caption in both versions."""
    of = attrgetter(EXPECTED_OF[name])
    numbers = [[of(image) for image in version] for version in zip(*pairs)]
    old, new = numbers or ([], [])
    difference = expectation([b - a for a, b in zip(old, new)])
    ones = np.ones(len(old))
    parts = [np.stack([own, ones], axis=1)[..., None] for own in (old, new)]
    p_value = paired_p_values(parts).get((0, 1), np.ones(1))[0] if old else 1.0
    before, after = (expectation(own).mean or 0.0 for own in (old, new))
    return Expected(name, before, after, difference, float(p_value))


def _right(
    aspect: Aspect, pairs: Sequence[tuple[ImageDiagnosis, ImageDiagnosis]]
) -> RightBalance:
    """Return the numbers of objects that are right in an aspect in both versions."""
    old = new = gone = added = 0
    steps = []
    for one, other in pairs:
        before, after = (_right_objects(image, aspect) for image in (one, other))
        old, new = old + before.total(), new + after.total()
        lost, won = (before - after).total(), (after - before).total()
        gone, added = gone + lost, added + won
        steps.append(won - lost)
    return RightBalance(aspect, old, new, gone, added, _over_images(steps))


def _right_objects(image: ImageDiagnosis, aspect: Aspect) -> Counter[str]:
    own = (o for o in image.observations if o.aspect == aspect)
    return Counter(o.object for o in own if o.verdict == "right")


def _over_images(steps: Sequence[int]) -> float:
    """Return the p-value of the sign test on the images' differences."""
    return sign_test(sum(s < 0 for s in steps), sum(s > 0 for s in steps))


def _row(balance: Balance) -> tuple[Cell, ...]:
    numbers = (balance.numbers[change] for change in CHANGES[:-1])
    return balance.name, balance.old, balance.new, *numbers, P(balance.p_value)


def _about(finding: Finding) -> str:
    """Return an error in short: "dog, 3 (references: 2)"."""
    if finding.expected is None or finding.kind in MISSING:
        return finding.text
    return f"{finding.text} (references: {finding.expected})"
