"""Classes of aac-metrics: a metric that is called, or filled with batches.

In: candidates and `mult_references`, as the functions of `audio_functions` take them,
at once or by `update`. Out: what the function of the same name returns.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from spicepy.compat import audio_functions


class AACMetric:
    """The base of the classes.

    Args:
        return_all_scores: Whether the scores of the captions are returned, too.
        options: Options of the function.
    """

    function: ClassVar[Callable[..., Any]]
    fixed: ClassVar[dict[str, Any]] = {}

    def __init__(self, return_all_scores: bool = True, **options: Any) -> None:
        self.options = {**options, "return_all_scores": return_all_scores, **self.fixed}
        self.reset()

    def reset(self) -> None:
        """Forget all batches."""
        self._candidates: list[Any] = []
        self._references: list[Sequence[str]] = []

    def update(
        self, candidates: Sequence[Any], mult_references: Sequence[Sequence[str]]
    ) -> None:
        """Add a batch."""
        self._candidates += candidates
        self._references += mult_references

    def compute(self) -> Any:
        """Return the scores of all batches.

        Raises:
            InputError: There was none, or lists of different lengths.
        """
        return type(self).function(self._candidates, self._references, **self.options)

    def __call__(
        self, candidates: Sequence[Any], mult_references: Sequence[Sequence[str]]
    ) -> Any:
        """Return the scores of one batch, and forget it."""
        self.reset()
        self.update(candidates, mult_references)
        scores = self.compute()
        self.reset()
        return scores

    forward = __call__


class Evaluate(AACMetric):
    """Several metrics, by default the set "default"."""

    function = staticmethod(audio_functions.evaluate)

    def __init__(
        self,
        preprocess: Any = True,
        metrics: str | Sequence[str] = "default",
        **options: Any,
    ) -> None:
        super().__init__(preprocess=preprocess, metrics=metrics, **options)


class DCASE2023Evaluate(AACMetric):
    """The set "dcase2023"."""

    function = staticmethod(audio_functions.dcase2023_evaluate)


class DCASE2024Evaluate(AACMetric):
    """The set "dcase2024"."""

    function = staticmethod(audio_functions.dcase2024_evaluate)


class BLEU(AACMetric):
    """BLEU-n."""

    function = staticmethod(audio_functions.bleu)


class BLEU1(BLEU):
    """BLEU-1."""

    fixed: ClassVar[dict[str, Any]] = {"n": 1}


class BLEU2(BLEU):
    """BLEU-2."""

    fixed: ClassVar[dict[str, Any]] = {"n": 2}


class BLEU3(BLEU):
    """BLEU-3."""

    fixed: ClassVar[dict[str, Any]] = {"n": 3}


class BLEU4(BLEU):
    """BLEU-4."""

    fixed: ClassVar[dict[str, Any]] = {"n": 4}


class ROUGEL(AACMetric):
    """ROUGE-L."""

    function = staticmethod(audio_functions.rouge_l)


class METEOR(AACMetric):
    """METEOR 1.5."""

    function = staticmethod(audio_functions.meteor)


class CIDErD(AACMetric):
    """CIDEr-D."""

    function = staticmethod(audio_functions.cider_d)


class SPICE(AACMetric):
    """SPICE."""

    function = staticmethod(audio_functions.spice)


class SPIDEr(AACMetric):
    """SPIDEr with its parts."""

    function = staticmethod(audio_functions.spider)


class SPIDErMax(AACMetric):
    """The best SPIDEr among several candidates."""

    function = staticmethod(audio_functions.spider_max)


class Vocab(AACMetric):
    """The numbers of distinct words."""

    function = staticmethod(audio_functions.vocab)
