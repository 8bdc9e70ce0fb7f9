"""What options of commands say before anything is loaded."""

from typing import Final, Literal

Correction = Literal["holm", "benjamini-hochberg", "none"]
"""How p-values of several comparisons are corrected."""

SEED: Final = 12345
"""Of everything random, unless another is given."""
