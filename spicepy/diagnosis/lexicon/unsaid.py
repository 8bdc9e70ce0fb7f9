"""Things that captions leave out, imply, doubt or deny.

In: the tables `implied`, `backgrounds`, `hedges` and `garments` of
`grammars/diagnosis.toml`. Out: `Unsaid`.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Unsaid:
    """Words about things in the picture without a name, and names without a thing.

    Attributes:
        implied: Noun -> words that each imply the thing.
        absent: Words of negation before a noun: "without" in "without a shirt".
        backgrounds: Nouns for things that most pictures have and few captions name.
        hedges: Words that make what follows a supposition: "possibly a fence".
        outer: Garments that are worn over others.
        any_garment: Words for clothes of every sort.
    """

    implied: Mapping[str, frozenset[str]]
    absent: frozenset[str]
    backgrounds: frozenset[str]
    hedges: frozenset[str]
    outer: frozenset[str]
    any_garment: frozenset[str]
