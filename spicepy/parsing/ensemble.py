"""Sentences in, their tags, heads and labels out.

The first network reads every sentence; those about which it is not sure are read by
the others, too, and a model of trees decides among what they leave open. So most of
what an ensemble knows costs a fraction of its time.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

from spicepy.parsing.chart import best_trees
from spicepy.parsing.lattice import Lattice, open_choices
from spicepy.parsing.network import Network
from spicepy.parsing.scores import Places, Scores, decode, joined
from spicepy.parsing.tree_model import TreeModel

Arcs = tuple[tuple[str, ...], tuple[int, ...], tuple[str, ...]]
"""Tags, heads (from 1, 0 for the root) and labels of one sentence."""

T = TypeVar("T")

STEP: Final = 256
"""Sentences of one length that are read together: their numbers fit the cache."""

LONGEST: Final = 200
"""Words that are analysed together; the time grows with their cube."""

LARGEST_BLOCK: Final = 2_000_000
"""Scores of pairs of words that are kept at a time."""

SURE: Final = 0.7
"""A network is sure where the best tags and heads are so much better than the next."""

REACH: Final = 3.0
"""The tree model decides among choices that are so much worse than the best."""

LONGEST_CHART: Final = 40
"""Words of the longest sentence on which the tree model decides."""

CHART: Final = 256
"""Sentences on which it decides together, about."""


class Ensemble:
    """Networks that know the same tags and labels.

    Args:
        networks: The first reads everything.
        trees: Decides where the first is not sure; without it, the sum of the
            networks' scores does.
    """

    def __init__(
        self, networks: Sequence[Network], trees: TreeModel | None = None
    ) -> None:
        self.networks = list(networks)
        self.trees = trees
        names = self.networks[0].names
        for kind in ("tags", "labels"):
            if any(network.names[kind] != names[kind] for network in networks):
                raise ValueError(f"the networks do not have the same {kind}")
        self._tag = names["tags"].__getitem__
        self._label = names["labels"].__getitem__

    @classmethod
    def from_disk(cls, folder: Path) -> "Ensemble":
        """Read the networks from the folders in a folder.

        Raises:
            OSError, ValueError, KeyError, IndexError: Files are missing or damaged.
        """
        networks = [Network.from_disk(path) for path in sorted(folder.glob("network*"))]
        trees = folder / "trees"
        return cls(networks, TreeModel.from_disk(trees) if trees.is_dir() else None)

    def to_disk(self, folder: Path) -> None:
        """Write each network into a folder of its own."""
        for number, network in enumerate(self.networks):
            network.to_disk(folder / f"network{number}")
        if self.trees:
            self.trees.to_disk(folder / "trees")

    def analyse(self, sentences: Sequence[Sequence[str]]) -> list[Arcs]:
        """Return tags, heads and labels of each sentence; empty ones have none."""
        starts = [range(0, len(words), LONGEST) for words in sentences]
        # The products are so small that threads would only wait for each other.
        with one_thread():
            arcs = self._analyse(
                words[start : start + LONGEST]
                for words, places in zip(sentences, starts)
                for start in places
            )
            return [_one_tree(list(islice(arcs, len(places)))) for places in starts]

    def _analyse(self, sentences: Iterable[Sequence[str]]) -> Iterator[Arcs]:
        sentences = list(sentences)
        by_length: dict[int, list[int]] = {}
        for place, words in enumerate(sentences):
            by_length.setdefault(len(words), []).append(place)
        found: dict[int, Arcs] = {}
        waiting: list[tuple[list[int], Lattice]] = []
        for length, places in sorted(by_length.items()):
            for _, part in _parts(places, max(LARGEST_BLOCK // length**2, 1)):
                texts = [sentences[place] for place in part]
                choices, unsure = self._read(texts)
                found.update(zip(part, self._named(choices)))
                waiting += [([part[n] for n in rows], x) for rows, x in unsure]
                if sum(len(rows) for rows, _ in waiting) >= CHART:
                    found.update(self._decide(waiting))
                    waiting = []
        found.update(self._decide(waiting))
        return (found[place] for place in range(len(sentences)))

    def _read(
        self, sentences: Sequence[Sequence[str]]
    ) -> tuple[Places, list[tuple[list[int], Lattice]]]:
        """Analyse sentences of one length.

        Returns:
            (3, sentences, words) tags, heads and labels, and for sentences of which
            the first network was not sure, what is open.
        """
        first, *others = self.networks
        length = len(sentences[0])
        choices = np.empty((3, len(sentences), length), np.intp)
        unsure: list[int] = []
        kept: list[Scores] = []
        for start, part in _parts(sentences, STEP):
            scores = first.score(part)
            sure = (scores.margins() >= SURE) | (not others and not self.trees)
            choices[:, start + np.flatnonzero(sure)] = decode([scores.of(sure)])
            unsure += (start + np.flatnonzero(~sure)).tolist()
            kept.append(scores.of(~sure))
        if not unsure:
            return choices, []
        own = joined(kept)
        open_: list[tuple[list[int], Lattice]] = []
        for start, again in _parts([sentences[n] for n in unsure], STEP):
            places = slice(start, start + len(again))
            more = [own.of(places), *(network.score(again) for network in others)]
            choices[:, unsure[places]] = decode(more)
            if self.trees and length <= LONGEST_CHART:
                states = self.trees.states
                found = open_choices(again, more, states, REACH)
                open_.append((unsure[places], found))
        return choices, open_

    def _decide(self, waiting: Sequence[tuple[list[int], Lattice]]) -> dict[int, Arcs]:
        """Return the best trees of places and their lattices."""
        if not waiting or not self.trees:
            return {}
        lattice = Lattice.joined([part for _, part in waiting])
        found = best_trees(lattice, self.trees)
        ends = np.cumsum(lattice.lengths)[:-1]
        rows = (self._named(x[:, None, :])[0] for x in np.split(found, ends, axis=1))
        places = (place for part, _ in waiting for place in part)
        return {place: row for place, row in zip(places, rows) if min(row[1]) >= 0}

    def _named(self, choices: Places) -> list[Arcs]:
        return [
            (tuple(map(self._tag, tag)), tuple(head), tuple(map(self._label, label)))
            for tag, head, label in zip(*choices.tolist())
        ]


def _parts(items: Sequence[T], size: int) -> Iterator[tuple[int, Sequence[T]]]:
    """Yield `size` items at a time, each with the place of the first."""
    for start in range(0, len(items), size):
        yield start, items[start : start + size]


@contextmanager
def one_thread() -> Iterator[None]:
    """Let BLAS use one thread."""
    with _threads().limit(limits=1, user_api="blas"):
        yield


@cache
def _threads() -> ThreadpoolController:
    """Return the switch of numpy's BLAS."""
    return ThreadpoolController()


def _one_tree(pieces: list[Arcs]) -> Arcs:
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
