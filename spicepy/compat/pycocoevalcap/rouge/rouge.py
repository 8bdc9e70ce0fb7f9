"""`Rouge`: ROUGE-L of tokenised captions."""

from collections.abc import Sequence

import numpy as np

from spicepy.compat._scoring import mean_and_scores
from spicepy.compat.pycocoevalcap._samples import Captions, samples_of
from spicepy.metrics.base import Array
from spicepy.metrics.ngrams.rouge import RougeL


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
