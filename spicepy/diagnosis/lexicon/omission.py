"""Omission: the probability that no reference names a thing in the picture.

In: a noun, and how many references there are. Out: a probability. Almost everybody who
describes a picture with a horse names it, but few people name a window: a window that
no reference has may still be in the picture.

`training/words/left_out.py` counts the shares in `grammars/left_out.toml`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from spicepy.diagnosis.lexicon.caching import cached_method
from spicepy.diagnosis.lexicon.nouns import Nouns, is_below

_OTHER: Final = "other"
_PERSON: Final = "person"
_COUNTED: Final = 4
"""The number of people who leave a thing out, in the shares of the file."""


@dataclass(frozen=True)
class Omission:
    """The probabilities that four people all leave a thing out, 0-1.

    Attributes:
        nouns: Frequent noun -> probability.
        sorts: Sort of nouns -> probability, for other nouns.
        order: The sorts; the sort of a noun is the first one that it is below.
        known: The nouns of the lexicon, which decide what is a person.
    """

    nouns: Mapping[str, float]
    sorts: Mapping[str, float]
    order: tuple[str, ...]
    known: Nouns

    @cached_method
    def left_out(self, noun: str, references: int) -> float:
        """Return the probability that no reference names a thing in the picture, 0-1.

        References are taken to be independent of each other.
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
    """Return the shares from the tables of a lexicon file and of `left_out.toml`."""
    order = tuple(data["sorts"]["kinds"])
    return Omission(shares["nouns"], shares["sorts"], order, nouns)
