"""The kinds of findings: one line a kind, with all that is said of it.

To add a kind: write its detector, a file in this folder with a function `detect`, and a
line in `KINDS`. The order is that of tables and files.
"""

from functools import partial

from spicepy.diagnosis.findings import Kind
from spicepy.diagnosis.kinds import (
    activities,
    attributes,
    counts,
    gender_and_age,
    misplaced,
    missed,
    swapped,
    unconfirmed_attributes,
    unmatched,
    unsupported_relations,
    wording,
)
from spicepy.diagnosis.kinds.detection import Detection, Detector, ErrorKind

__all__ = ["DETECTORS", "HALLUCINATED", "KINDS", "MISSING", "NAMES", "QUESTIONS"]
__all__ += ["REMARKS", "WRONG", "Detection", "ErrorKind"]

Remark = partial(ErrorKind, question="wording")

KINDS: tuple[ErrorKind, ...] = (
    ErrorKind(
        "missed object",
        missed.detect,
        "References have it, the candidate does not.",
        question="missing",
    ),
    ErrorKind(
        "invented object",
        unmatched.detect,
        "No reference has it or anything like it.",
        hallucinates=True,
    ),
    ErrorKind(
        "confused object",
        unmatched.detect,
        "It was taken for a similar thing.",
        hallucinates=True,
    ),
    Remark("less specific", wording.detect, "The references have a more special word."),
    Remark("more specific", wording.detect, "The references have a more general word."),
    ErrorKind("wrong count", counts.detect, "The references give another number."),
    ErrorKind("wrong color", attributes.detect, "The references give another colour."),
    ErrorKind("wrong size", attributes.detect, "The references give another size."),
    ErrorKind(
        "wrong material", attributes.detect, "The references give another material."
    ),
    ErrorKind(
        "wrong gender",
        gender_and_age.detect,
        "The references tell of the other gender.",
    ),
    ErrorKind(
        "wrong age", gender_and_age.detect, "The references tell of another age."
    ),
    ErrorKind("wrong clothing", wording.detect, "The references have another garment."),
    ErrorKind(
        "wrong activity",
        activities.detect,
        "The references tell of other activities.",
        explains=True,
    ),
    ErrorKind(
        "wrong place",
        unmatched.detect,
        "The references have it happen elsewhere.",
        hallucinates=True,
    ),
    ErrorKind(
        "misplaced attribute",
        misplaced.detect,
        "The references say it of another object.",
    ),
    ErrorKind(
        "swapped relation",
        swapped.detect,
        "The references have it the other way round.",
    ),
    ErrorKind(
        "unsupported attribute",
        unconfirmed_attributes.detect,
        "No reference says it.",
    ),
    ErrorKind(
        "unsupported relation",
        unsupported_relations.detect,
        "No reference says it.",
    ),
)

NAMES: tuple[Kind, ...] = tuple(kind.name for kind in KINDS)
WRONG: tuple[Kind, ...] = tuple(k.name for k in KINDS if k.question == "wrong")
"""Kinds that say: the caption says something wrong (errors of commission)."""
MISSING: tuple[Kind, ...] = tuple(k.name for k in KINDS if k.question == "missing")
"""Kinds that say: the caption leaves something out (errors of omission)."""
REMARKS: tuple[Kind, ...] = tuple(k.name for k in KINDS if k.question == "wording")
"""Kinds that are no errors."""
QUESTIONS: dict[str, tuple[Kind, ...]] = {
    "says wrong": WRONG,
    "leaves out": MISSING,
    "remarks": REMARKS,
}
"""What is asked of a caption, and the kinds that answer it."""
HALLUCINATED: tuple[Kind, ...] = tuple(k.name for k in KINDS if k.hallucinates)
"""Kinds that say: this object of the candidate is not in the picture."""
DETECTORS: tuple[Detector, ...] = tuple(
    dict.fromkeys(k.detect for k in sorted(KINDS, key=lambda kind: not kind.explains))
)
"""The detectors in the order in which they run: first those that explain things."""
