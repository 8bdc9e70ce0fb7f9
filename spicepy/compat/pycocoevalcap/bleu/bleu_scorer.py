"""`BleuScorer`: BLEU of images that are added one after the other."""

from collections.abc import Sequence

from spicepy.common.errors import InputError
from spicepy.compat.pycocoevalcap._appending import Appending
from spicepy.compat.pycocoevalcap.bleu.bleu import Bleu


class BleuScorer(Appending):
    """BLEU as coco-caption computes it, with the closest reference's length.

    Args:
        test, refs: The first image, if any.
        n: The highest order, 1-4.

    Raises:
        InputError: Another order; a bad image.
    """

    def __init__(
        self,
        test: str | None = None,
        refs: Sequence[str] | None = None,
        n: int = 4,
        special_reflen: None = None,
    ) -> None:
        if special_reflen is not None:
            raise InputError("BleuScorer(special_reflen=…): is not supported")
        self.n = n
        self._bleu = Bleu(n)
        super().__init__(test, refs)

    def compute_score(
        self, option: str | None = None, verbose: int = 0
    ) -> tuple[list[float], list[list[float]]]:
        """Return the corpus scores, one an order, and the images', a list an order.

        Args:
            option: "closest", which is also what None stands for.
            verbose: Print lengths and n-grams.

        Raises:
            InputError: Another option.
        """
        if option not in (None, "closest"):
            raise InputError(f"option {option!r}: only 'closest' is supported")
        return self._bleu.scores(self.samples, verbose)
