"""The one interface of all metrics: additive statistics, then scores.

A metric reduces every image once to a row of numbers (`count`). Image scores,
corpus scores, sub-sets, bootstrap samples and parallel parts are all computed
from those rows and their sums; nothing is counted twice.

In: samples with tokenised captions. Out: `Statistics`; arrays of scores.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from spicepy.captions import ImageId, Sample

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
