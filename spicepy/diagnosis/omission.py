"""Omission: how likely nobody names a thing that is there.

In: a noun, and how many references there are. Out: a probability. Whoever sees a horse
says so; of the window of a room most captions say nothing, so that a window that no
reference has may still be there.

The shares are counted in `training/words/left_out.py` and stand in
`grammars/left_out.toml`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from spicepy.common.shipped import read_table
from spicepy.diagnosis.nouns import is_below_any, is_person
from spicepy.diagnosis.words import REMEMBERED, load_words

_OTHER: Final = "other"
_PERSON: Final = "person"
_COUNTED: Final = 4
"""References that say nothing, in the counts of the file."""


@dataclass(frozen=True, slots=True)
class Shares:
    """How often four people leave a thing out: by noun, else by sort."""

    nouns: Mapping[str, float]
    sorts: Mapping[str, float]


@cache
def load_shares() -> Shares:
    """Read the shares.

    Raises:
        ResourceError: The file is missing or damaged.
    """
    return read_table("left_out.toml", lambda d: Shares(d["nouns"], d["sorts"]))


@lru_cache(REMEMBERED)
def left_out(noun: str, references: int) -> float:
    """How likely none of so many references names a thing that is there, 0-1.

    As if each left it out independently of the others.
    """
    shares = load_shares()
    found = shares.nouns.get(noun)
    if found is None:
        found = shares.nouns.get(noun.rpartition(" ")[2])
    if found is None:
        found = shares.sorts.get(sort_of(noun), 1.0)
    return float(found ** (references / _COUNTED))


def sort_of(noun: str) -> str:
    """The first of `Words.kinds` that a noun is below."""
    if is_person(noun):
        return _PERSON
    kinds = load_words().kinds
    return next((kind for kind in kinds if is_below_any(noun, (kind,))), _OTHER)
