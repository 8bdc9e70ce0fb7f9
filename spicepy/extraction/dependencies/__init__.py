"""Dependency trees to the graphs that the rules read.

Parse ─ collapse ─▶ prepositions in labels ─ enhance ─▶ DependencyGraph
"""

from spicepy.extraction.dependencies.collapsing import collapse
from spicepy.extraction.dependencies.enhancing import enhance
from spicepy.extraction.dependencies.words import DependencyWords

__all__ = [
    "DependencyWords",
    "collapse",
    "enhance",
]
