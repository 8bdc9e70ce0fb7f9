"""Scenes: one image as its captions tell of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from spicepy.diagnosis.captions.caption import Reading
from spicepy.graph.matching import Counts
from spicepy.samples.sample import ImageId


@dataclass(frozen=True, slots=True)
class Scene:
    """One image, as the candidate and each reference tell of it.

    Attributes:
        image_id: The image.
        candidate: The candidate, read.
        references: The references, read.
        counts: SPICE's counts by category ("All", "Object", …), where it was scored.
    """

    image_id: ImageId
    candidate: Reading
    references: tuple[Reading, ...]
    counts: Mapping[str, Counts] = field(default_factory=dict)
