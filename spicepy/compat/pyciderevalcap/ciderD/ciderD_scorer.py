"""`CiderScorer`: CIDEr-D of images that are added one after the other."""

from collections.abc import Sequence
from typing import ClassVar

from spicepy.compat._scoring import frequencies_of
from spicepy.compat.pycocoevalcap.cider import cider_scorer
from spicepy.metrics.ngrams.cider import Cider


class CiderScorer(cider_scorer.CiderScorer):
    """CIDEr-D, as self-critical training computes it, image by image.

    Args:
        df_mode: "corpus" for the images' own document frequencies, or a file of them.
        test, refs, n, sigma: As in `spicepy.compat.pycocoevalcap`.

    Raises:
        InputError: Another `n` or `sigma`, no usable frequencies, or a bad image.
    """

    damped: ClassVar[bool] = True
    """Whether it is CIDEr-D; False is CIDEr."""

    def __init__(
        self,
        df_mode: str = "corpus",
        test: str | None = None,
        refs: Sequence[str] | None = None,
        n: int = 4,
        sigma: float = 6.0,
    ) -> None:
        super().__init__(test, refs, n, sigma)
        self.metric = Cider(
            damped=self.damped, stemming=False, frequencies=frequencies_of(df_mode)
        )
