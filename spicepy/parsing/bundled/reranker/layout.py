"""How a state is packed into one whole number: the only place that knows its bits.

A state is all that the reranker's model sees of a word in a tree: its tag (auxiliary
verbs have tags of their own), its label, the kind of its outermost dependent and the
preposition before it. The functions also take symbols, from which
`training/header.py` writes the same in C.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Field:
    """Some bits of a state, `shift` bits above the lowest."""

    shift: int
    width: int

    @property
    def largest(self) -> int:
        """The largest value that the field can hold."""
        return (1 << self.width) - 1

    def of(self, state: Any) -> Any:
        """Return the value of the field in a state."""
        return state >> self.shift & self.largest

    def and_above(self, state: Any) -> Any:
        """Return the field together with all those above it."""
        return state >> self.shift


PREPOSITION: Final = Field(0, 5)
KIND: Final = Field(5, 3)
LABEL: Final = Field(8, 6)
TAG: Final = Field(14, 16)

START: Final = LABEL.largest - 1
STOP: Final = LABEL.largest
"""Labels of what stands before the first and after the last dependent."""


class Kind(IntEnum):
    """What the outermost dependent of a noun on its right is.

    To the original's grammar, noun phrases with and without another phrase in them are
    different things (Klein and Manning 2003, "Accurate unlexicalized parsing", sections
    4 and 6: annotation of parents and base noun phrases).
    """

    NOTHING = 0
    PHRASE = 1
    CLAUSE = 2
    CONJUNCT = 3
    OTHER = 4
    PHRASE_WITH_CLAUSE = 5
    STOP = 7


class VerbKind(IntEnum):
    """Whether the outermost dependent of a verb on its left is a subject.

    It tells clauses with and without a subject apart (the same: domination of verbs).
    """

    PLAIN = 0
    WITH_SUBJECT = 1


def pack(tag: Any, label: Any, kind: Any, preposition: Any) -> Any:
    """Make one number of the four; arrays of one shape give an array."""
    low = (kind << KIND.shift) + (preposition << PREPOSITION.shift)
    return (tag << TAG.shift) + (label << LABEL.shift) + low


def tag_label(state: Any) -> Any:
    """Return tag and label as one number."""
    return LABEL.and_above(state)


def tag_kind(state: Any) -> Any:
    """Return tag and kind as one number."""
    return (TAG.of(state) << KIND.width) + KIND.of(state)


def without_preposition(state: Any) -> Any:
    """Return tag, label and kind as one number."""
    return KIND.and_above(state)
