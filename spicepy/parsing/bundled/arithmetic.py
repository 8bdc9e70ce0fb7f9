"""Exact arithmetic: the same bits in any batch, on any number of threads, anywhere.

A BLAS adds up in an order that depends on the number of rows, the number of threads
and the processor, so the same caption could get another last bit in another batch,
and once in a great many decisions another tree. Here all factors are whole numbers
times a power of two, so short that every sum of their products is exact: then the
order cannot matter. What is not a product of matrices uses only +, -, *, / and
rounding, which IEEE 754 defines to the last bit.

    values                  bits after     largest  multiplied by         summed in
                            the point
    a word's table rows     TABLE_BITS     any      VECTOR_BITS           float64
    a word's vector         TABLE_BITS     1        `exact_weights`       float32
    LSTM states             STATE_BITS     1        8 bits (`quantized`)  float32
    hidden layers           HIDDEN_BITS    8        `exact_weights`       float32
    a word as a dependent   ARC_BITS       any      HIDDEN_BITS           float64

A float32 holds whole numbers up to 2 ** 24 (`EXACT_BITS`), a float64 those up to
2 ** 53, which no sum of the two rows marked so comes near. In the other rows, either
the weights are rounded as finely as 24 bits allow for the largest possible sum
(`exact_weights`), or both factors are whole numbers up to 127, of which 1,040
products (`MOST_INPUTS`) fit (`Product`).
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats32 = NDArray[np.float32]
Floats64 = NDArray[np.float64]
Floats = NDArray[np.floating]
Int8s = NDArray[np.int8]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

EXACT_BITS: Final = 24
TABLE_BITS: Final = 8
VECTOR_BITS: Final = 12
STATE_BITS: Final = 7
HIDDEN_BITS: Final = 6
ARC_BITS: Final = 9

LARGEST_HIDDEN: Final = 8.0
"""Hidden layers are cut off here (and at 0)."""

LARGEST_BYTE: Final = 127
"""The largest absolute value of a whole number of 8 bits."""

MOST_INPUTS: Final = 2**EXACT_BITS // LARGEST_BYTE**2

SCALE_BITS: Final = 16
"""The number of bits of a scale: its product with a number of 8 bits is exact."""

ONE: Final = np.float32(1)

LARGEST_TANH: Final = np.float32(3.0784)
"""Here the approximation of `tanh` is 0.9979, and it is kept so beyond."""

TANH: Final = np.float32(0.129633), np.float32(2.380468), np.float32(2.760888)
"""k, m and n of the approximation x (k + m / (x ^ 2 + n)), its largest error least."""

BLOCK: Final = 512
"""The number of rows that are multiplied at a time: they and their products fit the
cache."""

LINE: Final = 16
"""The number of floats in a cache line."""


def round_to(values: Floats32, bits: int) -> Floats32:
    """Round in place to multiples of 2 ** -bits (values below 2 ** (22 - bits))."""
    # Adding and taking away a large number drops the bits beyond the point.
    shift = np.float32(1.5 * 2 ** (23 - bits))
    values += shift
    values -= shift
    return values


def exact_weights(weights: Floats32, input_bits: int, largest: float) -> Floats32:
    """Round weights as finely as exact sums of products allow.

    Args:
        weights: (..., inputs, outputs).
        input_bits: Bits after the point of the inputs.
        largest: Bound of the absolute inputs.
    """
    sums = np.abs(weights).sum(axis=-2, dtype=np.float64).max()
    before_point = math.ceil(math.log2(max(sums, 1.0) * largest * 1.01))
    return round_to(weights.copy(), EXACT_BITS - input_bits - before_point)


def times(values: Floats32, weights: Floats32) -> Floats32:
    """Multiply the last axis; one large product instead of one a sentence."""
    product: Floats32 = values.reshape(-1, values.shape[-1]) @ weights
    return product.reshape(*values.shape[:-1], weights.shape[-1])


def hidden(values: Floats32) -> Floats32:
    """Cut off and round a hidden layer."""
    return round_to(values.clip(0, np.float32(LARGEST_HIDDEN)), HIDDEN_BITS)


def tanh(values: Floats32, scratch: Floats32) -> Floats32:
    """Replace values by their hyperbolic tangents (error below 0.0022).

    Args:
        values: Changed in place.
        scratch: An array of the same shape, which is overwritten.
    """
    cut_off(values, values)
    tanh_factors(values, scratch)
    values *= scratch
    return values


def cut_off(values: Floats32, out: Floats32) -> None:
    """Put values into `out`, those beyond `LARGEST_TANH` cut off there."""
    np.clip(values, -LARGEST_TANH, LARGEST_TANH, out=out)


def tanh_factors(values: Floats32, factors: Floats32, times: np.float32 = ONE) -> None:
    """Find what values have to be multiplied by to give their hyperbolic tangents.

    Args:
        values: Cut off.
        factors: An array of the same shape, which receives the factors.
        times: A power of two, by which the tangents are multiplied.
    """
    share, numerator, offset = TANH
    np.multiply(values, values, out=factors)
    factors += offset
    np.divide(numerator * times, factors, out=factors)
    factors += share * times


def quantized(weights: Floats32) -> tuple[Int8s, Floats32]:
    """Return (..., inputs, outputs) whole numbers and scales (..., 1, outputs).

    The weights are about the numbers times the scales. Weights that are so already
    give the same numbers and scales again.
    """
    largest = np.abs(weights).max(axis=-2, keepdims=True)
    largest = np.where(largest > 0, largest, LARGEST_BYTE)
    mantissa, exponent = np.frexp(largest / LARGEST_BYTE)
    rounded = np.ceil(mantissa * 2.0**SCALE_BITS)
    scale = np.ldexp(rounded, exponent - SCALE_BITS).astype(np.float32)
    return np.rint(weights / scale).astype(np.int8), scale


class Product:
    """Matrices of 8-bit whole numbers to multiply by.

    Args:
        numbers: (..., inputs, outputs), at most `MOST_INPUTS` inputs.
        scale: Factors of the products, (outputs,) or more.
    """

    def __init__(self, numbers: Int8s, scale: Floats32) -> None:
        if numbers.shape[-2] > MOST_INPUTS:
            raise ValueError(
                f"{numbers.shape[-2]} inputs; {MOST_INPUTS} add up exactly"
            )
        self.shape = numbers.shape
        self.scale = scale
        self._numbers = np.ascontiguousarray(numbers, np.float32)

    def __call__(self, values: Int8s) -> Floats32:
        """Multiply (rows, inputs) values from -127 to 127 into (rows, outputs)."""
        sums = np.empty((len(values), self.shape[-1]), np.float32)
        for start in range(0, len(values), BLOCK):
            rows = slice(start, start + BLOCK)
            self.sums(values[rows], sums[rows])
            sums[rows] *= self.scale
        return sums

    def sums(self, values: Int8s, out: Floats32) -> None:
        """Put the same into `out`, not yet multiplied by the scale.

        Args:
            values: (..., rows, inputs), for all matrices or for each its own.
            out: (..., rows, outputs).
        """
        np.matmul(values.astype(np.float32), self._numbers, out=out)


def room(*shape: int) -> Floats32:
    """Return room for numbers from a cache line's begin on, where numpy is faster."""
    numbers = np.empty(math.prod(shape) + LINE, np.float32)
    begin = -numbers.ctypes.data // numbers.itemsize % LINE
    return numbers[begin : begin - LINE].reshape(shape)
