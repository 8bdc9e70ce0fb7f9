"""Trees and networks in, the weights of the tree model out (`spicepy.parsing`).

The model gives each configuration of a tree a weight so that the original's tree of
a training caption is as likely as possible among all trees of the caption's lattice
(a conditional random field, Lafferty et al. 2001, over head automata with two
siblings, Eisner and Satta 1999): `tree_model.c`, for which a C compiler is needed.
"""

import ctypes
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
from convert import Row
from header import header
from numpy.typing import NDArray

from spicepy.parsing.bundled.network import Network
from spicepy.parsing.bundled.projective import are_trees
from spicepy.parsing.bundled.reranker.lattice import Lattice
from spicepy.parsing.bundled.reranker.layout import VerbKind, pack
from spicepy.parsing.bundled.reranker.opening import UNIT, Averages, make_lattice
from spicepy.parsing.bundled.reranker.states import States
from spicepy.parsing.bundled.reranker.weights import TreeModel
from spicepy.parsing.bundled.threads import one_thread

LONGEST = 40
"""Words of the longest caption that is learnt from."""

REACH = 7.0
"""Lattices for training hold what is so much worse than the best, in nats."""

LEAST = 5
"""A tag and a label must be seen together so often to go together."""

PREPOSITIONS = 30
"""Prepositions that the model tells apart."""

BITS = 23
"""The weights are in 2 ** BITS rows."""

EPOCHS = 5
RATE = 0.1
THREADS = 2

SHARE = 2.5
"""What the model says counts so much more than what the networks say."""


def names_of(trees: Sequence[list[Row]], network: Network) -> dict[str, Any]:
    """Collect what `States` needs."""
    pairs: Counter[tuple[str, str]] = Counter()
    cases: Counter[str] = Counter()
    stand_ins = network.names["stand-ins"]
    read_as = {word: other for other, words in stand_ins.items() for word in words}
    for rows in trees:
        for word, tag, _, _, label in rows:
            pairs[label, tag] += 1
            if label == "case":
                cases[read_as.get(word, word)] += 1
    seen: defaultdict[str, list[str]] = defaultdict(list)
    for (label, tag), count in sorted(pairs.items()):
        if count >= LEAST:
            seen[label].append(tag)
    return {
        "tags": network.names["tags"],
        "labels": network.names["labels"],
        "pairs": dict(seen),
        "prepositions": [word for word, _ in cases.most_common(PREPOSITIONS)],
        "stand-ins": stand_ins,
    }


def learn(trees: Sequence[list[Row]], networks: Sequence[Network]) -> TreeModel:
    """Return the model of trees, for lattices that the networks make."""
    names = names_of(trees, networks[0])
    data, begins = encode(trees, networks, names)
    return TreeModel(names, rounded(fit(data, begins, States(names))))


def rounded(weights: NDArray[np.float32]) -> NDArray[np.int8]:
    """Return weights as they are bundled: whole parts of a nat, `SHARE` of each."""
    return np.rint(weights * (SHARE * UNIT)).clip(-127, 127).astype(np.int8)


def fit(data: Any, begins: Any, states: States) -> NDArray[np.float32]:
    """Return the weights, (2 ** BITS,)."""
    weights = np.zeros(1 << BITS, np.float32)
    run = _learner(states, weights)
    order = np.random.default_rng(0)
    for epoch in range(EPOCHS):
        mixed = np.ascontiguousarray(order.permutation(begins))
        rates = [RATE * (1 - (epoch + end) / EPOCHS) for end in (0, 1)]
        run(data, mixed, *rates)
        print(f"tree model: epoch {epoch + 1} of {EPOCHS}", flush=True)
    return weights


def _learner(states: States, weights: NDArray[np.float32]) -> Any:
    """Compile `tree_model.c`; return what runs one epoch of it."""
    source = Path(__file__).with_suffix(".c")
    command = ["cc", "-O3", "-march=native", "-ffast-math", "-fopenmp", "-shared"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        target = folder / "tree_model.so"
        (folder / "tree_model.h").write_text(header(states, LONGEST))
        command += ["-fPIC", "-I", name, str(source), "-o", str(target), "-lm"]
        subprocess.run(command, check=True)
        library: Any = ctypes.CDLL(str(target))
    squares = np.full(len(weights), 0.01, np.float32)
    tables = [
        np.ascontiguousarray(table, np.uint8)
        for table in (
            states.nominal,
            states.verbal,
            states.noun_labels,
            states.subjects,
            states.kinds,
            states.groups,
        )
    ]
    library.start(_pointer(weights), _pointer(squares), BITS, *map(_pointer, tables))
    library.arrays = weights, squares, tables  # it only has their addresses

    def run(data: Any, begins: Any, first: float, last: float) -> None:
        rates = ctypes.c_float(first), ctypes.c_float(last)
        library.train(_pointer(data), _pointer(begins), len(begins), *rates, THREADS)

    return run


def _pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


def encode(
    trees: Sequence[list[Row]], networks: Sequence[Network], names: dict[str, Any]
) -> tuple[Any, Any]:
    """Return lattices as `tree_model.c` reads them, and where each begins."""
    with Pool(
        THREADS, _SHARED.update, [{"networks": networks, "names": names}]
    ) as pool:
        found = [row for rows in pool.imap(_encode, _batches(trees)) for row in rows]
    sizes = np.array([len(row) for row in found])
    print(f"tree model: {len(found)} of {len(trees)} captions", flush=True)
    begins = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
    return np.concatenate(found), begins


def _batches(trees: Sequence[list[Row]]) -> Iterator[list[list[Row]]]:
    """Yield captions of one length, those that have a projective tree."""
    by_length: dict[int, list[list[Row]]] = {}
    for rows in trees:
        if len(rows) <= LONGEST:
            by_length.setdefault(len(rows), []).append(rows)
    for _, same in sorted(by_length.items()):
        whole = are_trees(np.array([[row[3] for row in rows] for rows in same]))
        kept = (rows for rows, ok in zip(same, whole) if ok)
        while batch := list(islice(kept, 256)):
            yield batch


_SHARED: dict[str, Any] = {}
"""What all batches need; set once in each process."""


def _encode(batch: list[list[Row]]) -> list[NDArray[np.int32]]:
    """Return the lattices of captions of one length, their trees among the choices."""
    networks, names = _SHARED["networks"], _SHARED["names"]
    states = States(names)
    place = {kind: {x: n for n, x in enumerate(names[kind])} for kind in names}
    gold = [
        (
            [place["tags"].get(row[1], 0) for row in rows],
            [row[3] for row in rows],
            [place["labels"].get(row[4].replace("ROOT", "root"), 0) for row in rows],
        )
        for rows in batch
    ]
    sentences = [[row[0] for row in rows] for rows in batch]
    tags, heads, labels = (np.array(x) for x in zip(*gold))
    with one_thread():
        scores = [network.score(sentences) for network in networks]
        means = Averages.of(scores)

        def label_scores(a: Any, b: Any, c: Any) -> Any:
            found = means.labels(a, b, c)
            own = heads[a, b] == c
            _raise(found, np.flatnonzero(own), labels[a[own], b[own]])
            return found

        flat = means.tags.reshape(-1, means.tags.shape[2])
        _raise(flat, np.arange(len(flat)), tags.ravel())
        flat = means.arcs.reshape(-1, means.arcs.shape[2])
        _raise(flat, np.arange(len(flat)), heads.ravel())
        raised = replace(means, labels=label_scores)
        made = make_lattice(sentences, raised, states, REACH)
    return [row for n in range(len(batch)) for row in _rows(made, n, gold[n], states)]


def _raise(scores: Any, rows: Any, columns: Any) -> None:
    """See to it that some scores are at most 3 nats worse than the best of a row."""
    least = scores[rows].max(axis=1) - 3.0
    scores[rows, columns] = np.maximum(scores[rows, columns], least)


def _rows(
    made: Lattice, caption: int, gold: Any, states: States
) -> Iterator[NDArray[np.int32]]:
    """Yield the numbers of one caption if its tree is in its lattice."""
    n = int(made.lengths[caption])
    offset = caption * n
    wanted = gold_states(made, offset, gold, states)
    out = [n]
    for word in range(offset, offset + n):
        own = made.states[made.first[word] : made.first[word + 1]].tolist()
        if wanted[word - offset] not in own:
            return
        arcs = slice(*np.searchsorted(made.dependents, [word, word + 1]))
        heads = [0 if h < 0 else h - offset + 1 for h in made.heads[arcs].tolist()]
        mask = sum(1 << head for head in heads)
        numbers = made.words
        out += [int(numbers.words[word]), int(numbers.endings[word]), len(own)]
        out += [own.index(wanted[word - offset]), gold[1][word - offset]]
        out += [mask & 0x7FFFFFFF, mask >> 31, *own]
    yield np.array(out, np.int32)


def gold_states(made: Lattice, offset: int, gold: Any, states: States) -> list[int]:
    """Return the states of the words of a tree."""
    tags, heads, labels = gold
    prepositions, auxiliaries, *_ = made.words
    n = len(tags)
    kids: list[list[int]] = [[] for _ in range(n + 1)]
    for word, head in enumerate(heads):
        kids[head].append(word)
    found = [0] * n

    def visit(word: int) -> None:
        for kid in kids[word + 1]:
            visit(kid)
        found[word] = _state(word)

    def _state(word: int) -> int:
        tag, label = tags[word], labels[word]
        left = [kid for kid in kids[word + 1] if kid < word]
        right = [kid for kid in kids[word + 1] if kid > word]
        kind = 0
        if states.nominal[tag] and right:
            kind = int(states.right_kind(np.array(found[right[-1]])))
        elif states.verbal[tag] and left and states.subjects[labels[left[0]]]:
            kind = VerbKind.WITH_SUBJECT
        marks = [word] if states.marks[label] else []
        if label == states.nmod:
            marks = [kid for kid in left if labels[kid] == states.case]
        preposition = int(prepositions[offset + marks[-1]]) if marks else 0
        if states.verbal[tag]:
            tag += int(auxiliaries[offset + word]) * states.tags
        return int(pack(tag, label, kind, preposition))

    visit(kids[0][0])
    return found
