"""`CiderD`: CIDEr-D of candidates, an image several times if need be."""

import numpy as np

from spicepy.common.errors import InputError
from spicepy.compat.pyciderevalcap._results import (
    References,
    Results,
    frequencies_of,
    samples_of,
)
from spicepy.metrics.base import Array
from spicepy.metrics.ngrams import cider
from spicepy.metrics.totals import total


class CiderD:
    """CIDEr-D as self-critical training computes it.

    Args:
        n: The highest order; 4.
        sigma: The width of the Gaussian length penalty; 6.0.
        df: "corpus" for the document frequencies of each call's references, or a
            file of them.

    Raises:
        InputError: Another `n` or `sigma`, or no usable frequencies.
    """

    def __init__(self, n: int = 4, sigma: float = 6.0, df: str = "corpus") -> None:
        if n != 4 or sigma != 6:
            raise InputError(f"CiderD(n={n!r}, sigma={sigma!r}): only n=4, sigma=6.0")
        self._metric = cider.Cider(frequencies=frequencies_of(df))

    def compute_score(self, gts: References, res: Results) -> tuple[np.float64, Array]:
        """Score candidates (`res`) against references (`gts`).

        Returns:
            The mean, and the scores in the order of `res`, 0-10.

        Raises:
            InputError: See `samples_of`.
        """
        rows = self._metric.count(samples_of(gts, res)).rows
        return self._metric.corpus_scores(total(rows), len(rows))[0], rows[:, 0]

    def method(self) -> str:
        """Return the name of the metric."""
        return "CIDEr-D"
