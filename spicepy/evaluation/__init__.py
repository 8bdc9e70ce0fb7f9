"""Evaluation: scores of samples with intervals, tests and signatures."""

from spicepy.evaluation.evaluation import Evaluation, evaluate, evaluate_graphs
from spicepy.evaluation.measured import Measured

__all__ = ["Evaluation", "Measured", "evaluate", "evaluate_graphs"]
