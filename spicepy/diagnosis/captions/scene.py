"""Scenes: the readings of one image's captions."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from spicepy.diagnosis.captions.caption import Reading
from spicepy.graph.matching import Counts
from spicepy.samples.sample import ImageId


@dataclass(frozen=True, slots=True)
class Scene:
    """The readings of one image's candidate and references.

    Attributes:
        image_id: The image.
        candidate: The reading of the candidate.
        references: The readings of the references.
        counts: SPICE's counts by category ("All", "Object", …), if SPICE was scored.
    """

    image_id: ImageId
    candidate: Reading
    references: tuple[Reading, ...]
    counts: Mapping[str, Counts] = field(default_factory=dict)
