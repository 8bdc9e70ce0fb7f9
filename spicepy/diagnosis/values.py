"""The values of an error analysis: what goes in, and what was found in one image."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from spicepy.diagnosis.words import Aspect, Value
from spicepy.graph.scene import SceneGraph
from spicepy.matching import Counts
from spicepy.samples.sample import ImageId

Verdict = Literal["right", "wrong", "unsaid", "absent"]
Kind = Literal[
    "missed object",
    "invented object",
    "wrong count",
    "wrong color",
    "wrong size",
    "misplaced attribute",
    "swapped relation",
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
KINDS: tuple[Kind, ...] = get_args(Kind)
WRONG: Mapping[Aspect, Kind] = {
    "count": "wrong count",
    "color": "wrong color",
    "size": "wrong size",
}


@dataclass(frozen=True, slots=True)
class Scene:
    """One scored image: both graphs, and the captions they were made from.

    Captions are tokenised; they are needed to read "a couple of" as a number.
    `counts` are SPICE's counts by category ("All", "Object", …).
    """

    image_id: ImageId
    candidate: SceneGraph
    reference: SceneGraph
    candidate_caption: str = ""
    references: tuple[str, ...] = ()
    counts: Mapping[str, Counts] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Observation:
    """What was said of one object's number, colour or size in one image.

    Attributes:
        object: The reference node, as printed.
        expected: The references' value: if right, the one that the candidate
            said, else of those it did not say the one that most captions say.
        said: The candidate's value that the verdict rests on, None without one.
        verdict: "right", "wrong", "unsaid" (the object without a value, or with
            a size that neither agrees nor contradicts) or "absent" (no such
            object in the candidate).
        node: The candidate's node that says it.
    """

    image_id: ImageId
    aspect: Aspect
    object: str
    expected: Value
    said: Value | None
    verdict: Verdict
    node: int | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Finding:
    """One error.

    Attributes:
        members: The candidate's tuple; of a missed object, the references'.
        expected: Of a wrong value, what the references say.
        said: Of a wrong value, what the candidate says.
        references: Of a missed object, how many captions mention it.
    """

    image_id: ImageId
    kind: Kind
    members: tuple[str, ...]
    expected: Value | None = None
    said: Value | None = None
    references: int | None = None


@dataclass(frozen=True, slots=True)
class ImageDiagnosis:
    """One image: SPICE's counts by category, observations and findings."""

    image_id: ImageId
    counts: Mapping[str, Counts]
    observations: tuple[Observation, ...]
    findings: tuple[Finding, ...]
