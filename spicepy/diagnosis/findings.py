"""The values of an error analysis: what one image's candidate got right and wrong."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from spicepy.diagnosis.lexicon.aspects import Aspect, Value
from spicepy.graph.matching import Counts
from spicepy.samples.sample import ImageId

Verdict = Literal["right", "wrong", "unsaid", "absent"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
Kind = str
"""The name of a kind of finding; `kinds.KINDS` has them all."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The verdict on one object's number, colour, size … in one image.

    Attributes:
        image_id: The image.
        aspect: The aspect of the object.
        object: The object as most references call it.
        expected: The references' value: if right, the one that the candidate
            said, else the one that most references say. "many" for a number that is
            left open upwards.
        said: The candidate's value that the verdict rests on, None without one.
        verdict: "right", "wrong", "unsaid" (the object without a value, or with
            one that neither agrees nor contradicts) or "absent" (no such object in
            the candidate).
        references: How many references give the object a value.
        in_words: Whether a number is said in words ("one dog", "a couple"), not by an
            article or a plural; None of other aspects, and where no value is said.
    """

    image_id: ImageId
    aspect: Aspect
    object: str
    expected: Value
    said: Value | None
    verdict: Verdict
    references: int = field(default=1, compare=False)
    in_words: bool | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Finding:
    """One error, or one remark such as a noun that is more specific.

    Attributes:
        image_id: The image.
        kind: The name of the kind, one of `kinds.KINDS`.
        members: The candidate's tuple; of a missed object, the references'.
        expected: The references' value, or the noun that they have.
        said: The candidate's value or noun.
        references: How many references it rests on.
        words: The candidate's words it is about, as the caption has them.
        probability: How likely the finding is right, 0-1, by its own evidence; None
            if its kind has no weights.
    """

    image_id: ImageId
    kind: Kind
    members: tuple[str, ...]
    expected: Value | None = None
    said: Value | None = None
    references: int | None = None
    words: str = field(default="", compare=False)
    probability: float | None = field(default=None, compare=False)

    @property
    def text(self) -> str:
        """Its members in a line: "dog, red"."""
        return ", ".join(self.members)

    @property
    def word(self) -> str:
        """The value, verb or preposition that it is about, "" for a noun."""
        return self.members[1].split(" ")[0] if len(self.members) > 1 else ""


@dataclass(frozen=True, slots=True)
class ImageDiagnosis:
    """One image, diagnosed.

    Attributes:
        image_id: The image.
        counts: SPICE's counts by category.
        observations: Verdicts, aspect by aspect.
        findings: Errors and remarks, kind by kind.
        mentions: The number of objects that the candidate mentions.
        shared: The number of references that have each object class of the
            candidate.
        references: The number of references.
        risk: The expected number of wrong statements of the candidate, from 0; findings
            that are hidden count, too.
        omissions: The expected number of things that it leaves out, from 0, those
            among them in whose place it says something else.
        objects: Classes of a vocabulary that the candidate names, and whether a
            reference names them, too.
        hidden: Kinds of the findings that are left out for too low a probability.
        unmeasured: Kinds of the findings that are left out since nobody has checked
            findings of the kind: they have no probability.
    """

    image_id: ImageId
    counts: Mapping[str, Counts]
    observations: tuple[Observation, ...]
    findings: tuple[Finding, ...]
    mentions: int = 0
    shared: tuple[int, ...] = ()
    references: int = 0
    risk: float = 0.0
    omissions: float = 0.0
    objects: tuple[tuple[str, bool], ...] = ()
    hidden: tuple[Kind, ...] = ()
    unmeasured: tuple[Kind, ...] = ()
