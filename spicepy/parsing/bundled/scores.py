"""The network's scores of sentences, and the tags, heads and labels they give.

Nothing here needs an exponential: the sum of logarithms that would make probabilities
of scores is the same for all choices.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import inf
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from spicepy.parsing.bundled.words import Bools, Floats, Floats32, Floats64, Int8s, Ints

# The best projective tree with one root, given scores of arcs.
#
# Most captions need no search: where the best head of every word already gives such a
# tree, it is the best of all trees. The others go through Eisner's algorithm (Eisner
# 1996, "Three new probabilistic models for dependency parsing"), all sentences of one
# length together.


def best_trees(scores: Floats64) -> Ints:
    """Return heads of the best trees, (sentences, words), from 1; 0 is the root."""
    # `scores[s, m, h]` is the score of head h of word m + 1, where h = 0 stands for the
    # root.
    heads: Ints = scores.argmax(axis=2)
    rest = np.flatnonzero(~are_trees(heads))
    if rest.size:
        heads[rest] = _eisner(scores[rest])
    return heads


def are_trees(heads: Ints) -> Bools:
    """Return which rows of heads (sentences, words) are projective, one-root trees."""
    sentences, words = heads.shape
    ancestors = np.zeros((sentences, words + 1), heads.dtype)
    ancestors[:, 1:] = heads
    for _ in range(words.bit_length()):  # twice as far up each time
        ancestors = np.take_along_axis(ancestors, ancestors, axis=1)
    places = np.arange(1, words + 1)
    left, right = np.minimum(heads, places), np.maximum(heads, places)
    inside = (left[:, :, None] < left[:, None]) & (left[:, None] < right[:, :, None])
    crossing = inside & (right[:, :, None] < right[:, None])
    whole: Bools = (heads == 0).sum(axis=1) == 1
    whole &= ~ancestors.any(axis=1)
    whole &= ~crossing.any(axis=(1, 2))
    return whole


def _eisner(scores: Floats64) -> Ints:
    """Search the best tree; spans are [left, right] over words from 0."""
    sentences, words = scores.shape[:2]
    arc = np.swapaxes(scores[:, :, 1:], 1, 2)  # [sentence, head, word]
    # Best scores of spans whose head is at the left and at the right end. `open`:
    # the word at the other end still lacks its dependents beyond that end.
    to_right = np.zeros((sentences, words, words))
    to_left, open_right, open_left = np.zeros((3, *to_right.shape))
    cuts = np.zeros((3, *to_right.shape), np.intp)
    for width in range(1, words):
        i = np.arange(words - width)
        j = i + width
        first = i[:, None]
        last = j[:, None]
        cut = first + np.arange(width)

        def best(kind: int, sums: Floats64) -> Floats64:
            best = sums.argmax(axis=2)
            cuts[kind][:, i, j] = best  # noqa: B023
            return np.take_along_axis(sums, best[:, :, None], axis=2)[:, :, 0]

        halves = best(0, to_right[:, first, cut] + to_left[:, cut + 1, last])
        open_right[:, i, j] = halves + arc[:, i, j]
        open_left[:, i, j] = halves + arc[:, j, i]
        right = open_right[:, first, cut + 1] + to_right[:, cut + 1, last]
        left = to_left[:, first, cut] + open_left[:, cut, last]
        to_right[:, i, j] = best(1, right)
        to_left[:, i, j] = best(2, left)
    roots = (to_left[:, 0] + to_right[:, :, -1] + scores[:, :, 0]).argmax(axis=1)
    heads = np.zeros((sentences, words), np.intp)
    for sentence, root in enumerate(roots.tolist()):
        _trace(cuts[:, sentence], root, heads[sentence])
    return heads


def _trace(cuts: Ints, root: int, heads: Ints) -> None:
    """Fill in the heads of one sentence from where its spans were cut."""
    last = len(heads) - 1
    to_do = [(0, root, "to left"), (root, last, "to right")]
    while to_do:
        i, j, kind = to_do.pop()
        if i == j:
            continue
        if kind == "to right":
            cut = i + 1 + int(cuts[1, i, j])
            to_do += [(i, cut, "open right"), (cut, j, "to right")]
        elif kind == "to left":
            cut = i + int(cuts[2, i, j])
            to_do += [(i, cut, "to left"), (cut, j, "open left")]
        else:
            head, dependent = (i, j) if kind == "open right" else (j, i)
            heads[dependent] = head + 1
            cut = i + int(cuts[0, i, j])
            to_do += [(i, cut, "to right"), (cut + 1, j, "to left")]


class Choices(NamedTuple):
    """Numbers of tags, heads and labels of sentences of one length."""

    # Each is (sentences, words); a head is a position from 1, 0 for the root.
    tags: Ints
    heads: Ints
    labels: Ints


@dataclass(frozen=True, slots=True)
class Scores:
    """The network's scores of sentences of one length."""

    tags: Floats32  # (sentences, words, tags)
    # (sentences, words, words + 1); head 0 is the root, and no word heads itself.
    arcs: Floats64
    states: Int8s  # (sentences, words, 2 x width) of the network's last layer
    # A function from states and heads (sentences, words) to scores of labels
    # (sentences, words, labels). Many sentences never need them.
    labels_of: Callable[[Int8s, Ints], Floats32]

    def of(self, sentences: Bools | slice) -> "Scores":
        """Return the scores of some of the sentences."""
        return replace(
            self,
            tags=self.tags[sentences],
            arcs=self.arcs[sentences],
            states=self.states[sentences],
        )

    def labels(self, heads: Ints) -> Floats32:
        """Return (sentences, words, labels) for given heads (sentences, words)."""
        return self.labels_of(self.states, heads)


def margins(scores: Scores) -> Floats64:
    """Return by how much the closest choice of a tag or head is made."""
    return np.minimum(_closest(scores.tags), _closest(scores.arcs))


def joined(parts: Sequence[Scores]) -> Scores:
    """Put scores of sentences of one length one after the other."""
    return replace(
        parts[0],
        tags=np.concatenate([part.tags for part in parts]),
        arcs=np.concatenate([part.arcs for part in parts]),
        states=np.concatenate([part.states for part in parts]),
    )


def decode(scores: Scores) -> Choices:
    """Return the best tags, the best tree and its best labels."""
    heads = best_trees(scores.arcs)
    labels = scores.labels(heads).argmax(axis=-1)
    return Choices(scores.tags.argmax(axis=-1), heads, labels)


def _closest(scores: Floats) -> Floats64:
    best = np.partition(scores, -2, axis=-1)[:, :, -2:]
    closest: Floats64 = (best[:, :, 1] - best[:, :, 0]).min(axis=1)
    return closest


# Groups of sentences of one length, and batches of groups that are read together.
#
# Arrays of sentences of one length need no gaps; a batch holds as much as fits the
# cache.


@dataclass(frozen=True, slots=True)
class Group:
    """Sentences of one length."""

    length: int  # Words of each
    places: Ints  # (sentences,) where each stands among all
    sentences: list[Sequence[str]]  # Their words
    scores: Scores | None = None  # The network's scores, once it has read them

    def read(self, scores: Scores) -> "Group":
        """Return the same sentences with their scores."""
        return replace(self, scores=scores)

    def of(self, chosen: Bools | slice) -> "Group":
        """Return some of the sentences."""
        numbers = np.arange(len(self.places))[chosen].tolist()
        return Group(
            self.length,
            self.places[chosen],
            [self.sentences[number] for number in numbers],
            self.scores.of(chosen) if self.scores else None,
        )


def by_length(sentences: Sequence[Sequence[str]]) -> list[Group]:
    """Return groups of all sentences, the shortest first."""
    places: dict[int, list[int]] = {}
    for index, words in enumerate(sentences):
        places.setdefault(len(words), []).append(index)
    return [
        Group(length, np.array(same), [sentences[index] for index in same])
        for length, same in sorted(places.items())
    ]


def batches(
    groups: Iterable[Group],
    largest: int,
    weight: Callable[[int], int] = lambda _: 1,
    length_ratio: float = inf,
    step_cost: int = 0,
) -> Iterator[list[Group]]:
    """Yield as many sentences as fit, in groups of one length, the shortest first."""
    # A batch weighs at most `largest`, unless it is one sentence. The ratio of its
    # lengths is at most `length_ratio`, or more where the gaps cost less than another
    # batch: beginning with a word of a batch costs as much as `step_cost` sentences.
    batch: list[Group] = []
    left = largest
    for length, same in groupby(groups, attrgetter("length")):
        group, begin = _joined(list(same)), 0
        while begin < len(group.places):
            fit = left // weight(length)
            held = sum(len(group.places) for group in batch)
            most = max(length_ratio, 1 + step_cost / held) if held else inf
            if batch and (fit < 1 or length > most * batch[0].length):
                yield batch
                batch, left = [], largest
                continue
            part = group.of(slice(begin, begin + max(fit, 1)))
            batch.append(part)
            begin += len(part.places)
            left -= len(part.places) * weight(length)
    if batch:
        yield batch


def _joined(groups: list[Group]) -> Group:
    """Make one group of those of one length."""
    if len(groups) == 1:
        return groups[0]
    scores = [group.scores for group in groups if group.scores]
    return Group(
        groups[0].length,
        np.concatenate([group.places for group in groups]),
        [words for group in groups for words in group.sentences],
        joined(scores) if scores else None,
    )
