"""A metric from outside: a function that scores captions, such as CLIPScore.

A function `score(samples) -> floats` gets raw captions, ids and references. The corpus
score is the mean.

The function may have attributes: `name` (its own by default), `lower_is_better`
(False), `range` (low and high, which scores must not leave) and `signature` (a text
with all that can change the numbers).
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from math import inf
from pathlib import Path
from traceback import walk_tb
from typing import Any

import numpy as np

from spicepy.captions.sample import Sample
from spicepy.common.errors import InputError, SpicepyError, brief, counted
from spicepy.metrics.base import MeanOfImages, Statistics
from spicepy.tokenization.samples import TokenisedSample

Score = Callable[[Sequence[Sample]], Sequence[float]]
"""Samples with raw captions -> the score of each."""


class Outside(MeanOfImages):
    """A metric whose scores, none of which may be undefined, a function computes."""

    def __init__(self, function: Score) -> None:
        if not callable(function):
            raise InputError(f"{brief(function)} is not a function of samples")
        self.function = function
        told: Any = function
        name = getattr(told, "name", None) or getattr(told, "__name__", "outside")
        self.name = str(name)
        self.low, self.high = _range(getattr(told, "range", None), self.name)
        self.span = self.high - self.low
        self._falls = bool(getattr(told, "lower_is_better", False))
        self.described = str(getattr(told, "signature", ""))

    @property
    def keys(self) -> tuple[str, ...]:
        """The name of the function."""
        return (self.name,)

    @property
    def lower_is_better(self) -> frozenset[str]:
        """The name, if lower scores are better."""
        return frozenset(self.keys if self._falls else ())

    def count(self, samples: Sequence[TokenisedSample]) -> Statistics:
        """Return rows: the score of each image; refuse another number or range."""
        raw = [s.raw or Sample(s.image_id, s.candidate, s.references) for s in samples]
        try:
            found = self.function(raw)
        except (SpicepyError, MemoryError):
            raise
        except Exception as error:
            raise InputError(f"{self.name}: {_raised(error)}") from error
        try:
            scores = np.asarray(list(found), float)
        except (TypeError, ValueError) as error:
            raise InputError(
                f"{self.name}: its scores are not numbers ({error})"
            ) from error
        if scores.shape != (len(raw),):
            raise InputError(
                f"{self.name} gave scores of shape {scores.shape} for "
                f"{counted(len(raw), 'sample')}; it must give one number per sample"
            )
        with np.errstate(invalid="ignore"):
            wrong = ~((scores >= self.low) & (scores <= self.high))
        if wrong.any():
            at = int(np.argmax(wrong))
            free = self.span == inf
            wanted = f"number from {self.low:g} to {self.high:g}"
            raise InputError(
                f"{self.name}: image {brief(raw[at].image_id)} has the score "
                f"{scores[at]:g}; it must be a {'finite number' if free else wanted}"
            )
        return Statistics(tuple(s.image_id for s in raw), scores[:, None])

    def signature(self) -> Mapping[str, str]:
        """Return the name and what the function says of itself."""
        described = {"outside": self.described} if self.described else {}
        return {"metric": self.name, **described}


def _range(given: Any, name: str) -> tuple[float, float]:
    if given is None:
        return -sys.float_info.max, sys.float_info.max
    try:
        low, high = map(float, given)
    except (TypeError, ValueError):
        raise InputError(
            f"{name}: its range is {brief(given)}; two numbers are needed"
        ) from None
    return low, high


def load_outside(name: str) -> Outside:
    """Return the metric of a function that is named `package.module:function`."""
    # The current folder is searched as well. Importing the module runs its code.
    module, _, function = name.partition(":")
    if not module or not function:
        raise InputError(f"--metric-from {brief(name)}: give package.module:function")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        found: Any = import_module(module)
    except Exception as error:
        raise InputError(
            f"--metric-from {name}: {module} cannot be imported ({error})"
        ) from error
    for part in function.split("."):
        if not hasattr(found, part):
            raise InputError(f"--metric-from {name}: {module} has no {function}")
        found = getattr(found, part)
    if not callable(found):
        raise InputError(
            f"--metric-from {name}: it is {brief(found)}, not a function of samples"
        )
    return Outside(found)


def _raised(error: Exception) -> str:
    """Return an error of a user's function, with its type and where it was raised."""
    *_, (frame, line) = walk_tb(error.__traceback__)
    file = Path(frame.f_code.co_filename).name
    return f"{type(error).__name__} in {file}, line {line}: {error}"
