"""`Bleu`: BLEU-1 to BLEU-n of tokenised captions."""

from collections.abc import Sequence

from spicepy.common.errors import InputError
from spicepy.compat.pycocoevalcap._samples import Captions, samples_of
from spicepy.metrics.base import total
from spicepy.metrics.ngrams import bleu
from spicepy.tokenization.samples import TokenisedSample


class Bleu:
    """BLEU as coco-caption computes it.

    Args:
        n: The highest order, 1-4.

    Raises:
        InputError: Another order.
    """

    def __init__(self, n: int = 4) -> None:
        if n not in bleu.ORDERS:
            raise InputError(f"Bleu({n!r}): the highest order must be 1 to 4")
        self._n = n
        self._metric = bleu.Bleu()

    def compute_score(
        self, gts: Captions, res: Captions, verbose: int = 1
    ) -> tuple[list[float], list[list[float]]]:
        """Score candidates against references.

        Args:
            gts: Image id -> references.
            res: Image id -> a list of the one candidate.
            verbose: Print lengths, n-grams and the ratio of the lengths, as the
                original does by default.

        Returns:
            Corpus scores, one an order, and image scores, a list an order.

        Raises:
            InputError: See `samples_of`.
        """
        return self.scores(samples_of(gts, res), verbose)

    def scores(
        self, samples: Sequence[TokenisedSample], verbose: int
    ) -> tuple[list[float], list[list[float]]]:
        """Return the scores of samples; see `compute_score`."""
        rows = self._metric.count(samples).rows
        totals = total(rows)
        if verbose:
            correct, guess, lengths = totals[:4], totals[4:8], totals[8:]
            counts = {
                "testlen": int(lengths[0]),
                "reflen": int(lengths[1]),
                "guess": guess[: self._n].astype(int).tolist(),
                "correct": correct[: self._n].astype(int).tolist(),
            }
            print(counts)
            print("ratio:", (counts["testlen"] + 1e-15) / (counts["reflen"] + 1e-9))
        corpus: list[float] = self._metric.corpus_scores(totals, len(rows)).tolist()
        images: list[list[float]] = self._metric.image_scores(rows).T.tolist()
        return corpus[: self._n], images[: self._n]

    def method(self) -> str:
        """Return the name of the metric."""
        return "Bleu"
