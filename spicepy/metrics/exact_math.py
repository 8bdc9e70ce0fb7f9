"""Powers, logarithms and exponentials by the C library, one value at a time.

In: arrays. Out: arrays. The functions of numpy have different code for different vector
units, whose results differ in the last bit, so that a score would depend on the
processor. coco-caption computes with Python's floats, as this module does.
"""

import math
from collections.abc import Callable, Iterable
from functools import partial
from itertools import repeat
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_TABLE: Final = 1 << 22
"""The largest count whose logarithm is looked up in a table: 32 MB."""
_FEW: Final = 2048
"""The number of values up to which finding equal ones takes longer than computing."""


def power(values: Floats, exponent: float) -> Floats:
    """Return values, not negative, to the power of a positive exponent."""
    if exponent == 1:
        return values
    return _each(lambda each: map(pow, each, repeat(exponent)), values)


def exponential(values: Floats) -> Floats:
    """Return e to the power of values, at most some 700."""
    return _each(partial(map, math.exp), values)


def logarithm(values: Floats) -> Floats:
    """Return natural logarithms of values that are not negative; -inf for 0."""
    return _each(
        lambda each: [math.log(value) if value else -math.inf for value in each], values
    )


def logarithm_of_counts(counts: Ints) -> Floats:
    """Return natural logarithms of whole numbers from 1 on, equal to `logarithm`."""
    most = int(counts.max(initial=0))
    if most > _TABLE:
        return logarithm(counts.astype(np.float64))
    seen = np.flatnonzero(np.bincount(counts))
    table = np.zeros(most + 1)
    table[seen] = [math.log(count) for count in seen.tolist()]
    logarithms: Floats = table[counts]
    return logarithms


def _each(of_each: Callable[[list[float]], Iterable[float]], values: Floats) -> Floats:
    """Return a function of each value, computed once for equal ones among many."""
    if values.size < _FEW:
        few: Floats = np.array([*of_each(values.ravel().tolist())], float)
        return few.reshape(np.shape(values))
    distinct, places = np.unique(values, return_inverse=True)
    results: Floats = np.array([*of_each(distinct.tolist())], float)
    return results[places].reshape(np.shape(values))
