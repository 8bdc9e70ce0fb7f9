"""`Bleu`, `Rouge` and `Cider` of coco-caption, for tokenised captions."""

from collections.abc import Sequence

import numpy as np

from spicepy.common.errors import InputError
from spicepy.compat.coco_samples import (
    Captions,
    frequencies_of,
    mean_and_scores,
    samples_of,
)
from spicepy.metrics.base import Array, total
from spicepy.metrics.ngrams import bleu, cider
from spicepy.metrics.ngrams.rouge import RougeL
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
            Corpus scores, one per order, and image scores, one list per order.

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


def my_lcs(string: Sequence[str], sub: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two lists of tokens."""
    lengths = [0] * (len(sub) + 1)
    for token in string:
        diagonal = 0
        for place, other in enumerate(sub, 1):
            above = lengths[place]
            longest = diagonal + 1 if token == other else max(above, lengths[place - 1])
            diagonal, lengths[place] = above, longest
    return lengths[-1]


class Rouge:
    """ROUGE-L as coco-caption computes it, with beta 1.2."""

    def __init__(self) -> None:
        self.beta = 1.2

    def calc_score(self, candidate: Sequence[str], refs: Sequence[str]) -> float:
        """Return ROUGE-L of one image; `candidate` is a list of one candidate."""
        return float(self.compute_score({0: list(refs)}, {0: list(candidate)})[0])

    def compute_score(self, gts: Captions, res: Captions) -> tuple[np.float64, Array]:
        """Score candidates (`res`) against references (`gts`).

        Returns:
            The mean, and the scores of the images, shape (images,).

        Raises:
            InputError: See `samples_of`.
        """
        return mean_and_scores(RougeL(beta=self.beta), samples_of(gts, res))

    def method(self) -> str:
        """Return the name of the metric."""
        return "Rouge"


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
