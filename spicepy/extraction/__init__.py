"""Extraction: the rules of a grammar run over one dependency graph.

In: a `DependencyGraph` and a `Grammar`. Out: `SemanticTuple`s, the proposals.
"""

from spicepy.extraction.engine import extract
from spicepy.extraction.tuples import SemanticTuple

__all__ = [
    "SemanticTuple",
    "extract",
]
