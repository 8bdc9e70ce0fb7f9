"""Gains: how much SPICE would rise if the errors of a kind were corrected.

In: an image's counts and matching in SPICE, and its findings. Out: the rise of its F,
kind by kind.

Correcting a wrong statement turns the candidate's unmatched tuples with the wrong word
into matched ones; correcting an omission adds one matched tuple, if the references have
an unmatched tuple with the word. No more tuples are matched than the references have.
Words are compared by lemma, and a number with its word.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from spicepy.diagnosis.findings import Finding, Kind
from spicepy.diagnosis.kinds import MISSING, WRONG
from spicepy.diagnosis.lexicon.aspects import AspectValues
from spicepy.graph.matching import Counts, Matching
from spicepy.graph.scene import ConceptTuple


def gains_of(
    counts: Counts,
    matching: Matching,
    findings: Iterable[Finding],
    aspects: AspectValues,
) -> dict[Kind, float]:
    """Return how much SPICE's F of an image would rise, 0-1, for each kind found.

    Args:
        counts: The image's counts over all tuples.
        matching: Its matching.
        findings: Its findings that are mended.
        aspects: The values of words, such as the number of "two".
    """
    own, other = matching.flags()
    spurious = _left(matching.candidate, own)
    missing = _left(matching.reference, other)
    by_kind: dict[Kind, list[Finding]] = {}
    for finding in findings:
        if finding.kind in WRONG or finding.kind in MISSING:
            by_kind.setdefault(finding.kind, []).append(finding)
    rises = {}
    for kind, found in by_kind.items():
        left = missing if kind in MISSING else spurious
        named = {t for t in left for f in found if _names(t, f, aspects)}
        number = min(len(named), max(0, counts.fn))
        number = min(number, len(found)) if kind in MISSING else number
        mended = replace(counts, tp=counts.tp + number, fn=counts.fn - number)
        if kind not in MISSING:
            mended = replace(mended, fp=counts.fp - number)
        rises[kind] = (mended.f or 0.0) - (counts.f or 0.0)
    return rises


def _left(
    tuples: Iterable[ConceptTuple], flags: Sequence[bool]
) -> list[tuple[str, ...]]:
    pairs = zip(tuples, flags)
    return [tuple(map(str, members)) for members, flag in pairs if not flag]


def _names(members: Sequence[str], finding: Finding, aspects: AspectValues) -> bool:
    """Return whether a tuple names the word that a finding is about."""
    noun, *said = finding.members
    if noun not in members:
        return False
    return not said or any(
        word == said[0] or finding.said in aspects.of("count", [word])
        for word in members
        if word != noun
    )
