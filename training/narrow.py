"""A network in, a narrower one of the units that matter most out.

A unit matters by how much it varies and how much is made of it. What is left of the
network still parses most captions and is soon as good as one of its size gets
(structured pruning, e.g. Li et al. 2017, "Pruning filters for efficient convnets").
"""

from collections.abc import Sequence

import numpy as np
from convert import Row
from numpy.typing import NDArray

from spicepy.parsing.bundled.network import Network

CAPTIONS, LENGTH = 4000, 11
"""How much a unit varies is seen in those of so many captions that have this length."""

Units = NDArray[np.intp]


def narrowed(network: Network, width: int, trees: Sequence[list[Row]]) -> Network:
    """Return a network with `width` units a layer and direction, and in word vectors.

    Args:
        network: One with two LSTM layers.
        width: At most what the network has.
        trees: Training captions.
    """
    arrays, sides = network.floats(), (0, 1)
    seen = [rows for rows in trees[:CAPTIONS] if len(rows) == LENGTH]
    varies = [
        states.reshape(-1, states.shape[2]).std(axis=0).reshape(2, -1)
        for states in network.states([[row[0] for row in rows] for rows in seen])
    ]
    words, first = arrays["words"], arrays["layer 0"]
    second, roles = arrays["layer 1"], arrays["roles"]
    size = first.shape[2] // 4
    own = [slice(side * size, (side + 1) * size) for side in sides]

    def kept(side: int, layer: int, *above: NDArray[np.float32]) -> Units:
        made_of_it = np.sqrt(sum(_squared_norms(weights) for weights in above))
        return _largest(made_of_it * varies[layer][side], width)

    vector = _largest(sum(np.sqrt(_squared_norms(x)) for x in words), width)
    low = [
        kept(side, 0, first[side], *(x[own[side]] for x in second)) for side in sides
    ]
    high = [kept(side, 1, second[side][2 * size :], roles[own[side]]) for side in sides]
    below = np.append(low[0], size + low[1])
    changed = {
        "vector": arrays["vector"][:, vector],
        "vector bias": arrays["vector bias"][vector],
        "words": _layer(words, [vector] * 2, low),
        "layer 0": _layer(first, low, low),
        "layer 1": _layer(second, [np.append(below, 2 * size + x) for x in high], high),
        "bias 0": _bias(arrays["bias 0"], low),
        "bias 1": _bias(arrays["bias 1"], high),
        "roles": roles[np.concatenate([high[0], size + high[1]])],
    }
    return Network(network.names, {**arrays, **changed})


def _layer(
    weights: NDArray[np.float32], inputs: Sequence[Units], units: Sequence[Units]
) -> NDArray[np.float32]:
    return np.stack(
        [
            side[np.ix_(below, _gates(own, side.shape[1]))]
            for side, below, own in zip(weights, inputs, units)
        ]
    )


def _bias(bias: NDArray[np.float32], units: Sequence[Units]) -> NDArray[np.float32]:
    return np.stack([x[_gates(own, len(x))] for x, own in zip(bias, units)])


def _gates(units: Units, columns: int) -> Units:
    """Return the columns of units: those of the three gates and the content."""
    return np.concatenate([units + gate * columns // 4 for gate in range(4)])


def _squared_norms(weights: NDArray[np.float32]) -> NDArray[np.float64]:
    return (weights.astype(np.float64) ** 2).sum(axis=1)


def _largest(scores: NDArray[np.float64], count: int) -> Units:
    return np.sort(np.argsort(-scores, kind="stable")[:count])
