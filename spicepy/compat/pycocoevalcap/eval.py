"""`COCOEvalCap`: every metric on a COCO object and one of its results.

In: two objects with `getImgIds()` and `imgToAnns`, such as pycocotools' `COCO`.
Out: `eval`, the corpus scores by name, and `evalImgs`, the scores of each image.
"""

import os
import warnings
from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol

from spicepy.common.errors import InputError, SpicepyWarning, shown, unknown
from spicepy.compat.pycocoevalcap.bleu.bleu import Bleu
from spicepy.compat.pycocoevalcap.cider.cider import Cider
from spicepy.compat.pycocoevalcap.meteor.meteor import Meteor
from spicepy.compat.pycocoevalcap.rouge.rouge import Rouge
from spicepy.compat.pycocoevalcap.spice.spice import Spice
from spicepy.compat.pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
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
    """The parts of a COCO object that are used: images, and the captions of each."""

    imgToAnns: Any

    def getImgIds(self) -> Sequence[Any]: ...


class COCOEvalCap:
    """coco-caption's evaluation of candidates (`cocoRes`) against `coco`.

    Attributes:
        params: {"image_id": the images that are scored}; may be changed.
        metrics: Their names; may be shortened, e.g. where METEOR has no table.
        eval: Corpus scores: Bleu_1 … Bleu_4, METEOR, ROUGE_L, CIDEr, SPICE.
        imgToEval: Image id -> its scores, with "image_id".
        evalImgs: The values of `imgToEval`.
    """

    def __init__(self, coco: Annotated, cocoRes: Annotated) -> None:
        self.coco = coco
        self.cocoRes = cocoRes
        self.params: dict[str, Any] = {"image_id": coco.getImgIds()}
        self.metrics: Sequence[str] = tuple(_SCORERS)
        self.eval: dict[str, float] = {}
        self.imgToEval: dict[Any, dict[str, Any]] = {}
        self.evalImgs: list[dict[str, Any]] = []

    def evaluate(self) -> None:
        """Tokenise, score and fill `eval`, `imgToEval` and `evalImgs`.

        Raises:
            InputError: An image has no annotations on a side, or several
                candidates; a metric's name is unknown.
            ResourceError: METEOR's paraphrase table is not installed; nothing was
                computed. Leave "METEOR" out of `metrics`, or set SPICEPY_METEOR=skip,
                to do without.
        """
        if wrong := [name for name in self.metrics if name not in _SCORERS]:
            raise unknown("metric", wrong[0], _SCORERS)
        scorers = {name: _SCORERS[name]() for name in self._wanted()}
        ids = list(self.params["image_id"])
        references = {i: _annotations(self.coco, i, "coco") for i in ids}
        candidates = {i: _annotations(self.cocoRes, i, "cocoRes") for i in ids}
        print("tokenization...")
        gts = PTBTokenizer.tokenize(references)
        res = PTBTokenizer.tokenize(candidates)
        self.eval, self.imgToEval, self.evalImgs = {}, {}, []
        for name, scorer in scorers.items():
            print(f"computing {scorer.method()} score...")
            score, scores = scorer.compute_score(gts, res)
            named = (
                [(f"Bleu_{n}", *one) for n, one in enumerate(zip(score, scores), 1)]
                if name == "Bleu"
                else [(name, score, scores)]
            )
            for method, one, of_images in named:
                self.setEval(one, method)
                self.setImgToEvalImgs(of_images, gts.keys(), method)
                print(f"{method}: {one:0.3f}")
        self.setEvalImgs()

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
            self.imgToEval.setdefault(image_id, {"image_id": image_id})[method] = one

    def setEvalImgs(self) -> None:
        """Make the list of the images' scores; subclasses may do more."""
        self.evalImgs = list(self.imgToEval.values())


def _annotations(coco: Annotated, image_id: object, side: str) -> Any:
    found = coco.imgToAnns
    if image_id not in found or not found[image_id]:
        raise InputError(f"image {shown(image_id)}: {side} has no annotations of it")
    return found[image_id]
