"""`COCOEvalCap`: every metric on a COCO object and one of its results.

In: two objects with `getImgIds()` and `imgToAnns`, such as pycocotools' `COCO`, or the
`getAudioIds()` and `audioToAnns` of its copies for audio captioning.
Out: `eval`, the corpus scores by name, and `evalImgs`, the scores of each image.
"""

import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol

from spicepy.common.errors import InputError, SpicepyWarning, shown, unknown
from spicepy.compat.ngram_scorers import Bleu, Cider, Rouge
from spicepy.compat.resource_scorers import Meteor, Spice
from spicepy.compat.tokenizers import PTBTokenizer
from spicepy.metrics.meteor.paraphrases import find_paraphrases

METEOR_VARIABLE: Final = "SPICEPY_METEOR"
"""Environment variable: "skip" leaves METEOR out if its table is not installed."""
_SCORERS: dict[str, Any] = {
    "Bleu": Bleu,
    "METEOR": Meteor,
    "ROUGE_L": Rouge,
    "CIDEr": Cider,
    "SPICE": Spice,
}


class Annotated(Protocol):
    """The parts of a COCO object that are used: images, and the captions of each.

    Copies for audio captioning have `getAudioIds` and `audioToAnns` instead.
    """

    imgToAnns: Any

    def getImgIds(self) -> Sequence[Any]: ...


class COCOEvalCap:
    """coco-caption's evaluation of candidates (`cocoRes`) against `coco`.

    Args:
        coco: The references.
        cocoRes: The candidates.
        df: The document frequencies of CIDEr-D, as copies of coco-caption take them:
            "corpus", those of the references, or a file of them.

    Attributes:
        params: {"image_id": the images that are scored}, or "audio_id"; may be changed.
        metrics: Their names; may be shortened, e.g. where METEOR has no table.
        eval: Corpus scores: Bleu_1 … Bleu_4, METEOR, ROUGE_L, CIDEr, SPICE; of
            recordings SPIDEr, too.
        imgToEval: Image id -> its scores, with "image_id".
        evalImgs: The values of `imgToEval`.
    """

    def __init__(self, coco: Annotated, cocoRes: Annotated, df: str = "corpus") -> None:
        self.coco = coco
        self.cocoRes = cocoRes
        self.df = df
        audio = hasattr(coco, "audioToAnns")
        self._key = "audio_id" if audio else "image_id"
        self._annotations = "audioToAnns" if audio else "imgToAnns"
        ids = getattr(coco, "getAudioIds" if audio else "getImgIds")
        self.params: dict[str, Any] = {self._key: ids()}
        self.metrics: Sequence[str] = tuple(_SCORERS)
        self.eval: dict[str, float] = {}
        self.imgToEval: dict[Any, dict[str, Any]] = {}
        self.evalImgs: list[dict[str, Any]] = []
        self._say: Callable[[str], None] = print

    def evaluate(self, verbose: bool = True) -> None:
        """Tokenise, score and fill `eval`, `imgToEval` and `evalImgs`.

        Args:
            verbose: Print each step and each corpus score.

        Raises:
            InputError: An image has no annotations on a side, or several
                candidates; a metric's name is unknown.
            ResourceError: METEOR's paraphrase table is not installed; nothing was
                computed. Leave "METEOR" out of `metrics`, or set SPICEPY_METEOR=skip,
                to do without.
        """
        if wrong := [name for name in self.metrics if name not in _SCORERS]:
            raise unknown("metric", wrong[0], _SCORERS)
        scorers: dict[str, Any] = {
            name: Cider(df=self.df) if name == "CIDEr" else _SCORERS[name]()
            for name in self._wanted()
        }
        ids = list(self.params[self._key])
        references = {i: self._captions("coco", i) for i in ids}
        candidates = {i: self._captions("cocoRes", i) for i in ids}
        self._say = print if verbose else _say_nothing
        self._say("tokenization...")
        gts = PTBTokenizer.tokenize(references)
        res = PTBTokenizer.tokenize(candidates)
        self.eval, self.imgToEval, self.evalImgs = {}, {}, []
        for name, scorer in scorers.items():
            self._say(f"computing {scorer.method()} score...")
            score, scores = scorer.compute_score(gts, res)
            named = (
                [(f"Bleu_{n}", *one) for n, one in enumerate(zip(score, scores), 1)]
                if name == "Bleu"
                else [(name, score, scores)]
            )
            for method, one, of_images in named:
                self._keep(method, one, of_images)
        if self._key == "audio_id" and {"CIDEr", "SPICE"} <= scorers.keys():
            self._keep_spider()
        self.setEvalImgs()

    def _keep(self, method: str, score: float, scores: Iterable[Any]) -> None:
        self.setEval(score, method)
        self.setImgToEvalImgs(scores, list(self.params[self._key]), method)
        self._say(f"{method}: {score:0.3f}")

    def _keep_spider(self) -> None:
        scores = [
            (one["CIDEr"] + one["SPICE"]["All"]["f"]) / 2
            for one in self.imgToEval.values()
        ]
        self._keep("SPIDEr", (self.eval["CIDEr"] + self.eval["SPICE"]) / 2, scores)

    def _captions(self, side: str, image_id: Any) -> Any:
        captions = getattr(getattr(self, side), self._annotations)
        if image_id not in captions or not captions[image_id]:
            raise InputError(
                f"image {shown(image_id)}: {side} has no annotations of it"
            )
        return captions[image_id]

    def _wanted(self) -> list[str]:
        """Return the metrics to compute; METEOR may be skipped if it has no table."""
        skip = (
            "METEOR" in self.metrics
            and os.environ.get(METEOR_VARIABLE) == "skip"
            and find_paraphrases() is None
        )
        if skip:
            warnings.warn(
                "METEOR is left out: its paraphrase table is not installed "
                f"({METEOR_VARIABLE}=skip)",
                SpicepyWarning,
                stacklevel=3,
            )
        return [name for name in self.metrics if not (skip and name == "METEOR")]

    def setEval(self, score: float, method: str) -> None:
        """Keep a corpus score; subclasses may do more."""
        self.eval[method] = score

    def setImgToEvalImgs(
        self, scores: Iterable[Any], imgIds: Iterable[Any], method: str
    ) -> None:
        """Keep the scores of images; subclasses may do more."""
        for image_id, one in zip(imgIds, scores):
            self.imgToEval.setdefault(image_id, {self._key: image_id})[method] = one

    def setEvalImgs(self) -> None:
        """Make the list of the images' scores; subclasses may do more."""
        self.evalImgs = list(self.imgToEval.values())

    @property
    def audioToEval(self) -> dict[Any, dict[str, Any]]:
        """`imgToEval` by the name that copies for audio captioning have."""
        return self.imgToEval

    @property
    def evalAudios(self) -> list[dict[str, Any]]:
        """`evalImgs` by the name that copies for audio captioning have."""
        return self.evalImgs


def _say_nothing(line: str) -> None:
    """Print no line."""


class COCOEvalCapSpice(COCOEvalCap):
    """`COCOEvalCap` that computes SPICE only."""

    def __init__(self, coco: Any, cocoRes: Any) -> None:
        super().__init__(coco, cocoRes)
        self.metrics = ("SPICE",)
