"""The calls that other projects make of pycocoevalcap, written anew.

Each takes the name of the package, so that the tests run them on spicepy's modules
and on the real ones.
"""

from importlib import import_module
from typing import Any

SCORERS = {
    "bleu.bleu": ("Bleu", (4,)),
    "rouge.rouge": ("Rouge", ()),
    "cider.cider": ("Cider", ()),
    "meteor.meteor": ("Meteor", ()),
    "spice.spice": ("Spice", ()),
}


class Annotations:
    """A COCO object made in memory, as `COCO().createIndex()` leaves it."""

    def __init__(self, captions: list[tuple[Any, str]]) -> None:
        annotations = [
            {"image_id": image_id, "caption": caption, "id": number}
            for number, (image_id, caption) in enumerate(captions)
        ]
        ids = list(dict.fromkeys(image_id for image_id, _ in captions))
        self.dataset = {"images": [{"id": i} for i in ids], "annotations": annotations}
        self.imgToAnns: dict[Any, list[dict[str, Any]]] = {}
        for annotation in annotations:
            self.imgToAnns.setdefault(annotation["image_id"], []).append(annotation)

    def getImgIds(self) -> list[Any]:
        return [image["id"] for image in self.dataset["images"]]


def scorer(package: str, module: str) -> Any:
    """A scorer as callers make it."""
    name, arguments = SCORERS[module]
    return getattr(import_module(f"{package}.{module}"), name)(*arguments)


def harness(package: str, coco: Any, results: Any, modules: list[str]) -> dict:
    """An evaluation harness (lmms-eval): annotations, tokenise, one scorer's score."""
    evaluator = import_module(f"{package}.eval").COCOEvalCap(coco, results)
    gts, res = {}, {}
    for image_id in evaluator.params["image_id"]:
        gts[image_id] = evaluator.coco.imgToAnns[image_id]
        res[image_id] = evaluator.cocoRes.imgToAnns[image_id]
    tokenizer = import_module(f"{package}.tokenizer.ptbtokenizer").PTBTokenizer()
    gts, res = tokenizer.tokenize(gts), tokenizer.tokenize(res)
    found = {}
    for module in modules:
        score, scores = scorer(package, module).compute_score(gts, res)
        if isinstance(score, list):
            found |= {f"Bleu_{n}": one for n, one in enumerate(score, 1)}
        else:
            found[module] = score
        del scores
    return found


def raw_text(
    package: str, candidates: list[str], references: list[list[str]]
) -> dict[str, float]:
    """A toolkit's scorer of untokenised answers (VLMEvalKit), in percent."""
    gt = dict(enumerate(references))
    answers = {number: [text] for number, text in enumerate(candidates)}
    found: dict[str, float] = {}
    for module in ("bleu.bleu", "rouge.rouge", "cider.cider"):
        score, _ = scorer(package, module).compute_score(gt, answers)
        if isinstance(score, list):
            found |= {f"Bleu_{n}": 100 * one for n, one in enumerate(score, 1)}
        else:
            found[module] = 100 * score
    return found


def whole_evaluation(package: str, coco: Any, results: Any) -> Any:
    """A library's evaluation of a results file (LAVIS, BLIP): all metrics."""
    evaluator = import_module(f"{package}.eval").COCOEvalCap(coco, results)
    evaluator.params["image_id"] = results.getImgIds()
    evaluator.evaluate()
    for metric, score in evaluator.eval.items():
        print(f"{metric}: {score:.3f}")
    return evaluator
