"""The tags, heads and labels of sentences.

The network reads every sentence. Of those it is not sure of, the original's grammar
decides among what the network leaves open.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from spicepy.parsing.bundled.files import read_part, write_part
from spicepy.parsing.bundled.grammar import PhraseGrammar, reparse
from spicepy.parsing.bundled.groups import Group, by_length, packs
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.bundled.scores import decode, margins
from spicepy.parsing.bundled.threads import one_thread
from spicepy.parsing.bundled.thresholds import DEFAULT, ParserThresholds
from spicepy.parsing.trees import Annotations


class Analyser:
    """A network, and a grammar that decides where it is not sure.

    Args:
        network: The network, which reads every sentence.
        grammar: The grammar; if None, the network's best choices are taken.
        thresholds: The meaning of "sure", and how much is done at a time.

    Attributes:
        reads_commas: Whether the network knows the comma as a word.
    """

    def __init__(
        self,
        network: Network,
        grammar: PhraseGrammar | None = None,
        thresholds: ParserThresholds = DEFAULT,
    ) -> None:
        self.network = network
        self.grammar = grammar
        self.thresholds = thresholds
        self.reads_commas = "," in network.names["words"]
        self._tag = network.names["tags"].__getitem__
        self._label = network.names["labels"].__getitem__

    @classmethod
    def from_disk(
        cls, folder: Path, thresholds: ParserThresholds = DEFAULT
    ) -> "Analyser":
        """Read the network, and the grammar if there is one, from a folder.

        Raises:
            OSError, ValueError, KeyError: Files are missing or damaged.
        """
        network = Network(*read_part(folder / "network"), thresholds)
        grammar = None
        if (folder / "grammar").is_dir():
            grammar = PhraseGrammar(*read_part(folder / "grammar"), thresholds)
        return cls(network, grammar, thresholds)

    def to_disk(self, folder: Path) -> None:
        """Write network and grammar into folders of their own."""
        write_part(folder / "network", self.network.names, self.network.arrays)
        if self.grammar:
            write_part(folder / "grammar", self.grammar.names, self.grammar.arrays)

    def analyse(self, sentences: Sequence[Sequence[str]]) -> list[Annotations]:
        """Return tags, heads and labels of each sentence; empty ones have none."""
        longest = self.thresholds.longest
        pieces = [range(0, len(words), longest) for words in sentences]
        # The products are so small that threads would only wait for each other.
        with one_thread():
            batches = self._analyse(
                [
                    words[start : start + longest]
                    for words, starts in zip(sentences, pieces)
                    for start in starts
                ]
            )
            return [_one_tree(list(islice(batches, len(starts)))) for starts in pieces]

    def _analyse(self, sentences: Sequence[Sequence[str]]) -> Iterator[Annotations]:
        limits = self.thresholds
        annotations: dict[int, Annotations] = {}
        unsure: list[Group] = []
        groups = by_length(sentences)
        for pack in packs(
            groups,
            limits.read_batch,
            length_ratio=limits.length_ratio,
            step_cost=limits.step_cost,
        ):
            read = self.network.read([group.sentences for group in pack])
            for group, scores in zip(pack, read, strict=True):
                group = group.read(scores)
                sure = margins(scores) >= limits.margin
                if not self.grammar or not 1 < group.length <= limits.longest_reparsed:
                    sure[:] = True
                annotations.update(self._best(group.of(sure)))
                unsure.append(group.of(~sure))
            if sum(len(group.places) for group in unsure) >= limits.reparse_batch:
                annotations.update(self._reparsed(unsure))
                unsure = []
        annotations.update(self._reparsed(unsure))
        return (annotations[place] for place in range(len(sentences)))

    def _best(self, group: Group) -> Iterable[tuple[int, Annotations]]:
        """Yield places with the annotations that the network's scores give."""
        if not group.scores or not len(group.places):
            return
        choices = decode(group.scores)
        rows = zip(group.places.tolist(), *(numbers.tolist() for numbers in choices))
        for place, tags, heads, labels in rows:
            names = tuple(map(self._tag, tags)), tuple(map(self._label, labels))
            yield place, Annotations(names[0], tuple(heads), names[1])

    def _reparsed(self, groups: Sequence[Group]) -> Iterator[tuple[int, Annotations]]:
        """Yield places with the grammar's annotations, or else the network's."""
        if not self.grammar:
            return
        tags = self.network.names["tags"]
        some = sorted((x for x in groups if len(x.places)), key=lambda x: x.length)
        for pack in packs(some, self.thresholds.span_batch, lambda n: (n + 1) ** 2):
            trees = iter(reparse(pack, self.grammar, tags, self.thresholds))
            for group in pack:
                decided = list(islice(trees, len(group.places)))
                yield from self._best(group.of(np.array([x is None for x in decided])))
                for place, analysis in zip(group.places.tolist(), decided):
                    if analysis:
                        yield place, analysis


def _one_tree(pieces: Sequence[Annotations]) -> Annotations:
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
        arcs = zip(piece.heads, piece.labels)
        labels += [label if head or not root else "dep" for head, label in arcs]
        root = root or piece.heads.index(0) + 1
    return Annotations(tuple(tags), tuple(heads), tuple(labels))
