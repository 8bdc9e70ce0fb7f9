"""Findings, observations and patterns: the values that an error analysis returns.

The findings and observations are of one image, the patterns of all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, get_args

from spicepy.captions.sample import ImageId
from spicepy.diagnosis.lexicon.aspects import Aspect, Value
from spicepy.graph.matching import Counts
from spicepy.metrics.significance import wilson

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
        object: The noun that most references use for the object.
        expected: The references' value: if the candidate is right, the value that it
            says, else the one that most references say, of numbers the nearest to what
            the candidate says. "many" stands for a number without an upper bound.
        said: The candidate's value that the verdict rests on, None without one.
        verdict: "right", "wrong", "unsaid" (the object without a value, or with
            one that neither agrees nor contradicts) or "absent" (no such object in
            the candidate).
        references: How many references give the object a value.
        weight: The share of the comparisons with all references but one that have this
            verdict, 0-1; 1 for other aspects than numbers.
    """

    image_id: ImageId
    aspect: Aspect
    object: str
    expected: Value
    said: Value | None
    verdict: Verdict
    references: int = field(default=1, compare=False)
    weight: float = field(default=1.0, compare=False)


@dataclass(frozen=True, slots=True)
class Finding:
    """One error, or one remark such as a noun that is more specific.

    Attributes:
        image_id: The image.
        kind: The name of the kind, one of `kinds.KINDS`.
        members: The candidate's tuple; for a missed object, the references' tuple.
        expected: The references' value, or the noun that they have.
        said: The candidate's value or noun.
        references: How many references support the finding.
        words: The words of the candidate's caption that the finding is about.
        probability: How likely the finding is right, 0-1, by its features; None if its
            kind has no weights.
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
        """The members in a line: "dog, red"."""
        return ", ".join(self.members)

    def judged(self, probability: float | None) -> "Finding":
        """Return the finding with a probability, 0-1."""
        return replace(self, probability=probability)

    @property
    def word(self) -> str:
        """The value, verb or preposition that the finding is about, "" for a noun."""
        return self.members[1].split(" ")[0] if len(self.members) > 1 else ""


@dataclass(frozen=True, slots=True)
class ImageDiagnosis:
    """The error analysis of one image.

    Attributes:
        image_id: The image.
        counts: SPICE's counts by category.
        observations: Verdicts, aspect by aspect.
        findings: Errors and remarks, kind by kind.
        mentions: The number of objects that the candidate mentions.
        shared: For each object class of the references, the number of those that have
            it, and whether the candidate has it.
        references: The number of references.
        risk: The expected number of wrong statements of the candidate, from 0, hidden
            findings included.
        omissions: The expected number of things that the candidate leaves out, from 0,
            also those that it replaces by something else.
        objects: The classes of a vocabulary that the candidate names, each with whether
            a reference names it as well.
        hidden: The kinds of findings that are left out for a low probability, one entry
            a finding.
        unmeasured: The kinds of findings that are left out since they have no
            probability (nobody has checked such findings), one entry per finding.
        captions: The candidate's caption and those of the references, as written.
    """

    image_id: ImageId
    counts: Mapping[str, Counts]
    observations: tuple[Observation, ...]
    findings: tuple[Finding, ...]
    mentions: int = 0
    shared: tuple[tuple[int, bool], ...] = ()
    references: int = 0
    risk: float = 0.0
    omissions: float = 0.0
    objects: tuple[tuple[str, bool], ...] = ()
    hidden: tuple[Kind, ...] = ()
    unmeasured: tuple[Kind, ...] = ()
    captions: tuple[str, ...] = ()


FactMembers = tuple[str, ...]
"""(object,), (object, attribute) or (object, relation, object)."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement of a caption."""

    sentence: int  # The number of its sentence, from 1
    members: FactMembers  # (object,), (object, attribute) or (object, relation, object)
    # The probability that it is wrong, 0-1: that of the finding about it; without a
    # finding, the higher, the less similar the references' words are.
    wrong: float
    kind: Kind  # The kind of the finding about it, "" without one

    @property
    def text(self) -> str:
        """The members in a line: "dog, red"."""
        return ", ".join(self.members)


# Thresholds of the error analysis.

SUPPORT: Final = 3
"""How many references must have an object before a candidate misses it, by default."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How much evidence an error needs.

    Attributes:
        references: How many references must contradict a candidate before it is wrong;
            all of them if there are fewer.
        missed: How many references must have an object before a candidate misses it:
            most of five.
        same_word: Minimum cosine (0-1) at which two words count as synonyms.
        small_number: Up to this many people, captions usually mention each one.
    """

    references: int = 2
    missed: int = SUPPORT
    same_word: float = 0.6
    small_number: int = 4


# Patterns: what a captioner does more often than people.

PatternKind = Literal[
    "confused",
    "less specific",
    "more specific",
    "other word",
    "invented",
    "missed",
    "overused",
    "repeated",
    "wrong order",
    "wrong count",
    "wrong color",
    "wrong size",
    "wrong material",
    "wrong gender",
    "wrong age",
]


NUMBER_WORDS: Final = ("none", "one", "two", "three", "four", "five", "six")

_FOR: Final = frozenset(get_args(PatternKind)) - {
    *("invented", "missed", "overused", "repeated", "wrong order"),
}
"""The kinds of patterns that say one thing for another."""
_WORDING: Final = frozenset(("other word", "overused", "missed"))
"""The kinds of patterns that are ways of wording, and no errors."""


@dataclass(frozen=True, slots=True)
class PatternExample:
    """A caption with a pattern.

    Attributes:
        image_id: The image.
        caption: The candidate.
        reference: A reference that shows what is expected.
    """

    image_id: ImageId
    caption: str
    reference: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """The number of images of a pattern on which annotated objects call it an error.

    Attributes:
        images: The number of images on which they do.
        judged: The number of images on which they can tell.
    """

    images: int
    judged: int

    def __str__(self) -> str:
        """Return the share with its 95 % interval (Wilson): "8 of 10 (.49-.94)"."""
        low, high = wilson(self.images, self.judged) or (0.0, 1.0)
        ends = "-".join(f"{end:.2f}".removeprefix("0") for end in (low, high))
        return f"{self.images} of {self.judged} ({ends})"


OF_MANY: Final = {
    **{"count": "any number", "noun": "a thing", "phrase": "a phrase"},
    "longer phrase": "a longer phrase",
    "named by all": "a thing that all others name",
    **{"word in a row": "a word in a row", "second thing": "a second thing"},
}
"""The names of what stands for many words."""


def _quoted(text: str) -> str:
    """Return a word in quotation marks; what stands for many words has none."""
    plain = text.startswith("any ") or text in OF_MANY.values()
    return text if plain else f'"{text}"'


@dataclass(frozen=True, slots=True)
class Pattern:
    """A habit: something that a captioner does more often than people.

    Attributes:
        kind: The kind of the habit.
        said: The word, value or phrase that it says; "" if it leaves something out.
        expected: The word or value that the references have instead; "" without one.
        given: The noun that the references of these images have; "" if it does not
            matter what they have.
        images: The number of images on which the candidate does it.
        expected_images: The number of images on which a person would do it: the mean of
            the references.
        p: The exact p-value, adjusted for all rows that were tried, 0-1.
        image_ids: These images, the clearest first.
        examples: The first of them.
        agreement: The images on which annotated objects call it an error; None if
            there are no annotations.
    """

    kind: PatternKind
    said: str
    expected: str
    given: str
    images: int
    expected_images: float
    p: float
    image_ids: tuple[ImageId, ...]
    examples: tuple[PatternExample, ...]
    agreement: Agreement | None = None

    @property
    def excess(self) -> float:
        """The number of images beyond those on which a person would do it."""
        return self.images - self.expected_images

    @property
    def text(self) -> str:
        """The habit as the end of a sentence: "says "cat" for "dog""."""
        said, expected = map(_quoted, (self.said, self.expected))
        if self.kind in _FOR:
            if not self.said:
                return f"gives a {self.kind.replace('count', 'number')}"
            return f"says {said} for {expected}"
        if self.kind == "invented":
            given = f' where the references have "{self.given}"'
            return f"says {said}{given if self.given else ' where no reference does'}"
        if self.kind == "missed":
            return f"leaves out {expected}"
        if self.kind == "overused":
            return f"says {said} too often"
        if self.kind == "repeated":
            in_a_row = said == OF_MANY["word in a row"]
            return "says a word twice in a row" if in_a_row else f"says {said} twice"
        return f"has {said} the other way round"


def strongest(patterns: Sequence[Pattern], most: int | None) -> Sequence[Pattern]:
    """Return at most so many patterns, half of them errors if there are enough.

    Args:
        patterns: Patterns, the greatest excess first.
        most: The maximum number; None for all.
    """
    if most is None or len(patterns) <= most:
        return patterns
    errors = [p for p in patterns if _is_error(p)][: (most + 1) // 2]
    others = [p for p in patterns if p not in errors]
    return [*errors, *others[: most - len(errors)]]


def _is_error(pattern: Pattern) -> bool:
    """Return whether a pattern is an error; "a group" for two is a way of wording."""
    if pattern.kind == "wrong count" and pattern.expected != "one":
        number = pattern.said.partition(" ")[0]
        return not number or number in NUMBER_WORDS or number.isdecimal()
    return pattern.kind not in _WORDING
