"""Dependency trees to the graphs that the rules read.

Parse ─ collapse ─▶ prepositions in labels ─ enhance ─▶ DependencyGraph
"""

from spicepy.dependencies.collapsing import collapse
from spicepy.dependencies.enhancing import enhance
from spicepy.dependencies.words import DependencyWords

__all__ = [
    "DependencyWords",
    "collapse",
    "enhance",
]
