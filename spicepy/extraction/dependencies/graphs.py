"""Dependency graphs, which the rules of a grammar read."""

from dataclasses import dataclass

from spicepy.parsing.trees import Edge


@dataclass(frozen=True, slots=True)
class DependencyGraph:
    """Nodes and labelled edges, roots as edges ("root", 0, node).

    Node k (from 1) has `words[k - 1]`, `tags[k - 1]`, `lemmas[k - 1]`. Nodes
    beyond the caption's tokens are copies made by coordination: `copies[j]`
    is the position of the token that node `len(words) - len(copies) + j + 1`
    repeats.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    edges: tuple[Edge, ...]
    copies: tuple[int, ...] = ()
