"""Wording: words that show where a caption breaks off, or quotes a text.

In: the table `wording` of `grammars/diagnosis.toml`. Out: `Wording`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Wording:
    """Words by where they can stand.

    Attributes:
        joining: Words between two things of a list: "and".
        determiners: Words that a noun must follow: "a".
        never_after: Words that never follow these: "is".
        unfinished: Words that no caption ends in.
        quoting: Words before a text on a sign: "says".
    """

    joining: frozenset[str]
    determiners: frozenset[str]
    never_after: frozenset[str]
    unfinished: frozenset[str]
    quoting: frozenset[str]
