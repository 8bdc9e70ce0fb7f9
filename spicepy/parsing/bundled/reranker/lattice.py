"""What networks think of captions in, the choices that are left open out.

A choice is a *state* of a word (its tag, its label, and what the model of trees
wants to know of the word's dependents) or an arc between two words. Open is what
scores at most `reach` less than the best. The tree model decides among them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spicepy.parsing.bundled.reranker.states import LARGEST_PREPOSITION, NONE, States
from spicepy.parsing.bundled.scores import Scores

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
LabelScores = Callable[[Ints, Ints, Ints], Floats]
"""Captions, dependents, heads (from 1, 0: root), each (arcs,) -> (arcs, labels)."""

TAGS: Final = 3
"""Tags that a word may have open."""

STATES: Final = 16
"""States that a word may have open."""

LARGE: Final = 5_000
"""Pairs of siblings beyond which less is left open; five captions in a hundred have so
many, and half of all pairs.
"""

NARROWER: Final = 0.5
"""The reach then, as a share of the one before."""

LEAST_REACH: Final = 0.25
"""It gets no smaller than about this."""

UNIT: Final = 32
"""Scores are whole numbers of this part of a nat: their sums are exact."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Open choices of captions; the words of all captions are in one row.

    Attributes:
        lengths: (captions,) words of each caption.
        words: (words,) hash of each word.
        endings: (words,) hash of its last letters.
        prepositions: (2, words) which preposition and which auxiliary it is.
        states: (states,) by word; `first` (words + 1,) tells where a word's begin.
        dependents, heads: (arcs,) by dependent, then head, in words of the row;
            the root is -1.
        pairs: The score of each arc with each state of its dependent; `first_pair`
            (arcs + 1,) tells where an arc's begin. `NONE` where they do not agree.
    """

    lengths: Ints
    words: Ints
    endings: Ints
    prepositions: Ints
    states: Ints
    first: Ints
    dependents: Ints
    heads: Ints
    pairs: Ints
    first_pair: Ints

    @classmethod
    def joined(cls, parts: Sequence["Lattice"]) -> "Lattice":
        """Put lattices one after the other."""
        if len(parts) == 1:
            return parts[0]
        words = _offsets([len(part.words) for part in parts])

        def all_of(name: str) -> Ints:
            return np.concatenate([getattr(part, name) for part in parts], axis=-1)

        heads = [np.where(x.heads < 0, -1, x.heads + n) for x, n in zip(parts, words)]
        return cls(
            all_of("lengths"),
            all_of("words"),
            all_of("endings"),
            all_of("prepositions"),
            all_of("states"),
            _joined_begins([part.first for part in parts]),
            np.concatenate([x.dependents + n for x, n in zip(parts, words)]),
            np.concatenate(heads),
            all_of("pairs"),
            _joined_begins([part.first_pair for part in parts]),
        )

    def part(self, begin: int, end: int) -> "Lattice":
        """Return the lattice of captions that follow each other."""
        first, last = (int(self.lengths[:n].sum()) for n in (begin, end))
        arcs = slice(*np.searchsorted(self.dependents, [first, last]))
        states = slice(self.first[first], self.first[last])
        pairs = slice(self.first_pair[arcs.start], self.first_pair[arcs.stop])
        heads = self.heads[arcs]
        return Lattice(
            self.lengths[begin:end],
            self.words[first:last],
            self.endings[first:last],
            self.prepositions[:, first:last],
            self.states[states],
            self.first[first : last + 1] - states.start,
            self.dependents[arcs] - first,
            np.where(heads < 0, -1, heads - first),
            self.pairs[pairs],
            self.first_pair[arcs.start : arcs.stop + 1] - pairs.start,
        )

    def sizes(self) -> Ints:
        """Return how many pairs of siblings each caption may have, about."""
        chains = np.concatenate([[0], np.cumsum(self.pairs > NONE)])
        states = np.diff(chains[self.first_pair])
        side = (self.dependents > self.heads).astype(np.intp)
        key = np.where(self.heads < 0, 0, self.heads * 2 + side + 1)
        each = np.bincount(key, states, 2 * len(self.words) + 1)[1:].reshape(-1, 2)
        of_word = np.diff(self.first) * (each**2).sum(axis=1) / 2
        begins = np.concatenate([[0], np.cumsum(self.lengths)[:-1]])
        sizes: Ints = np.add.reduceat(of_word, begins).astype(np.intp)
        return sizes


def open_choices(
    sentences: Sequence[Sequence[str]],
    scores: Sequence[Scores],
    states: States,
    reach: float,
) -> Lattice:
    """Return what several networks leave open in sentences of one length.

    Where that is too much, what is closer to the best.
    """
    whole = lattice(sentences, *averages(scores), states, reach)
    if reach < LEAST_REACH:
        return whole
    parts, begin = [], 0
    for large in np.flatnonzero(whole.sizes() > LARGE).tolist():
        own = slice(large, large + 1)
        if large > begin:
            parts.append(whole.part(begin, large))
        alone = sentences[own], [x.of(own) for x in scores]
        parts.append(open_choices(*alone, states, reach * NARROWER))
        begin = own.stop
    if begin < len(sentences):
        parts.append(whole.part(begin, len(sentences)))
    return Lattice.joined(parts)


def averages(scores: Sequence[Scores]) -> tuple[Floats, Floats, LabelScores]:
    """Return scores of tags, arcs and labels as `lattice` takes them."""

    def mean(each: Iterable[NDArray[np.floating]]) -> Floats:
        return reduce(add, each).astype(np.float64) / len(scores)

    def label_scores(captions: Ints, dependents: Ints, heads: Ints) -> Floats:
        return mean(x.labels_of(captions, dependents, heads) for x in scores)

    tags, arcs = mean(x.tags for x in scores), mean(x.arcs for x in scores)
    return tags, arcs, label_scores


def lattice(
    sentences: Sequence[Sequence[str]],
    tags: Floats,
    arcs: Floats,
    label_scores: LabelScores,
    states: States,
    reach: float,
) -> Lattice:
    """Return the choices at most `reach` worse than the best.

    Args:
        sentences: Of one length.
        tags: (sentences, words, tags) scores.
        arcs: (sentences, words, words + 1) scores, head 0 is the root.
        label_scores: Scores of the labels of arcs, without that of the root.
        states: What tags, labels and words are to the tree model.
        reach: In nats.
    """
    count, length = tags.shape[:2]
    arcs = arcs - arcs.max(axis=2, keepdims=True)
    captions, dependents, heads = np.nonzero(arcs > -reach)
    arc = arcs[captions, dependents, heads]
    labels = label_scores(captions, dependents, heads)
    labels[:, states.root] = -np.inf
    labels[heads == 0] = -np.inf
    labels[heads == 0, states.root] = 0.0
    labels -= labels.max(axis=1, keepdims=True)
    # From here on, words of all sentences are in one row.
    of = captions * length + dependents
    to = np.where(heads == 0, -1, captions * length + heads - 1)
    begins = np.searchsorted(of, np.arange(count * length + 1))
    texts = [word for words in sentences for word in words]
    word, label, tag, score, best = _labelled_tags(
        tags.reshape(count * length, -1), arc[:, None] + labels, begins, states, reach
    )
    kinds = states.of_words(texts)
    word, code, score, best = _with_prepositions(
        (word, tag, label, score, best), of, to, arc, labels, kinds, states, reach
    )
    word, code, score, best = _with_classes(
        (word, code, score, best), of, to, length, states
    )
    order = np.lexsort((code, -best, word))
    word, code, score = word[order], code[order], score[order]
    first = np.searchsorted(word, np.arange(count * length + 1))
    kept = np.arange(len(word)) - first[word] < STATES
    word, code, score = word[kept], code[kept], score[kept]
    first = np.searchsorted(word, np.arange(count * length + 1))
    pairs, first_pair = _pairs(of, arc, labels, first, code, score, states, reach)
    return Lattice(
        np.full(count, length),
        kinds[2],
        kinds[3],
        np.stack(kinds[:2]),
        code,
        first,
        of,
        to,
        pairs,
        first_pair,
    )


def _labelled_tags(
    tags: Floats, arcs: Floats, begins: Ints, states: States, reach: float
) -> tuple[Ints, Ints, Ints, Floats, Floats]:
    """Return word, label and tag of open pairs, the tag's score and the best sum."""
    tags = tags - tags.max(axis=1, keepdims=True)
    top = np.argsort(-tags, axis=1, kind="stable")[:, :TAGS]
    top_scores = np.take_along_axis(tags, top, axis=1)
    best_label = np.maximum.reduceat(arcs, begins[:-1], axis=0)
    sums = top_scores[:, :, None] + best_label[:, None, :]
    known = np.where(states.pairs[top], sums, -np.inf)
    highest = known.max(axis=(1, 2))
    sums = np.where(np.isfinite(highest)[:, None, None], known, sums)
    highest = sums.max(axis=(1, 2))
    open_ = sums > highest[:, None, None] - reach
    word, place, label = np.nonzero(open_)
    best = sums[word, place, label]
    return word, label, top[word, place], top_scores[word, place], best


def _with_prepositions(
    rows: tuple[Ints, Ints, Ints, Floats, Floats],
    of: Ints,
    to: Ints,
    arc: Floats,
    labels: Floats,
    kinds: tuple[Ints, ...],
    states: States,
    reach: float,
) -> tuple[Ints, Ints, Floats, Floats]:
    """Make a state of each open pair; those after a preposition know which."""
    word, tag, label, score, best = rows
    prepositions, auxiliaries = kinds[:2]
    tag = tag + np.where(states.verbal[tag], auxiliaries[word] * states.tags, 0)
    own = np.where(states.marks[label], prepositions[word], 0)
    code = states.pack(tag, label, 0, own)
    # Words that may be the preposition of a noun to their right.
    case = arc + labels[:, states.case]
    found = np.flatnonzero((case > -reach) & (to > of))
    size = LARGEST_PREPOSITION + 1
    offers = np.zeros((len(prepositions), size), bool)
    offers[to[found], prepositions[of[found]]] = True
    certain = np.zeros(len(prepositions), bool)
    certain[to[found[case[found] == 0]]] = True
    offers[:, 0] = ~certain
    after = label == states.nmod
    which, preposition = np.nonzero(offers[word[after]])
    which = np.flatnonzero(after)[which]
    joined = [np.concatenate([x[~after], x[which]]) for x in (word, score, best)]
    codes = np.concatenate([code[~after], code[which] + preposition])
    return joined[0], codes, joined[1], joined[2]


def _with_classes(
    rows: tuple[Ints, Ints, Floats, Floats],
    of: Ints,
    to: Ints,
    length: int,
    states: States,
) -> tuple[Ints, Ints, Floats, Floats]:
    """Divide states by what kind of dependent may be the outermost one."""
    word, code, score, best = rows
    tag, label, *_ = states.unpack(code)
    words = of[-1] + 1
    nominal = states.nominal[tag]
    chained = nominal & states.noun_labels[label]
    fixed = np.zeros(words, np.uint8)
    kinds = np.where(chained, 0, 1 << states.right_class(code)).astype(np.uint8)
    np.bitwise_or.at(fixed, word, kinds)
    chains = np.zeros(words, bool)
    chains[word[chained]] = True
    right = np.ones(words, np.uint8)
    rightward = np.flatnonzero((to >= 0) & (to < of))
    places = of[rightward] % length
    for place in range(length - 1, 0, -1):
        here = rightward[places == place]
        own = right[of[here]]
        passed = np.where(own & states.WITH_VERB, 1 << 5, 0)
        passed |= np.where(own & ~states.WITH_VERB & 0xFF, 1 << 1, 0)
        passed = np.where(chains[of[here]], passed, 0).astype(np.uint8)
        np.bitwise_or.at(right, to[here], fixed[of[here]] | passed)
    left = np.ones(words, np.uint8)
    subjects = np.zeros(words, bool)
    subjects[word[states.subjects[label]]] = True
    leftward = (to > of) & subjects[of]
    left[to[leftward]] |= 2
    bits = np.where(nominal, right[word], np.where(states.verbal[tag], left[word], 1))
    which, kind = np.nonzero(bits[:, None] >> np.arange(6) & 1)
    codes = states.with_class(code[which], kind)
    return word[which], codes, score[which], best[which]


def _pairs(
    of: Ints,
    arc: Floats,
    labels: Floats,
    first: Ints,
    code: Ints,
    score: Floats,
    states: States,
    reach: float,
) -> tuple[Ints, Ints]:
    """Return the scores of arcs with states of their dependents."""
    many = (first[1:] - first[:-1])[of]
    first_pair = np.concatenate([[0], np.cumsum(many)])
    which = np.repeat(np.arange(len(of)), many)
    state = np.arange(len(which)) - first_pair[which] + first[of[which]]
    label = states.unpack(code)[1]
    sums = arc[which] + labels[which, label[state]] + score[state]
    pairs = np.full(len(sums), NONE)
    possible = sums > -reach
    pairs[possible] = np.rint(sums[possible] * UNIT).astype(np.intp)
    return pairs, first_pair


def _offsets(sizes: Sequence[int]) -> list[int]:
    return [0, *np.cumsum(sizes)[:-1].tolist()]


def _joined_begins(begins: Sequence[Ints]) -> Ints:
    """Join places where things begin, the last of which is where all end."""
    offsets = _offsets([int(x[-1]) for x in begins])
    parts = [x[:-1] + n for x, n in zip(begins, offsets)]
    return np.concatenate([*parts, [offsets[-1] + begins[-1][-1]]])
