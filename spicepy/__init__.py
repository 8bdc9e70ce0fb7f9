"""spicepy: caption evaluation in pure Python.

    >>> import spicepy
    >>> print(spicepy.parse("a brown dog is running"))
    (dog) (dog, brown) (dog, run)
    >>> spicepy.score("a man is riding a horse", ["a man on a horse"]).precision
    0.6666666666666666
    >>> sample = spicepy.Sample(1, "a dog runs", ["a dog is running"])
    >>> scores = spicepy.evaluate([sample], metrics=["spice", "bleu"])
    >>> round(scores.corpus_score("bleu-1"), 3)
    0.478

Names are loaded when first used: importing spicepy opens neither spaCy nor
WordNet.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from spicepy.common import __version__

if TYPE_CHECKING:
    from spicepy import study
    from spicepy.api import compare, diagnose, parse, report, score
    from spicepy.asking.questioning import Question, questions
    from spicepy.captions.reading import read_samples
    from spicepy.captions.sample import Sample
    from spicepy.common.errors import (
        GrammarError,
        InputError,
        ResourceError,
        SpicepyError,
        SpicepyWarning,
    )
    from spicepy.evaluation.evaluation import Evaluation, evaluate
    from spicepy.evaluation.options import METRICS
    from spicepy.graph.scene import SceneGraph
    from spicepy.metrics.base import Metric
    from spicepy.metrics.spice import SpiceScore
    from spicepy.rules.loading import load_grammar
    from spicepy.rules.tuples import SemanticTuple
    from spicepy.rules.values import Grammar

__all__ = ["METRICS", "Evaluation", "Grammar", "GrammarError", "InputError", "Metric"]
__all__ += ["Question", "ResourceError", "Sample", "SceneGraph", "SemanticTuple"]
__all__ += ["SpiceScore", "SpicepyError", "SpicepyWarning", "__version__", "compare"]
__all__ += ["diagnose", "evaluate", "load_grammar", "parse", "questions"]
__all__ += ["read_samples", "report", "score", "study"]

_HOMES = {
    "METRICS": "evaluation.options",
    "Evaluation": "evaluation",
    "Grammar": "rules",
    "GrammarError": "common.errors",
    "InputError": "common.errors",
    "Metric": "metrics.base",
    "Question": "asking.questioning",
    "ResourceError": "common.errors",
    "Sample": "captions.sample",
    "SceneGraph": "graph",
    "SemanticTuple": "rules",
    "SpiceScore": "metrics.spice",
    "SpicepyError": "common.errors",
    "SpicepyWarning": "common.errors",
    "compare": "api",
    "diagnose": "api",
    "evaluate": "evaluation",
    "load_grammar": "rules",
    "parse": "api",
    "read_samples": "captions.reading",
    "questions": "asking.questioning",
    "report": "api",
    "score": "api",
}


def __getattr__(name: str) -> Any:
    if name == "study":
        return import_module("spicepy.study")
    if name not in _HOMES:
        raise AttributeError(f"module 'spicepy' has no attribute {name!r}")
    return getattr(import_module(f"spicepy.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
