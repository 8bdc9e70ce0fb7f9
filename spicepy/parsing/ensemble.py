"""Sentences in, their tags, heads and labels out.

The first network reads every sentence; those about which it is not sure are read by
the others, too, and the scores are added. So most of what an ensemble knows costs
a fraction of its time.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

from spicepy.parsing.network import Network
from spicepy.parsing.scores import Scores, decode, joined

Arcs = tuple[tuple[str, ...], tuple[int, ...], tuple[str, ...]]
"""Tags, heads (from 1, 0 for the root) and labels of one sentence."""

T = TypeVar("T")

STEP: Final = 256
"""Sentences of one length that are read together: their numbers fit the cache."""

LONGEST: Final = 200
"""Words that are analysed together; the time grows with their cube."""

LARGEST_BLOCK: Final = 2_000_000
"""Scores of pairs of words that are kept at a time."""

SURE: Final = 0.5
"""A network is sure where the best tags and heads are so much better than the next."""


class Ensemble:
    """Networks that know the same tags and labels.

    Args:
        networks: The first reads everything.
    """

    def __init__(self, networks: Sequence[Network]) -> None:
        self.networks = list(networks)
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
        parts = sorted(path for path in folder.iterdir() if path.is_dir())
        return cls([Network.from_disk(path) for path in parts])

    def to_disk(self, folder: Path) -> None:
        """Write each network into a folder of its own."""
        for number, network in enumerate(self.networks):
            network.to_disk(folder / f"network{number}")

    def analyse(self, sentences: Sequence[Sequence[str]]) -> list[Arcs]:
        """Return tags, heads and labels of each sentence; empty ones have none."""
        starts = [range(0, len(words), LONGEST) for words in sentences]
        # The products are so small that threads would only wait for each other.
        with _threads().limit(limits=1, user_api="blas"):
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
        for length, places in by_length.items():
            for _, part in _parts(places, max(LARGEST_BLOCK // length**2, 1)):
                found.update(zip(part, self._read([sentences[n] for n in part])))
        return (found[place] for place in range(len(sentences)))

    def _read(self, sentences: Sequence[Sequence[str]]) -> list[Arcs]:
        """Analyse sentences of one length."""
        first, *others = self.networks
        choices = np.empty((3, len(sentences), len(sentences[0])), np.intp)
        unsure: list[int] = []
        kept: list[Scores] = []
        for start, part in _parts(sentences, STEP):
            scores = first.score(part)
            sure = (scores.margins() >= SURE) | (not others)
            choices[:, start + np.flatnonzero(sure)] = decode([scores.of(sure)])
            unsure += (start + np.flatnonzero(~sure)).tolist()
            kept.append(scores.of(~sure))
        if unsure:
            own = joined(kept)
            for start, again in _parts([sentences[n] for n in unsure], STEP):
                places = slice(start, start + len(again))
                more = [network.score(again) for network in others]
                choices[:, unsure[places]] = decode([own.of(places), *more])
        return [
            (tuple(map(self._tag, tag)), tuple(head), tuple(map(self._label, label)))
            for tag, head, label in zip(*choices.tolist())
        ]


def _parts(items: Sequence[T], size: int) -> Iterator[tuple[int, Sequence[T]]]:
    """Yield `size` items at a time, each with the place of the first."""
    for start in range(0, len(items), size):
        yield start, items[start : start + size]


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
