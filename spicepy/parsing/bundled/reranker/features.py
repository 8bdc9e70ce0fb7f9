"""Configurations of a tree in, the keys of their weights out.

Each function lists the features of one kind of configuration: a number of its own and
up to four values. Arguments are states (`layout`), given as whole numbers, arrays of
them, or the symbols from which `training/header.py` writes the same in C.
"""

from enum import IntEnum
from typing import Any, Final

from spicepy.parsing.bundled.reranker.layout import (
    LABEL,
    PREPOSITION,
    TAG,
    tag_kind,
    tag_label,
    without_preposition,
)

Features = tuple[tuple[Any, ...], ...]

FACTORS: Final = (
    0x9E3779B97F4A7C15,
    0xBF58476D1CE4E5B9,
    0x94D049BB133111EB,
    0xD6E8FEB86659FD93,
    0xA0761D6478BD642F,
)
"""What the parts of a feature are multiplied by in its hash."""

LAST_FACTOR: Final = 0xE7037ED1A0B428DB


class Side(IntEnum):
    """On which side of its head a dependent stands."""

    LEFT = 0
    RIGHT = 1


def of_word(word: Any, ending: Any, state: Any) -> Features:
    """List those of a word (the hashes of it and of its last letters) in a state."""
    return (
        (21, word, tag_label(state)),
        (22, word, TAG.of(state)),
        (23, ending, tag_label(state)),
        (24, state),
    )


def of_dependent(head: Any, side: Any, state: Any) -> Features:
    """List those of a head with a dependent, or with the end of them."""
    own, base = without_preposition(head), without_preposition(state)
    return (
        (1, own, side, base),
        (2, tag_kind(head), side, base),
        (3, own, side, state),
        (4, LABEL.of(head), side, state),
        (5, head, side, base),
        (6, tag_label(head), side, tag_label(state)),
    )


def of_siblings(head: Any, side: Any, before: Any, state: Any) -> Features:
    """List those of a head with two dependents, one after the other."""
    own, tags = without_preposition(head) * 2 + side, tag_kind(head) * 2 + side
    base, base_before = without_preposition(state), without_preposition(before)
    labels = tag_label(head) * 2 + side, tag_label(before), tag_label(state)
    return (
        (11, own, base_before, base),
        (12, tags, base_before, base),
        (13, tags, LABEL.of(before), LABEL.of(state)),
        (14, own, LABEL.of(before), LABEL.of(state)),
        (15, LABEL.of(head) * 2 + side, LABEL.of(before), base),
        (16, tags, LABEL.of(before), state, PREPOSITION.of(before)),
        (17, *labels),
    )


def of_third(head: Any, side: Any, group: Any, before: Any, state: Any) -> Features:
    """List those of a head with two dependents and the group of a third before them."""
    own, tags = without_preposition(head) * 2 + side, tag_kind(head) * 2 + side
    return (
        (31, own, group, tag_label(before), tag_label(state)),
        (32, tags, group, LABEL.of(before), LABEL.of(state)),
    )
