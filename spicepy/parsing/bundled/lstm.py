"""One direction of an LSTM layer in exact arithmetic.

In: weights, and the states of the layer below or the words' own part of the gates.
Out: the states (Hochreiter and Schmidhuber 1997).
"""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from spicepy.parsing.bundled.arithmetic import (
    ONE,
    STATE_BITS,
    Floats32,
    Int8s,
    Product,
    cut_off,
    room,
    tanh_factors,
)

HALF: Final = np.float32(0.5)

STATES: Final = np.float32(2**STATE_BITS)
"""A state, which is within -1 and 1, times this is a whole number."""


def run_lstm(
    gates: Sequence[Product],
    inputs: Iterable[Floats32],
    states: Int8s,
    before: Int8s | None = None,
) -> None:
    """Read sentences of one length.

    Args:
        gates: Each (below + width, width), of i, f, o and the new content; the weights
            of the first three are halved, since the logistic function of x is
            (1 + tanh(x / 2)) / 2.
        inputs: What is added to the products at each word, (4, sentences, width).
        states: (sentences, words, width); gets the states times `STATES`.
        before: (sentences, words, below) states of the layer below, for its part of
            the products.
    """
    sentences, _, width = states.shape
    joint = np.zeros((sentences, gates[0].shape[0]), np.int8)
    state = joint[:, -width:]
    memory, content, factor = room(3, sentences, width)
    memory[...] = 0
    # All of one gate lie together, and nothing is repeated along the rows: numpy is
    # faster the longer what it can take at once.
    sums, factors, scale = room(3, 4, sentences, width)
    for gate, own in zip(gates, scale):
        own[...] = gate.scale
    enter, keep, leave, new = sums
    for step, added in enumerate(inputs):
        if before is not None:
            joint[:, :-width] = before[:, step]
        for gate, own in zip(gates, sums):
            gate.sums(joint, own)
        sums *= scale
        sums += added
        cut_off(sums, sums)
        tanh_factors(sums[:2], factors[:2], HALF)
        tanh_factors(sums[2:], factors[2:])
        sums *= factors
        sums[:2] += HALF
        leave += ONE  # twice the logistic function
        memory *= keep
        new *= enter
        memory += new
        cut_off(memory, content)
        tanh_factors(content, factor, HALF * STATES)
        content *= factor
        content *= leave
        np.copyto(state, np.rint(content, out=content), casting="unsafe")
        states[:, step] = state
