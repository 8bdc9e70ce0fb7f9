"""Changes: the errors of one image in two versions of a captioner.

In: the image's diagnoses in both versions, and its new caption. Out: each error with
its change from the old to the new version.

Two errors are about the same thing if the same object has a wrong value, is missed or
is taken for another one. An error of the old version is

* kept, if the new version makes it as well;
* replaced, if the new version makes another error about the same thing;
* corrected, if the new version says what is right, or what was left out;
* dropped, if the new version no longer mentions the thing.

An error of the new version that is neither kept nor a replacement is new.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from operator import attrgetter
from typing import Any, Final, Literal, get_args

import numpy as np

from spicepy.diagnosis.analysis import Analysis
from spicepy.diagnosis.captions.caption import Reading
from spicepy.diagnosis.findings import Finding, ImageDiagnosis, Kind
from spicepy.diagnosis.kinds import MISSING, QUESTIONS
from spicepy.diagnosis.lexicon.aspects import ASPECTS, Aspect
from spicepy.diagnosis.results.sums import EXPECTED_OF, paired_p_values
from spicepy.metrics.significance import Expectation, expectation

Change = Literal["corrected", "dropped", "replaced", "new", "kept"]
CHANGES: Final[tuple[Change, ...]] = get_args(Change)


@dataclass(frozen=True, slots=True)
class NewCaption:
    """The caption of the new version, as errors of the old one are looked up in it."""

    reading: Reading
    analysis: Analysis  # The analysis that read it

    def names(self, noun: str) -> bool:
        """Return whether it names a thing."""
        return any(self.same(thing.name, noun) for thing in self.reading.things)

    def says(self, word: str) -> bool:
        """Return whether it says a word, or another one of the same value."""
        said, of = self.reading.lemmas, self.analysis.lexicon.aspects.of
        return word in map(str, (*said, *of("count", said), *of("color", said)))

    def same(self, first: str, second: str) -> bool:
        """Return whether two nouns may name one thing."""
        return self.analysis.aligner.is_same_class(first, second)


def question_of(kind: Kind) -> str:
    """Return the question that a kind answers, one of `QUESTIONS`."""
    return next(question for question, kinds in QUESTIONS.items() if kind in kinds)


@dataclass(frozen=True, slots=True)
class ChangedError:
    """An error with its change from the old to the new version."""

    change: Change  # The change from the old to the new version
    finding: Finding  # The error; if it is new or kept, that of the new version
    # old, new: The captions of both versions.
    old: str
    new: str
    reference: str  # The image's first reference
    # The new version's error that replaces it, None without one.
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


def changes_of(
    old: ImageDiagnosis,
    new: ImageDiagnosis,
    caption: NewCaption,
    listed: Callable[[Finding], bool],
) -> Iterator[tuple[Change, Finding, Finding | None]]:
    """Yield (change, error, error that replaced it) for each error of one image."""
    # Both versions have all their findings; those are shown that are `listed`. An error
    # that is listed in one version and made in the other is kept, even if its
    # probability in the other version is too low to be listed.
    gender = caption.analysis.lexicon.people.gender

    def statement(finding: Finding) -> tuple[object, ...]:
        """Return what a finding says of its thing, whatever the thing is called."""
        # People are one class, but an invented woman is not an invented man.
        thing, *others = finding.members
        who = None if others else gender(thing, ())
        return finding.kind, tuple(others), finding.said, who

    for every in _by_thing(old.findings, new.findings, caption.same):
        said, still = (set(map(statement, errors)) for errors in every)
        was, now = (list(filter(listed, errors)) for errors in every)
        kept = [finding for finding in now if statement(finding) in said]
        shown = set(map(statement, kept))
        kept += [f for f in was if statement(f) in still - shown]
        yield from (("kept", finding, None) for finding in kept)
        others = [finding for finding in now if statement(finding) not in said]
        for finding in (f for f in was if statement(f) not in still):
            if others:
                yield "replaced", finding, others.pop(0)
            else:
                yield _became(finding, old, new, caption), finding, None
        yield from (("new", finding, None) for finding in others)


def _became(
    finding: Finding, old: ImageDiagnosis, new: ImageDiagnosis, caption: NewCaption
) -> Change:
    """Return what became of an error that the new version is not found to make."""
    # It is corrected if the new version names the thing that was left out or taken for
    # another one, or gives it the references' value, and kept if it says the same
    # words.
    thing, expected, kind = finding.members[0], finding.expected, finding.kind
    says, names = caption.says, caption.names
    if kind in MISSING:
        return "corrected" if all(map(says, finding.members[1:])) else "dropped"
    value = finding.said, expected
    wrong = [o for o in old.observations if (o.said, o.expected) == value]
    about = {(o.aspect, o.object) for o in wrong if o.verdict == "wrong"}
    seen = (o.verdict for o in new.observations if (o.aspect, o.object) in about)
    if "right" in seen:
        return "corrected"
    if kind == "wrong count":
        if not names(thing):
            return "dropped"
        if all(map(says, finding.words.split())):
            return "kept"
        right = not isinstance(expected, int) or expected == 1 or says(str(expected))
        return "corrected" if right else "dropped"
    is_activity, meant = kind == "wrong activity", str(expected)
    if expected and not about and (names(meant) or (is_activity and says(meant))):
        return "corrected"
    return "kept" if is_activity and says(str(finding.said)) else "dropped"


def _by_thing(
    old: Sequence[Finding], new: Sequence[Finding], same: Callable[[str, str], bool]
) -> list[tuple[list[Finding], list[Finding]]]:
    """Return the errors of both versions, those about one thing together."""
    # A confused thing has the references' noun, and so has one that the new version
    # invents where it no longer confuses but misses that thing: a zebra, then a giraffe
    # for a horse.
    missed = [f.members[0] for f in new if f.kind == "missed object"]
    lost = [
        str(finding.expected)
        for finding in old
        if _is_confused(finding) and any(same(str(finding.expected), m) for m in missed)
    ]
    groups: dict[tuple[str, str], tuple[list[Finding], list[Finding]]] = {}
    for version, findings in enumerate((old, new)):
        for finding in findings:
            thing, question = finding.members[0], question_of(finding.kind)
            if _is_confused(finding):
                thing = str(finding.expected)
            elif version and finding.kind == "invented object" and lost:
                thing = lost.pop(0)
            alike = (k for k in groups if k[0] == question and same(k[1], thing))
            key = (question, thing)
            key = key if key in groups else next(alike, key)
            groups.setdefault(key, ([], []))[version].append(finding)
    return list(groups.values())


def _is_confused(finding: Finding) -> bool:
    return finding.said == finding.members[0] and finding.expected is not None


# Balances: how many errors two versions of a captioner make, and whether it is luck.

ImagePair = tuple[ImageDiagnosis, ImageDiagnosis]
"""An image in the old and in the new version."""
ALL: Final = "all"  # The name of the sum over the kinds that answer a question


@dataclass(frozen=True, slots=True)
class Balance:
    """The numbers of errors of one kind in both versions, and of their changes."""

    name: str  # The kind, or `ALL` for the sum over the kinds that answer a question
    # old, new: The numbers of errors in both versions.
    old: int
    new: int
    numbers: Mapping[Change, int]  # Change -> number of errors
    # The p-value of the sign test over images, 0-1: the probability that as many images
    # or more change to one side if both are equally likely.
    p_value: float


@dataclass(frozen=True, slots=True)
class RightBalance:
    """The numbers of objects that are right in an aspect in both versions."""

    name: str  # The aspect
    # old, new: The numbers of right objects in both versions.
    old: int
    new: int
    lost: int  # How many are no longer right in the new version
    won: int  # How many became right in the new version
    p_value: float  # The p-value of the sign test over images, 0-1


@dataclass(frozen=True, slots=True)
class Expected:
    """The expected errors of a caption in both versions, hidden findings included."""

    name: str  # The question: "says wrong" or "leaves out"
    # old, new: The means over images.
    old: float
    new: float
    difference: Expectation  # The mean of new - old with its 95 % interval
    p_value: float  # The p-value of paired approximate randomisation, 0-1


def error_balances(
    question: str, pairs: Sequence[ImagePair], changes: Sequence[ChangedError]
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
    parts = [np.stack([own, ones], axis=1) for own in (old, new)]
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
    numbers, steps = [], []
    for one, other in pairs:
        before, after = (_right_objects(image, aspect) for image in (one, other))
        lost, won = (before - after).total(), (after - before).total()
        numbers.append((before.total(), after.total(), lost, won))
        steps.append(won - lost)
    old, new, gone, added = (round(sum(own)) for own in zip(*numbers))
    return RightBalance(aspect, old, new, gone, added, _over_images(steps))


def _right_objects(image: ImageDiagnosis, aspect: Aspect) -> Counter[str]:
    """Return the weights of the objects whose value is right."""
    weights: Counter[str] = Counter()
    for seen in image.observations:
        if seen.aspect == aspect and seen.verdict == "right":
            weights[seen.object] += seen.weight  # type: ignore[assignment]
    return weights


def _over_images(steps: Sequence[float]) -> float:
    """Return the p-value of the sign test on the images' differences."""
    return sign_test(sum(s < 0 for s in steps), sum(s > 0 for s in steps))
