"""Balances: how many errors two versions of a captioner make, and whether it is luck.

In: the diagnoses of both versions, image by image, and the changes of their errors.
Out: the numbers of both versions, with the p-value of a test over images, for kinds of
errors, for aspects and for expected errors.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from operator import attrgetter
from typing import Final

import numpy as np

from spicepy.diagnosis.findings import ImageDiagnosis, Kind
from spicepy.diagnosis.kinds import QUESTIONS
from spicepy.diagnosis.lexicon.aspects import ASPECTS, Aspect
from spicepy.diagnosis.results.changes import CHANGES, Change, ChangedError
from spicepy.diagnosis.results.expectations import (
    EXPECTED_OF,
    Expectation,
    expectation,
)
from spicepy.diagnosis.results.paired import paired_p_values

ImagePair = tuple[ImageDiagnosis, ImageDiagnosis]
"""An image in the old and in the new version."""
ALL: Final = "all"
"""The name of the sum over the kinds that answer a question."""


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


def error_balances(
    question: str,
    pairs: Sequence[ImagePair],
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
    pairs: Sequence[ImagePair],
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


def expected_numbers(name: str, pairs: Sequence[ImagePair]) -> Expected:
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


def right_balances(pairs: Sequence[ImagePair]) -> Iterator[RightBalance]:
    """Yield the balance of right objects for each aspect that occurs."""
    for aspect in ASPECTS:
        balance = _right_balance(aspect, pairs)
        if balance.old or balance.new:
            yield balance


def _right_balance(aspect: Aspect, pairs: Sequence[ImagePair]) -> RightBalance:
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
