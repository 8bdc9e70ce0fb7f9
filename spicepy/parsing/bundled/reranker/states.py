"""Tags, labels and words in, states (`layout`) and their properties out.

The weights of a model rest on the lists here: with others, it must be learnt anew.
"""

import zlib
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any, Final, NamedTuple

import numpy as np

from spicepy.parsing.bundled.arithmetic import Bools, Ints
from spicepy.parsing.bundled.reranker.layout import (
    KIND,
    LABEL,
    START,
    STOP,
    TAG,
    Kind,
    pack,
)
from spicepy.parsing.bundled.thresholds import DEFAULT, Thresholds

BE: Final = frozenset(
    ["is", "are", "was", "were", "be", "been", "being", "am", "'s", "'re"]
)
HAVE: Final = frozenset(["has", "have", "had", "having"])

NOMINAL: Final = ("NN", "PR", "CD", "DT", "JJ", "EX", "WP", "WD", "FW", "$")
VERBAL: Final = ("VB", "MD")
CLAUSES: Final = frozenset(
    ["acl", "acl:relcl", "advcl", "ccomp", "xcomp", "csubj", "parataxis"]
)
NOUN_LABELS: Final = frozenset(["nmod", "nmod:poss", "nmod:npmod", "nmod:tmod"])
SUBJECTS: Final = frozenset(["nsubj", "nsubjpass", "expl", "csubj", "csubjpass"])
MARKS: Final = frozenset(["case", "mark", "cc"])
GROUPS: Final = (
    {"det", "det:predet", "nmod:poss"},
    {"amod", "nummod"},
    {"compound"},
    {"case", "mark"},
    {"nmod", "nmod:npmod", "nmod:tmod"},
    {"acl", "acl:relcl", "advcl", "ccomp", "xcomp", "parataxis"},
    {"conj", "cc"},
)
"""Groups of labels from 1: what a sibling's sibling was; 0 is none, 8 any other."""

MANY_GROUPS: Final = len(GROUPS) + 2


class Auxiliary(IntEnum):
    """Which auxiliary verb a word may be; verbs have other tags for each."""

    NONE = 0
    BE = 1
    HAVE = 2


class Numbers(NamedTuple):
    """Numbers of words, each (words,): two classes and two hashes."""

    prepositions: Ints
    auxiliaries: Ints
    words: Ints
    endings: Ints


class States:
    """What tags, labels and words are to the tree model.

    Args:
        names: "tags", "labels", "pairs" (label -> tags seen with it), "prepositions"
            (those with a number of their own) and "stand-ins", as a `Network` has.
        thresholds: How many words it keeps.
    """

    def __init__(
        self, names: Mapping[str, Any], thresholds: Thresholds = DEFAULT
    ) -> None:
        tags, labels = list(names["tags"]), list(names["labels"])
        self.tags = len(tags)
        boundary = len(Auxiliary) * self.tags
        self.root, self.case, self.nmod = map(labels.index, ("root", "case", "nmod"))
        every = [*tags * len(Auxiliary), ""]
        self.nominal = np.array([tag.startswith(NOMINAL) for tag in every])
        self.verbal = np.array([tag.startswith(VERBAL) for tag in every])
        padded = [*labels, *[""] * (STOP + 1 - len(labels))]
        self.noun_labels = np.array([x in NOUN_LABELS for x in padded])
        self.subjects = np.array([x in SUBJECTS for x in padded])
        self.marks = np.array([x in MARKS for x in padded])
        self.kinds = np.array([_kind(x) for x in padded])
        self.kinds[START], self.kinds[STOP] = Kind.NOTHING, Kind.STOP
        self.groups = np.array([_group(x) for x in padded])
        self.groups[START] = 0
        self.pairs = np.zeros((len(tags), len(labels)), bool)
        for label, seen in names["pairs"].items():
            self.pairs[[tags.index(tag) for tag in seen], labels.index(label)] = True
        self._prepositions = {x: n + 2 for n, x in enumerate(names["prepositions"])}
        self._read_as = {
            word: other for other, words in names["stand-ins"].items() for word in words
        }
        self._most_words = thresholds.words
        self._known: dict[str, tuple[int, ...]] = {}
        self.start = int(pack(boundary, START, 0, 0))
        self.stop = int(pack(boundary, STOP, 0, 0))

    def of_words(self, words: Sequence[str]) -> Numbers:
        """Return the numbers of words."""
        known = self._known
        if len(known) > self._most_words:
            # Other threads may still look into the old one.
            known = self._known = {}
        for word in set(words).difference(known):
            known[word] = self._of_word(self._read_as.get(word, word))
        return Numbers(*np.array([known[word] for word in words], np.intp).T)

    def _of_word(self, word: str) -> tuple[int, ...]:
        def hashed(text: str) -> int:
            return zlib.crc32(text.encode("utf-8", "replace")) & 0x7FFFFFFF

        preposition = self._prepositions.get(word, 1)
        return preposition, _auxiliary(word), hashed(word), hashed(word[-3:])

    def right_kind(self, state: Ints) -> Ints:
        """Return the kind of a noun whose last dependent on the right is in a state."""
        tag, label, kind = TAG.of(state), LABEL.of(state), KIND.of(state)
        phrase = self.nominal[tag] & self.noun_labels[label]
        clause = (kind == Kind.CLAUSE) | (kind == Kind.PHRASE_WITH_CLAUSE)
        return np.where(phrase & clause, Kind.PHRASE_WITH_CLAUSE, self.kinds[label])

    def closes(self, head: Ints, side: Any, state: Ints) -> Bools:
        """Tell whether a state may be the last dependent of a head on a side."""
        tag, kind = TAG.of(head), KIND.of(head)
        right = ~self.nominal[tag] | (kind == self.right_kind(state))
        left = ~self.verbal[tag] | (kind == self.subjects[LABEL.of(state)])
        closes: Bools = np.where(side == 1, right, left)
        return closes


def _auxiliary(word: str) -> Auxiliary:
    if word in BE:
        return Auxiliary.BE
    return Auxiliary.HAVE if word in HAVE else Auxiliary.NONE


def _kind(label: str) -> Kind:
    """Return the kind of a noun with a last dependent of this label."""
    if label in NOUN_LABELS:
        return Kind.PHRASE
    if label in CLAUSES:
        return Kind.CLAUSE
    return Kind.CONJUNCT if label == "conj" else Kind.OTHER


def _group(label: str) -> int:
    """Return the number of a label's group."""
    found = (n for n, labels in enumerate(GROUPS, 1) if label in labels)
    return next(found, len(GROUPS) + 1)
