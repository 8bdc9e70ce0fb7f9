"""What networks think of captions in, the choices that are left open out.

Open is what scores at most `reach` less than the best: first a word's arcs, its labels
and tags, then what the tree model wants to know of it besides: the preposition before a
noun, and the kind of the outermost dependent of a noun or verb.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any, Final

import numpy as np

from spicepy.parsing.bundled.arithmetic import Bools, Floats, Floats64, Ints
from spicepy.parsing.bundled.reranker.lattice import IMPOSSIBLE, Lattice
from spicepy.parsing.bundled.reranker.layout import (
    KIND,
    LABEL,
    PREPOSITION,
    TAG,
    Kind,
    VerbKind,
    pack,
)
from spicepy.parsing.bundled.reranker.states import Numbers, States
from spicepy.parsing.bundled.scores import Scores
from spicepy.parsing.bundled.thresholds import DEFAULT, Thresholds

MOST_TAGS: Final = 3
"""Tags that a word may have open."""

MOST_STATES: Final = 16
"""States that a word may have open."""

NARROWER: Final = 0.5
"""The reach where too much is left open, as a share of the one before."""

LEAST_REACH: Final = 0.25
"""It gets no smaller than about this."""

UNIT: Final = 32
"""Scores are whole numbers of this part of a nat: their sums are exact."""

KINDS: Final = Kind.PHRASE_WITH_CLAUSE + 1
"""Kinds that a word may have."""

CLAUSAL: Final = [Kind.CLAUSE, Kind.PHRASE_WITH_CLAUSE]
OTHERS: Final = [kind for kind in range(KINDS) if kind not in CLAUSAL]


@dataclass(frozen=True, slots=True)
class Averages:
    """Mean scores of networks, of sentences of one length.

    Attributes:
        tags: (sentences, words, tags).
        arcs: (sentences, words, words + 1), head 0 is the root.
        labels: Sentences, dependents (from 0) and heads (from 1, 0: root), each
            (arcs,) -> (arcs, labels), without the root's label.
    """

    tags: Floats64
    arcs: Floats64
    labels: Callable[[Ints, Ints, Ints], Floats64]

    @classmethod
    def of(cls, scores: Sequence[Scores]) -> "Averages":
        """Return the means of one or more networks."""

        def mean(each: Iterable[Floats]) -> Floats64:
            return reduce(add, each).astype(np.float64) / len(scores)

        def labels(sentences: Ints, dependents: Ints, heads: Ints) -> Floats64:
            return mean(x.labels_of(sentences, dependents, heads) for x in scores)

        return cls(mean(x.tags for x in scores), mean(x.arcs for x in scores), labels)


@dataclass(frozen=True, slots=True)
class _Arcs:
    """Open arcs: (arcs,) each, `labels` (arcs, labels) scores below the best one's.

    Words of all sentences are in one row; the root is -1.
    """

    dependents: Ints
    heads: Ints
    scores: Floats64
    labels: Floats64


@dataclass(frozen=True, slots=True)
class _Rows:
    """Open states of words: (rows,) each.

    `score` is that of the tag, `best` with the best arc and label added.
    """

    word: Ints
    state: Ints
    score: Floats64
    best: Floats64

    def of(self, rows: Any, state: Ints | None = None) -> "_Rows":
        """Return some rows, with other states if given."""
        own = self.state[rows] if state is None else state
        return _Rows(self.word[rows], own, self.score[rows], self.best[rows])


def open_choices(
    sentences: Sequence[Sequence[str]],
    scores: Sequence[Scores],
    states: States,
    thresholds: Thresholds = DEFAULT,
) -> Lattice:
    """Return what networks leave open in sentences of one length.

    Args:
        sentences: Their words.
        scores: One or more networks'.
        states: What tags, labels and words are to the tree model.
        thresholds: The reach, and where it is made smaller.
    """
    whole = make_lattice(sentences, Averages.of(scores), states, thresholds.reach)
    if thresholds.reach < LEAST_REACH:
        return whole
    narrower = replace(thresholds, reach=thresholds.reach * NARROWER)
    parts, begin = [], 0
    for large in np.flatnonzero(whole.sizes() > thresholds.many).tolist():
        own = slice(large, large + 1)
        if large > begin:
            parts.append(whole.part(begin, large))
        alone = sentences[own], [x.of(own) for x in scores]
        parts.append(open_choices(*alone, states, narrower))
        begin = own.stop
    if begin < len(sentences):
        parts.append(whole.part(begin, len(sentences)))
    return Lattice.joined(parts)


def make_lattice(
    sentences: Sequence[Sequence[str]], scores: Averages, states: States, reach: float
) -> Lattice:
    """Return the choices at most `reach` nats worse than the best."""
    count, length = scores.tags.shape[:2]
    begins = np.arange(count * length + 1)
    arcs = _open_arcs(scores, states, reach)
    words = states.of_words([word for sentence in sentences for word in sentence])
    rows = _labelled_tags(scores.tags.reshape(count * length, -1), arcs, states, reach)
    rows = _with_prepositions(rows, arcs, words, states, reach)
    rows = _with_kinds(rows, arcs, length, states)
    rows = rows.of(np.lexsort((rows.state, -rows.best, rows.word)))
    first = np.searchsorted(rows.word, begins)
    rows = rows.of(np.arange(len(rows.word)) - first[rows.word] < MOST_STATES)
    first = np.searchsorted(rows.word, begins)
    pairs, first_pair = _pairs(arcs, rows, first, reach)
    lengths = np.full(count, length)
    edges = arcs.dependents, arcs.heads
    return Lattice(lengths, words, rows.state, first, *edges, pairs, first_pair)


def _open_arcs(scores: Averages, states: States, reach: float) -> _Arcs:
    length = scores.arcs.shape[1]
    each = scores.arcs - scores.arcs.max(axis=2, keepdims=True)
    sentences, dependents, heads = np.nonzero(each > -reach)
    labels = scores.labels(sentences, dependents, heads)
    labels[:, states.root] = -np.inf
    labels[heads == 0] = -np.inf
    labels[heads == 0, states.root] = 0.0
    labels -= labels.max(axis=1, keepdims=True)
    begin = sentences * length
    to = np.where(heads == 0, -1, begin + heads - 1)
    return _Arcs(begin + dependents, to, each[sentences, dependents, heads], labels)


def _labelled_tags(tags: Floats64, arcs: _Arcs, states: States, reach: float) -> _Rows:
    """Return open pairs of a tag and a label, of `tags` (words, tags)."""
    tags = tags - tags.max(axis=1, keepdims=True)
    top = np.argsort(-tags, axis=1, kind="stable")[:, :MOST_TAGS]
    top_scores = np.take_along_axis(tags, top, axis=1)
    begins = np.searchsorted(arcs.dependents, np.arange(len(tags)))
    best_label = np.maximum.reduceat(arcs.scores[:, None] + arcs.labels, begins, axis=0)
    sums = top_scores[:, :, None] + best_label[:, None, :]
    known = np.where(states.pairs[top], sums, -np.inf)
    highest = known.max(axis=(1, 2))
    sums = np.where(np.isfinite(highest)[:, None, None], known, sums)
    highest = sums.max(axis=(1, 2))
    word, place, label = np.nonzero(sums > highest[:, None, None] - reach)
    state = pack(top[word, place], label, Kind.NOTHING, 0)
    return _Rows(word, state, top_scores[word, place], sums[word, place, label])


def _with_prepositions(
    rows: _Rows, arcs: _Arcs, words: Numbers, states: States, reach: float
) -> _Rows:
    """Tell auxiliaries apart, and nouns by the preposition that may be before them."""
    tag, label = TAG.of(rows.state), LABEL.of(rows.state)
    auxiliary = np.where(states.verbal[tag], words.auxiliaries[rows.word], 0)
    own = np.where(states.marks[label], words.prepositions[rows.word], 0)
    state = pack(tag + auxiliary * states.tags, label, Kind.NOTHING, own)
    # Words that may be the preposition of a noun to their right.
    case = arcs.scores + arcs.labels[:, states.case]
    found = np.flatnonzero((case > -reach) & (arcs.heads > arcs.dependents))
    heads = arcs.heads[found]
    count = len(words.prepositions)
    offers = np.zeros((count, PREPOSITION.largest + 1), bool)
    offers[heads, words.prepositions[arcs.dependents[found]]] = True
    certain = np.zeros(count, bool)
    certain[heads[case[found] == 0]] = True
    offers[:, 0] = ~certain
    after = label == states.nmod
    which, preposition = np.nonzero(offers[rows.word[after]])
    which = np.flatnonzero(after)[which]
    others = np.flatnonzero(~after)
    both = np.concatenate([others, which])
    preposition = np.concatenate([np.zeros_like(others), preposition])
    return rows.of(both, state[both] + (preposition << PREPOSITION.shift))


def _with_kinds(rows: _Rows, arcs: _Arcs, length: int, states: States) -> _Rows:
    """Divide states by what kind of dependent may be the outermost one."""
    tag, label = TAG.of(rows.state), LABEL.of(rows.state)
    nominal, verbal = states.nominal[tag], states.verbal[tag]
    words = arcs.dependents[-1] + 1
    possible = np.zeros((len(rows.word), KINDS), bool)
    possible[:, Kind.NOTHING] = True
    right = _kinds_of_nouns(rows, arcs, length, states)
    possible[nominal] = right[rows.word[nominal]]
    subjects = np.zeros(words, bool)
    subjects[rows.word[states.subjects[label]]] = True
    leftward = (arcs.heads > arcs.dependents) & subjects[arcs.dependents]
    left = np.zeros(words, bool)
    left[arcs.heads[leftward]] = True
    possible[verbal, VerbKind.WITH_SUBJECT] = left[rows.word[verbal]]
    which, kind = np.nonzero(possible)
    return rows.of(which, rows.state[which] + (kind << KIND.shift))


def _kinds_of_nouns(rows: _Rows, arcs: _Arcs, length: int, states: States) -> Bools:
    """Return (words, KINDS) which kinds words may have if they are nouns.

    A noun phrase passes on what its own last dependent may be.
    """
    words = arcs.dependents[-1] + 1
    tag, label = TAG.of(rows.state), LABEL.of(rows.state)
    phrase = states.nominal[tag] & states.noun_labels[label]
    own, phrases = np.zeros((words, KINDS), bool), np.zeros(words, bool)
    own[rows.word[~phrase], states.right_kind(rows.state[~phrase])] = True
    phrases[rows.word[phrase]] = True
    found = np.zeros((words, KINDS), bool)
    found[:, Kind.NOTHING] = True
    rightward = np.flatnonzero((arcs.heads >= 0) & (arcs.heads < arcs.dependents))
    places = arcs.dependents[rightward] % length
    for place in range(length - 1, 0, -1):
        here = rightward[places == place]
        word = arcs.dependents[here]
        passed = own[word]
        last = found[word]
        clause = last[:, CLAUSAL].any(axis=1) & phrases[word]
        passed[:, Kind.PHRASE_WITH_CLAUSE] |= clause
        passed[:, Kind.PHRASE] |= last[:, OTHERS].any(axis=1) & phrases[word]
        which, kind = np.nonzero(passed)
        found[arcs.heads[here][which], kind] = True
    return found


def _pairs(arcs: _Arcs, rows: _Rows, first: Ints, reach: float) -> tuple[Ints, Ints]:
    """Return the scores of arcs with states of their dependents, and their begins."""
    many = (first[1:] - first[:-1])[arcs.dependents]
    first_pair = np.concatenate([[0], np.cumsum(many)])
    which = np.repeat(np.arange(len(many)), many)
    row = np.arange(len(which)) - first_pair[which] + first[arcs.dependents[which]]
    label = LABEL.of(rows.state)[row]
    sums = arcs.scores[which] + arcs.labels[which, label] + rows.score[row]
    pairs = np.full(len(sums), IMPOSSIBLE)
    possible = sums > -reach
    pairs[possible] = np.rint(sums[possible] * UNIT).astype(np.intp)
    return pairs, first_pair
