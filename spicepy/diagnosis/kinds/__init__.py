"""The kinds of findings: one entry for each kind.

To add a kind, write its detector (a file in this folder with a function `detect`) and
an entry in `KINDS`. Tables and files list the kinds in this order.
"""

from functools import partial

from spicepy.diagnosis.findings import Finding, Kind
from spicepy.diagnosis.kinds import (
    attributes,
    counts,
    objects,
    people,
    relations,
    wording,
)
from spicepy.diagnosis.kinds.detections import Detection, Detector, ErrorKind

__all__ = ["DETECTORS", "HALLUCINATED", "IN_NOUN", "KINDS", "MISSING"]
__all__ += ["NAMES", "QUESTIONS", "REMARKS", "SUPPORTED", "UNCONFIRMED", "WRONG"]
__all__ += ["Detection", "ErrorKind", "is_omission", "is_supported"]

Remark = partial(ErrorKind, question="wording")
Missed = partial(ErrorKind, question="missing", needs_support=True)
Hallucinated = partial(ErrorKind, hallucinates=True)

KINDS: tuple[ErrorKind, ...] = (
    Missed(
        "missed object",
        objects.detect_missed,
        "References have it, the candidate does not.",
        annotations="missed",
    ),
    Missed(
        "missed count",
        objects.detect_missed_values,
        "References count it, the candidate only names it.",
    ),
    Missed(
        "missed color",
        objects.detect_missed_values,
        "References give its color, the candidate only names it.",
    ),
    Missed(
        "missed activity",
        people.detect_missed_activities,
        "References have an activity, the candidate has none.",
    ),
    Hallucinated(
        "invented object",
        objects.detect_unmatched,
        "No reference has it or anything like it.",
        annotations="said",
    ),
    Hallucinated(
        "confused object",
        objects.detect_unmatched,
        "The references have a similar object in its place.",
        annotations="said",
    ),
    Remark(
        "less specific",
        wording.detect_wording,
        "The references have a more specific word.",
    ),
    Remark(
        "more specific",
        wording.detect_wording,
        "The references have a more general word.",
    ),
    ErrorKind(
        "wrong count",
        counts.detect,
        "The references give another number.",
        in_noun=True,
        annotations="number",
    ),
    ErrorKind(
        "wrong color", attributes.detect_wrong, "The references give another color."
    ),
    ErrorKind(
        "wrong size", attributes.detect_wrong, "The references give another size."
    ),
    ErrorKind(
        "wrong material",
        attributes.detect_wrong,
        "The references give another material.",
    ),
    ErrorKind(
        "wrong gender",
        people.detect_gender_and_age,
        "The references give the other gender.",
        in_noun=True,
    ),
    ErrorKind(
        "wrong age",
        people.detect_gender_and_age,
        "The references give another age.",
        in_noun=True,
    ),
    ErrorKind(
        "wrong clothing", wording.detect_wording, "The references have another garment."
    ),
    ErrorKind(
        "wrong activity",
        people.detect_activities,
        "The references have other activities.",
        explains=True,
    ),
    Hallucinated(
        "wrong place", objects.detect_unmatched, "The references have another place."
    ),
    ErrorKind(
        "wrong position",
        relations.detect_positions,
        "The references have another position: on for under, left for right.",
    ),
    ErrorKind(
        "wrong state",
        relations.detect_states,
        "The references have another state: open for closed.",
    ),
    ErrorKind(
        "wrong expression",
        relations.detect_states,
        "The references have another expression: a smile for tears.",
    ),
    ErrorKind(
        "wrong time",
        relations.detect_time_and_weather,
        "The references have another time of day or season.",
    ),
    ErrorKind(
        "wrong weather",
        relations.detect_time_and_weather,
        "The references have another weather.",
    ),
    ErrorKind(
        "wrong text", wording.detect_written_text, "The references quote another text."
    ),
    ErrorKind(
        "wrong negation",
        relations.detect_negations,
        "One side has it, the other side denies it.",
    ),
    ErrorKind(
        "misplaced attribute",
        attributes.detect_misplaced,
        "The references give it to another object.",
    ),
    ErrorKind(
        "swapped relation",
        relations.detect_swapped,
        "The references have it the other way round.",
    ),
    ErrorKind(
        "unsupported attribute", attributes.detect_unconfirmed, "No reference says it."
    ),
    ErrorKind(
        "unsupported relation", relations.detect_unsupported, "No reference says it."
    ),
    ErrorKind(
        "unsupported word",
        wording.detect_unsupported_words,
        "No reference has anything like it.",
    ),
    Remark(
        "repetition",
        wording.detect_repetitions,
        "The candidate says it twice in a row.",
    ),
    Remark(
        "broken wording",
        wording.detect_repetitions,
        "The candidate breaks off, or has words that cannot follow each other.",
    ),
)

NAMES: tuple[Kind, ...] = tuple(kind.name for kind in KINDS)
WRONG: tuple[Kind, ...] = tuple(k.name for k in KINDS if k.question == "wrong")
"""Kinds of errors of commission: the caption says something wrong."""
MISSING: tuple[Kind, ...] = tuple(k.name for k in KINDS if k.question == "missing")
"""Kinds of errors of omission: the caption leaves something out."""
REMARKS: tuple[Kind, ...] = tuple(k.name for k in KINDS if k.question == "wording")
"""Kinds of remarks, which are not errors."""
QUESTIONS: dict[str, tuple[Kind, ...]] = {
    "says wrong": WRONG,
    "leaves out": MISSING,
    "remarks": REMARKS,
}
"""Question about a caption -> the kinds that answer it."""
HALLUCINATED: tuple[Kind, ...] = tuple(k.name for k in KINDS if k.hallucinates)
"""Kinds of findings about an object of the candidate that is not in the picture."""
SUPPORTED: tuple[Kind, ...] = tuple(k.name for k in KINDS if k.needs_support)
"""Kinds for which readers choose how many references must have the thing."""
UNCONFIRMED: dict[int, Kind] = {
    1: "invented object",
    2: "unsupported attribute",
    3: "unsupported relation",
}
"""Number of members -> the kind of a tuple that no reference has anything like."""
IN_NOUN: tuple[Kind, ...] = tuple(k.name for k in KINDS if k.in_noun)
"""Kinds of values that a noun alone may imply, such as its number."""
DETECTORS: tuple[Detector, ...] = tuple(
    dict.fromkeys(k.detect for k in sorted(KINDS, key=lambda kind: not kind.explains))
)
"""The detectors in the order in which they run; kinds with `explains` come first."""


def is_omission(finding: Finding) -> bool:
    """Return whether a finding, if it is right, means that something is left out."""
    # Something is left out if it is missed, and also if the candidate says another
    # thing in its place: a caption that has "a dog" for a cat leaves out the cat.
    substituted = finding.kind in WRONG and finding.expected is not None
    return substituted or finding.kind in MISSING


def is_supported(finding: Finding, references: int) -> bool:
    """Return whether enough references have the thing that a finding says is missed."""
    # Findings of other kinds need no references.
    return finding.kind not in SUPPORTED or (finding.references or 0) >= references
