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

from spicepy.parsing.bundled.arithmetic import Ints
from spicepy.parsing.bundled.files import read_part, write_part
from spicepy.parsing.bundled.reranker import features
from spicepy.parsing.bundled.reranker.states import States
from spicepy.parsing.bundled.thresholds import DEFAULT, Thresholds

OWN_NAMES: Final = ("pairs", "prepositions")
"""Names of `States` that a network does not have."""

_FACTORS: Final = np.array(features.FACTORS, np.uint64)
_LAST_FACTOR: Final = np.uint64(features.LAST_FACTOR)
_HALF: Final = np.uint64(32)


class TreeModel:
    """Weights of configurations, found by their hash.

    Args:
        names: What `States` needs.
        weights: (a power of 2,) whole numbers.
        thresholds: How many words it keeps.
    """

    def __init__(
        self,
        names: Mapping[str, Any],
        weights: NDArray[np.integer],
        thresholds: Thresholds = DEFAULT,
    ) -> None:
        self.names = dict(names)
        self.states = States(names, thresholds)
        self.weights = weights
        self._mask = np.uint64(len(weights) - 1)

    @classmethod
    def from_disk(
        cls, folder: Path, names: Mapping[str, Any], thresholds: Thresholds = DEFAULT
    ) -> "TreeModel":
        """Read a model from a folder.

        Args:
            folder: Has the model's own names and its weights.
            names: Those of the network that reads first.
            thresholds: How many words it keeps.

        Raises:
            OSError, ValueError, KeyError: Files are missing or damaged.
        """
        own, arrays = read_part(folder)
        return cls({**names, **own}, arrays["weights"], thresholds)

    def to_disk(self, folder: Path) -> None:
        """Write the model into a folder, without the names of the network."""
        own = {name: self.names[name] for name in OWN_NAMES}
        write_part(folder, own, {"weights": self.weights})

    def worth(self, rows: features.Features) -> Ints:
        """Return the sum of the weights of features whose values have one shape."""
        total: Any = 0
        with np.errstate(over="ignore"):
            for parts in rows:
                found = np.take(self.weights, self._row(parts))
                total = total + found.astype(np.int32)
        return np.asarray(total, np.intp)

    def _row(self, parts: tuple[Any, ...]) -> Ints:
        """Return where the weight of a feature is."""
        key: Any = np.uint64(0)
        for value, factor in zip(parts, _FACTORS):
            key = key + np.asarray(value, np.intp).view(np.uint64) * factor
        key ^= key >> _HALF
        key *= _LAST_FACTOR
        key ^= key >> _HALF
        row: Ints = np.asarray(key & self._mask).view(np.intp)
        return row
