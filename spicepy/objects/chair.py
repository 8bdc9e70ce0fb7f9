"""CHAIR: objects that captions name although the pictures do not show them.

    CHAIRs  = captions with a hallucinated object / captions
    CHAIRi  = hallucinated mentions / mentions
    recall  = named classes that are there / classes that are there
    precision = named classes that are there / named classes
    F1      = harmonic mean of both
    length  = mean number of tokens

A mention is hallucinated if its class is not in the truth: the annotated objects of the
image, and the objects that its reference captions name (found by the same reader).
Where annotators did not look for all classes (LVIS), mentions of the others are left
out of all numbers.
CHAIRi counts a class as often as it is named; precision and recall once per caption.
Sums are taken over the corpus before they are divided, as in the scripts. A score whose
denominator is 0 is undefined (NaN) for a corpus; for one caption it is 0, as there.

Source: Rohrbach et al. 2018, Object Hallucination in Image Captioning, section 3.1;
recall and length: Leng et al. 2024 and Huang et al. 2024 (OPERA), as their scripts
compute them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from spicepy.captions.sample import ImageId
from spicepy.common.errors import brief
from spicepy.metrics.base import Array, Metric, Statistics
from spicepy.objects.instances import Instances, check_classes, digest, read_instances
from spicepy.objects.mentions import CLEAN, Mention, MentionReader, Mentions
from spicepy.objects.readers import load_reader
from spicepy.tokenization.samples import TokenisedSample, raw_samples

KEYS: Final = (
    *("chair-s", "chair-i", "chair-recall"),
    *("chair-precision", "chair-f1", "chair-length"),
)
"""The scores of a corpus. All but the length, a number of tokens, are between 0 and 1;
in CHAIRs and CHAIRi less is better."""


@dataclass(frozen=True, slots=True)
class CaptionObjects:
    """The objects that one caption names, against those in its image."""

    image_id: ImageId
    caption: str  # The raw caption
    # The objects that it names, in order, with repetitions.
    mentions: tuple[Mention, ...]
    truth: frozenset[str]  # The classes that are in the image
    tokens: tuple[str, ...]  # The tokens of the caption in their dictionary forms
    sentences: int = 1  # The number of its sentences
    # The objects that it names whose presence the annotations do not decide; None if
    # the annotations are of all classes.
    unjudged: tuple[Mention, ...] | None = None

    @property
    def hallucinated(self) -> tuple[Mention, ...]:
        """The mentions whose class is not in the image."""
        return tuple(m for m in self.mentions if m.name not in self.truth)

    @property
    def named(self) -> frozenset[str]:
        """The classes that the caption names."""
        return frozenset(mention.name for mention in self.mentions)

    @property
    def row(self) -> tuple[float, ...]:
        """The additive row of numbers; see `corpus_scores`."""
        hallucinated, named = len(self.hallucinated), self.named
        return (
            *(float(hallucinated > 0), hallucinated, len(self.mentions)),
            *(len(named & self.truth), len(self.truth), len(named), len(self.tokens)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready values."""
        chair_s, chair_i, recall, *_ = caption_scores(np.array([self.row]))[0]
        open_ = {"unjudged": [m.name for m in self.unjudged or ()]}
        return {
            "image_id": self.image_id,
            "caption": self.caption,
            "mentioned": [mention.name for mention in self.mentions],
            "hallucinated": [mention.name for mention in self.hallucinated],
            "words": [mention.word for mention in self.mentions],
            "missed": sorted(self.truth - self.named),
            **({} if self.unjudged is None else open_),
            "chair-s": int(chair_s),
            "chair-i": float(chair_i),
            "recall": float(recall),
        }


def corpus_scores(totals: Array, captions: int | Array) -> Array:
    """Return the scores of `KEYS` from sums of rows: (..., 7) -> (..., 6)."""
    hallucinating, hallucinated, mentions, recalled, truth, named, tokens = np.moveaxis(
        np.asarray(totals, float), -1, 0
    )
    recall, precision = share(recalled, truth), share(recalled, named)
    f1 = np.where(
        recall + precision > 0, share(2 * recall * precision, recall + precision), 0.0
    )
    f1 = np.where(np.isnan(recall + precision), np.nan, f1)
    number = np.broadcast_to(np.asarray(captions, float), tokens.shape)
    return np.stack(
        [
            *(share(hallucinating, number), share(hallucinated, mentions)),
            *(recall, precision, f1, share(tokens, number)),
        ],
        axis=-1,
    )


def caption_scores(rows: Array) -> Array:
    """Return the scores of single captions, 0 where undefined: (n, 7) -> (n, 6)."""
    scores: Array = np.nan_to_num(corpus_scores(rows, 1), nan=0.0)
    return scores


def share(part: Array, whole: Array) -> Array:
    """Return the quotient of two arrays, NaN where the second is 0."""
    quotient: Array = np.full(np.shape(part), np.nan)
    np.divide(part, whole, out=quotient, where=np.asarray(whole) != 0)
    return quotient


class ObjectsOfImages:
    """The classes that are in each image, found by one reader."""

    def __init__(
        self,
        instances: Instances,
        references: Mapping[ImageId, Sequence[str]],
        reader: MentionReader,
    ) -> None:
        classes = {name: reader.class_of(name) for name in instances.categories}
        check_classes(instances, classes, reader.vocabulary)
        self._classes = {name: cls for name, cls in classes.items() if cls is not None}
        self._instances, self._references = instances, references

    def captions(self, images: Sequence[ImageId]) -> list[str]:
        """Return the references of images that must be read."""
        return [c for i in dict.fromkeys(images) for c in self._references.get(i, ())]

    def of(self, image_id: ImageId, read: Mapping[str, Mentions]) -> frozenset[str]:
        """Return the classes in an image."""
        objects = self._instances.images[image_id].counts
        named = (
            mention.name
            for caption in self._references.get(image_id, ())
            for mention in read[caption].mentions
        )
        return frozenset((*(self._classes[name] for name in objects), *named))

    def absent(self, image_id: ImageId) -> frozenset[str] | None:
        """Return the classes that are not in an image; None: all others."""
        absent = self._instances.images[image_id].absent
        return None if absent is None else frozenset(self._classes[c] for c in absent)


def caption_objects(
    captions: Sequence[tuple[ImageId, str]],
    truth: ObjectsOfImages,
    reader: MentionReader,
) -> list[CaptionObjects]:
    """Return the objects of captions, in any order, against those of their images."""
    images = [image_id for image_id, _ in captions]
    read = reader.read([*(caption for _, caption in captions), *truth.captions(images)])
    there = {image_id: truth.of(image_id, read) for image_id in dict.fromkeys(images)}
    absent = {image_id: truth.absent(image_id) for image_id in there}
    return [
        _judged(image_id, caption, read[caption], there[image_id], absent[image_id])
        for image_id, caption in captions
    ]


def _judged(
    image_id: ImageId,
    caption: str,
    mentions: Mentions,
    truth: frozenset[str],
    absent: frozenset[str] | None,
) -> CaptionObjects:
    """Return the objects of one caption; `absent` as in `Truth.absent`."""
    judged, unjudged = mentions.mentions, None
    if absent is not None:
        known = truth | absent
        judged = tuple(m for m in mentions.mentions if m.name in known)
        unjudged = tuple(m for m in mentions.mentions if m.name not in known)
    return CaptionObjects(
        image_id, caption, judged, truth, mentions.tokens, mentions.sentences, unjudged
    )


WIDTH: Final = 7  # The number of columns of a row


class Chair(Metric):
    """CHAIR over annotations (read, or files in COCO's format) and references."""

    # The reader of captions is by default that of the variant `clean` with COCO's
    # classes.

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

    keys = KEYS

    @property
    def lower_is_better(self) -> frozenset[str]:
        """The rates of hallucination."""
        return frozenset(("chair-s", "chair-i"))

    amounts = undirected = frozenset(["chair-length"])

    def truth(self, references: Mapping[ImageId, Sequence[str]]) -> ObjectsOfImages:
        """Return the objects of the images, from annotations and references."""
        return ObjectsOfImages(self.instances, references, self.reader)

    def count(self, samples: Sequence[TokenisedSample]) -> Statistics:
        """Reduce samples to rows of `CaptionObjects`."""
        captions, references = [], {}
        for name, sample in raw_samples(samples, "chair"):
            image_id = self.instances.image(name, f"image {brief(name)}")
            captions.append((image_id, sample.candidate))
            references[image_id] = sample.references
        judged = caption_objects(captions, self.truth(references), self.reader)
        rows = np.array([c.row for c in judged]).reshape(-1, WIDTH)
        return Statistics(tuple(s.image_id for s in samples), rows, tuple(judged))

    def image_scores(self, rows: Array) -> Array:
        """Return scores of captions, 0 where undefined: (images, 7) -> (images, 6)."""
        return caption_scores(rows)

    def corpus_scores(self, totals: Array, images: int | Array) -> Array:
        """Return scores of corpora: (..., 7) -> (..., 6)."""
        return corpus_scores(totals, images)

    def signature(self) -> Mapping[str, str]:
        """Return the variant, the reader's parts and the annotations."""
        signature = self.reader.signature()
        truth = {"truth": "instances+references", "instances": self._digest}
        return {"metric": "CHAIR", **signature, **truth}
