"""`Cider`: CIDEr-D, which coco-caption and papers call CIDEr."""

import numpy as np

from spicepy.common.errors import InputError
from spicepy.compat._scoring import frequencies_of, mean_and_scores
from spicepy.compat.pycocoevalcap._samples import Captions, samples_of
from spicepy.metrics.base import Array
from spicepy.metrics.ngrams import cider


class Cider:
    """CIDEr-D (`cider-d` elsewhere in spicepy) of tokenised captions.

    Args:
        test, refs: Unused, as in the original.
        n: The highest order; 4.
        sigma: Width of the Gaussian length penalty; 6.0.
        df: "corpus" for the document frequencies of each call's references, or a file
            of them, as copies of the package take it.

    Raises:
        InputError: Captions, another `n` or `sigma`, or no usable frequencies.
    """

    def __init__(
        self,
        test: None = None,
        refs: None = None,
        n: int = 4,
        sigma: float = 6.0,
        df: str = "corpus",
    ) -> None:
        if test is not None or refs is not None:
            raise InputError(
                "Cider() takes no captions: document frequencies are those of each "
                "call, or of a file (df=…)"
            )
        if n != 4 or sigma != 6:
            raise InputError(f"Cider(n={n!r}, sigma={sigma!r}): only n=4, sigma=6.0")
        self._metric = cider.Cider(frequencies=frequencies_of(df))

    def compute_score(self, gts: Captions, res: Captions) -> tuple[np.float64, Array]:
        """Score candidates (`res`) against references (`gts`).

        Returns:
            The mean, and the scores of the images, shape (images,), 0-10.

        Raises:
            InputError: See `samples_of`.
        """
        return mean_and_scores(self._metric, samples_of(gts, res))

    def method(self) -> str:
        """Return the name of the metric; the original's, though it is CIDEr-D."""
        return "CIDEr"
