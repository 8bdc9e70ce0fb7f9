"""The metrics: each is one file and one entry of the registry."""

from spicepy.metrics.base import Metric, Statistics
from spicepy.metrics.making import Entry, MetricOptions
from spicepy.metrics.registry import METRICS, resolve

__all__ = [
    "METRICS",
    "Entry",
    "Metric",
    "MetricOptions",
    "Statistics",
    "resolve",
]
