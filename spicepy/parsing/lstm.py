"""One direction of an LSTM layer in exact arithmetic.

In: weights, and the states of the layer below or the words' own part of the gates.
Out: the states (Hochreiter and Schmidhuber 1997).
"""

import math
from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.fixed_point import tanh, tanh_factors
from spicepy.parsing.products import Product

Array = NDArray[np.float32]
Bytes = NDArray[np.int8]
ONE, HALF = np.float32(1), np.float32(0.5)

STATE_BITS: Final = 7
"""Bits after the point of word vectors and LSTM states, all within -1 and 1."""

LINE: Final = 16
"""Floats in a cache line."""

STATES: Final = np.float32(2**STATE_BITS)
"""Such a state times this is a whole number."""


def lstm(
    product: Product,
    inputs: Iterable[Array],
    states: Bytes,
    before: Bytes | None = None,
) -> None:
    """Read sentences of one length.

    Args:
        product: (below + width, 4 x width), with the weights of the gates i, f, o and
            the new content; those of the gates are halved, since the logistic
            function of x is (1 + tanh(x / 2)) / 2.
        inputs: What is added to the product at each word, as (sentences, 4 x width) or
            (4 x width,).
        states: (sentences, words, width); gets the states times `STATES`.
        before: (sentences, words, below) states of the layer below, for its part of
            the product.
    """
    sentences, _, width = states.shape
    joint = np.zeros((sentences, product.shape[0]), np.int8)
    state = joint[:, -width:]
    memory, content, scratch = room(3, sentences, width)
    memory[...] = 0
    sums, factors = room(2, sentences, 4 * width)
    # Rows of one gate lie together: numpy is faster the longer they are.
    gates = room(4, sentences, width)
    own_sums, own_factors = (
        x.reshape(-1, 4, width).swapaxes(0, 1) for x in (sums, factors)
    )
    enter, keep, leave, new = gates
    for step, added in enumerate(inputs):
        if before is not None:
            joint[:, :-width] = before[:, step]
        product(joint, sums)
        sums += added
        tanh_factors(sums, factors)
        np.multiply(own_sums, own_factors, out=gates)
        gates[:3] += ONE  # twice the logistic function
        memory *= keep
        new *= enter
        memory += new
        memory *= HALF
        content[...] = memory
        tanh(content, scratch)
        content *= leave
        content *= HALF * STATES
        np.copyto(state, np.rint(content, out=content), casting="unsafe")
        states[:, step] = state


def room(*shape: int) -> Array:
    """Return room for numbers from a cache line's begin on, where numpy is faster."""
    numbers = np.empty(math.prod(shape) + LINE, np.float32)
    begin = -numbers.ctypes.data // numbers.itemsize % LINE
    return numbers[begin : begin - LINE].reshape(shape)
