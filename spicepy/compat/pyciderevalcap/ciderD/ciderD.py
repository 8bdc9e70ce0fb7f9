"""`CiderD`: CIDEr-D of candidates; an image may have several."""

from spicepy.common.errors import InputError
from spicepy.compat._scoring import frequencies_of
from spicepy.compat.pyciderevalcap._results import Scorer
from spicepy.metrics.ngrams import cider


class CiderD(Scorer):
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
        super().__init__(cider.Cider(frequencies=frequencies_of(df)))

    def method(self) -> str:
        """Return the name of the metric."""
        return "CIDEr-D"
