"""Matrix products whose result does not depend on the shape of the batch.

A BLAS adds up in an order that varies with the number of rows, so the same
caption may get another last bit in another batch, and once in a great many
decisions another tree. Here factors are fixed-point numbers short enough that
every product and every sum of products is exact in a 32-bit float: then order,
batch and number of threads cannot matter. The products are numpy's, whose
BLAS is several times faster than the one thinc brings.

In: the models (thinc) of a pipeline. Out: the same, multiplying exactly.
"""

from collections.abc import Iterable
from copy import copy
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

INPUT_BITS: Final = 7
"""Bits after the point of an activation; the sums then have 16, and are exact
while the absolute products of a sum stay below 2 ** (24 - 16) = 256 in all."""

WEIGHT_BITS: Final = 9
"""Bits after the point of a weight."""


def use_exact_sums(models: Iterable[Any]) -> None:
    """Round the weights of models and let them multiply with `exact_gemm`."""
    for model in models:
        for node in model.walk():
            node.ops = copy(node.ops)
            node.ops.gemm = exact_gemm
            if node.has_param("W"):
                node.set_param("W", round_to(node.get_param("W"), WEIGHT_BITS))


def exact_gemm(
    x: Array,
    y: Array,
    out: Array | None = None,
    trans1: bool = False,
    trans2: bool = False,
) -> Array:
    """Multiply activations `x` by rounded weights `y` (thinc's `Ops.gemm`)."""
    left = round_to(x.T if trans1 else x, INPUT_BITS)
    product: Array = np.matmul(left, y.T if trans2 else y)
    if out is None:
        return product
    out[...] = product
    return out


def round_to(values: Array, bits: int) -> Array:
    """Round to multiples of 2 ** -bits (for values below 2 ** (22 - bits))."""
    # Adding and taking away a large number drops the bits beyond the point.
    shift = np.float32(1.5 * 2 ** (23 - bits))
    rounded: Array = values + shift
    rounded -= shift
    return rounded
