"""Functions with the signatures of aac-metrics, the package of audio captioning.

In: candidates (a list of captions) and `mult_references` (a list of lists), raw
text. Out: (corpus scores, scores of the captions), both by name: numpy floats and
arrays in place of the tensors of aac-metrics.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from spicepy.captions.sample import Sample
from spicepy.common.errors import InputError, ResourceError, counted
from spicepy.evaluation.evaluation import evaluate as evaluate_samples
from spicepy.evaluation.multi_candidate import best
from spicepy.metrics.base import Array, Metric
from spicepy.metrics.meteor.paraphrases import find_paraphrases
from spicepy.metrics.spider import Fluency, Spider

Candidates = Sequence[str]
References = Sequence[Sequence[str]]
Corpus = dict[str, np.float64]
Captions = dict[str, Array]
Scores = tuple[Corpus, Captions]

DEFAULT = ("bleu_1", "bleu_2", "bleu_3", "bleu_4", "rouge_l", "cider_d", "spice")
"""The metrics of `evaluate` besides SPIDEr: all that need no further file."""

_METRICS: dict[str, tuple[str, str]] = {
    **{f"bleu_{n}": ("bleu", f"bleu-{n}") for n in range(1, 5)},
    "rouge_l": ("rouge", "rouge-l"),
    "meteor": ("meteor", "meteor"),
    "cider_d": ("cider-d", "cider-d"),
    "spice": ("spice", "spice"),
    "spider": ("spider", "spider"),
}


def evaluate(
    candidates: Candidates,
    mult_references: References,
    metrics: Sequence[str] = (*DEFAULT, "spider"),
) -> Scores:
    """Score by several metrics, named as in aac-metrics: "bleu_1", "cider_d", ….

    Raises:
        InputError: Lists of different lengths, a caption without references, or an
            unknown metric.
        ResourceError: "meteor" without its paraphrase table.
    """
    wanted = [metrics] if isinstance(metrics, str) else list(metrics)
    for name in wanted:
        if name not in _METRICS:
            raise InputError(f"no metric {name!r}; there are: {', '.join(_METRICS)}")
    if "meteor" in wanted and find_paraphrases() is None:
        raise ResourceError(
            "METEOR needs its paraphrase table; install pycocoevalcap, which has it"
        )
    names: list[str | Metric] = list(
        dict.fromkeys(_METRICS[name][0] for name in wanted)
    )
    result = evaluate_samples(_samples(candidates, mult_references), names)
    corpus: Corpus = {}
    captions: Captions = {}
    for name in wanted:
        key = _METRICS[name][1]
        score = result.corpus_score(key)
        corpus[name] = np.float64("nan" if score is None else score)
        captions[name] = np.array(list(result.image_scores(key).values()), float)
    return corpus, captions


def rouge_l(candidates: Candidates, mult_references: References) -> Scores:
    """Return ROUGE-L."""
    return evaluate(candidates, mult_references, ["rouge_l"])


def bleu(candidates: Candidates, mult_references: References, n: int = 4) -> Scores:
    """Return BLEU-n, n 1-4."""
    return evaluate(candidates, mult_references, [f"bleu_{n}"])


def meteor(candidates: Candidates, mult_references: References) -> Scores:
    """Return METEOR 1.5, which needs its paraphrase table."""
    return evaluate(candidates, mult_references, ["meteor"])


def cider_d(candidates: Candidates, mult_references: References) -> Scores:
    """Return CIDEr-D with the references' document frequencies."""
    return evaluate(candidates, mult_references, ["cider_d"])


def spice(candidates: Candidates, mult_references: References) -> Scores:
    """Return SPICE."""
    return evaluate(candidates, mult_references, ["spice"])


def spider(candidates: Candidates, mult_references: References) -> Scores:
    """Return SPIDEr with its parts: "cider_d", "spice" and "spider"."""
    return evaluate(candidates, mult_references, ["cider_d", "spice", "spider"])


def spider_fl(
    candidates: Candidates,
    mult_references: References,
    fluency: Fluency,
) -> Scores:
    """Return SPIDEr times a fluency factor: `fluency` maps captions to factors."""
    samples = _samples(candidates, mult_references)
    result = evaluate_samples(samples, [Spider(fluency=fluency)])
    score: Any = result.corpus_score("spider-fl")
    values = result.image_scores("spider-fl").values()
    return {"spider_fl": np.float64(score)}, {"spider_fl": np.array([*values], float)}


def spider_max(
    mult_candidates: Sequence[Sequence[str]], mult_references: References
) -> Scores:
    """Return the best SPIDEr among the candidates of each recording."""
    _check(mult_candidates, mult_references)
    scores = best(dict(enumerate(mult_candidates)), dict(enumerate(mult_references)))
    name = "spider-max"
    return (
        {"spider_max": np.float64(scores.corpus[name])},
        {"spider_max": scores.images[name]},
    )


def _samples(candidates: Candidates, mult_references: References) -> list[Sample]:
    _check(candidates, mult_references)
    return [
        Sample(at, text, tuple(references))
        for at, (text, references) in enumerate(zip(candidates, mult_references))
    ]


def _check(candidates: Sequence[Any], references: Sequence[Any]) -> None:
    if isinstance(candidates, str) or len(candidates) != len(references):
        raise InputError(
            f"{counted(len(candidates), 'candidate')}, but references of "
            f"{len(references)}; give lists of the same length"
        )
