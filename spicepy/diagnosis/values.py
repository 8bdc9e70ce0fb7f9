"""The values of an error analysis: what goes in, and what was found in one image."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from spicepy.diagnosis.reading import Reading
from spicepy.diagnosis.words import Aspect, Value, load_words
from spicepy.graph.matching import Counts
from spicepy.samples.sample import ImageId

Verdict = Literal["right", "wrong", "unsaid", "absent"]
Kind = Literal[
    "missed object",
    "invented object",
    "confused object",
    "less specific",
    "more specific",
    "wrong count",
    "wrong color",
    "wrong size",
    "wrong material",
    "wrong gender",
    "wrong age",
    "wrong clothing",
    "wrong activity",
    "wrong place",
    "misplaced attribute",
    "swapped relation",
    "unsupported object",
    "unsupported attribute",
    "unsupported relation",
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
KINDS: tuple[Kind, ...] = get_args(Kind)
WRONG: Mapping[Aspect, Kind] = {
    "count": "wrong count",
    "color": "wrong color",
    "size": "wrong size",
    "material": "wrong material",
    "gender": "wrong gender",
    "age": "wrong age",
}
HALLUCINATED: tuple[Kind, ...] = ("invented object", "confused object", "wrong place")
"""Kinds that say: this object of the candidate is not in the picture."""
NO_ERRORS: tuple[Kind, ...] = (
    "less specific",
    "more specific",
    "unsupported object",
    "unsupported attribute",
    "unsupported relation",
)
"""Kinds that are no mistakes: another word for the same thing, or one that the
references neither have nor contradict."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One image: what the candidate says, and what each reference says.

    `counts` are SPICE's counts by category ("All", "Object", …), where it was scored.
    """

    image_id: ImageId
    candidate: Reading
    references: tuple[Reading, ...]
    counts: Mapping[str, Counts] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Observation:
    """What was said of one object's number, colour, size … in one image.

    Attributes:
        object: The object as most references call it.
        expected: The references' value: if right, the one that the candidate
            said, else the one that most references say. "many" for a number that is
            left open upwards.
        said: The candidate's value that the verdict rests on, None without one.
        verdict: "right", "wrong", "unsaid" (the object without a value, or with
            one that neither agrees nor contradicts) or "absent" (no such object in
            the candidate).
        references: How many references give the object a value.
    """

    image_id: ImageId
    aspect: Aspect
    object: str
    expected: Value
    said: Value | None
    verdict: Verdict
    references: int = field(default=1, compare=False)


@dataclass(frozen=True, slots=True)
class Finding:
    """One error, or one noun that is more or less specific than the references'.

    Attributes:
        members: The candidate's tuple; of a missed object, the references'.
        expected: What the references say: a value, or the noun meant.
        said: What the candidate says.
        references: How many references it rests on.
        words: The candidate's words it is about, as the caption has them.
        sure: Whether it rests on enough: most references, a thing that nobody leaves
            out; see "What a finding rests on" in `docs/how-to/can-it-count.md`.
    """

    image_id: ImageId
    kind: Kind
    members: tuple[str, ...]
    expected: Value | None = None
    said: Value | None = None
    references: int | None = None
    words: str = field(default="", compare=False)
    sure: bool = field(default=True, compare=False)

    @property
    def precision(self) -> float | None:
        """How often findings like this one are right; see `precision_of`."""
        return precision_of(self.kind, sure=self.sure)


@dataclass(frozen=True, slots=True)
class ImageDiagnosis:
    """One image: SPICE's counts by category, observations and findings."""

    image_id: ImageId
    counts: Mapping[str, Counts]
    observations: tuple[Observation, ...]
    findings: tuple[Finding, ...]
    mentions: int = 0
    """Objects that the candidate mentions."""
    shared: tuple[int, ...] = ()
    """Of each object class that the candidate has, how many references have it."""
    references: int = 0
    """How many references the image has."""
    risk: float = 0.0
    """How likely the candidate says what is not there, 0-1; see `risk.risk`."""
    objects: tuple[tuple[str, bool], ...] = ()
    """Classes of a vocabulary that the candidate names; whether a reference does."""
    hidden: tuple[Kind, ...] = ()
    """Kinds of the findings that are left out for too low a precision."""


def precision_of(kind: Kind, *, sure: bool = True) -> float | None:
    """How often findings of a kind were right where people checked them, 0-1.

    None where it was not measured. Measured by `benchmarks/diagnosis/verdicts.py`; the
    figures and what they rest on stand in `grammars/diagnosis.toml`.
    """
    words = load_words()
    known = words.precision.get(kind)
    return known if sure else words.unsure.get(kind, known)
