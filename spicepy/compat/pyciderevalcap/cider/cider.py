"""`Cider`: CIDEr of candidates; an image may have several."""

from spicepy.common.errors import InputError
from spicepy.compat._scoring import frequencies_of
from spicepy.compat.pyciderevalcap._results import Scorer
from spicepy.metrics.ngrams import cider


class Cider(Scorer):
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
        frequencies = frequencies_of(df)
        super().__init__(
            cider.Cider(damped=False, stemming=False, frequencies=frequencies)
        )

    def method(self) -> str:
        """Return the name of the metric."""
        return "CIDEr"
