"""Changes: what became of the errors of one image in a new version of a captioner.

In: the image's diagnoses in both versions, and its new caption. Out: each error with
what became of it.

Two errors are about the same thing if they are about the thing whose value is wrong, or
the one that is missed or taken for another. An error of the old version is

* kept, if the new one makes it as well;
* replaced, if the new one makes another error about the same thing;
* corrected, if the new one says what is right, or what was left out;
* dropped, if the new one says nothing of it any more.

An error of the new version that keeps and replaces none is new.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, get_args

from spicepy.diagnosis.findings import Finding, ImageDiagnosis, Kind
from spicepy.diagnosis.kinds import MISSING, QUESTIONS

Change = Literal["corrected", "dropped", "replaced", "new", "kept"]
CHANGES: Final[tuple[Change, ...]] = get_args(Change)
Says = Callable[[str], bool]
Listed = Callable[[Finding], bool]


def question_of(kind: Kind) -> str:
    """Return the question that a kind answers, one of `QUESTIONS`."""
    return next(question for question, kinds in QUESTIONS.items() if kind in kinds)


def changes_of(
    old: ImageDiagnosis,
    new: ImageDiagnosis,
    listed: Listed,
    names: Says,
    says: Says,
) -> Iterator[tuple[Change, Finding, Finding | None]]:
    """Yield what became of each error of one image, and what replaced it.

    An error that is listed in one version and made in the other is kept, even if it is
    too improbable there to be listed.

    Args:
        old: The image in the old version, with all findings.
        new: The same image in the new version.
        listed: Whether a finding is listed.
        names: Whether the new version's caption has a thing of such a name.
        says: Whether it has a word, or one of the same value.
    """
    before, after = map(_by_thing, (old.findings, new.findings))
    for thing in dict.fromkeys((*before, *after)):
        every = before.get(thing, []), after.get(thing, [])
        said, still = (set(map(_statement, found)) for found in every)
        was, now = (list(filter(listed, found)) for found in every)
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
    """Return whether the new version has right what an error of the old one is about.

    It names what was left out or taken for another thing, or gives the thing the value
    that the references give it.
    """
    if finding.kind in MISSING:
        return all(map(says, finding.members[1:]))
    said = finding.said, finding.expected
    wrong = [o for o in old.observations if (o.said, o.expected) == said]
    about = {(o.aspect, o.object) for o in wrong if o.verdict == "wrong"}
    if not about:
        return isinstance(finding.expected, str) and names(finding.expected)
    seen = [o.verdict for o in new.observations if (o.aspect, o.object) in about]
    # What articles and plurals say is observed only where it is wrong.
    return "right" in seen if seen else any(names(thing) for _, thing in about)


def _by_thing(findings: Sequence[Finding]) -> dict[tuple[str, str], list[Finding]]:
    """Return (question, thing) -> errors; a substituted noun is the references'."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        thing = finding.members[0]
        if finding.said == thing and finding.expected is not None:
            thing = str(finding.expected)
        groups.setdefault((question_of(finding.kind), thing), []).append(finding)
    return groups
