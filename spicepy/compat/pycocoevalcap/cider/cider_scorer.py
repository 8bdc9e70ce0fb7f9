"""`CiderScorer`: CIDEr-D of images that are added one after the other."""

from collections.abc import Sequence

import numpy as np

from spicepy.common.errors import InputError
from spicepy.compat.pycocoevalcap._appending import Appending
from spicepy.metrics.base import Array
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.totals import total


class CiderScorer(Appending):
    """CIDEr-D, which coco-caption calls CIDEr, with the images' own frequencies.

    Args:
        test, refs: The first image, if any.
        n, sigma: The highest order and the width of the length penalty; 4 and 6.

    Raises:
        InputError: Another `n` or `sigma`; a bad image.
    """

    def __init__(
        self,
        test: str | None = None,
        refs: Sequence[str] | None = None,
        n: int = 4,
        sigma: float = 6.0,
    ) -> None:
        if n != 4 or sigma != 6:
            raise InputError(f"CiderScorer(n={n!r}, sigma={sigma!r}): only 4 and 6.0")
        super().__init__(test, refs)

    def compute_score(
        self, option: None = None, verbose: int = 0
    ) -> tuple[np.float64, Array]:
        """Return the mean and the images' scores, 0-10; both arguments are unread."""
        metric = Cider()
        rows = metric.count(self.samples).rows
        return metric.corpus_scores(total(rows), len(rows))[0], rows[:, 0]
