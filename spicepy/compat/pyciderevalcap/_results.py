"""Candidates and references of self-critical training, and their scoring.

In: `gts`, image id -> references, and `res`, a list of {"image_id": …, "caption": [one
caption]}, in which an id may occur several times. Out: scores in the order of `res`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from spicepy.common.errors import InputError, shown
from spicepy.compat._scoring import mean_and_scores
from spicepy.metrics.base import Array
from spicepy.metrics.ngrams.cider import Cider
from spicepy.tokenization.samples import TokenisedSample

References = Mapping[Any, Sequence[str]]
Results = Sequence[Mapping[str, Any]]


class Scorer:
    """The base of the two scorers of the package.

    Args:
        metric: Computes the scores.
    """

    def __init__(self, metric: Cider) -> None:
        self._metric = metric

    def compute_score(self, gts: References, res: Results) -> tuple[np.float64, Array]:
        """Score candidates (`res`) against references (`gts`).

        Returns:
            The mean, and the scores in the order of `res`, shape (candidates,), 0-10.

        Raises:
            InputError: See `samples_of`.
        """
        return mean_and_scores(self._metric, samples_of(gts, res))


def samples_of(gts: References, res: Results) -> list[TokenisedSample]:
    """Pair candidates with references.

    Raises:
        InputError: An entry lacks an id or its one caption, or its image has no
            references.
    """
    return [_sample(gts, number, entry) for number, entry in enumerate(res)]


def _sample(gts: References, number: int, entry: Any) -> TokenisedSample:
    try:
        image_id, [candidate] = entry["image_id"], entry["caption"]
    except (TypeError, KeyError, ValueError):
        raise InputError(
            f"res[{number}] is {shown(entry)}; it must be "
            "{'image_id': …, 'caption': [one caption]}"
        ) from None
    references = gts.get(image_id)
    if not references or not isinstance(references, list | tuple):
        raise InputError(
            f"image {shown(image_id)}: gts has {shown(references)}; it must be a list "
            "of references"
        )
    return TokenisedSample(number, candidate, tuple(references))
