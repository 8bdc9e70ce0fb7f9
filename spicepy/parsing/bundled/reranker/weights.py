"""Configurations of trees in, their weights out: what the original's grammar prefers.

The original is an unlexicalised grammar (Klein and Manning 2003): which tree it
gives depends on sums of weights of small configurations of tags and categories, a
shape that a network has to guess. This model has it. Each word generates its
dependents on either side, from the inside out, each one depending on the word, on
the one before it and on the group of the one before that (Eisner 1996, "Three new
probabilistic models"). `training/tree_model.py` makes the weights.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.bundled.files import read_part, write_part
from spicepy.parsing.bundled.reranker.states import States

Ints = NDArray[np.intp]
Hashes = NDArray[np.uint64]

OWN_NAMES: Final = ("pairs", "prepositions")
"""Names of `States` that a network does not have."""

LEFT: Final = 0
RIGHT: Final = 1

_FACTORS: Final = np.array(
    [
        0x9E3779B97F4A7C15,
        0xBF58476D1CE4E5B9,
        0x94D049BB133111EB,
        0xD6E8FEB86659FD93,
        0xA0761D6478BD642F,
    ],
    np.uint64,
)
_LAST_FACTOR: Final = np.uint64(0xE7037ED1A0B428DB)
_HALF: Final = np.uint64(32)


class TreeModel:
    """Weights of configurations, found by their hash.

    Args:
        names: What `States` needs.
        weights: (a power of 2,) whole numbers.
    """

    def __init__(self, names: Mapping[str, Any], weights: NDArray[np.integer]) -> None:
        self.names = dict(names)
        self.states = States(names)
        self.weights = weights
        self._mask = np.uint64(len(weights) - 1)

    @classmethod
    def from_disk(cls, folder: Path, names: Mapping[str, Any]) -> "TreeModel":
        """Read a model from a folder.

        Args:
            folder: Has the model's own names and its weights.
            names: Those of the network that reads first.

        Raises:
            OSError, ValueError, KeyError: Files are missing or damaged.
        """
        own, arrays = read_part(folder)
        return cls({**names, **own}, arrays["weights"])

    def to_disk(self, folder: Path) -> None:
        """Write the model into a folder, without the names of the network."""
        own = {name: self.names[name] for name in OWN_NAMES}
        write_part(folder, own, {"weights": self.weights})

    def word(self, word: Ints, ending: Ints, state: Ints) -> Ints:
        """Return what a word (two hashes) is worth in a state, all of one shape."""
        base, tag = _tag_label(state), _tag(state)
        return self._sum(
            (21, word, base),
            (22, word, tag),
            (23, ending, base),
            (24, state),
        )

    def dependent(self, head: Ints, side: Any, state: Ints) -> Ints:
        """Return what a head with a dependent (or the end of them) is worth."""
        own, base = _no_preposition(head), _no_preposition(state)
        return self._sum(
            (1, own, side, base),
            (2, _tag_class(head), side, base),
            (3, own, side, state),
            (4, _label(head), side, state),
            (5, head, side, base),
            (6, _tag_label(head), side, _tag_label(state)),
        )

    def siblings(self, head: Ints, side: Any, before: Any, state: Any) -> Ints:
        """Return what two dependents, one after the other, are worth."""
        own, tag = _no_preposition(head) * 2 + side, _tag_class(head) * 2 + side
        base, base_before = _no_preposition(state), _no_preposition(before)
        label, label_before = _label(state), _label(before)
        return self._sum(
            (11, own, base_before, base),
            (12, tag, base_before, base),
            (13, tag, label_before, label),
            (14, own, label_before, label),
            (15, _label(head) * 2 + side, label_before, base),
            (16, tag, label_before, state, _preposition(before)),
            (17, _tag_label(head) * 2 + side, _tag_label(before), _tag_label(state)),
        )

    def third(
        self, head: Ints, side: Any, group: Ints, before: Ints, state: Any
    ) -> Ints:
        """Return what a group of labels is worth before two dependents."""
        own, tag = _no_preposition(head) * 2 + side, _tag_class(head) * 2 + side
        return self._sum(
            (31, own, group, _tag_label(before), _tag_label(state)),
            (32, tag, group, _label(before), _label(state)),
        )

    def _sum(self, *features: tuple[Any, ...]) -> Ints:
        total: Any = 0
        with np.errstate(over="ignore"):
            for parts in features:
                found = np.take(self.weights, self._row(parts))
                total = total + found.astype(np.int32)
        return np.asarray(total, np.intp)

    def _row(self, parts: tuple[Any, ...]) -> Ints:
        """Return where the weight of a feature is (as `training/tree_model.c`)."""
        key: Any = np.uint64(0)
        for value, factor in zip(parts, _FACTORS):
            key = key + np.asarray(value, np.intp).view(np.uint64) * factor
        key ^= key >> _HALF
        key *= _LAST_FACTOR
        key ^= key >> _HALF
        row: Ints = np.asarray(key & self._mask).view(np.intp)
        return row


# Parts of a packed state (`States.pack`).


def _tag(state: Any) -> Any:
    return state >> 14


def _label(state: Any) -> Any:
    return state >> 8 & 63


def _preposition(state: Any) -> Any:
    return state & 31


def _tag_label(state: Any) -> Any:
    return state >> 8


def _tag_class(state: Any) -> Any:
    return _tag(state) * 8 + (state >> 5 & 7)


def _no_preposition(state: Any) -> Any:
    return state >> 5
