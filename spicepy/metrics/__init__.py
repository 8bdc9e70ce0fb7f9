"""The metrics: each is one file and one entry of the registry."""

from spicepy.metrics.base import Metric, Statistics

__all__ = ["Metric", "Statistics"]
