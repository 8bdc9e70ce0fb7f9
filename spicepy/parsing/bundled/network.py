"""The network of the bundled parser: scores of tags, heads and labels of words.

Every word has a vector that depends on the word alone; two bidirectional LSTM
layers (Hochreiter and Schmidhuber 1997) read the caption; a linear layer gives
the tag, a biaffine one (Dozat and Manning 2017) a score for each pair of
dependent and head, and one more the label of the arc. `training/` makes the
numbers; here they are only used, in an arithmetic in which neither batch,
threads nor machine change a bit (`words`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, count, repeat, takewhile
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.bundled import words as exact
from spicepy.parsing.bundled.scores import Scores
from spicepy.parsing.bundled.words import Floats32, Floats64, Int8s, Ints, Product

# A bidirectional LSTM layer (Hochreiter and Schmidhuber 1997) in exact arithmetic.

HALF: Final = np.float32(0.5)

STATES: Final = np.float32(2**exact.STATE_BITS)
"""A state, which is within -1 and 1, times this is a whole number."""


def run_lstm(
    recurrent: Product,
    inputs: Iterable[Floats32],
    states: Int8s,
    below: Iterable[Floats32] | None = None,
) -> None:
    """Read sentences in both directions, each word by word, into `states`."""
    # `recurrent` is (2, 4, width, width): the weights of each direction's i, f, o and
    # new content. Those of the first three are halved, since the logistic function of x
    # is (1 + tanh(x / 2)) / 2. At each word `inputs` (2, 4, sentences, width) and
    # `below`, the products with the layer below, are added. `states` is (2, words,
    # sentences, width) and gets the states times `STATES`.
    #
    # Both directions take a step together: with few sentences, calling numpy costs more
    # than what it does.
    _, _, sentences, width = states.shape
    state = np.zeros((2, sentences, width), np.int8)
    memory, content, factor = exact.aligned(3, 2, sentences, width)
    memory[...] = 0
    # Nothing is repeated along the rows: numpy is faster the longer what it can take
    # at once.
    sums, factors, scale = exact.aligned(3, 2, 4, sentences, width)
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
        exact.clip_for_tanh(sums, sums)
        exact.tanh_factors(halved, factors[:, :2], HALF)
        exact.tanh_factors(sums[:, 2:], factors[:, 2:])
        sums *= factors
        halved += HALF
        leave += exact.ONE  # twice the logistic function
        memory *= keep
        new *= enter
        memory += new
        exact.clip_for_tanh(memory, content)
        exact.tanh_factors(content, factor, HALF * STATES)
        content *= factor
        content *= leave
        np.copyto(state, np.rint(content, out=content), casting="unsafe")
        states[:, step] = state


def sums_below(weights: Product, states: Int8s) -> Iterator[Floats32]:
    """Yield, word by word, sums of products with the states of the layer below."""
    # Sums (2, 4, sentences, width) of many words are made together, which is faster, as
    # far as the cache holds. `weights` is (2, 4, below, width), `states` (2, words,
    # sentences, below).
    _, words, sentences, width = states.shape
    together = max(exact.BLOCK // sentences, 1)
    for start in range(0, words, together):
        part = states[:, start : start + together].reshape(2, 1, -1, width)
        sums = exact.aligned(*weights.shape[:2], part.shape[2], weights.shape[3])
        weights.sums(part, sums)
        yield from np.split(sums, part.shape[2] // sentences, axis=2)


class Network:
    """The numbers of the network, ready to read sentences.

    Args:
        names: "words" (that have a vector of their own, the first stands for all
            others), "tags", "labels" and "stand-ins" (word -> the words that are
            read as if they were it).
        arrays: Tables, weights (inputs, outputs) and biases, as
            `training/parser/network.py` makes them or as they were written: what is
            multiplied by states as whole numbers, with their scales.
        thresholds: The number of words that it keeps.
    """

    def __init__(
        self,
        names: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]],
        thresholds: exact.ParserThresholds = exact.DEFAULT,
    ) -> None:
        self.names = dict(names)
        self.arrays: dict[str, Any] = {}
        for name, array in arrays.items():
            self.arrays |= _prepared(name, array)
        # Columns of an arc's dependent and head, of a label's, of tags.
        size = len(self.arrays["root"])
        of_arcs, of_labels, of_tags = np.split(
            np.arange(self.arrays["roles"].shape[1]), [2 * size, 4 * size]
        )
        self._roles = self._linear(np.append(of_arcs, of_tags))
        self._label_roles = self._linear(of_labels)
        self._layers = list(self._make_layers())
        self._root = self.names["labels"].index("root")
        self._inputs = exact.WordInputs(self.names, self.arrays, thresholds)

    def score(self, sentences: Sequence[Sequence[str]]) -> Scores:
        """Read sentences of one length, which is not 0."""
        return self.read([sentences])[0]

    def read(self, groups: Sequence[Sequence[Sequence[str]]]) -> list[Scores]:
        """Read groups of sentences of one length each, all at once."""
        states = self.states([words for group in groups for words in group])[-1]
        ends = list(accumulate(map(len, groups)))
        return [
            self._score(states[end - len(group) : end, : len(group[0])])
            for group, end in zip(groups, ends)
        ]

    def _score(self, states: Int8s) -> Scores:
        """Make scores of the states (sentences, words, 2 x width) of the last layer."""
        root = self.arrays["root"]
        outputs, size = self._roles(states), len(root)
        both = exact.rounded_relu(outputs[:, :, : 2 * size])
        arcs = self._arc_scores(
            both[:, :, :size], _with_root(exact.rounded_relu(root), both[:, :, size:])
        )
        return Scores(outputs[:, :, 2 * size :], arcs, states, self._label_scores)

    def _label_scores(self, states: Int8s, heads: Ints) -> Floats32:
        """Return scores of labels for given heads; the root alone has its label."""
        a = self.arrays
        outputs, size = self._label_roles(states), len(a["label root"])
        of_heads = _with_root(a["label root"], outputs[:, :, size:])
        chosen = np.take_along_axis(of_heads, heads[:, :, None], axis=1)
        both = exact.rounded_relu(outputs[:, :, :size] + chosen)
        scores = exact.matmul(both, a["label"])
        scores += a["label bias"]
        scores[:, :, self._root] = np.where(heads == 0, np.inf, -np.inf)
        return scores

    def _linear(self, columns: Ints) -> "Linear":
        """Return the layer that makes these columns of the roles."""
        scale = self.arrays["roles scale"][0] / STATES
        product = Product(self.arrays["roles"][:, columns], scale[columns])
        return Linear(product, self.arrays["roles bias"][columns])

    def states(self, sentences: Sequence[Sequence[str]]) -> list[Int8s]:
        """Return the states of each LSTM layer, (sentences, words, 2 x width)."""
        # They are multiplied by 2 to the power of their bits; values behind the end of
        # a sentence have no meaning.
        rows, table = self._inputs.of(sentences)
        turn = _backwards(np.array(list(map(len, sentences))))
        inputs: Iterable[Floats32] = exact.in_turn(table, np.stack([rows, rows[turn]]))
        below: Iterator[Floats32] | None = None
        layers: list[Int8s] = []
        for weights, recurrent, bias in self._layers:
            size, words = rows.shape
            width = recurrent.shape[-1]
            if weights:
                before = np.stack([layers[-1], layers[-1][turn]]).swapaxes(1, 2)
                below = sums_below(weights, before)
                added = exact.aligned(2, 4, size, width)
                added[...] = bias
                inputs = repeat(added, words)
            states = np.empty((2, words, size, width), np.int8)
            run_lstm(recurrent, inputs, states, below)
            forwards, backwards = states.swapaxes(1, 2)
            layers.append(np.concatenate([forwards, backwards[turn]], axis=2))
        return layers

    def _make_layers(self) -> Iterator[tuple[Product | None, Product, Floats32]]:
        """Yield each layer's weights of the layer below and of its own states."""
        # Both are (2, 4, inputs, width): of each direction and gate. The first layer
        # has the words below it, whose part is in the table.
        names = takewhile(self.arrays.__contains__, map("layer {}".format, count()))
        for number, name in enumerate(names):
            scale = self.arrays[f"{name} scale"] / STATES
            numbers, scale, bias = (
                exact.by_gate(values).swapaxes(0, 1)
                for values in (
                    self.arrays[name],
                    scale,
                    self.arrays[f"bias {number}"][:, None],
                )
            )
            below = numbers.shape[2] - numbers.shape[3]
            weights = Product(numbers[:, :, :below], scale) if below else None
            yield weights, Product(numbers[:, :, below:], scale), bias

    def _arc_scores(self, dependent: Floats32, head: Floats32) -> Floats64:
        """Return scores (sentences, words, words + 1); no word heads itself."""
        wanted = exact.matmul(dependent, self.arrays["arc"])
        wanted += self.arrays["arc bias"]
        exact.round_to(wanted, exact.ARC_BITS)
        # 64 bits hold these sums exactly, whatever the size of the factors.
        scores: Floats64 = np.matmul(
            wanted.astype(np.float64), head.astype(np.float64).swapaxes(1, 2)
        )
        words = scores.shape[1]
        offsets = np.arange(words + 1) - 1 - np.arange(words)[:, None]
        distance = self.arrays["distance"]
        reach = (len(distance) - 1) // 2 - 1
        bias = distance[np.clip(offsets, -reach, reach) + reach + 1]
        bias[:, 0] = distance[0]
        bias[offsets == 0] = -np.inf
        scores += bias
        return scores


class Linear(NamedTuple):
    """A linear layer on top of the states."""

    product: Product
    bias: Floats32

    def __call__(self, states: Int8s) -> Floats32:
        """Turn (sentences, words, inputs) into (sentences, words, outputs)."""
        outputs = self.product(states.reshape(-1, states.shape[2]))
        outputs += self.bias
        return outputs.reshape(*states.shape[:2], -1)


def _backwards(lengths: Ints) -> tuple[Any, Any]:
    """Return the index that turns round the words of sentences of these lengths."""
    # Places behind the end of a sentence stay where they are.
    if (lengths == lengths[0]).all():
        return slice(None), slice(None, None, -1)
    position = np.arange(lengths.max())
    turned = lengths[:, None] - 1 - position
    return np.arange(len(lengths))[:, None], np.where(turned < 0, position, turned)


def _with_root(root: Floats32, words: Floats32) -> Floats32:
    """Put the root's vector before those of the words."""
    first = np.broadcast_to(root, (len(words), 1, root.size))
    return np.concatenate([first, words], axis=1)


def _prepared(name: str, array: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Round the factors of products so that all sums are exact."""
    if array.dtype == np.int8:
        return {name: array}
    values = np.array(array, np.float32)
    if name.endswith(" scale"):
        return {name: values}
    if name == "roles" or name.startswith("layer"):
        return dict(zip((name, f"{name} scale"), exact.quantized(values)))
    if name in ("arc", "label"):
        values = exact.exact_weights(values, exact.HIDDEN_BITS, exact.MAX_HIDDEN)
    elif name == "words":
        values = exact.exact_weights(values, exact.TABLE_BITS, 1.0)
    elif name in ("word", *exact.AFFIXES):
        exact.round_to(values, exact.TABLE_BITS)
    elif name == "vector":
        exact.round_to(values, exact.VECTOR_BITS)
    return {name: values}
