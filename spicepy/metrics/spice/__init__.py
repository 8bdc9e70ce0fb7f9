"""SPICE: agreement of scene graphs, overall and by category."""

from spicepy.metrics.spice.metric import Spice

__all__ = [
    "Spice",
]
