"""The one interface of all metrics: additive statistics, then scores.

A metric reduces every image once to a row of numbers (`count`). Image scores,
corpus scores, sub-sets, bootstrap samples and parallel parts are all computed
from those rows and their sums; nothing is counted twice.

In: samples with tokenised captions. Out: `Statistics`; arrays of scores.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from spicepy.common.errors import InputError, shown
from spicepy.samples.sample import ImageId, Sample

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Additive per-image statistics of one metric.

    `rows` has shape (images, columns); row i belongs to `image_ids[i]`.
    `details[i]`, where a metric gives it, is its account of image i (SPICE:
    the matched, missing and spurious tuples).
    """

    image_ids: tuple[ImageId, ...]
    rows: Array
    details: tuple[Any, ...] = ()


def per_image(samples: Sequence[Sample], parts: Sequence[Array]) -> Statistics:
    """Statistics of samples from the rows of consecutive parts of them."""
    rows = np.concatenate(parts) if parts else np.empty((0, 0))
    return Statistics(tuple(sample.image_id for sample in samples), rows)


def combine(parts: Sequence[Statistics]) -> Statistics:
    """Join statistics of one metric counted apart, in the order given.

    Raises:
        InputError: no parts, rows of different metrics, or an image id twice.
    """
    if not parts:
        raise InputError("no statistics to combine")
    if len({part.rows.shape[1] for part in parts}) > 1:
        raise InputError("statistics of different metrics cannot be combined")
    ids = tuple(image_id for part in parts for image_id in part.image_ids)
    if len(set(ids)) < len(ids):
        twice = next(image_id for image_id, n in Counter(ids).items() if n > 1)
        raise InputError(
            f"image {shown(twice)} is in two parts; each image counts once"
        )
    details = tuple(detail for part in parts for detail in part.details)
    return Statistics(ids, np.concatenate([part.rows for part in parts]), details)


def subset(statistics: Statistics, image_ids: Iterable[ImageId]) -> Statistics:
    """The statistics of some images, in the order given.

    Raises:
        InputError: an image id that was not counted.
    """
    index = {image_id: i for i, image_id in enumerate(statistics.image_ids)}
    ids = tuple(image_ids)
    missing = [image_id for image_id in ids if image_id not in index]
    if missing:
        raise InputError(f"image {shown(missing[0])} has no statistics")
    chosen = [index[image_id] for image_id in ids]
    details = tuple(statistics.details[i] for i in chosen if statistics.details)
    return Statistics(ids, statistics.rows[chosen], details)


class Metric(Protocol):
    """What a metric offers; `spicepy.metrics.METRICS` maps names to factories.

    `keys` are the numbers it yields, e.g. ("bleu-1", …, "bleu-4"); all are
    in their usual range (0-1; CIDEr 0-10) and NaN where undefined.
    """

    @property
    def keys(self) -> tuple[str, ...]: ...

    def count(self, samples: Sequence[Sample]) -> Statistics:
        """Reduce tokenised samples to additive rows, in the samples' order."""
        ...

    def image_scores(self, rows: Array) -> Array:
        """Scores of single images: (images, columns) -> (images, keys)."""
        ...

    def corpus_scores(self, totals: Array, images: int | Array) -> Array:
        """Corpus scores from sums of rows: (..., columns) -> (..., keys).

        `images` is the number of images in each sum (scalar or shape (...)).
        """
        ...

    def signature(self) -> Mapping[str, str]:
        """Everything that can change the numbers, in a stable order."""
        ...


class MeanOfImages:
    """For metrics whose rows are the image scores and corpus score the mean."""

    def image_scores(self, rows: Array) -> Array:
        """The rows themselves: (images, keys) -> (images, keys)."""
        return rows

    def corpus_scores(self, totals: Array, images: int | Array) -> Array:
        """The mean over images: (..., keys) -> (..., keys)."""
        scores: Array = totals / np.asarray(images, float)[..., None]
        return scores
