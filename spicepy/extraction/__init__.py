"""Extraction: turn a tree into a graph of words, and its patterns into tuples.

In: a `Parse`, which `dependencies/` turns into a `DependencyGraph`, and a `Grammar`.
Out: `SemanticTuple`s, the proposals.
"""

from spicepy.extraction.engine import extract
from spicepy.extraction.tuples import SemanticTuple

__all__ = [
    "SemanticTuple",
    "extract",
]
