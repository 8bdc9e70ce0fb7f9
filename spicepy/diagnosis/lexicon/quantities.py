"""Words of quantity ("couple", "several", "dozen"), and nouns that hide their number.

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
        uncounted: Words for further things of a sort that is counted: "others".
        plural_only: Plurals that mean one thing: "scissors".
        same_plural: Nouns whose singular and plural are the same: "sheep".
        ends: Words that end a quantity phrase.
        definite: Determiners that refer back: "the".
        singular: Determiners of one thing, whatever the form of its noun: "a women".
        units: Words that stand between a number and a noun it does not count: "sided".
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
