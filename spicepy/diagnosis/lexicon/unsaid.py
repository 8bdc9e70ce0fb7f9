"""Things that captions leave out, imply, doubt or deny.

In: the tables `implied`, `backgrounds`, `hedges` and `garments` of
`grammars/diagnosis.toml`. Out: `Unsaid`.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Unsaid:
    """Words of things that are there without being named, or named without being there.

    Attributes:
        implied: Noun -> words of which each implies the thing.
        absent: Words before a thing that is not there: "without a shirt".
        backgrounds: Nouns of things that most pictures have and few captions name.
        hedges: Words after which all is only possible: "possibly a fence".
        outer: Garments that are worn over others.
        any_garment: Words for clothes of every sort.
    """

    implied: Mapping[str, frozenset[str]]
    absent: frozenset[str]
    backgrounds: frozenset[str]
    hedges: frozenset[str]
    outer: frozenset[str]
    any_garment: frozenset[str]
