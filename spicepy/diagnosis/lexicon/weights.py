"""Weights: the probability that a finding is right, given its features.

In: `grammars/finding_weights.tsv`, with a row for each kind and a column for each
feature, written by `training/errors/fitting.py`. Out: `Weights`, a logistic model for
each kind.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from operator import mul
from pathlib import Path
from typing import Final

from spicepy.common.errors import ResourceError

_DIGITS: Final = 6  # The last bits of a cosine depend on the machine.


@dataclass(frozen=True)
class Weights:
    """Weights of the features of findings.

    Attributes:
        features: The names of the features.
        values: Kind of finding -> weight of each feature.
    """

    features: tuple[str, ...]
    values: Mapping[str, tuple[float, ...]]

    def probability(self, kind: str, features: Sequence[float]) -> float | None:
        """Return the probability of a finding, 0-1; None for a kind without weights."""
        weights = self.values.get(kind)
        if weights is None:
            return None
        score = sum(map(mul, weights, features))
        return round(1 / (1 + exp(-score)), _DIGITS)


def read_weights(path: Path) -> Weights:
    """Read a table of weights.

    Raises:
        ResourceError: The file is missing or damaged.
    """
    try:
        text = path.read_text(encoding="utf-8")
        header, *rows = [
            line.split("\t") for line in text.splitlines() if not line.startswith("#")
        ]
        values = {row[0]: tuple(map(float, row[1:])) for row in rows}
    except (OSError, ValueError) as error:
        raise ResourceError(f"{path}: cannot be read: {error!r}") from None
    if any(len(row) != len(header) - 1 for row in values.values()):
        raise ResourceError(f"{path}: has rows of different lengths")
    return Weights(tuple(header[1:]), values)
