"""A bidirectional LSTM layer in exact arithmetic.

In: weights, and the states of the layer below or the words' own part of the gates.
Out: the states (Hochreiter and Schmidhuber 1997).
"""

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from spicepy.parsing.bundled.arithmetic import (
    BLOCK,
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
    recurrent: Product,
    inputs: Iterable[Floats32],
    states: Int8s,
    below: Iterable[Floats32] | None = None,
) -> None:
    """Read sentences in both directions, each word by word.

    Both directions take a step together: with few sentences, calling numpy costs more
    than what it does.

    Args:
        recurrent: (2, 4, width, width) weights of each direction's i, f, o and new
            content; those of the first three are halved, since the logistic function
            of x is (1 + tanh(x / 2)) / 2.
        inputs: Added to the products at each word, (2, 4, sentences, width).
        states: (2, words, sentences, width); gets the states times `STATES`.
        below: For each word, the sums of products with the states of the layer below,
            (2, 4, sentences, width).
    """
    _, _, sentences, width = states.shape
    state = np.zeros((2, sentences, width), np.int8)
    memory, content, factor = room(3, 2, sentences, width)
    memory[...] = 0
    # Nothing is repeated along the rows: numpy is faster the longer what it can take
    # at once.
    sums, factors, scale = room(3, 2, 4, sentences, width)
    scale[...] = recurrent.scale
    halved = sums[:, :2]
    enter, keep, leave, new = sums.swapaxes(0, 1)
    from_below = iter(below) if below is not None else None
    for step, added in enumerate(inputs):
        recurrent.sums(state[:, None], sums)
        if from_below is not None:
            sums += next(from_below)
        sums *= scale
        sums += added
        cut_off(sums, sums)
        tanh_factors(halved, factors[:, :2], HALF)
        tanh_factors(sums[:, 2:], factors[:, 2:])
        sums *= factors
        halved += HALF
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


def sums_below(weights: Product, states: Int8s) -> Iterator[Floats32]:
    """Yield, word by word, sums of products with the states of the layer below.

    Sums of many words are made together, which is faster, as far as the cache holds.

    Args:
        weights: (2, 4, below, width), of each direction and gate.
        states: (2, words, sentences, below).

    Yields:
        (2, 4, sentences, width).
    """
    _, words, sentences, width = states.shape
    together = max(BLOCK // sentences, 1)
    for start in range(0, words, together):
        part = states[:, start : start + together].reshape(2, 1, -1, width)
        sums = room(*weights.shape[:2], part.shape[2], weights.shape[3])
        weights.sums(part, sums)
        yield from np.split(sums, part.shape[2] // sentences, axis=2)
