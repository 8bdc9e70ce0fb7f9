"""The scorers of `pyciderevalcap`, CIDEr and CIDEr-D of self-critical training.

`gts` maps image ids to references; `res` is a list of {"image_id": …, "caption": [one
caption]}, in which an id may occur several times. Scores are in its order.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from spicepy.common.errors import InputError, brief
from spicepy.compat import scorers
from spicepy.compat.coco_samples import SidedTokenizer, frequencies_of, mean_and_scores
from spicepy.metrics.base import Array
from spicepy.metrics.ngrams import cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.tokenization.samples import TokenisedSample

References = Mapping[Any, Sequence[str]]
Results = Sequence[Mapping[str, Any]]


class Scorer:
    """The base of the two scorers of the package."""

    def __init__(self, metric: cider.Cider) -> None:
        self._metric = metric

    def compute_score(self, gts: References, res: Results) -> tuple[np.float64, Array]:
        """Return the mean and the scores (candidates,) of `res`, in its order, 0-10."""
        samples = [_sample(gts, number, entry) for number, entry in enumerate(res)]
        return mean_and_scores(self._metric, samples)


def _sample(gts: References, number: int, entry: Any) -> TokenisedSample:
    try:
        image_id, [candidate] = entry["image_id"], entry["caption"]
    except (TypeError, KeyError, ValueError):
        raise InputError(
            f"res[{number}] is {brief(entry)}; it must be "
            "{'image_id': …, 'caption': [one caption]}"
        ) from None
    references = gts.get(image_id)
    if not references or not isinstance(references, list | tuple):
        raise InputError(
            f"image {brief(image_id)}: gts has {brief(references)}; it must be a list "
            "of references"
        )
    return TokenisedSample(number, candidate, tuple(references))


class Cider(Scorer):
    """CIDEr as self-critical training computes it, with `n` 4.

    `df` is "corpus" for the document frequencies of each call's references, or a file.
    """

    def __init__(self, n: int = 4, df: str = "corpus") -> None:
        if n != 4:
            raise InputError(f"Cider(n={n!r}): only n=4")
        self.cider_scorer = CiderScorer(df_mode=df)
        super().__init__(self.cider_scorer.metric)

    def my_self_cider(self, res: Sequence[Sequence[str]]) -> list[Array]:
        """Return CIDEr of the tokenised captions of each image against one another.

        Document frequencies are those of the images that `cider_scorer` was given, or
        of the file `df`. For each image there is a symmetric array (captions,
        captions), 0-10.
        """
        metric = self.cider_scorer.metric
        if metric.frequencies is None:
            if not self.cider_scorer.samples:
                raise InputError(
                    "my_self_cider needs document frequencies: add references to "
                    "cider_scorer, or name a file with Cider(df=…)"
                )
            known = DocumentFrequencies.of(self.cider_scorer.samples, name="set")
            metric = cider.Cider(damped=False, stemming=False, frequencies=known)
        return [_mutual(metric, captions) for captions in res]

    def method(self) -> str:
        """Return the name of the metric."""
        return "CIDEr"


def _mutual(metric: cider.Cider, captions: Sequence[str]) -> Array:
    """Return the scores of captions against one another: (captions, captions)."""
    pairs = [(text, other) for text in captions for other in captions]
    samples = [TokenisedSample(at, a, (b,)) for at, (a, b) in enumerate(pairs)]
    return metric.count(samples).rows[:, 0].reshape(len(captions), len(captions))


class CiderD(Scorer):
    """CIDEr-D as self-critical training computes it, with `n` 4 and `sigma` 6.

    `df` is "corpus" for the document frequencies of each call's references, or a file.
    """

    def __init__(self, n: int = 4, sigma: float = 6.0, df: str = "corpus") -> None:
        if n != 4 or sigma != 6:
            raise InputError(f"CiderD(n={n!r}, sigma={sigma!r}): only n=4, sigma=6.0")
        super().__init__(cider.Cider(frequencies=frequencies_of(df)))

    def method(self) -> str:
        """Return the name of the metric."""
        return "CIDEr-D"


class CiderDScorer(scorers.CiderScorer):
    """CIDEr-D, as self-critical training computes it, image by image.

    `df_mode` is "corpus" for the images' own document frequencies, or a file of them;
    other arguments are as in `spicepy.compat.pycocoevalcap`.
    """

    damped: ClassVar[bool] = True  # Whether it is CIDEr-D; False is CIDEr

    def __init__(
        self,
        df_mode: str = "corpus",
        test: str | None = None,
        refs: Sequence[str] | None = None,
        n: int = 4,
        sigma: float = 6.0,
    ) -> None:
        super().__init__(test, refs, n, sigma)
        self.metric = cider.Cider(
            damped=self.damped, stemming=False, frequencies=frequencies_of(df_mode)
        )


class CiderScorer(CiderDScorer):
    """CIDEr, as self-critical training computes it, image by image."""

    damped = False


class CIDErEvalCap:
    """CIDEr and CIDEr-D of the candidates of `res` against the references of `gts`.

    `df` is "corpus" for the document frequencies of `gts`, or a file of them.
    """

    def __init__(
        self,
        gts: Mapping[Any, Sequence[Mapping[str, str]]],
        res: Sequence[Mapping[str, Any]],
        df: str,
    ) -> None:
        self.scorers: dict[str, Scorer] = {
            "CIDEr": Cider(df=df),
            "CIDErD": CiderD(df=df),
        }
        self.gts: Any = SidedTokenizer("gts").tokenize(gts)
        self.res: Any = SidedTokenizer("res").tokenize(res)

    def evaluate(self) -> dict[str, list[float]]:
        """Return the scores of the candidates: "CIDEr" and "CIDErD", each 0-10."""
        return {
            name: list(scorer.compute_score(self.gts, self.res)[1])
            for name, scorer in self.scorers.items()
        }
