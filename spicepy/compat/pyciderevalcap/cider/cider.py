"""`Cider`: CIDEr of candidates, an image several times if need be."""

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


class Cider:
    """CIDEr as self-critical training computes it.

    Args:
        n: The highest order; 4.
        df: "corpus" for the document frequencies of each call's references, or a
            file of them.

    Raises:
        InputError: Another `n`, or no usable frequencies.
    """

    def __init__(self, n: int = 4, df: str = "corpus") -> None:
        if n != 4:
            raise InputError(f"Cider(n={n!r}): only n=4")
        self._metric = cider.Cider(
            damped=False, stemming=False, frequencies=frequencies_of(df)
        )

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
        return "CIDEr"
