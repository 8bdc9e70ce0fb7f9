"""Dependency graphs, which the rules of a grammar read."""

from dataclasses import dataclass

from spicepy.extraction.tuples import Mood
from spicepy.parsing.trees import Edge


@dataclass(frozen=True, slots=True)
class DependencyGraph:
    """Nodes and labelled edges, roots as edges ("root", 0, node).

    Node k (from 1) has `words[k - 1]`, `tags[k - 1]`, `lemmas[k - 1]`. Nodes
    beyond the caption's tokens are copies made by coordination: `copies[j]`
    is the position of the token that node `len(words) - len(copies) + j + 1`
    repeats. `unreal` has what the caption denies or supposes, apart from the edges.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    edges: tuple[Edge, ...]
    copies: tuple[int, ...] = ()
    unreal: "tuple[UnrealGraph, ...]" = ()


@dataclass(frozen=True, slots=True)
class UnrealGraph:
    """A caption's graph with something that the caption denies or supposes.

    Attributes:
        mood: Which of the two.
        nodes: The nodes of what is denied or supposed; all else is said elsewhere.
        graph: The edges of the caption as if it were stated.
    """

    mood: Mood
    nodes: frozenset[int]
    graph: DependencyGraph
