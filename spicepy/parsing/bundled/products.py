"""Vectors and matrices of 8-bit whole numbers in, their products out.

The sums are whole numbers that a 32-bit float holds exactly, so it does not matter
who adds them up: numkong, which uses the matrix unit (AMX) of a processor that has
one and is several times faster there, or numpy's BLAS elsewhere.
"""

import importlib
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Bytes = NDArray[np.int8]

LARGEST: Final = 127
"""Of the absolute values of both factors."""

MOST_INPUTS: Final = 2**24 // LARGEST**2
"""Products of so many numbers add up exactly in a float."""

SCALE_BITS: Final = 16
"""Bits of a scale: with a number of 8 bits, it gives an exact product."""

BLOCK: Final = 512
"""Rows that are multiplied at a time: they and their products fit the cache."""

MATRIX_UNITS: Final = ("sapphireamx", "graniteamx")
"""What numkong calls processors on which it is faster than a BLAS."""


def quantized(weights: Array) -> tuple[Bytes, Array]:
    """Return (..., inputs, outputs) whole numbers and scales (..., 1, outputs).

    The weights are about the numbers times the scales. Weights that are so already
    give the same numbers and scales again.
    """
    largest = np.abs(weights).max(axis=-2, keepdims=True)
    mantissa, exponent = np.frexp(np.where(largest > 0, largest, LARGEST) / LARGEST)
    rounded = np.ceil(mantissa * 2.0**SCALE_BITS)
    scale = np.ldexp(rounded, exponent - SCALE_BITS).astype(np.float32)
    return np.rint(weights / scale).astype(np.int8), scale


class Product:
    """A matrix to multiply by.

    Args:
        numbers: (inputs, outputs), at most `MOST_INPUTS` inputs.
        scale: (outputs,), what the products are multiplied by.
    """

    def __init__(self, numbers: Bytes, scale: Array) -> None:
        if len(numbers) > MOST_INPUTS:
            raise ValueError(f"{len(numbers)} inputs; {MOST_INPUTS} add up exactly")
        self.shape = numbers.shape
        self.scale = scale
        self._unit = matrix_unit()
        self._numbers: Any = (
            self._unit.dots_pack(np.ascontiguousarray(numbers.T), "int8")
            if self._unit
            else numbers.astype(np.float32)
        )

    def __call__(self, values: Bytes) -> Array:
        """Multiply (rows, inputs) values from -127 to 127 into (rows, outputs)."""
        found = np.empty((len(values), self.shape[1]), np.float32)
        for start in range(0, len(values), BLOCK):
            rows = slice(start, start + BLOCK)
            self.sums(values[rows], found[rows])
            found[rows] *= self.scale
        return found

    def sums(self, values: Bytes, out: Array) -> None:
        """Put the same into `out`, not yet multiplied by the scale."""
        if self._unit:
            out[...] = self._unit.dots_packed(values, self._numbers)
        else:
            np.matmul(values.astype(np.float32), self._numbers, out=out)


@cache
def matrix_unit() -> Any:
    """Return the module numkong if it is there and this processor has a matrix unit."""
    try:
        numkong = importlib.import_module("numkong")
    except ImportError:
        return None
    able = numkong.get_capabilities()
    return numkong if any(able.get(name) for name in MATRIX_UNITS) else None
