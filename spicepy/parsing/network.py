"""Words in; tags, heads and labels out: the network of the bundled parser.

Every word has a vector that depends on the word alone; two bidirectional LSTM
layers (Hochreiter and Schmidhuber 1997) read the caption; a linear layer gives
the tag, a biaffine one (Dozat and Manning 2017) a score for each pair of
dependent and head, and one more the label of the arc. `training/` makes the
numbers; here they are only used, in an arithmetic in which neither batch,
threads nor machine change a bit (`fixed_point`).
"""

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.fixed_point import exact_weights, round_to, tanh
from spicepy.parsing.projective import best_trees

Array = NDArray[np.float32]
Arcs = tuple[tuple[str, ...], tuple[int, ...], tuple[str, ...]]
"""Tags, heads (from 1, 0 for the root) and labels of one sentence."""

AFFIXES: Final[dict[str, tuple[int, Callable[[str], str]]]] = {
    "last 2": (2000, lambda word: word[-2:]),
    "last 3": (4000, lambda word: word[-3:]),
    "last 4": (6000, lambda word: word[-4:]),
    "first 2": (1000, lambda word: word[:2]),
    "shape": (500, lambda word: _shape(word)),
}
"""What else of a word is looked up: rows of its table, the part (hashed)."""

WORD_BITS: Final = 8
"""Bits after the point of a word's vector, within -1 and 1 (as an LSTM's output)."""

HIDDEN_BITS: Final = 6
"""Bits after the point of the other hidden layers."""

LARGEST_HIDDEN: Final = 8.0
"""The other hidden layers are cut off here (and at 0)."""

ARC_BITS: Final = 9
"""Bits after the point of what a dependent wants of its head."""

STEP: Final = 128
"""Sentences of one length that are read together: their numbers fit the cache."""

LONGEST: Final = 200
"""Words that are analysed together; the time grows with their cube."""

LARGEST_TABLE: Final = 16_000
"""Words whose input to the first LSTM layer is kept."""


def affix_rows(word: str) -> list[int]:
    """Return the rows of a word in the tables of `AFFIXES`."""
    return [
        zlib.crc32(f"{name} {part(word)}".encode("utf-8", "replace")) % rows
        for name, (rows, part) in AFFIXES.items()
    ]


def _shape(word: str) -> str:
    kinds = ["d" if c.isdigit() else "x" if c.isalpha() else c for c in word[:12]]
    return "".join(
        k for n, k in enumerate(kinds) if kinds[max(n - 3, 0) : n] != [k] * 3
    )


class Network:
    """The numbers of the network, ready to analyse sentences.

    Args:
        names: "words" (that have a vector of their own, the first stands for all
            others), "tags" and "labels".
        arrays: Tables, weights (inputs, outputs) and biases, as `training/network.py`
            makes them.
    """

    def __init__(
        self, names: Mapping[str, list[str]], arrays: Mapping[str, Array]
    ) -> None:
        self._names = {name: list(names[name]) for name in ("words", "tags", "labels")}
        self._words = {word: row for row, word in enumerate(self._names["words"])}
        self._arrays = {name: _prepared(name, array) for name, array in arrays.items()}
        self._rows: dict[str, int] = {}
        self._table: Array | None = None

    @classmethod
    def from_disk(cls, folder: Path) -> "Network":
        """Read the network from a folder.

        Raises:
            OSError, ValueError, KeyError: Files are missing or damaged.
        """
        names = json.loads((folder / "names.json").read_text(encoding="utf-8"))
        with np.load(folder / "arrays.npz") as arrays:
            return cls(names, dict(arrays))

    def to_disk(self, folder: Path) -> None:
        """Write the network into a folder, the tables with 16 bits a number."""
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self._names, ensure_ascii=False, indent=0)
        (folder / "names.json").write_text(text + "\n", encoding="utf-8")
        tables = dict.fromkeys(("word", *AFFIXES), np.float16)
        arrays: dict[str, Any] = {
            name: array.astype(tables.get(name, np.float32))
            for name, array in self._arrays.items()
        }
        np.savez_compressed(folder / "arrays.npz", **arrays)

    def analyse(self, sentences: Sequence[Sequence[str]]) -> list[Arcs]:
        """Return tags, heads and labels of each sentence; empty ones have none."""
        starts = [range(0, len(words), LONGEST) for words in sentences]
        arcs = self._analyse(
            words[start : start + LONGEST]
            for words, places in zip(sentences, starts)
            for start in places
        )
        return [_joined(list(islice(arcs, len(places)))) for places in starts]

    def _analyse(self, sentences: Iterable[Sequence[str]]) -> Iterator[Arcs]:
        sentences = list(sentences)
        self._learn({word for words in sentences for word in words})
        by_length: dict[int, list[int]] = {}
        for place, words in enumerate(sentences):
            by_length.setdefault(len(words), []).append(place)
        found: dict[int, Arcs] = {}
        for places in by_length.values():
            for start in range(0, len(places), STEP):
                part = places[start : start + STEP]
                found.update(zip(part, self._read([sentences[n] for n in part])))
        return (found[place] for place in range(len(sentences)))

    def _learn(self, words: set[str]) -> None:
        """Put the words' input to the first LSTM layer into the table."""
        if len(self._rows) + len(words) > LARGEST_TABLE:
            self._rows, self._table = {}, None
        new = sorted(words - self._rows.keys())
        if not new:
            return
        a = self._arrays
        parts = [a["word"][[self._words.get(word, 0) for word in new]]]
        rows = np.array([affix_rows(word) for word in new])
        parts += [a[name][rows[:, n]] for n, name in enumerate(AFFIXES)]
        vectors = np.concatenate(parts, axis=1) @ a["vector"] + a["vector bias"]
        round_to(tanh(vectors, np.empty((2, *vectors.shape), np.float32)), WORD_BITS)
        inputs = vectors @ a["input 0"] + a["bias 0"]
        self._rows.update(zip(new, range(len(self._rows), len(self._rows) + len(new))))
        old = [] if self._table is None else [self._table]
        self._table = np.concatenate([*old, np.stack(np.split(inputs, 2, axis=1))], 1)

    def _read(self, sentences: Sequence[Sequence[str]]) -> list[Arcs]:
        """Analyse sentences of one length."""
        a, table = self._arrays, self._table
        assert table is not None
        rows = np.array([[self._rows[word] for word in words] for words in sentences]).T
        states = _lstm(table[0][rows], table[1][rows[::-1]], a["recurrent 0"])
        layer = 1
        while f"input {layer}" in a:
            inputs = states @ a[f"input {layer}"] + a[f"bias {layer}"]
            forward, backward = np.split(inputs, 2, axis=-1)
            states = _lstm(forward, backward[::-1], a[f"recurrent {layer}"])
            layer += 1
        states = np.ascontiguousarray(states.swapaxes(0, 1))  # sentence, word, state
        tags = (states @ a["tag"] + a["tag bias"]).argmax(axis=-1)
        roles = np.split(states @ a["hidden"] + a["hidden bias"], 4, axis=-1)
        roots = np.split(a["root"], 4)
        heads = best_trees(self._arc_scores(roles[0], _with_root(roots[1], roles[1])))
        labels = self._best_labels(heads, roles[2], _with_root(roots[3], roles[3]))
        return list(
            zip(
                (
                    tuple(map(self._names["tags"].__getitem__, row))
                    for row in tags.tolist()
                ),
                map(tuple, heads.tolist()),
                (
                    tuple(map(self._names["labels"].__getitem__, row))
                    for row in labels.tolist()
                ),
            )
        )

    def _arc_scores(self, dependent: Array, head: Array) -> NDArray[np.float64]:
        """Return scores (sentences, words, words + 1); no word heads itself."""
        wanted = _hidden(dependent) @ self._arrays["arc"] + self._arrays["arc bias"]
        round_to(wanted, ARC_BITS)
        # 64 bits hold these sums exactly, whatever the size of the factors.
        scores: NDArray[np.float64] = np.matmul(
            wanted.astype(np.float64), _hidden(head).astype(np.float64).swapaxes(1, 2)
        )
        words = scores.shape[1]
        offsets = np.arange(words + 1) - 1 - np.arange(words)[:, None]
        distance = self._arrays["distance"]
        reach = (len(distance) - 1) // 2 - 1
        bias = distance[np.clip(offsets, -reach, reach) + reach + 1]
        bias[:, 0] = distance[0]
        bias[offsets == 0] = -np.inf
        scores += bias
        return scores

    def _best_labels(
        self, heads: NDArray[np.intp], dependent: Array, head: Array
    ) -> NDArray[np.intp]:
        chosen = np.take_along_axis(head, heads[:, :, None], axis=1)
        hidden = _hidden(dependent + chosen)
        scores = hidden @ self._arrays["label"] + self._arrays["label bias"]
        root = self._names["labels"].index("root")
        scores[:, :, root] = -np.inf
        labels: NDArray[np.intp] = scores.argmax(axis=-1)
        labels[heads == 0] = root
        return labels


def _joined(pieces: list[Arcs]) -> Arcs:
    """Make one tree of the pieces of a long sentence: later roots hang on the first."""
    if len(pieces) == 1:
        return pieces[0]
    tags: list[str] = []
    heads: list[int] = []
    labels: list[str] = []
    root = 0
    for piece in pieces:
        before = len(tags)
        tags += piece[0]
        heads += [before + head if head else root for head in piece[1]]
        labels += [x if h or not root else "dep" for h, x in zip(*piece[1:])]
        root = root or piece[1].index(0) + 1
    return tuple(tags), tuple(heads), tuple(labels)


def _lstm(forward: Array, backward: Array, recurrent: Array) -> Array:
    """Run both directions of an LSTM layer over sentences of one length.

    Args:
        forward: (words, sentences, 4 x width) input to the gates i, f, o (half,
            since sigmoid(x) = (1 + tanh(x / 2)) / 2) and the candidate state.
        backward: The same for the other direction, last word first.
        recurrent: (2, width, 4 x width).

    Returns:
        (words, sentences, 2 x width) outputs, multiples of 2 ** -WORD_BITS.
    """
    words, sentences, size = forward.shape
    width = size // 4
    output = np.empty((words, sentences, 2 * width), np.float32)
    state = np.zeros((2, sentences, width), np.float32)
    memory = np.zeros_like(state)
    gates = np.empty((2, sentences, size), np.float32)
    scratch = np.empty((2, *gates.shape), np.float32)
    small = np.empty((2, *state.shape), np.float32)
    for step in range(words):
        np.matmul(state, recurrent, out=gates)
        gates[0] += forward[step]
        gates[1] += backward[step]
        tanh(gates, scratch)
        sigmoids = gates[:, :, : 3 * width]
        sigmoids *= np.float32(0.5)
        sigmoids += np.float32(0.5)
        enter, keep, leave, candidate = np.split(gates, 4, axis=-1)
        memory *= keep
        candidate *= enter
        memory += candidate
        state[...] = memory
        tanh(state, small)
        state *= leave
        round_to(state, WORD_BITS)
        output[step, :, :width] = state[0]
        output[words - 1 - step, :, width:] = state[1]
    return output


def _hidden(values: Array) -> Array:
    return round_to(values.clip(0, np.float32(LARGEST_HIDDEN)), HIDDEN_BITS)


def _with_root(root: Array, words: Array) -> Array:
    """Put the root's vector before those of the words."""
    first = np.broadcast_to(root, (len(words), 1, root.size))
    return np.concatenate([first, words], axis=1)


def _prepared(name: str, array: Array) -> Array:
    """Round what is multiplied with inputs so that all sums are exact."""
    values = np.asarray(array, np.float32)
    if name in ("arc", "label"):
        return exact_weights(values, HIDDEN_BITS, LARGEST_HIDDEN)
    if name in ("tag", "hidden") or name.startswith(("input", "recurrent")):
        return exact_weights(values, WORD_BITS, 1.0)
    return values
