"""Call the evaluation code of one repository, unchanged, on captions of our own.

    python calls.py NAME SCENES OUTPUT

It is copied into a copy of the repository and run there. SCENES is a file of
samples ({"image_id", "test", "refs"}); OUTPUT gets scores by name as JSON: numbers, or
lists of numbers in the order of the samples. Each function below does what the
repository's own programs do.
"""

import contextlib
import json
import os
import pickle
import random
import sys
import types
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock
from zlib import crc32

METRICS = ("Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "METEOR", "ROUGE_L", "CIDEr")


def clipscore(scenes: list[Any]) -> dict[str, Any]:
    """Return CLIPScore's table of n-gram metrics."""
    from generation_eval_utils import get_all_metrics

    found = get_all_metrics([s["refs"] for s in scenes], [s["test"] for s in scenes])
    return {**dict(zip(METRICS, found.pop("bleu"))), **found}


def self_critical(scenes: list[Any]) -> dict[str, Any]:
    """Return the evaluation of self-critical training."""
    from captioning.utils.eval_utils import language_eval

    _coco_files(scenes, Path("coco-caption/annotations/captions_val2014.json"))
    Path("eval_results").mkdir(exist_ok=True)
    predictions = [
        {"image_id": n, "caption": s["test"], "perplexity": 0.0, "entropy": 0.0}
        for n, s in enumerate(scenes)
    ]
    return language_eval("coco", predictions, [], {"id": "x"}, "val")


def self_critical_rewards(scenes: list[Any]) -> dict[str, Any]:
    """Return the rewards of self-critical training, one a caption."""
    import numpy as np
    import torch
    from captioning.utils import rewards

    words: dict[str, int] = {}

    def coded(captions: list[str]) -> Any:
        rows = [
            [words.setdefault(w, len(words) + 1) for w in c.lower().split()][:20]
            for c in captions
        ]
        return np.array([row + [0] * (21 - len(row)) for row in rows])

    references = [
        [rewards.array_to_str(c) for c in coded(s["refs"][1:])] for s in scenes
    ]
    _frequencies(references, Path("data/own.p"))
    rewards.init_scorer("own")
    found = rewards.get_self_critical_reward(
        torch.tensor(coded([s["refs"][0] for s in scenes])),
        [coded(s["refs"][1:]) for s in scenes],
        torch.tensor(coded([s["test"] for s in scenes])),
        types.SimpleNamespace(cider_reward_weight=1.0, bleu_reward_weight=1.0),
    )
    return {"rewards": found[:, 0].tolist()}


def self_critical_frequencies(scenes: list[Any]) -> dict[str, Any]:
    """Return the number of n-grams and images, and a digest of all frequencies."""
    from scripts.prepro_ngrams import get_doc_freq

    if os.environ.get("CLIENTS_ORIGINAL"):
        # Today's version of the original lacks the attribute that the script needs.
        scorer = import_module("pyciderevalcap.ciderD.ciderD_scorer").CiderScorer
        scorer.document_frequency = defaultdict(float)
    references = [[text.lower() for text in s["refs"]] for s in scenes]
    frequencies, images = get_doc_freq(references, {})
    digest = crc32(repr(sorted(frequencies.items())).encode())
    return {"n-grams": len(frequencies), "images": images, "digest": digest}


def meshed_memory(scenes: list[Any]) -> dict[str, Any]:
    """Return the scores and the rewards of meshed-memory transformers."""
    import evaluation

    gts = {n: s["refs"] for n, s in enumerate(scenes)}
    res = {n: [s["test"]] for n, s in enumerate(scenes)}
    gts = evaluation.PTBTokenizer.tokenize(gts)
    res = evaluation.PTBTokenizer.tokenize(res)
    scores, _ = evaluation.compute_scores(gts, res)
    reward = evaluation.Cider(gts).compute_score(gts, res)[1]
    bleu = dict(zip(METRICS, scores.pop("BLEU")))
    return {**bleu, **scores, "rewards": list(map(float, reward))}


def oscar(scenes: list[Any]) -> dict[str, Any]:
    """Return the evaluation of Oscar and VinVL."""
    from oscar.utils.caption_evaluate import evaluate_on_coco_caption

    _coco_files(scenes, Path("labels.json"), str)
    lines = (
        f"{n}\t{json.dumps([{'caption': s['test'], 'conf': 1.0}])}\n"
        for n, s in enumerate(scenes)
    )
    Path("results.tsv").write_text("".join(lines), encoding="utf-8")
    return evaluate_on_coco_caption("results.tsv", "labels.json")


def jdai(scenes: list[Any]) -> dict[str, Any]:
    """Return the evaluation of X-Linear attention networks."""
    from evaluation.coco_evaler import COCOEvaler

    Path("data").mkdir(exist_ok=True)
    _coco_files(scenes, Path("captions.json"))
    results = [{"image_id": n, "caption": s["test"]} for n, s in enumerate(scenes)]
    return COCOEvaler("captions.json").eval(results)


def blip(scenes: list[Any]) -> dict[str, Any]:
    """Return the evaluation of BLIP."""
    # The file that it would download is there already.
    torchvision = types.ModuleType("torchvision.datasets.utils")
    torchvision.download_url = lambda url, folder: None  # type: ignore[attr-defined]
    for name in ("torchvision", "torchvision.datasets"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["torchvision.datasets.utils"] = torchvision
    sys.path.insert(0, "data")
    from utils import coco_caption_eval  # type: ignore[attr-defined]

    _coco_files(scenes, Path("gt/coco_karpathy_val_gt.json"))
    results = [{"image_id": n, "caption": s["test"]} for n, s in enumerate(scenes)]
    Path("results.json").write_text(json.dumps(results), encoding="utf-8")
    return coco_caption_eval("gt", "results.json", "val").eval


def nlg_eval(scenes: list[Any]) -> dict[str, Any]:
    """Return the metrics of nlg-eval."""
    from nlgeval import compute_metrics

    Path("hyp.txt").write_text("\n".join(s["test"] for s in scenes), encoding="utf-8")
    names = []
    for n in range(len(scenes[0]["refs"])):
        names.append(f"ref{n}.txt")
        text = "\n".join(s["refs"][n] for s in scenes)
        Path(names[-1]).write_text(text, encoding="utf-8")
    return compute_metrics("hyp.txt", names, no_skipthoughts=True, no_glove=True)


def caption_evaluation_tools(scenes: list[Any]) -> dict[str, Any]:
    """Return the metrics of DCASE's audio captioning."""
    from eval_metrics import evaluate_metrics_from_lists

    # The tools are for Clotho, whose recordings have five references.
    references = [[*s["refs"], *s["refs"]][:5] for s in scenes]
    return evaluate_metrics_from_lists([s["test"] for s in scenes], references)[0]


def grit(scenes: list[Any]) -> dict[str, Any]:
    """Return the scores of GRIT."""
    for name in ("datasets", "datasets.caption"):
        _bare(name)  # its packages import the data loaders
    metrics = import_module("datasets.caption.metrics")
    gts = metrics.PTBTokenizer.tokenize({n: s["refs"] for n, s in enumerate(scenes)})
    res = metrics.PTBTokenizer.tokenize({n: [s["test"]] for n, s in enumerate(scenes)})
    scores, _ = metrics.compute_scores(gts, res)
    return {**dict(zip(METRICS, scores.pop("BLEU"))), **scores}


def vote2cap(scenes: list[Any]) -> dict[str, Any]:
    """Return the scores of Vote2Cap-DETR, one a caption."""
    for name in ("box_util", "ap_calculator", "io", "misc", "proposal_parser"):
        sys.modules[f"utils.{name}"] = MagicMock()  # detection, not captions
    score_captions = import_module("engine").score_captions
    gts = {str(n): s["refs"] for n, s in enumerate(scenes)}
    found = score_captions(gts, {str(n): [s["test"]] for n, s in enumerate(scenes)})
    return dict(found[0])


def r2gen(scenes: list[Any]) -> dict[str, Any]:
    """Return the scores of R2Gen, which generates reports of X-rays."""
    from modules.metrics import compute_scores

    gts = {n: s["refs"] for n, s in enumerate(scenes)}
    return compute_scores(gts, {n: [s["test"]] for n, s in enumerate(scenes)})


def lmms_eval(scenes: list[Any]) -> dict[str, Any]:
    """Return the scores of lmms-eval's task of Flickr30k."""
    for name in ("lmms_eval", "lmms_eval.tasks"):
        _bare(name)  # its packages import the language models
    task = import_module("lmms_eval.tasks.flickr30k.utils")
    results = [
        {"image_id": n, "answer": s["refs"], "pred": s["test"]}
        for n, s in enumerate(scenes)
    ]
    args = types.SimpleNamespace(output_path=".")
    return {m: task.flickr_aggregation_result(results, m, args) for m in METRICS}


def vid_chapters(scenes: list[Any]) -> dict[str, Any]:
    """Return the scores of VidChapters' dense captions, by threshold."""
    from dvc_eval.eval_dvc import ANETcaptions

    random.seed(5)  # captions that overlap with nothing are compared with noise
    times = [[n, n + 2] for n in range(len(scenes))]
    found = [
        {"sentence": s["test"], "timestamp": [n + 0.1 * (n % 9), n + 2]}
        for n, s in enumerate(scenes)
    ]
    Path("found.json").write_text(json.dumps({"results": {"v": found}}))
    names = []
    for k in range(2):
        names.append(f"truth{k}.json")
        sentences = [s["refs"][k] for s in scenes]
        truth = {"v": {"timestamps": times, "sentences": sentences}}
        Path(names[-1]).write_text(json.dumps(truth))
    evaluator = ANETcaptions(names, "found.json", [0.3, 0.5, 0.7, 0.9])
    evaluator.evaluate()
    return evaluator.scores


def _bare(name: str) -> None:
    """Make a package of a folder without running its `__init__.py`."""
    package = types.ModuleType(name)
    package.__path__ = [name.replace(".", "/")]
    sys.modules[name] = package


def _coco_files(scenes: list[Any], path: Path, made_of: Any = int) -> None:
    annotations = [
        {"image_id": made_of(n), "id": 100 * n + k, "caption": caption}
        for n, s in enumerate(scenes)
        for k, caption in enumerate(s["refs"])
    ]
    images = [{"id": made_of(n)} for n in range(len(scenes))]
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = {"images": images, "annotations": annotations}
    whole |= {"type": "captions", "info": {}, "licenses": []}
    path.write_text(json.dumps(whole), encoding="utf-8")


def _frequencies(references: list[list[str]], path: Path) -> None:
    """Write document frequencies as self-critical training keeps them."""
    counts: defaultdict[Any, float] = defaultdict(float)
    for captions in references:
        words = [caption.split() for caption in captions]
        grams = (
            tuple(w[k : k + n])
            for w in words
            for n in range(1, 5)
            for k in range(len(w) - n + 1)
        )
        for gram in set(grams):
            counts[gram] += 1.0
    path.parent.mkdir(exist_ok=True)
    whole = {"document_frequency": counts, "ref_len": len(references)}
    path.write_bytes(pickle.dumps(whole, protocol=2))


def _numbers(found: dict[str, Any]) -> dict[str, Any]:
    kept = {}
    for name, value in found.items():
        if isinstance(value, list | tuple):
            kept[name] = [float(one) for one in value]
        elif isinstance(value, float | int):
            kept[name] = float(value)
    return kept


def _without_spice() -> None:
    """Replace the Java program of SPICE, whose parser is downloaded at first use."""

    class Spice:
        def compute_score(self, gts: Any, res: Any) -> Any:
            return 0.0, [{"All": {"f": 0.0}} for _ in gts]

        def method(self) -> str:
            return "SPICE"

    for name in ("", "nlgeval.", "coco_caption."):
        with contextlib.suppress(ImportError):
            java = import_module(f"{name}pycocoevalcap.spice.spice").Spice
            for module in list(sys.modules.values()):
                if getattr(module, "Spice", None) is java:
                    module.Spice = Spice  # type: ignore[attr-defined]


if __name__ == "__main__":
    name, path, output = sys.argv[1:]
    if os.environ.get("CLIENTS_ORIGINAL"):
        _without_spice()
    samples = json.loads(Path(path).read_text(encoding="utf-8"))
    result = _numbers(globals()[name](samples))
    Path(output).write_text(json.dumps(result), encoding="utf-8")
