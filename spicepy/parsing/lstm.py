"""A bidirectional LSTM layer in exact arithmetic.

In: weights, and the states of the layer below or the words' own part of the gates.
Out: the states of both directions (Hochreiter and Schmidhuber 1997).
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.fixed_point import round_to, tanh

Array = NDArray[np.float32]
ONE, HALF = np.float32(1), np.float32(0.5)

STATE_BITS: Final = 8
"""Bits after the point of word vectors and LSTM states, all within -1 and 1."""


def lstm(
    shape: tuple[int, int],
    weights: Array,
    inputs: Iterable[Array],
    before: Array | None = None,
) -> Array:
    """Run both directions of an LSTM layer over sentences of one length.

    Args:
        shape: (sentences, words).
        weights: (2, below + width, 4 x width) for the gates i, f, o and the new
            content; those of the gates are halved, since the logistic function
            of x is (1 + tanh(x / 2)) / 2.
        inputs: What is added to the products at each step, as (2, sentences, 4 x
            width) or (2, 1, …); the second half reads from the last word on.
        before: (sentences, words, below) states of the layer below.

    Returns:
        (sentences, words, 2 x width) states, multiples of 2 ** -STATE_BITS.
    """
    sentences, words = shape
    width = weights.shape[2] // 4
    states = np.empty((sentences, words, 2 * width), np.float32)
    joint = np.zeros((2, sentences, weights.shape[1]), np.float32)
    state = joint[:, :, -width:]
    memory = np.zeros((2, sentences, width), np.float32)
    gates = np.empty((2, sentences, 4 * width), np.float32)
    scratch = np.empty_like(gates)
    content, scratch_of_content = np.empty_like(memory), np.empty_like(memory)
    enter, keep, leave, new = np.split(gates, 4, axis=-1)
    for step, added in enumerate(inputs):
        if before is not None:
            joint[0, :, :-width] = before[:, step]
            joint[1, :, :-width] = before[:, -1 - step]
        np.matmul(joint, weights, out=gates)
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
        content *= HALF
        state[...] = round_to(content, STATE_BITS)
        states[:, step, :width] = state[0]
        states[:, -1 - step, width:] = state[1]
    return states
