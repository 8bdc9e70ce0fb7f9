"""Functions with the signatures of aac-metrics, the package of audio captioning.

Candidates are a list of captions, `mult_references` a list of lists, raw text. Corpus
scores and those of the captions are both by name: tensors where torch is loaded, as
aac-metrics gives them, otherwise numpy floats and arrays. Options about Java, caches,
devices and printing are accepted and change nothing.
"""

import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

import numpy as np

from spicepy.captions.sample import Sample
from spicepy.common.errors import InputError, ResourceError, SpicepyWarning, counted
from spicepy.evaluation.evaluation import evaluate as evaluate_samples
from spicepy.evaluation.multi_candidate import best
from spicepy.metrics.base import Metric
from spicepy.metrics.meteor.paraphrases import find_paraphrases
from spicepy.metrics.spider import Fluency, Spider
from spicepy.tokenization.ptb import tokenize

Candidates = Sequence[str]
References = Sequence[Sequence[str]]
Corpus = dict[str, Any]
Captions = dict[str, Any]
Scores = tuple[Corpus, Captions]

DEFAULT = ("bleu_1", "bleu_2", "bleu_3", "bleu_4", "rouge_l", "cider_d", "spice")
"""The metrics of the set "default" that need no further file, besides SPIDEr."""
SETS: Final = {
    "default": (*DEFAULT, "spider", "meteor"),
    "dcase2020": (*DEFAULT, "spider", "meteor"),
    "dcase2023": ("cider_d", "spice", "spider", "meteor", "spider_fl", "fer"),
    "dcase2024": (
        *("cider_d", "spice", "spider", "vocab", "meteor"),
        *("spider_fl", "fer", "fense"),
    ),
    "all": (
        *DEFAULT,
        *("spider", "vocab", "meteor", "spider_fl", "fer", "fense"),
        *("bert_score", "mace"),
    ),
}
"""The sets of metrics that aac-metrics knows by name."""
_MODELS: Final = ("spider_fl", "fer", "fense", "bert_score", "sbert_sim", "mace")
"""Metrics that need a neural network, which spicepy has not."""

_METRICS: dict[str, tuple[str, str]] = {
    **{f"bleu_{n}": ("bleu", f"bleu-{n}") for n in range(1, 5)},
    "rouge_l": ("rouge", "rouge-l"),
    "meteor": ("meteor", "meteor"),
    "cider_d": ("cider-d", "cider-d"),
    "spice": ("spice", "spice"),
    "spider": ("spider", "spider"),
    "vocab": ("", ""),
}


def evaluate(
    candidates: Candidates,
    mult_references: References,
    preprocess: bool | Callable[[list[str]], list[str]] = True,
    metrics: str | Sequence[str] = "default",
    **ignored: Any,
) -> Scores:
    """Score by several metrics, named as in aac-metrics: "bleu_1", "cider_d", ….

    Args:
        candidates: One caption per recording.
        mult_references: The references of each.
        preprocess: Whether captions are tokenised first, or a function that does so.
        metrics: Names, or that of a set: "default", "dcase2020", "dcase2023",
            "dcase2024", "all". Of a set, the metrics that need a neural network are
            left out, and METEOR if its table is not installed; a warning names them.
        ignored: Further options of aac-metrics, which change nothing here.

    Raises:
        InputError: Lists of different lengths, a caption without references, or an
            unknown metric.
        ResourceError: "meteor" by its name, without its paraphrase table.
    """
    if not isinstance(preprocess, bool) and not callable(preprocess):
        preprocess, metrics = True, preprocess  # as `evaluate(…, metrics)` had them
    wanted = _wanted(metrics)
    if callable(preprocess):
        candidates = preprocess(list(candidates))
        mult_references = [preprocess(list(texts)) for texts in mult_references]
    names: list[str | Metric] = list(
        dict.fromkeys(_METRICS[name][0] for name in wanted if name != "vocab")
    )
    samples = _samples(candidates, mult_references)
    result = (
        evaluate_samples(samples, names, tokenised=preprocess is not True)
        if names
        else None
    )
    corpus: Corpus = {}
    captions: Captions = {}
    for name in wanted:
        if name == "vocab" or result is None:
            found = vocab(candidates, mult_references)
            corpus, captions = corpus | found[0], captions | found[1]
            continue
        key = _METRICS[name][1]
        corpus[name] = np.float64(result.corpus_score(key))
        captions[name] = np.array(list(result.image_scores(key).values()), float)
    return _tensors(corpus), _tensors(captions)


def dcase2023_evaluate(
    candidates: Candidates, mult_references: References, **options: Any
) -> Scores:
    """Score by the set "dcase2023"; see `evaluate`."""
    return evaluate(candidates, mult_references, metrics="dcase2023", **options)


def dcase2024_evaluate(
    candidates: Candidates, mult_references: References, **options: Any
) -> Scores:
    """Score by the set "dcase2024"; see `evaluate`."""
    return evaluate(candidates, mult_references, metrics="dcase2024", **options)


def _wanted(metrics: str | Sequence[str]) -> list[str]:
    """Return the names of metrics, those of a set as far as they are there."""
    if isinstance(metrics, str) and metrics in SETS:
        models = [name for name in SETS[metrics] if name in _MODELS]
        tables = [] if find_paraphrases() else ["meteor"] * ("meteor" in SETS[metrics])
        left_out = models + tables
        if left_out:
            why = [f"{', '.join(models)} (neural networks)"] * bool(models)
            why += ["meteor (its paraphrase table is not installed)"] * bool(tables)
            warnings.warn(
                f"the set {metrics!r} is computed without {' and '.join(why)}",
                SpicepyWarning,
                stacklevel=3,
            )
        return [name for name in SETS[metrics] if name not in left_out]
    given = [metrics] if isinstance(metrics, str) else list(metrics)
    wanted: list[str] = []
    for name in given:
        if name not in _METRICS:
            known = ", ".join((*_METRICS, *SETS))
            what = f"unknown metric {name!r}"
            if name in _MODELS:
                what = (
                    f"{name!r} is computed by a neural network, which spicepy has not"
                )
            raise InputError(f"{what}; choose from: {known}")
        wanted += ["cider_d", "spice", "spider"] if name == "spider" else [name]
    if "meteor" in wanted and find_paraphrases() is None:
        raise ResourceError(
            "METEOR needs its paraphrase table; install pycocoevalcap, which has it"
        )
    return list(dict.fromkeys(wanted))


def _tensors(scores: dict[str, Any]) -> dict[str, Any]:
    """Return scores as tensors of doubles if the program has loaded torch."""
    torch: Any = sys.modules.get("torch")
    if torch is None:
        return scores
    return {
        name: torch.as_tensor(value, dtype=torch.float64)
        for name, value in scores.items()
    }


def _one(
    name: str,
    candidates: Candidates,
    mult_references: References,
    return_all_scores: bool,
) -> Any:
    scores = evaluate(candidates, mult_references, metrics=name)
    return scores if return_all_scores else scores[0][name]


def bleu(
    candidates: Candidates,
    mult_references: References,
    return_all_scores: bool = True,
    n: int = 4,
    **ignored: Any,
) -> Any:
    """Return BLEU-n, n 1-4; the corpus score alone if not `return_all_scores`."""
    return _one(f"bleu_{n}", candidates, mult_references, return_all_scores)


def _function(name: str, returned: str) -> Callable[..., Any]:
    """Return the function of a metric that takes no further options."""

    def score(
        candidates: Candidates,
        mult_references: References,
        return_all_scores: bool = True,
        **ignored: Any,
    ) -> Any:
        return _one(name, candidates, mult_references, return_all_scores)

    score.__name__ = score.__qualname__ = name
    score.__doc__ = f"Return {returned}."
    return score


bleu_1 = _function("bleu_1", "BLEU-1")
bleu_2 = _function("bleu_2", "BLEU-2")
bleu_3 = _function("bleu_3", "BLEU-3")
bleu_4 = _function("bleu_4", "BLEU-4")
rouge_l = _function("rouge_l", "ROUGE-L")
meteor = _function("meteor", "METEOR 1.5, which needs its paraphrase table")
cider_d = _function("cider_d", "CIDEr-D with the references' document frequencies")
spice = _function("spice", "SPICE")
spider = _function("spider", 'SPIDEr with its parts: "cider_d", "spice" and "spider"')


def vocab(
    candidates: Candidates,
    mult_references: References | None = None,
    return_all_scores: bool = True,
    **ignored: Any,
) -> Any:
    """Return the numbers of distinct words: "vocab.cands", and of the references."""
    # "vocab.ratio_full" is the candidates' number by that of all references.
    sides = [tokenize(list(candidates))]
    sides += [tokenize([t for texts in mult_references or () for t in texts])]
    own, others = ({word for text in side for word in text.split()} for side in sides)
    corpus: Corpus = {"vocab.cands": np.float64(len(own))}
    if others:
        corpus["vocab.mrefs_full"] = np.float64(len(others))
        corpus["vocab.ratio_full"] = np.float64(len(own) / len(others))
    each = np.array([len(set(text.split())) for text in sides[0]], float)
    scores = _tensors(corpus), _tensors({"vocab.cands": each})
    return scores if return_all_scores else scores[0]["vocab.cands"]


def preprocess_mono_sents(sentences: list[str], *_: Any, **ignored: Any) -> list[str]:
    """Return captions as tokens joined by spaces."""
    return tokenize(list(sentences))


def preprocess_mult_sents(
    mult_sentences: list[list[str]], *_: Any, **ignored: Any
) -> list[list[str]]:
    """Return the captions of each recording as tokens joined by spaces."""
    tokens = iter(tokenize([text for texts in mult_sentences for text in texts]))
    return [[next(tokens) for _ in texts] for texts in mult_sentences]


def spider_fl(
    candidates: Candidates, mult_references: References, fluency: Fluency
) -> Scores:
    """Return SPIDEr times a fluency factor: `fluency` maps captions to factors."""
    samples = _samples(candidates, mult_references)
    result = evaluate_samples(samples, [Spider(fluency=fluency)])
    score = np.float64(result.corpus_score("spider-fl"))
    values = result.image_scores("spider-fl").values()
    return {"spider_fl": score}, {"spider_fl": np.array([*values], float)}


def spider_max(
    mult_candidates: Sequence[Sequence[str]],
    mult_references: References,
    return_all_scores: bool = True,
    **ignored: Any,
) -> Any:
    """Return the best SPIDEr among the candidates of each recording."""
    _check(mult_candidates, mult_references)
    scores = best(dict(enumerate(mult_candidates)), dict(enumerate(mult_references)))
    found = (
        _tensors({"spider_max": np.float64(scores.corpus["spider-max"])}),
        _tensors({"spider_max": scores.images["spider-max"]}),
    )
    return found if return_all_scores else found[0]["spider_max"]


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


# Classes of aac-metrics: a metric that is called, or filled with batches.


class AACMetric:
    """The base of the classes, which take the options of a function."""

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
        """Return the scores of all batches."""
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

    function = staticmethod(evaluate)

    def __init__(
        self,
        preprocess: Any = True,
        metrics: str | Sequence[str] = "default",
        **options: Any,
    ) -> None:
        super().__init__(preprocess=preprocess, metrics=metrics, **options)


def _class(
    name: str, function: Callable[..., Any], measured: str, **fixed: Any
) -> type[AACMetric]:
    """Return the class of a function, with options that it fixes."""
    parts = {"function": staticmethod(function), "fixed": fixed}
    described = {"__doc__": f"{measured}.", "__module__": __name__}
    return type(name, (AACMetric,), {**parts, **described})


DCASE2023Evaluate = _class(
    "DCASE2023Evaluate", dcase2023_evaluate, 'The set "dcase2023"'
)
DCASE2024Evaluate = _class(
    "DCASE2024Evaluate", dcase2024_evaluate, 'The set "dcase2024"'
)
BLEU = _class("BLEU", bleu, "BLEU-n")
BLEU1 = _class("BLEU1", bleu, "BLEU-1", n=1)
BLEU2 = _class("BLEU2", bleu, "BLEU-2", n=2)
BLEU3 = _class("BLEU3", bleu, "BLEU-3", n=3)
BLEU4 = _class("BLEU4", bleu, "BLEU-4", n=4)
ROUGEL = _class("ROUGEL", rouge_l, "ROUGE-L")
METEOR = _class("METEOR", meteor, "METEOR 1.5")
CIDErD = _class("CIDErD", cider_d, "CIDEr-D")
SPICE = _class("SPICE", spice, "SPICE")
SPIDEr = _class("SPIDEr", spider, "SPIDEr with its parts")
SPIDErMax = _class("SPIDErMax", spider_max, "The best SPIDEr among several candidates")
Vocab = _class("Vocab", vocab, "The numbers of distinct words")
