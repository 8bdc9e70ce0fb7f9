"""Precision: the share of findings of a kind that people found right.

In: the table `precision` of `grammars/diagnosis.toml`, which
`benchmarks/diagnosis/verdicts.py` measures. Out: `Precision`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Precision:
    """Shares of right findings, 0-1.

    Attributes:
        values: Kind of finding -> share.
        unsure: The same for findings that rest on little, where it differs.
    """

    values: Mapping[str, float]
    unsure: Mapping[str, float]

    def of(self, kind: str, *, sure: bool = True) -> float | None:
        """Return the share of right findings of a kind; None if it was not measured."""
        value = self.values.get(kind)
        return value if sure else self.unsure.get(kind, value)


def read_precision(data: Mapping[str, Any]) -> Precision:
    """Make the shares of the table of a lexicon file."""
    return Precision(data["precision"]["values"], data["precision"]["unsure"])
