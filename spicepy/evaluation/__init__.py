"""Evaluation: samples and metrics in, scores with confidence and signature out."""

from spicepy.evaluation.evaluation import (
    Evaluation,
    Measured,
    evaluate,
    evaluate_graphs,
)

__all__ = [
    "Evaluation",
    "Measured",
    "evaluate",
    "evaluate_graphs",
]
