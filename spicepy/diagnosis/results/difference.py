"""Differences: the errors that a new version of a captioner corrected and added.

In: the diagnoses of both versions on the same images, and their captions. Out: a
`Difference`: the change of each error, kind by kind, with examples; and for counts,
colours … how many objects became right, and how many no longer are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from spicepy.captions.sample import Sample
from spicepy.common.errors import counted
from spicepy.common.json_values import plain
from spicepy.common.tables import Cell, P, Table
from spicepy.common.writing import Displayed
from spicepy.diagnosis.analysis import Analysis
from spicepy.diagnosis.findings import Finding, Pattern
from spicepy.diagnosis.kinds import MISSING, NAMES, QUESTIONS
from spicepy.diagnosis.results.changes import (
    CHANGES,
    Balance,
    Change,
    ChangedError,
    Expected,
    NewCaption,
    RightBalance,
    changes_of,
    error_balances,
    expected_numbers,
    right_balances,
)
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.diagnosis.results.listing import of_both
from spicepy.diagnosis.results.sums import EXPECTED_OF
from spicepy.diagnosis.results.tables import EXPECTED, patterns_by_system

EXAMPLES: Final = 3  # The number of examples that the tables show for a kind and change


@dataclass(frozen=True, repr=False)
class Difference(Displayed):
    """The changes of a new version, image by image.

    Attributes:
        systems: The names of the old and the new version.
        images: The number of images.
        errors: Question -> the balances of the kinds that occur, after their sum; there
            is not a sum of remarks.
        right: The balance of right objects for each aspect that occurs.
        changes: Every finding of both versions, kind by kind in the order of images.
        expected: The expected numbers of wrong statements and of omissions.
        signature: The signature of the way in which captions were read.
        patterns: What each version does more often than people, by its name.
    """

    systems: tuple[str, str]
    images: int
    errors: Mapping[str, tuple[Balance, ...]]
    right: tuple[RightBalance, ...]
    changes: tuple[ChangedError, ...]
    expected: tuple[Expected, ...] = ()
    signature: str = ""
    patterns: Mapping[str, tuple[Pattern, ...]] = field(default_factory=dict)

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
            "patterns": plain(self.patterns),
            "changes": [change.to_dict() for change in self.changes],
        }

    def tables(self) -> tuple[Table, ...]:
        """Return expected errors, patterns, errors, right objects, and examples."""
        tables = [self._expected(), patterns_by_system(self.patterns)]
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
        habits = patterns_by_system(self.patterns)
        return tables | {"values": self._right(), "patterns": habits}

    def _columns(self, first: str) -> tuple[str, ...]:
        made = ("corrected", "dropped", "replaced", "new errors")
        return (first, *self.systems, *made, "p")

    def _errors(self, question: str) -> Table:
        old, new = self.systems
        notes: tuple[str, ...] = (
            f"{counted(self.images, 'image')}; corrected: {new} has it right; dropped: "
            f"it says nothing of it; replaced: by another error about it; new errors: "
            f"{old} has none there",
            "p: sign test over the images with fewer or more errors of this kind",
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
        test = "p: paired approximate randomization, two-sided"
        return Table("Estimated errors per caption", columns, rows, (EXPECTED, test))

    def _right(self) -> Table:
        old, new = self.systems
        columns = ("Right", old, new, "no longer right", "became right", "p")
        note = (
            "objects whose value is that of the references; no longer right: the new "
            "version gives them another value or none, or does not name them"
        )
        title = f"Counts, colors …: what {new} says right"
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
        precision: Minimum probability (0-1) of the errors that are listed.
    """
    analysis = analysis or Analysis()
    (old_name, (old, old_samples)), (new_name, (new, new_samples)) = systems.items()
    every = zip(old.by_image, new.by_image, strict=True)
    # One listing for both, so that their numbers can be compared.
    people = of_both(old.people, new.people)
    listing = people.listing((*old.by_image, *new.by_image), precision)
    shown = [version.listed_by(listing).by_image for version in (old, new)]
    pairs = list(zip(*shown, strict=True))
    readings = analysis.reader.read(sample.candidate for sample in new_samples)

    changes = [
        ChangedError(change, finding, a.candidate, b.candidate, a.references[0], by)
        for (one, other), a, b in zip(every, old_samples, new_samples, strict=True)
        for caption in [NewCaption(readings[b.candidate], analysis)]
        for change, finding, by in changes_of(one, other, caption, listing.has)
    ]
    changes.sort(key=lambda c: NAMES.index(c.finding.kind))
    errors = {
        question: tuple(error_balances(question, pairs, changes))
        for question in QUESTIONS
    }
    return Difference(
        (old_name, new_name),
        len(pairs),
        errors,
        tuple(right_balances(pairs)),
        tuple(changes),
        tuple(expected_numbers(name, pairs) for name in EXPECTED_OF),
        signature,
        {old_name: old.patterns, new_name: new.patterns},
    )


def _row(balance: Balance) -> tuple[Cell, ...]:
    numbers = (balance.numbers[change] for change in CHANGES[:-1])
    return balance.name, balance.old, balance.new, *numbers, P(balance.p_value)


def _about(finding: Finding) -> str:
    """Return an error in short: "dog, 3 (references: 2)"."""
    if finding.expected is None or finding.kind in MISSING:
        return finding.text
    return f"{finding.text} (references: {finding.expected})"
