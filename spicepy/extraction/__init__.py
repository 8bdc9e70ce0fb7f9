"""Extraction: a tree becomes a graph of words, whose patterns the rules turn to tuples.

In: a `Parse`, which `dependencies/` turns into a `DependencyGraph`, and a `Grammar`.
Out: `SemanticTuple`s, the proposals.
"""

from spicepy.extraction.engine import extract
from spicepy.extraction.tuples import SemanticTuple

__all__ = [
    "SemanticTuple",
    "extract",
]
