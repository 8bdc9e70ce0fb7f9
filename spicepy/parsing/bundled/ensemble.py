"""Sentences in, their tags, heads and labels out.

The first network reads every sentence, each other one those about which the ones
before it are, together, not sure. Where none is, the reranker decides among what they
leave open. So most of what an ensemble knows costs a fraction of its time.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from spicepy.parsing.bundled.arithmetic import Ints
from spicepy.parsing.bundled.groups import Group, by_length, packs
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.bundled.reranker import TreeModel, rerank
from spicepy.parsing.bundled.scores import Choices, decode, margins
from spicepy.parsing.bundled.threads import one_thread
from spicepy.parsing.bundled.thresholds import DEFAULT, Thresholds
from spicepy.parsing.trees import Analysis


class Ensemble:
    """One or more networks that know the same tags and labels.

    Args:
        networks: The first reads everything.
        trees: The reranker's model, which decides where the networks are not sure;
            without it, the mean of their scores does.
        thresholds: What "sure" means, and how much is done at a time.

    Raises:
        ValueError: There is no network, or they have different tags or labels.
    """

    def __init__(
        self,
        networks: Sequence[Network],
        trees: TreeModel | None = None,
        thresholds: Thresholds = DEFAULT,
    ) -> None:
        if not networks:
            raise ValueError("there is no network")
        self.networks = list(networks)
        self.trees = trees
        self.thresholds = thresholds
        names = self.networks[0].names
        for kind in ("tags", "labels"):
            if any(network.names[kind] != names[kind] for network in networks):
                raise ValueError(f"the networks do not have the same {kind}")
        self._tag = names["tags"].__getitem__
        self._label = names["labels"].__getitem__

    @classmethod
    def from_disk(cls, folder: Path, thresholds: Thresholds = DEFAULT) -> "Ensemble":
        """Read the networks, and the reranker's model if there is one, from a folder.

        Raises:
            OSError, ValueError, KeyError: Files are missing or damaged.
        """
        paths = sorted(folder.glob("network*"))
        networks = [Network.from_disk(path, thresholds) for path in paths]
        trees = folder / "trees"
        model = None
        if networks and trees.is_dir():
            model = TreeModel.from_disk(trees, networks[0].names, thresholds)
        return cls(networks, model, thresholds)

    def to_disk(self, folder: Path) -> None:
        """Write each network into a folder of its own."""
        for number, network in enumerate(self.networks):
            network.to_disk(folder / f"network{number}")
        if self.trees:
            self.trees.to_disk(folder / "trees")

    def analyse(self, sentences: Sequence[Sequence[str]]) -> list[Analysis]:
        """Return tags, heads and labels of each sentence; empty ones have none."""
        longest = self.thresholds.longest
        pieces = [range(0, len(words), longest) for words in sentences]
        # The products are so small that threads would only wait for each other.
        with one_thread():
            found = self._analyse(
                [
                    words[start : start + longest]
                    for words, starts in zip(sentences, pieces)
                    for start in starts
                ]
            )
            return [_one_tree(list(islice(found, len(starts)))) for starts in pieces]

    def _analyse(self, sentences: Sequence[Sequence[str]]) -> Iterator[Analysis]:
        limits = self.thresholds
        found: dict[int, Analysis] = {}
        undecided: list[Group] = []
        groups = by_length(sentences)
        for block in packs(groups, limits.scores, lambda words: words**2):
            decided, more = self._read(block)
            found.update(decided)
            undecided += more
            if sum(len(group.places) for group in undecided) >= limits.undecided:
                found.update(self._rerank(undecided))
                undecided = []
        found.update(self._rerank(undecided))
        return (found[place] for place in range(len(sentences)))

    def _read(self, groups: list[Group]) -> tuple[dict[int, Analysis], list[Group]]:
        """Return analyses by place, and the sentences left to the reranker."""
        limits = self.thresholds
        found: dict[int, Analysis] = {}
        for network in self.networks:
            unsure: list[Group] = []
            for pack in packs(
                groups, limits.together, longer=limits.longer, started=limits.started
            ):
                for group in _with_scores(pack, network):
                    # The error of a mean of n falls with the square root of n.
                    least = limits.sure / math.sqrt(len(group.scores))
                    sure = margins(group.scores) >= least
                    found.update(self._best(group.of(sure)))
                    unsure.append(group.of(~sure))
            groups = [group for group in unsure if len(group.places)]
        undecided = []
        for group in groups:
            if self.trees and group.length <= limits.reranked:
                undecided.append(group)
            else:
                found.update(self._best(group))
        return found, undecided

    def _rerank(self, groups: Sequence[Group]) -> dict[int, Analysis]:
        """Return what the reranker finds best; the networks' choice where nothing."""
        found: dict[int, Analysis] = {}
        if self.trees and groups:
            groups = [*chain.from_iterable(packs(groups, self.thresholds.together))]
            chosen = rerank(groups, self.trees, self.thresholds)
            for group, choices in zip(groups, chosen):
                none = choices.heads[:, 0] < 0
                found.update(self._named(group.places[~none], choices.of(~none)))
                found.update(self._best(group.of(none)))
        return found

    def _best(self, group: Group) -> Iterable[tuple[int, Analysis]]:
        """Return places with what the networks' scores say of them."""
        if not len(group.places):
            return ()
        return self._named(group.places, decode(group.scores))

    def _named(self, places: Ints, choices: Choices) -> Iterator[tuple[int, Analysis]]:
        """Yield places with the names of tags and labels for their numbers."""
        tag, label = self._tag, self._label
        rows = zip(places.tolist(), *(numbers.tolist() for numbers in choices))
        for place, tags, heads, labels in rows:
            names = tuple(map(tag, tags)), tuple(heads), tuple(map(label, labels))
            yield place, Analysis(*names)


def _with_scores(pack: Sequence[Group], network: Network) -> Iterator[Group]:
    """Yield groups that one more network has read."""
    read = network.read([group.sentences for group in pack])
    for group, scores in zip(pack, read, strict=True):
        yield replace(group, scores=[*group.scores, scores])


def _one_tree(pieces: Sequence[Analysis]) -> Analysis:
    """Make one tree of the pieces of a long sentence: later roots hang on the first."""
    if len(pieces) == 1:
        return pieces[0]
    tags: list[str] = []
    heads: list[int] = []
    labels: list[str] = []
    root = 0
    for piece in pieces:
        before = len(tags)
        tags += piece.tags
        heads += [before + head if head else root for head in piece.heads]
        own = zip(piece.heads, piece.labels)
        labels += [label if head or not root else "dep" for head, label in own]
        root = root or piece.heads.index(0) + 1
    return Analysis(tuple(tags), tuple(heads), tuple(labels))
