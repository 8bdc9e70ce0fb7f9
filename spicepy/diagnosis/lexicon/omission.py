"""Omission: the probability that nobody names a thing that is there.

In: a noun, and how many references there are. Out: a probability. A horse is named by
everybody who sees it; the window of a room by few, so that a window that no reference
has may still be there.

The shares are counted in `training/words/left_out.py` and stand in
`grammars/left_out.toml`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from spicepy.diagnosis.lexicon.memory import remembered
from spicepy.diagnosis.lexicon.nouns import Nouns, is_below

_OTHER: Final = "other"
_PERSON: Final = "person"
_COUNTED: Final = 4
"""References that say nothing, in the counts of the file."""


@dataclass(frozen=True)
class Omission:
    """Shares of four people who leave a thing out, 0-1.

    Attributes:
        nouns: Shares of frequent nouns.
        sorts: Shares of sorts, for other nouns.
        order: Nouns; the sort of a noun is the first one that it is below.
        known: The nouns of the lexicon, which tell who is a person.
    """

    nouns: Mapping[str, float]
    sorts: Mapping[str, float]
    order: tuple[str, ...]
    known: Nouns

    @remembered
    def left_out(self, noun: str, references: int) -> float:
        """Return the probability that no reference names a thing that is there, 0-1.

        References are taken as independent of each other.
        """
        share = self.nouns.get(noun)
        if share is None:
            share = self.nouns.get(noun.rpartition(" ")[2])
        if share is None:
            share = self.sorts.get(self.sort_of(noun), 1.0)
        return float(share ** (references / _COUNTED))

    def sort_of(self, noun: str) -> str:
        """Return the sort of a noun, "other" if it is below none."""
        if self.known.is_person(noun):
            return _PERSON
        return next((sort for sort in self.order if is_below(noun, sort)), _OTHER)


def read_omission(
    data: Mapping[str, Any], shares: Mapping[str, Any], nouns: Nouns
) -> Omission:
    """Make the shares of the tables of a lexicon file and of `left_out.toml`."""
    order = tuple(data["sorts"]["kinds"])
    return Omission(shares["nouns"], shares["sorts"], order, nouns)
