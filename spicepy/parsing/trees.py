"""Dependency trees and graphs: the values between parser and grammar.

`Parse` is what a parser says of one caption (a basic Universal Dependencies
v1 tree with Penn tags and lemmas). `DependencyGraph` is what the grammar's
rules see: collapsed, coordination-propagated and enhanced edges.
"""

from dataclasses import dataclass

Edge = tuple[str, int, int]
"""(label, governor, dependent); positions count from 1, 0 governs the root."""


@dataclass(frozen=True, slots=True)
class Parse:
    """The basic dependency tree of one caption; all tuples have equal length.

    `heads[i]` is the position (from 1) of the head of token i + 1, 0 for a
    root; `labels[i]` is the label of that edge ("root" for a root).
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]


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
