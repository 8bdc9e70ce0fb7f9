"""`COCOEvalCap`: every metric on a COCO object and one of its results.

In: two objects with `getImgIds()` and `imgToAnns`, such as pycocotools' `COCO`, or the
`getAudioIds()` and `audioToAnns`, `getVideoIds()` and `videoToAnns` of its copies.
Out: `eval`, the corpus scores by name, and `evalImgs`, the scores of each image.
"""

import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, Final, Protocol

from spicepy.common.errors import InputError, SpicepyWarning, brief, unknown
from spicepy.compat.coco_samples import PTBTokenizer
from spicepy.compat.scorers import Bleu, Cider, Meteor, Rouge, Spice
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
_KINDS: Final = {"audio": "audio_id", "video": "video_id", "img": "image_id"}
"""The annotated things of a COCO object, and the key of their ids."""


class Annotated(Protocol):
    """The parts of a COCO object that are used: images, and the captions of each.

    Copies for recordings and videos have `getAudioIds` and `audioToAnns`, or
    `getVideoIds` and `videoToAnns`, instead.
    """

    imgToAnns: Any

    def getImgIds(self) -> Sequence[Any]: ...


class COCOEvalCap:
    """coco-caption's evaluation of candidates (`cocoRes`) against `coco`.

    Args:
        coco: The references.
        cocoRes: The candidates.
        df: The document frequencies of CIDEr-D, as copies of coco-caption take them:
            "corpus", those of the references, or a file of them. Or a list of metrics,
            as other copies take it ("BLEU" is "Bleu").
        tokenization_fn: A function that returns the tokens of a caption, joined by
            spaces; coco-caption's tokeniser by default.
        verbose: Whether `evaluate` prints each step and each corpus score.

    Attributes:
        params: {"image_id": the images that are scored}, or "audio_id" or "video_id";
            may be changed.
        metrics: Their names; may be shortened, e.g. where METEOR has no table.
        eval: Corpus scores: Bleu_1 … Bleu_4, METEOR, ROUGE_L, CIDEr, SPICE; of
            recordings also SPIDEr.
        imgToEval: Image id -> its scores, with "image_id".
        evalImgs: The values of `imgToEval`.
    """

    def __init__(
        self,
        coco: Annotated,
        cocoRes: Annotated,
        df: str | Sequence[str] = "corpus",
        tokenization_fn: Callable[[str], str] | None = None,
        verbose: bool = True,
    ) -> None:
        for name, given in (("coco", coco), ("cocoRes", cocoRes)):
            if isinstance(given, str | os.PathLike):
                raise InputError(
                    f"{name} is the path {str(given)!r}; an object is expected: "
                    'COCO("references.json") of pycocotools, and of that '
                    'loadRes("results.json")'
                )
        self.coco = coco
        self.cocoRes = cocoRes
        self.df = df if isinstance(df, str) else "corpus"
        self.tokenization_fn = tokenization_fn
        self.verbose = verbose
        kinds = (kind for kind in _KINDS if hasattr(coco, f"{kind}ToAnns"))
        self._kind = next(kinds, "img")
        self._key = _KINDS[self._kind]
        ids = getattr(coco, f"get{self._kind.title()}Ids")
        self.params: dict[str, Any] = {self._key: ids()}
        known = {name.lower(): name for name in _SCORERS}
        self.metrics: Sequence[str] = (
            tuple(_SCORERS)
            if isinstance(df, str)
            else [known.get(name.lower(), name) for name in df]
        )
        self.eval: dict[str, float] = {}
        self.imgToEval: dict[Any, dict[str, Any]] = {}
        self.evalImgs: list[dict[str, Any]] = []
        self._say: Callable[[str], None] = print

    def evaluate(self, verbose: bool | None = None) -> None:
        """Tokenise, score and fill `eval`, `imgToEval` and `evalImgs`.

        Args:
            verbose: Print each step and each corpus score; None is the choice of the
                object.

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
        if not ids:
            raise InputError(f"no images: params['{self._key}'] is empty")
        references = {i: self._captions("coco", i) for i in ids}
        candidates = {i: self._captions("cocoRes", i) for i in ids}
        spoken = self.verbose if verbose is None else verbose
        self._say = print if spoken else _say_nothing
        self._say("tokenization...")
        gts, res = self._tokens(references), self._tokens(candidates)
        self.eval, self.imgToEval, self.evalImgs = {}, {}, []
        for name, scorer in scorers.items():
            self._say(f"computing {scorer.method()} score...")
            options = {"verbose": int(spoken)} if name == "Bleu" else {}
            score, scores = scorer.compute_score(gts, res, **options)
            named = (
                [(f"Bleu_{n}", *one) for n, one in enumerate(zip(score, scores), 1)]
                if name == "Bleu"
                else [(name, score, scores)]
            )
            for method, one, of_images in named:
                self._keep(method, one, of_images)
        if self._kind == "audio" and {"CIDEr", "SPICE"} <= scorers.keys():
            scores = [
                (one["CIDEr"] + one["SPICE"]["All"]["f"]) / 2
                for one in self.imgToEval.values()
            ]
            whole = (self.eval["CIDEr"] + self.eval["SPICE"]) / 2
            self._keep("SPIDEr", whole, scores)
        self.setEvalImgs()

    def evaluate_no_spice(self) -> None:
        """Do as `evaluate` does, without SPICE."""
        wanted = self.metrics
        self.metrics = [name for name in wanted if name != "SPICE"]
        try:
            self.evaluate()
        finally:
            self.metrics = wanted

    def _tokens(self, captions: dict[Any, Any]) -> dict[Any, list[str]]:
        if (function := self.tokenization_fn) is None:
            return PTBTokenizer.tokenize(captions)
        return {
            key: [function(entry["caption"]) for entry in entries]
            for key, entries in captions.items()
        }

    def _keep(self, method: str, score: float, scores: Iterable[Any]) -> None:
        self.setEval(score, method)
        self.setImgToEvalImgs(scores, list(self.params[self._key]), method)
        self._say(f"{method}: {score:0.3f}")

    def _captions(self, side: str, image_id: Any) -> Any:
        captions = getattr(getattr(self, side), f"{self._kind}ToAnns")
        if image_id not in captions or not captions[image_id]:
            raise InputError(
                f"image {brief(image_id)}: {side} has no annotations of it; "
                f"params['{self._key}'] = cocoRes.get{self._kind.title()}Ids() scores "
                "those of the results alone"
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

    videoToEval = audioToEval = property(
        attrgetter("imgToEval"), doc="`imgToEval` by the names that copies have."
    )
    evalVideos = evalAudios = property(
        attrgetter("evalImgs"), doc="`evalImgs` by the names that copies have."
    )


def _say_nothing(line: str) -> None:
    """Print no line."""


class COCOEvalCapSpice(COCOEvalCap):
    """`COCOEvalCap` that computes SPICE only."""

    def __init__(self, coco: Any, cocoRes: Any) -> None:
        super().__init__(coco, cocoRes)
        self.metrics = ("SPICE",)


class SpiceEval:
    """SPICE of annotations; an image may have several candidates."""

    def __init__(self) -> None:
        self.spice = Spice()
        self.eval: dict[str, float] = {}
        self.imgToEval: dict[Any, dict[str, Any]] = {}

    def evaluate(
        self, gts: dict[Any, Any], res: dict[Any, Any]
    ) -> tuple[float, dict[Any, dict[str, Any]]]:
        """Return the mean F, and by image its "image_id" and "spice", all categories.

        Candidates and references are each {id: [{"caption": …}, …]}.
        """
        references, candidates = map(PTBTokenizer.tokenize, (gts, res))
        score, scores = self.spice.compute_score(references, candidates)
        self.eval = {"spice": float(score)}
        self.imgToEval = {
            key: {"image_id": key, "spice": one} for key, one in zip(references, scores)
        }
        return self.eval["spice"], self.imgToEval
