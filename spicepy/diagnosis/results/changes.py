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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from spicepy.diagnosis.findings import Finding, ImageDiagnosis, Kind
from spicepy.diagnosis.kinds import MISSING, QUESTIONS

Change = Literal["corrected", "dropped", "replaced", "new", "kept"]
CHANGES: Final[tuple[Change, ...]] = get_args(Change)
Says = Callable[[str], bool]
Listed = Callable[[Finding], bool]


def question_of(kind: Kind) -> str:
    """Return the question that a kind answers, one of `QUESTIONS`."""
    return next(question for question, kinds in QUESTIONS.items() if kind in kinds)


@dataclass(frozen=True, slots=True)
class ChangedError:
    """An error with its change from the old to the new version.

    Attributes:
        change: The change from the old to the new version.
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


def changes_of(
    old: ImageDiagnosis,
    new: ImageDiagnosis,
    listed: Listed,
    names: Says,
    says: Says,
) -> Iterator[tuple[Change, Finding, Finding | None]]:
    """Yield (change, error, error that replaced it) for each error of one image.

    An error that is listed in one version and made in the other is kept, even if its
    probability in the other version is too low to be listed.

    Args:
        old: The image in the old version, with all findings.
        new: The same image in the new version.
        listed: A function that returns whether a finding is listed.
        names: A function that returns whether the new caption has a thing of a name.
        says: A function that returns whether the new caption has a word, or another one
            of the same value.
    """
    before, after = map(_by_thing, (old.findings, new.findings))
    for thing in dict.fromkeys((*before, *after)):
        every = before.get(thing, []), after.get(thing, [])
        said, still = (set(map(_statement, errors)) for errors in every)
        was, now = (list(filter(listed, errors)) for errors in every)
        kept = [finding for finding in now if _statement(finding) in said]
        shown = set(map(_statement, kept))
        kept += [f for f in was if _statement(f) in still - shown]
        yield from (("kept", finding, None) for finding in kept)
        others = [finding for finding in now if _statement(finding) not in said]
        for finding in (f for f in was if _statement(f) not in still):
            if others:
                yield "replaced", finding, others.pop(0)
            elif _is_right(finding, old, new, names, says):
                yield "corrected", finding, None
            else:
                yield "dropped", finding, None
        yield from (("new", finding, None) for finding in others)


def _statement(finding: Finding) -> tuple[object, ...]:
    return finding.kind, finding.members, finding.said


def _is_right(
    finding: Finding, old: ImageDiagnosis, new: ImageDiagnosis, names: Says, says: Says
) -> bool:
    """Return whether the new version corrects an error of the old version.

    It does so if it names the thing that was left out or taken for another one, or if
    it gives the thing the references' value.
    """
    if finding.kind in MISSING:
        return all(map(says, finding.members[1:]))
    said = finding.said, finding.expected
    wrong = [o for o in old.observations if (o.said, o.expected) == said]
    about = {(o.aspect, o.object) for o in wrong if o.verdict == "wrong"}
    if not about:
        return isinstance(finding.expected, str) and names(finding.expected)
    seen = [o.verdict for o in new.observations if (o.aspect, o.object) in about]
    # Numbers that an article or a plural implies are observed only if they are wrong.
    return "right" in seen if seen else any(names(thing) for _, thing in about)


def _by_thing(findings: Sequence[Finding]) -> dict[tuple[str, str], list[Finding]]:
    """Return (question, thing) -> errors; a confused thing has the references' noun."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        thing = finding.members[0]
        if finding.said == thing and finding.expected is not None:
            thing = str(finding.expected)
        groups.setdefault((question_of(finding.kind), thing), []).append(finding)
    return groups
