"""Semantic tuples: (object), (object, attribute), (source, relation, target)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Mood = Literal["", "denied", "supposed"]
"""Whether a caption states something, denies it or supposes it."""


@dataclass(frozen=True, slots=True)
class SemanticTuple:
    """One proposed tuple in printed order: (man), (man, tall), (man, ride, horse).

    `rule` is the id of the rule card that made it, `tokens` the positions
    (from 1) of the head words of its members, `written` its members as that rule made
    them, where a normalisation rule has changed them since, and `same` further
    wordings of its attribute or relation that mean the same. `heads` has for
    each object of several words, in order, the word it is a kind of ("stop sign":
    "sign"), "" for others. None of these counts in `==`. `mood`, which does, says
    whether the caption states the tuple (""), denies or supposes it.
    """

    members: tuple[str, ...]
    rule: str = field(default="", compare=False)
    tokens: tuple[int, ...] = field(default=(), compare=False)
    written: tuple[str, ...] = field(default=(), compare=False, repr=False)
    same: tuple[str, ...] = field(default=(), compare=False, repr=False)
    heads: tuple[str, ...] = field(default=(), compare=False, repr=False)
    mood: Mood = ""

    def __str__(self) -> str:
        return f"({', '.join(self.members)})"


Proposals = Sequence[SemanticTuple]
"""The tuples that the rules propose for one caption, repetitions included."""
