"""Sentences in, their tags, heads and labels out.

The first network reads every sentence, each other one those about which the ones
before it are, together, not sure. Where none is, a model of trees decides among what
they leave open. So most of what an ensemble knows costs a fraction of its time.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

from threadpoolctl import ThreadpoolController

from spicepy.common.sharing import WhileUsed
from spicepy.parsing.bundled.groups import Group, by_length, packs
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.bundled.reranker.chart import best_trees
from spicepy.parsing.bundled.reranker.lattice import Lattice, open_choices
from spicepy.parsing.bundled.reranker.weights import TreeModel
from spicepy.parsing.bundled.scores import Places, decode, margins

Arcs = tuple[tuple[str, ...], tuple[int, ...], tuple[str, ...]]
"""Tags, heads (from 1, 0 for the root) and labels of one sentence."""

Open = tuple[Group, Lattice]
"""Sentences of which no network is sure, and what is open in them."""

STEP: Final = 256
"""Sentences that are read together: their numbers fit the cache."""

LONGER: Final = 1.5
"""The longest of them may be so many times as long as the shortest."""

LONGEST: Final = 200
"""Words that are analysed together; the time grows with their cube."""

LARGEST_BLOCK: Final = 2_000_000
"""Scores of pairs of words that are kept at a time."""

SURE: Final = 1.25
"""A network is sure where the best tags and heads are so much better than the next."""

REACH: Final = 3.5
"""The tree model decides among choices that are so much worse than the best."""

LONGEST_CHART: Final = 40
"""Words of the longest sentence on which the tree model decides."""

CHART: Final = 256
"""Sentences on which it decides together, about."""


class Ensemble:
    """Networks that know the same tags and labels.

    Args:
        networks: The first reads everything.
        trees: Decides where they are not sure; without it, the mean of their scores
            does.
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
        return cls(
            networks,
            TreeModel.from_disk(trees, networks[0].names) if trees.is_dir() else None,
        )

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
        found: dict[int, Arcs] = {}
        waiting: list[Open] = []
        for block in packs(by_length(sentences), LARGEST_BLOCK, lambda words: words**2):
            more, unsure = self._read(block)
            found.update(more)
            waiting += unsure
            if sum(len(group.places) for group, _ in waiting) >= CHART:
                found.update(self._decide(waiting))
                waiting = []
        found.update(self._decide(waiting))
        return (found[place] for place in range(len(sentences)))

    def _read(self, groups: list[Group]) -> tuple[dict[int, Arcs], list[Open]]:
        """Return analyses by place, and what the tree model has to decide."""
        found: dict[int, Arcs] = {}
        for network in self.networks:
            last = not self.trees and network is self.networks[-1]
            left: list[Group] = []
            for pack in packs(groups, STEP, longer=LONGER):
                for group in _with_scores(pack, network):
                    # The error of a mean of n falls with the square root of n.
                    least = SURE / math.sqrt(len(group.scores))
                    sure = (margins(group.scores) >= least) | last
                    found.update(self._best(group.of(sure)))
                    left.append(group.of(~sure))
            groups = [group for group in left if len(group.places)]
        open_: list[Open] = []
        for pack in packs(groups, STEP):
            for group in pack:
                if self.trees and group.length <= LONGEST_CHART:
                    states = self.trees.states
                    choices = (group.sentences, group.scores, states, REACH)
                    open_.append((group, open_choices(*choices)))
                else:
                    found.update(self._best(group))
        return found, open_

    def _decide(self, waiting: Sequence[Open]) -> dict[int, Arcs]:
        """Return the best trees; the networks' where the tree model has none."""
        if not waiting or not self.trees:
            return {}
        lattice = Lattice.joined([part for _, part in waiting])
        trees = best_trees(lattice, self.trees)
        begin, found = 0, dict[int, Arcs]()
        for group, part in waiting:
            end = begin + len(part.words)
            choices = trees[:, begin:end].reshape(3, -1, group.length)
            begin = end
            none = choices[1, :, 0] < 0
            found.update(
                zip(group.places[~none].tolist(), self._named(choices[:, ~none]))
            )
            found.update(self._best(group.of(none)))
        return found

    def _best(self, group: Group) -> Iterable[tuple[int, Arcs]]:
        """Return places with what the networks' scores say of them."""
        if not len(group.places):
            return ()
        return zip(group.places.tolist(), self._named(decode(group.scores)))

    def _named(self, choices: Iterable[Places]) -> list[Arcs]:
        """Name tags and labels; three arrays (sentences, words)."""
        return [
            (tuple(map(self._tag, tag)), tuple(head), tuple(map(self._label, label)))
            for tag, head, label in zip(*(x.tolist() for x in choices))
        ]


def _with_scores(pack: Sequence[Group], network: Network) -> Iterator[Group]:
    """Yield groups that one more network has read."""
    read = network.read([group.sentences for group in pack])
    for group, scores in zip(pack, read, strict=True):
        yield replace(group, scores=[*group.scores, scores])


@cache
def _threads() -> ThreadpoolController:
    """Return the switch of numpy's BLAS."""
    return ThreadpoolController()


def _limit_threads() -> Callable[[], None]:
    limits = _threads().limit(limits=1, user_api="blas")
    _let_others_switch()

    def restore() -> None:
        limits.restore_original_limits()
        _let_others_switch()

    return restore


def _let_others_switch() -> None:
    """Leave the switch of BLAS to other threads: the last one to leave turns it back.

    From its version 3.8 on, threadpoolctl gives it to the thread that used it first,
    until a `with` ends there.
    """
    with _threads().limit(limits=None):
        pass


one_thread: Final = WhileUsed(_limit_threads)
"""Let BLAS use one thread, for as long as any thread of Python wants it so."""


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
