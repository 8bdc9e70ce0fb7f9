"""Choices and defaults of the command line, apart from the slow modules that use them.

In: nothing. Out: names and numbers, and the checks of them. Importing this loads no
other stage, so that `--help` is quick and workers begin beside all other imports.
"""

from enum import StrEnum
from numbers import Integral, Real
from typing import Final, Literal

from spicepy.common.errors import InputError, brief, check_kind, counted

SEED: Final = 12345
"""The seed of every resampling, unless another one is given."""

RELIABLE: Final = 0.5
"""Findings that are right with a lower probability are hidden, unless asked for."""

Correction = Literal["holm", "benjamini-hochberg", "none"]

Family = Literal["score", "all"]
"""The tests that are corrected together: those of one score (all pairs of systems),
or all of a comparison."""

Raters = Literal["average", "flatten"]
"""The use of several ratings of a caption: their mean, or each as a point."""

Equal = Literal["own", "image", "keep"]
"""The treatment of references equal to a candidate; see `study.judgments.EQUAL`."""

Ties = Literal["half", "strict", "equal"]
"""The credit for a pair whose captions score alike: a half, none, all of it."""


class GraphFormat(StrEnum):
    """The formats of a scene graph."""

    tuples = "tuples"
    json = "json"
    node_link = "node-link"
    dot = "dot"
    svg = "svg"
    factual = "factual"
    sng = "sng-parser"
    visual_genome = "visual-genome"


def check_settings(samples: int, level: float, seed: int = SEED) -> None:
    """Refuse numbers that no test can use, before any work.

    Raises:
        InputError: Fewer than two samples, a level outside 0-1, a seed below 0.
    """
    check_seed(seed)
    check_kind("samples are", samples, Integral, "give a whole number from 2")
    check_kind("level is", level, Real, "give a number between 0 and 1")
    if samples < 2:
        raise InputError(
            f"{counted(samples, 'resample')}; at least 2 are needed, 1000 are usual"
        )
    if not 0 < level < 1:
        raise InputError(f"level {level} is not between 0 and 1 (0.95 is usual)")


def check_seed(seed: int) -> None:
    """Refuse a seed that the generator of random numbers does not take.

    Raises:
        InputError: The seed is below 0 or no whole number.
    """
    if not isinstance(seed, Integral) or seed < 0:
        raise InputError(f"seed is {brief(seed)}; it must be a whole number from 0")
