"""Detections: findings and observations, and the things that they are about."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from spicepy.diagnosis.alignment import AlignedScene
from spicepy.diagnosis.captions.caption import Thing
from spicepy.diagnosis.findings import Finding, Kind, Observation
from spicepy.diagnosis.lexicon.aspects import Aspect


@dataclass(frozen=True, slots=True)
class Detection:
    """A finding, an observation, or both.

    The other attributes tell `analysis.resolve_conflicts` which detections exclude each
    other.

    Attributes:
        finding: An error or a remark.
        observation: The verdict on a value.
        aspect: The aspect of the value that the finding is about; "" for other ones.
        things: Things, of any text, that the finding is about besides its members;
            later detectors leave them out.
        instead_of: The name of the class of the references that the finding's noun
            stands for, which is then not missed.
    """

    finding: Finding | None = None
    observation: Observation | None = None
    aspect: Aspect | Literal[""] = ""
    things: tuple[Thing, ...] = ()
    instead_of: str = ""


Detector = Callable[[AlignedScene], Iterable[Detection]]
"""Finds all errors of one or several kinds in one image."""


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """A kind of finding and all that is said of it.

    Attributes:
        name: Its name in tables, files and the report.
        detect: Finds them; several kinds may share a detector.
        help: One sentence for people.
        is_error: False for remarks: another word for the same thing, or one that the
            references neither have nor contradict.
        hallucinates: Whether it says that an object is not in the picture.
        explains: Whether its detector runs before the others, which leave out the
            things that it explains.
    """

    name: Kind
    detect: Detector
    help: str
    is_error: bool = True
    hallucinates: bool = False
    explains: bool = False
