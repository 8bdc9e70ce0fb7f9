"""Powers, logarithms and exponentials by the C library, a value at a time.

In: arrays. Out: arrays. Those of numpy have one code for each kind of vector unit,
and the codes do not agree in the last bit, so that a score would depend on the
processor; coco-caption computes with Python's floats, as this module does.
"""

import math
from collections.abc import Callable

import numpy as np

from spicepy.metrics.ngrams.vocabulary import Floats


def power(values: Floats, exponent: float) -> Floats:
    """Values, not negative, to the power of a positive exponent."""
    return _each(lambda value: value**exponent, values)


def exponential(values: Floats) -> Floats:
    """e to the power of values, at most some 700."""
    return _each(math.exp, values)


def logarithm(values: Floats) -> Floats:
    """Natural logarithms of values that are not negative; -inf for 0."""
    return _each(lambda value: math.log(value) if value else -math.inf, values)


def _each(function: Callable[[float], float], values: Floats) -> Floats:
    """The function of each value; of equal ones, only once."""
    distinct, places = np.unique(values, return_inverse=True)
    found: Floats = np.array([function(value) for value in distinct.tolist()], float)
    return found[places].reshape(np.shape(values))
