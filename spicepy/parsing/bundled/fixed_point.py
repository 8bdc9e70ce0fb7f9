"""Arithmetic that gives the same bits in any batch and on any machine.

A BLAS adds up in an order that depends on the number of rows, the number of
threads and the processor, so the same caption could get another last bit in
another batch, and once in a great many decisions another tree. Here factors
are multiples of powers of two, so few that every sum of products is exact in a
float: then the order cannot matter. What is not a product of matrices uses
only +, -, * and /, which IEEE 754 defines to the last bit.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

ONE: Final = np.float32(1)

EXACT_BITS: Final = 24
"""Bits of a 32-bit float: whole numbers up to 2 ** 24 are exact."""

LARGEST_TANH: Final = np.float32(3.0784)
"""Here the approximation of `tanh` is 0.9979, and it is kept so beyond."""

TANH: Final = np.float32(0.129633), np.float32(2.380468), np.float32(2.760888)
"""k, m and n of the approximation x (k + m / (x ^ 2 + n)), its largest error least."""


def round_to(values: Array, bits: int) -> Array:
    """Round in place to multiples of 2 ** -bits (values below 2 ** (22 - bits))."""
    # Adding and taking away a large number drops the bits beyond the point.
    shift = np.float32(1.5 * 2 ** (23 - bits))
    values += shift
    values -= shift
    return values


def exact_weights(weights: Array, input_bits: int, largest: float) -> Array:
    """Round weights as finely as exact sums of products allow.

    Args:
        weights: (..., inputs, outputs).
        input_bits: Bits after the point of the inputs.
        largest: Bound of the absolute inputs.
    """
    sums = np.abs(weights).sum(axis=-2, dtype=np.float64).max()
    before_point = math.ceil(math.log2(max(sums, 1.0) * largest * 1.01))
    return round_to(weights.copy(), EXACT_BITS - input_bits - before_point)


def tanh(values: Array, scratch: Array) -> Array:
    """Replace values by their hyperbolic tangents (error below 0.0022).

    Args:
        values: Changed in place.
        scratch: Of the same shape, overwritten.
    """
    cut_off(values, values)
    tanh_factors(values, scratch)
    values *= scratch
    return values


def cut_off(values: Array, out: Array) -> None:
    """Put values into `out`, those beyond `LARGEST_TANH` cut off there."""
    np.clip(values, -LARGEST_TANH, LARGEST_TANH, out=out)


def tanh_factors(values: Array, factors: Array, times: np.float32 = ONE) -> None:
    """Find what values have to be multiplied by to give their hyperbolic tangents.

    Args:
        values: Cut off.
        factors: Of the same shape, gets the factors.
        times: A power of two, by which the tangents are multiplied.
    """
    share, numerator, offset = TANH
    np.multiply(values, values, out=factors)
    factors += offset
    np.divide(numerator * times, factors, out=factors)
    factors += share * times
