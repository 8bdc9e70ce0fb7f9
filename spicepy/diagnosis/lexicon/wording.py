"""Wording: words that show that a caption is broken off, or that it quotes a text.

In: the table `wording` of `grammars/diagnosis.toml`. Out: `Wording`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Wording:
    """Words by the positions in which they can stand.

    Attributes:
        joining: Words between two members of a list: "and".
        determiners: Words that a noun must follow: "a".
        never_after: Words that never follow a determiner: "is".
        unfinished: Words that no complete caption ends in.
        quoting: Words before a text on a sign: "says".
    """

    joining: frozenset[str]
    determiners: frozenset[str]
    never_after: frozenset[str]
    unfinished: frozenset[str]
    quoting: frozenset[str]
