"""Words of quantity: "couple", "several", "dozen"; nouns without a number of their own.

In: the table `quantities` of `grammars/diagnosis.toml`. Out: `Quantities`.

Source: Quirk et al. 1985, sections 5.23 and 6.52.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Quantities:
    """Words of quantity.

    Attributes:
        exact: Word -> number: "couple" -> 2.
        several: Words for two or more.
        mass: Words of `several` that may stand before a singular: "some food".
        group: Words for three or more.
        uncounted: Words for more of what was counted: "others".
        plural_only: Plurals of which a pair is one thing: "scissors".
        same_plural: Nouns whose form does not tell how many: "sheep".
        ends: Words that end a quantity phrase.
        definite: Determiners of what was named before: "the".
        singular: Determiners of one thing, whatever the form of its noun: "a women".
        units: Words after numbers that count no things: "sided".
    """

    exact: Mapping[str, int]
    several: frozenset[str]
    mass: frozenset[str]
    group: frozenset[str]
    uncounted: frozenset[str]
    plural_only: frozenset[str]
    same_plural: frozenset[str]
    ends: frozenset[str]
    definite: frozenset[str]
    singular: frozenset[str]
    units: frozenset[str]
