"""Counting as a metric: the numbers that captions say, against annotated objects.

In: samples, and the annotations of their images. Out: a row of numbers for each
candidate (`annotations.counting`), with a `CaptionCounts` as its detail. References are
not read.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from spicepy.annotations import counting
from spicepy.annotations.claims import ClaimReader
from spicepy.annotations.instances import (
    ImageObjects,
    Instances,
    check_classes,
    digest,
    read_instances,
)
from spicepy.annotations.parsed_mentions import ParsedReader, load_parsed_reader
from spicepy.common.errors import InputError, shown
from spicepy.metrics.base import Array, Metric, Statistics
from spicepy.samples.sample import ImageId
from spicepy.tokenization.samples import TokenisedSample


class Counting(Metric):
    """Numbers of objects against annotations; the main scores are of tier A.

    Args:
        instances: Annotation files in COCO's format, or annotations that were read.
        reader: The reader of nouns that name objects; by default `clean` with COCO's
            classes.

    Raises:
        InputError: The annotations are wrong, or of other classes than the reader's.
    """

    def __init__(
        self,
        instances: Sequence[str | Path] | Instances,
        reader: ParsedReader | None = None,
    ) -> None:
        self.instances: Instances = (
            instances if isinstance(instances, Instances) else read_instances(instances)
        )
        self.claims = ClaimReader(reader or load_parsed_reader())
        mentions = self.claims.reader
        classes = {name: mentions.class_of(name) for name in self.instances.categories}
        check_classes(self.instances, classes, mentions.vocabulary)
        self._digest = digest(self.instances)
        self._classes = {name: cls for name, cls in classes.items() if cls is not None}

    @property
    def keys(self) -> tuple[str, ...]:
        """See `annotations.counting.KEYS`."""
        return counting.KEYS

    @property
    def falling(self) -> frozenset[str]:
        """The errors."""
        names = ("mae", "rmse", "over", "under")
        return frozenset(f"count-{name}" for name in names)

    def measure(
        self, captions: Sequence[tuple[ImageId, str]]
    ) -> list[counting.CaptionCounts]:
        """Return the numbers of captions, given as (image id, caption)."""
        read = self.claims.read([caption for _, caption in captions])
        words = self.claims.words
        return [
            counting.caption_counts(
                image_id, caption, read[caption], self._objects(image_id), words
            )
            for image_id, caption in captions
        ]

    def _objects(self, image_id: ImageId) -> ImageObjects:
        """Return the objects of an image by the reader's classes."""
        objects, counts = self.instances.images[image_id], dict[str, int]()
        for name, number in objects.counts.items():
            cls = self._classes[name]
            counts[cls] = counts.get(cls, 0) + number
        crowd = frozenset(self._classes[c] for c in objects.crowd)
        absent = objects.absent and frozenset(self._classes[c] for c in objects.absent)
        return ImageObjects(counts, crowd, absent)

    def count(self, samples: Sequence[TokenisedSample]) -> Statistics:
        """Reduce samples to rows of `CaptionCounts`.

        Raises:
            InputError: No annotation file has an image, or captions were given as
                tokens alone.
        """
        captions = []
        for sample in samples:
            if sample.raw is None:
                raise InputError(
                    "counting reads captions as written; only tokens given"
                )
            where = f"image {shown(sample.image_id)}"
            image_id = self.instances.image(sample.image_id, where)
            captions.append((image_id, sample.raw.candidate))
        measured = self.measure(captions)
        rows = np.array([c.row for c in measured]).reshape(-1, counting.WIDTH)
        return Statistics(tuple(s.image_id for s in samples), rows, tuple(measured))

    def image_scores(self, rows: Array) -> Array:
        """Return scores, NaN where undefined: (images, 9) -> (images, 9)."""
        return counting.corpus_scores(rows)

    def corpus_scores(self, totals: Array, images: int | Array) -> Array:
        """Return scores of corpora: (..., 9) -> (..., 9)."""
        return counting.corpus_scores(totals)

    def signature(self) -> Mapping[str, str]:
        """Return the reader's parts, the tier and the annotations."""
        parts = self.claims.reader.signature()
        return {"metric": "counting", **parts, "tier": "A", "instances": self._digest}
