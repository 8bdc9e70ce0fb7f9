"""CHAIR as a metric: objects that captions name and their images do not show.

In: samples, and the annotations of their images. Out: a row of numbers for each
candidate (`annotations.chair`), with a `CaptionObjects` as its detail. Objects that the
references of a sample name count as objects of the image as well.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from spicepy.annotations import chair
from spicepy.annotations.instances import Instances, digest, read_instances
from spicepy.annotations.mentions import CLEAN, MentionReader
from spicepy.annotations.readers import load_reader
from spicepy.common.errors import InputError, shown
from spicepy.metrics.base import Array, Metric, Statistics
from spicepy.samples.sample import ImageId
from spicepy.tokenization.samples import TokenisedSample

WIDTH: Final = 7
"""The number of columns of a row."""


class Chair(Metric):
    """CHAIR over annotations and references.

    Args:
        instances: Annotation files in COCO's format, or annotations that were read.
        reader: The reader of captions (`annotations.readers.load_reader`); by default
            that of the variant `clean` with COCO's classes.

    Raises:
        InputError: The annotations are wrong, or of other classes than the reader's.
        ResourceError: A resource that the reader needs is missing.
    """

    def __init__(
        self,
        instances: Sequence[str | Path] | Instances,
        reader: MentionReader | None = None,
    ) -> None:
        self.instances: Instances = (
            instances if isinstance(instances, Instances) else read_instances(instances)
        )
        self.reader = reader or load_reader(CLEAN)
        self.truth({})  # This checks the categories before any other work.
        self._digest = digest(self.instances)

    @property
    def keys(self) -> tuple[str, ...]:
        """CHAIRs, CHAIRi, recall, precision and F1 (0-1), and the length in tokens."""
        return chair.KEYS

    @property
    def falling(self) -> frozenset[str]:
        """The rates of hallucination."""
        return frozenset(("chair-s", "chair-i"))

    def truth(self, references: Mapping[ImageId, Sequence[str]]) -> chair.Truth:
        """Return the objects of the images, from annotations and references."""
        return chair.Truth(self.instances, references, self.reader)

    def count(self, samples: Sequence[TokenisedSample]) -> Statistics:
        """Reduce samples to rows of `CaptionObjects`.

        Raises:
            InputError: No annotation file has an image, or captions were given as
                tokens alone.
        """
        captions, references = [], {}
        for sample in samples:
            if sample.raw is None:
                raise InputError("chair reads captions as written; only tokens given")
            where = f"image {shown(sample.image_id)}"
            image_id = self.instances.image(sample.image_id, where)
            captions.append((image_id, sample.raw.candidate))
            references[image_id] = sample.raw.references
        judged = chair.caption_objects(captions, self.truth(references), self.reader)
        rows = np.array([c.row for c in judged]).reshape(-1, WIDTH)
        return Statistics(tuple(s.image_id for s in samples), rows, tuple(judged))

    def image_scores(self, rows: Array) -> Array:
        """Return scores of captions, 0 where undefined: (images, 7) -> (images, 6)."""
        return chair.caption_scores(rows)

    def corpus_scores(self, totals: Array, images: int | Array) -> Array:
        """Return scores of corpora: (..., 7) -> (..., 6)."""
        return chair.corpus_scores(totals, images)

    def signature(self) -> Mapping[str, str]:
        """Return the variant, the reader's parts and the annotations."""
        signature = self.reader.signature()
        truth = {"truth": "instances+references", "instances": self._digest}
        return {"metric": "CHAIR", **signature, **truth}
