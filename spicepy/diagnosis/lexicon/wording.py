"""Wording: words that show where a caption breaks off.

In: the table `wording` of `grammars/diagnosis.toml`. Out: `Wording`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Wording:
    """Words by where they can stand.

    Attributes:
        joining: Words between two things of a list: "and".
        determiners: Words that a noun must follow: "a".
        never_after: Words that never follow these: "is".
        unfinished: Words that no caption ends in.
    """

    joining: frozenset[str]
    determiners: frozenset[str]
    never_after: frozenset[str]
    unfinished: frozenset[str]


def read_wording(data: Mapping[str, Any]) -> Wording:
    """Make the words of the table of a lexicon file."""
    table = data["wording"]
    names = ("joining", "determiners", "never_after", "unfinished")
    return Wording(**{name: frozenset(table[name]) for name in names})
