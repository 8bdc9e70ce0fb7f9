"""A bidirectional LSTM layer in exact arithmetic.

In: weights, and the states of the layer below or the words' own part of the gates.
Out: the states of both directions (Hochreiter and Schmidhuber 1997).
"""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.fixed_point import tanh
from spicepy.parsing.products import Product

Array = NDArray[np.float32]
Bytes = NDArray[np.int8]
ONE, HALF = np.float32(1), np.float32(0.5)

STATE_BITS: Final = 7
"""Bits after the point of word vectors and LSTM states, all within -1 and 1."""

STATES: Final = np.float32(2**STATE_BITS)
"""Such a state times this is a whole number."""


def lstm(
    shape: tuple[int, int],
    products: Sequence[Product],
    inputs: Iterable[Array],
    before: Bytes | None = None,
) -> Bytes:
    """Run both directions of an LSTM layer over sentences of one length.

    Args:
        shape: (sentences, words).
        products: One a direction, (below + width, 4 x width), with the weights of
            the gates i, f, o and the new content; those of the gates are halved,
            since the logistic function of x is (1 + tanh(x / 2)) / 2.
        inputs: What is added to the products at each step, as (2, sentences, 4 x
            width) or (2, 1, …); the second half reads from the last word on.
        before: (sentences, words, below) states of the layer below.

    Returns:
        (sentences, words, 2 x width) states times `STATES`.
    """
    sentences, words = shape
    size, outputs = products[0].shape
    width = outputs // 4
    states = np.empty((sentences, words, 2 * width), np.int8)
    joint = np.zeros((2, sentences, size), np.int8)
    state = joint[:, :, -width:]
    memory = np.zeros((2, sentences, width), np.float32)
    gates = np.empty((2, sentences, outputs), np.float32)
    scratch = np.empty_like(gates)
    content, scratch_of_content = np.empty_like(memory), np.empty_like(memory)
    enter, keep, leave, new = np.split(gates, 4, axis=-1)
    for step, added in enumerate(inputs):
        if before is not None:
            joint[0, :, :-width] = before[:, step]
            joint[1, :, :-width] = before[:, -1 - step]
        for product, values, out in zip(products, joint, gates):
            product(values, out)
        gates += added
        tanh(gates, scratch)
        gates[:, :, : 3 * width] += ONE  # twice the logistic function
        memory *= keep
        new *= enter
        memory += new
        memory *= HALF
        content[...] = memory
        tanh(content, scratch_of_content)
        content *= leave
        content *= HALF * STATES
        np.copyto(state, np.rint(content, out=content), casting="unsafe")
        states[:, step, :width] = state[0]
        states[:, -1 - step, width:] = state[1]
    return states
