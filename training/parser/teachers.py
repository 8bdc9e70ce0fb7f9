"""Several parsers' trees of captions in, the tree that most of them agree on out.

Every arc of a teacher is a vote, added to what a network of ours thinks of the arc;
the best tree by these sums is nobody's and better than each one's (Sagae and Lavie
2006, "Parser combination by reparsing"). Where people drew a scene graph of the
caption, trees that fit it count for more.

A tree fits a tuple if nothing else stands between the words of the tuple: from "man"
to "horse" of (man, ride, horse) the way through the tree goes over "riding" and no
other noun or verb, the preposition of (dog, on, boat) hangs on the boat, and "red" of
(boat, red) on the boat. That asks nothing of labels and is the same for every
grammar; which of the fitting trees is the right one, a parser knows best.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

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
from spicepy.words.morphology import lemmatize
from training.grammar.kbest import Candidate

Array = NDArray[np.float64]

Drawn = tuple[str, ...]
"""(object, attribute) or (subject, predicate, object), as people wrote them."""

CONTENT = ("NN", "VB", "JJ", "CD", "FW")
"""Tags (their beginnings) of words that may not stand between."""

NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)

STEP = 256
"""The number of captions that are read together."""

FIT = 5.0
"""The weight of a tuple that fits, in nats."""

OPEN = 6.0
"""The most, in nats, by which a head may be worse than the best one and yet be tried
where a tree does not fit."""

ROUNDS = 3
"""The number of heads that are changed one after the other."""


@dataclass(frozen=True)
class Task:
    """A caption, the teachers' trees (None: it has none) and the drawn tuples.

    `others` are trees that may fit the tuples but have no vote.
    """

    words: Sequence[str]
    teachers: Sequence[Candidate | None]
    drawn: Sequence[Drawn] = ()
    others: Sequence[Candidate] = ()


def trees(
    network: Network, tasks: Sequence[Task], weights: Sequence[float]
) -> list[Candidate]:
    """Return the tree of each caption.

    Args:
        network: The network of log-probabilities of tags, heads and labels.
        tasks: Captions.
        weights: The weight of each teacher's vote, in nats.
    """
    found: dict[int, Candidate] = {}
    for batch in batches(by_length([task.words for task in tasks]), STEP):
        read = network.read([group.sentences for group in batch])
        for group, scores in zip(batch, read, strict=True):
            own = [tasks[place] for place in group.places]
            opinions = _Opinions(scores, own, weights, network.names)
            found.update(zip(group.places.tolist(), opinions.trees()))
    return [found[place] for place in range(len(tasks))]


class _Opinions:
    """Sums of scores and votes for captions of one length."""

    def __init__(
        self,
        scores: Scores,
        tasks: Sequence[Task],
        weights: Sequence[float],
        names: dict[str, list[str]],
    ) -> None:
        self.scores, self.tasks, self.weights, self.names = (
            scores,
            tasks,
            weights,
            names,
        )
        self._tag, self._label = (
            {name: place for place, name in enumerate(names[kind])}
            for kind in ("tags", "labels")
        )
        self.arcs = _log_shares(scores.arcs)
        self.tags = _log_shares(scores.tags)
        for sentence, weight, teacher in self._votes():
            for at, (tag, head) in enumerate(zip(teacher.tags, teacher.heads)):
                self.arcs[sentence, at, head] += weight
                if tag in self._tag:
                    self.tags[sentence, at, self._tag[tag]] += weight

    def trees(self) -> Iterator[Candidate]:
        """Yield the best tree of each caption."""
        heads = best_trees(self.arcs)
        tags = self.tags.argmax(axis=2)
        labels = self._labels(heads)
        for sentence, task in enumerate(self.tasks):
            if task.drawn:
                tree = self._named(tags[sentence], heads[sentence], labels[sentence])
                heads[sentence] = self._fitted(sentence, task, tree)
        labels = self._labels(heads)
        for row in zip(tags, heads, labels, strict=True):
            yield self._named(*row)

    def _fitted(self, sentence: int, task: Task, tree: Candidate) -> NDArray[np.intp]:
        """Change heads until nothing that fits better is worth it."""
        places, arcs = Places(task.words), self.arcs[sentence]
        words = np.arange(len(task.words))
        seen = len(task.drawn)

        def worth(other: Candidate) -> float:
            own = float(arcs[words, list(other.heads)].sum())
            return own + FIT * seen * fit(task.words, other, task.drawn, places)

        starts = [tree, *(x for x in task.teachers if x), *task.others]
        if fit(task.words, tree, task.drawn, places) < 1:
            starts = [x for x in starts if are_trees(np.array([x.heads]))[0]]
            tree = max(starts, key=worth)
            best = worth(tree)
            for _ in range(ROUNDS):
                tried = [(worth(x), x) for x in _neighbours(tree, arcs)]
                if not tried or max(tried, key=lambda x: x[0])[0] <= best:
                    break
                best, tree = max(tried, key=lambda x: x[0])
        return np.array(tree.heads)

    def _labels(self, heads: NDArray[np.intp]) -> NDArray[np.intp]:
        scores, root = self.scores.labels(heads), self._label["root"]
        scores[:, :, root] = -np.inf
        labels = _log_shares(scores)
        for sentence, weight, teacher in self._votes():
            for at, (head, label) in enumerate(zip(teacher.heads, teacher.labels)):
                if head == heads[sentence, at] and label in self._label:
                    labels[sentence, at, self._label[label]] += weight
        labels[:, :, root] = np.where(heads == 0, np.inf, -np.inf)
        return labels.argmax(axis=2)

    def _votes(self) -> Iterator[tuple[int, float, Candidate]]:
        for sentence, task in enumerate(self.tasks):
            for weight, teacher in zip(self.weights, task.teachers, strict=True):
                if teacher:
                    yield sentence, weight, teacher

    def _named(self, *choices: Iterable[int]) -> Candidate:
        tags, heads, labels = choices
        names = self.names
        return Candidate(
            tuple(names["tags"][x] for x in tags),
            tuple(int(x) for x in heads),
            tuple(names["labels"][x] for x in labels),
        )


def _neighbours(tree: Candidate, arcs: Array) -> Iterator[Candidate]:
    """Yield the plausible trees that differ in one head."""
    heads = np.array(tree.heads)
    least = arcs.max(axis=1) - OPEN
    at, to = np.nonzero(arcs >= least[:, None])
    other = to != heads[at]
    at, to = at[other], to[other]
    tried = np.repeat(heads[None], len(at), axis=0)
    tried[np.arange(len(at)), at] = to
    for row in tried[are_trees(tried)] if len(at) else ():
        yield Candidate(tree.tags, tuple(row.tolist()), tree.labels)


def _log_shares(scores: NDArray[np.floating]) -> Array:
    """Turn scores of choices (last axis) into logarithms of probabilities."""
    values = scores.astype(np.float64)
    values = values - values.max(axis=-1, keepdims=True)
    shares: Array = values - np.log(np.exp(values).sum(axis=-1, keepdims=True))
    return shares


def forms(word: str) -> set[str]:
    """Return the names that a word of a caption may have in a graph."""
    return {word, *(lemmatize(word, tag) for tag in ("NNS", "VBZ", "VBG", "VBN"))}


def fit(
    words: Sequence[str], tree: Candidate, drawn: Iterable[Drawn], places: "Places"
) -> float:
    """Return how well a tree fits the tuples: the mean over visible ones, 0-1."""
    found = []
    for tuple_ in drawn:
        if len(tuple_) == 2:
            of, to = places[tuple_[0]], places[tuple_[1]]
            own: set[int] = set()
        else:
            of, to = places[tuple_[0]], places[tuple_[2]]
            own = {at for word in tuple_[1].split() for at in places.of_word(word)}
        pairs = [(a, b) for a, b in product(of, to) if a[-1] != b[-1]]
        if pairs:
            found.append(max(_fit_pair(tree, a, b, own) for a, b in pairs))
    return sum(found) / len(found) if found else 1.0


def _fit_pair(
    tree: Candidate, of: tuple[int, ...], to: tuple[int, ...], own: set[int]
) -> float:
    heads, tags, labels = tree.heads, tree.tags, tree.labels
    first, last = of[-1], to[-1]
    way = path(heads, first, last)
    foreign = 0.0
    for at in way:
        if at in own or at in of or at in to:
            continue
        joined = labels[at - 1] == "conj" or any(
            labels[child - 1] == "conj" and heads[child - 1] == at
            for child in (first, last, *way)
        )
        if joined:
            foreign += 0.25
        elif tags[at - 1].startswith("VB"):
            foreign += 0.25  # people often leave a verb out: (cat, in, grass)
        else:
            foreign += tags[at - 1].startswith(CONTENT)
    # What belongs to one of them should hang on it, or on the way between them.
    near = {first, last, *way, *of, *to}
    loose = sum(heads[at - 1] not in near and at not in near for at in own)
    parts = [at for phrase in (of, to) for at in phrase[:-1]]
    loose += sum(heads[at - 1] not in (*of, *to) for at in parts)
    return 1 / (1 + foreign + 0.5 * loose)


def path(heads: Sequence[int], first: int, last: int) -> list[int]:
    """Return the words on the way from one word to another, both ends left out."""
    above = [first]
    while above[-1]:
        above.append(heads[above[-1] - 1])
    other = [last]
    while other[-1] not in above:
        other.append(heads[other[-1] - 1])
    meeting = above.index(other[-1])
    way = [*above[: meeting + 1], *reversed(other[:-1])]
    return [at for at in way if at not in (first, last, 0)]


class Places:
    """The places of the words of a graph in a caption.

    `places[phrase]` are the positions of the words of a phrase, once for each time its
    last word occurs; words that do not are left out.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = [forms(word) for word in words]
        self._numbers = {str(n): x for n, x in enumerate(NUMBERS)}

    def of_word(self, word: str) -> list[int]:
        """Return the positions of a word."""
        wanted = {word, self._numbers.get(word, word)}
        return [at for at, x in enumerate(self._words, 1) if x & wanted]

    def __getitem__(self, phrase: str) -> list[tuple[int, ...]]:
        *before, last = phrase.split() or [""]
        found = []
        for at in self.of_word(last):
            parts = []
            for back, word in enumerate(reversed(before), 1):
                if at - back in self.of_word(word):
                    parts.append(at - back)
            found.append((*reversed(parts), at))
        return found
