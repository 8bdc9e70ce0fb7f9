"""Captions with drawn graphs and a network in, the trees with the nearest graphs out.

Self-training with a check: where the graph of the network's best tree is not the drawn
one, other trees that the network thinks possible are turned into graphs by the rules of
a grammar, and the tree is taken whose graph is most like what people drew. It is
better than the best one by the people's judgment, not by the network's own.

What a modifier before a noun is, part of its name or an attribute, is not learnt here:
that is the grammar's business.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.bundled.network import Network
from spicepy.parsing.bundled.scores import (
    Scores,
    are_trees,
    batches,
    best_trees,
    by_length,
)
from spicepy.parsing.list_repairs import repair_lists
from spicepy.parsing.trees import Annotations, with_lemmas
from spicepy.pipeline import Pipeline
from spicepy.tokenization.ptb import tokenize
from training.grammar.kbest import Candidate
from training.parser.files import without_punctuation
from training.parser.people_graphs import Drawn, compare, is_whole, read_graphs

Array = NDArray[np.float64]
Ints = NDArray[np.intp]
Choice = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The numbers of the tags, the heads, and the numbers of the labels of a caption."""

LONGEST = 40
"""The number of words of the longest caption."""

STEP = 256
"""The number of captions that are read together."""

SAMPLES = 32
"""The number of trees that are drawn at random for each caption."""

WARMTH = 4.0
"""The number by which scores are divided before trees are drawn: the network is very
sure."""

OPEN = 14.0
"""The most, in nats, by which a head may be worse than the best one of its word."""

GAIN, WHOLE = 40.0, 4.0
"""The worth in nats of an F of 1 instead of 0, and of a graph that is the drawn one."""

ROUNDS = 2
"""The number of times that the neighbours of the best tree are tried."""

MIN_GAIN = 0.1
"""The minimum gain of F, unless the graph is the drawn one."""

MAX_GAP = 16.0
"""The most, in nats, by which a tree may be less likely than the best one."""

VERBAL = frozenset(["dobj", "iobj", "aux", "auxpass", "nsubjpass", "compound:prt"])
NOMINAL = frozenset(["det", "amod", "nummod", "nmod:poss", "compound"])
"""Labels of what hangs on verbs, and on nouns."""

LOWEST = 1e4
"""The largest absolute score; others, which may be infinite, are cut off."""


@dataclass(frozen=True)
class Reading:
    """The tree of a caption that was chosen, its F, and that of the network's best."""

    tree: Candidate
    f: float
    before: float
    whole: bool


def drawn_captions(folder: Path) -> list[tuple[list[str], Drawn]]:
    """Return words and graphs of FACTUAL's training captions, no development ones."""
    dev = {
        x.caption
        for name in ("factual-dev", "factual-long-dev")
        for x in read_graphs(folder / f"{name}.jsonl.gz")
    }
    drawn = read_graphs(folder / "factual-train.jsonl.gz")
    drawn = [x for x in drawn if x.caption not in dev]
    lines = tokenize([x.caption for x in drawn])
    words = (without_punctuation(line.split()) for line in lines)
    return [(w, x) for w, x in zip(words, drawn, strict=True) if 0 < len(w) <= LONGEST]


def readings(
    network: Network,
    pipeline: Pipeline,
    captions: Sequence[tuple[Sequence[str], Drawn]],
    seed: int,
) -> list[Reading]:
    """Return the best tree of each caption.

    Args:
        network: The network of the scores of tags, heads and labels.
        pipeline: Its grammar turns trees into tuples.
        captions: Words and drawn graphs.
        seed: Random seed.
    """
    numbers = np.random.default_rng(seed)
    found: dict[int, Reading] = {}
    for batch in batches(by_length([words for words, _ in captions]), STEP):
        read = network.read([group.sentences for group in batch])
        for group, scores in zip(batch, read, strict=True):
            best = best_trees(scores.arcs)
            for at, place in enumerate(group.places.tolist()):
                words, drawn = captions[place]
                own = scores.of(slice(at, at + 1))
                search = _Search(words, drawn, own, network.names, pipeline)
                found[place] = search.best(best[at], numbers)
    return [found[place] for place in range(len(captions))]


class _Search:
    """The trees of one caption that have been tried."""

    def __init__(
        self,
        words: Sequence[str],
        drawn: Drawn,
        scores: Scores,
        names: Mapping[str, list[str]],
        pipeline: Pipeline,
    ) -> None:
        self._words, self._drawn, self._pipeline = tuple(words), drawn, pipeline
        self._names, self._scores = names, scores
        self._arcs, self._tags = (_shares(x)[0] for x in (scores.arcs, scores.tags))
        self._seen: set[Choice] = set()
        self._likely = -np.inf
        self._best: tuple[float, Choice, float, bool]

    def best(self, heads: Ints, numbers: np.random.Generator) -> Reading:
        """Search, beginning with the network's best heads."""
        labels = self._labels(heads[None])[0].argmax(axis=1)
        first = _choice(self._tags.argmax(axis=1), heads, labels)
        before, right = self._f(first)
        self._best = -np.inf, first, before, right
        self._try(first)
        if not right:
            for choice in self._drawn_trees(numbers):
                self._try(choice)
            for _ in range(ROUNDS):
                start = self._best[1]
                for choice in self._around(start):
                    self._try(choice)
                if self._best[1] == start:
                    break
        _, choice, f, whole = self._best
        moved = choice[1] != first[1]
        if not moved or not (whole or f >= before + MIN_GAIN):
            choice, f, whole = first, before, right
        return Reading(self._named(choice), f, before, whole)

    def _try(self, choice: Choice) -> None:
        if choice in self._seen:
            return
        self._seen.add(choice)
        places = np.arange(len(self._words))
        tags, heads, labels = map(np.array, choice)
        own = self._arcs[places, heads].sum() + self._tags[places, tags].sum()
        own += self._labels(heads[None])[0][places, labels].sum()
        if len(self._seen) == 1:
            self._likely = own - MAX_GAP
        elif own < self._likely or not is_sound(self._named(choice)):
            return
        f, whole = self._f(choice)
        worth = float(own) + GAIN * f + WHOLE * whole
        if worth > self._best[0]:
            self._best = worth, choice, f, whole

    def _f(self, choice: Choice) -> tuple[float, bool]:
        tree = self._named(choice)
        annotations = Annotations(tree.tags, tree.heads, tree.labels)
        parse = with_lemmas(self._words, repair_lists(self._words, annotations))
        made = [
            replace(x, same=(), heads=())
            for x in self._pipeline.stages.extract([parse])
        ]
        counts = compare(made, self._drawn, self._pipeline.lexicon)["All"]
        return counts.f, is_whole(counts)

    def _drawn_trees(self, numbers: np.random.Generator) -> Iterator[Choice]:
        """Yield trees as likely as the network, less sure of itself, finds them."""
        arcs, tags = (
            scores / WARMTH + numbers.gumbel(size=(SAMPLES, *scores.shape))
            for scores in (self._arcs, self._tags)
        )
        heads = best_trees(arcs)
        labels = self._labels(heads).argmax(axis=2)
        yield from map(_choice, tags.argmax(axis=2), heads, labels)

    def _around(self, choice: Choice) -> Iterator[Choice]:
        """Yield trees in which one word has another head."""
        tags, heads, _ = map(np.array, choice)
        at, to = _open(self._arcs, heads)
        tried = np.repeat(heads[None], len(at), axis=0)
        tried[np.arange(len(at)), at] = to
        if len(at) and len(tried := tried[are_trees(tried)]):
            for row, own in zip(tried, self._labels(tried).argmax(axis=2)):
                yield _choice(tags, row, own)

    def _labels(self, heads: Ints) -> Array:
        """Return log-probabilities (trees, words, labels) for heads (trees, words)."""
        states = np.repeat(self._scores.states, len(heads), axis=0)
        return _shares(self._scores.labels_of(states, heads))

    def _named(self, choice: Choice) -> Candidate:
        tags, heads, labels = choice
        names = self._names
        return Candidate(
            tuple(names["tags"][x] for x in tags),
            heads,
            tuple(names["labels"][x] for x in labels),
        )


def is_sound(tree: Candidate) -> bool:
    """Return whether what belongs to verbs hangs on verbs, and so with nouns.

    A preposition stands before its noun: hung on another, it would hide a relation. So
    would a noun that is taken for a part of a fixed expression, or of a name before it.
    """
    for at, (head, label) in enumerate(zip(tree.heads, tree.labels), 1):
        tag = tree.tags[head - 1] if head else ""
        if label == "mwe" and tree.tags[at - 1].startswith("NN"):
            return False
        if label == "compound" and head < at:
            return False
        if label == "case" and head < at and tree.tags[at - 1] in ("IN", "TO"):
            return False
        if label in VERBAL and not tag.startswith("VB"):
            return False
        if label in NOMINAL and tag.startswith(("VB", "IN", "RB")):
            return False
    return True


def _open(arcs: Array, chosen: Ints) -> tuple[Ints, Ints]:
    """Return words and heads, other than those chosen, that are not hopeless."""
    at, to = np.nonzero(arcs >= arcs.max(axis=1, keepdims=True) - OPEN)
    other = to != chosen[at]
    return at[other], to[other]


def _choice(tags: Ints, heads: Ints, labels: Ints) -> Choice:
    return tuple(tags.tolist()), tuple(heads.tolist()), tuple(labels.tolist())


def _shares(scores: NDArray[np.floating]) -> Array:
    """Turn scores of choices (last axis) into logarithms of probabilities."""
    values = np.clip(scores.astype(np.float64), -LOWEST, LOWEST)
    values -= values.max(axis=-1, keepdims=True)
    shares: Array = values - np.log(np.exp(values).sum(axis=-1, keepdims=True))
    return shares
