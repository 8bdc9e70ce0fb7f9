"""Samples: what every metric scores.

In: captions files (see `read_samples`). Out: `Sample` values, one an image.
"""

from dataclasses import dataclass

ImageId = int | str


@dataclass(frozen=True, slots=True)
class Sample:
    """One image: its id (type kept), a candidate caption and its references.

    Metrics receive samples whose captions went through
    `spicepy.tokenization` (lower-case PTB tokens joined by single spaces).
    """

    image_id: ImageId
    candidate: str
    references: tuple[str, ...]
