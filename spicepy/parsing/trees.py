"""Dependency trees, which a parser makes of captions."""

from dataclasses import dataclass
from typing import NamedTuple

Edge = tuple[str, int, int]
"""(label, head, dependent); positions count from 1, 0 governs the root."""


class Annotations(NamedTuple):
    """A model's annotations of a sentence, one entry a word.

    A head is a position from 1, 0 for the root.
    """

    tags: tuple[str, ...] = ()
    heads: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()


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
