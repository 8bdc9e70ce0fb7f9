"""Tags, labels and words in, whole numbers for the tree model out.

A state packs, in this order, a tag (auxiliaries have tags of their own), a label, a
class and a preposition. The class says what kind of dependent is the outermost: on
the right of a noun, for a noun phrase with and one without another phrase in it are
different things to the original's grammar, or on the left of a verb, where it tells
clauses with and without a subject apart (Klein and Manning 2003, "Accurate
unlexicalized parsing", sections 4 and 6: annotation of parents, base NPs,
domination of verbs). The weights of a model rest on these lists: with others, it must
be learnt anew.
"""

import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]

NONE: Final = -(10**8)
"""The score of what cannot be."""

LABEL_BITS, CLASS_BITS, PREPOSITION_BITS = 6, 3, 5
LARGEST_PREPOSITION: Final = 31
START: Final = 62
STOP: Final = 63
"""Labels of what stands before the first and after the last dependent."""

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
GROUPS: Final = {
    "det": 1,
    "det:predet": 1,
    "nmod:poss": 1,
    "amod": 2,
    "nummod": 2,
    "compound": 3,
    "case": 4,
    "mark": 4,
    "nmod": 5,
    "nmod:npmod": 5,
    "nmod:tmod": 5,
    "acl": 6,
    "acl:relcl": 6,
    "advcl": 6,
    "ccomp": 6,
    "xcomp": 6,
    "parataxis": 6,
    "conj": 7,
    "cc": 7,
}
"""Label -> group of labels, 8 for the others: what a sibling's sibling was."""

LARGEST_TABLE: Final = 100_000
"""Words whose numbers are kept."""

OTHERS: Final = 8
MANY_GROUPS: Final = 9


class States:
    """What tags, labels and words are to the tree model.

    Args:
        names: "tags", "labels", "pairs" (label -> tags seen with it), "prepositions"
            (those with a number of their own) and "stand-ins", as a `Network` has.
    """

    WITH_VERB: Final = np.uint8(1 << 2 | 1 << 5)

    def __init__(self, names: Mapping[str, Any]) -> None:
        tags, labels = list(names["tags"]), list(names["labels"])
        self.tags = len(tags)
        self.root, self.case, self.nmod = map(labels.index, ("root", "case", "nmod"))
        starts = [tag.startswith(NOMINAL) for tag in tags] * 3
        self.nominal = np.array([*starts, False])
        self.verbal = np.array([*[t.startswith(VERBAL) for t in tags] * 3, False])
        padded = [*labels, *[""] * (64 - len(labels))]
        self.noun_labels = np.array([x in NOUN_LABELS for x in padded])
        self.subjects = np.array([x in SUBJECTS for x in padded])
        self.marks = np.array([x in MARKS for x in padded])
        self.classes = np.array([_class(x) for x in padded])
        self.classes[START], self.classes[STOP] = 0, 7
        self.groups = np.array([GROUPS.get(x, OTHERS) for x in padded])
        self.groups[START] = 0
        self.pairs = np.zeros((len(tags), len(labels)), bool)
        for label, seen in names["pairs"].items():
            self.pairs[[tags.index(tag) for tag in seen], labels.index(label)] = True
        self._prepositions = {x: n + 2 for n, x in enumerate(names["prepositions"])}
        self._read_as = {
            word: other for other, words in names["stand-ins"].items() for word in words
        }
        self._words: dict[str, tuple[int, int, int, int]] = {}
        self.start = int(self.pack(3 * self.tags, START, 0, 0))
        self.stop = int(self.pack(3 * self.tags, STOP, 0, 0))

    def of_words(self, words: Sequence[str]) -> tuple[Ints, ...]:
        """Return of each word its preposition, its auxiliary and two hashes."""
        known = self._words
        if len(known) > LARGEST_TABLE:
            # Other threads may still look into the old one.
            known = self._words = {}
        for word in set(words).difference(known):
            known[word] = self._of_word(self._read_as.get(word, word))
        return tuple(np.array([known[word] for word in words], np.intp).T)

    def _of_word(self, word: str) -> tuple[int, int, int, int]:
        def hashed(text: str) -> int:
            return zlib.crc32(text.encode("utf-8", "replace")) & 0x7FFFFFFF

        auxiliary = 1 if word in BE else 2 if word in HAVE else 0
        preposition = self._prepositions.get(word, 1)
        return preposition, auxiliary, hashed(word), hashed(word[-3:])

    @staticmethod
    def pack(tag: Any, label: Any, kind: Any, preposition: Any) -> Any:
        """Make one number of the four; arrays of one shape give an array."""
        base = (tag << LABEL_BITS) + label
        return ((base << CLASS_BITS) + kind << PREPOSITION_BITS) + preposition

    @staticmethod
    def unpack(state: Any) -> tuple[Any, Any, Any, Any]:
        """Return tag, label, class and preposition."""
        rest = state >> PREPOSITION_BITS
        base = rest >> CLASS_BITS
        return base >> LABEL_BITS, base & 63, rest & 7, state & 31

    def with_class(self, state: Ints, kind: Ints) -> Ints:
        """Return states of class 0 with the class given."""
        return state + (kind << PREPOSITION_BITS)

    def right_class(self, state: Ints) -> Ints:
        """Return of which class a state as the last right dependent makes a noun."""
        tag, label, kind, _ = self.unpack(state)
        verb = self.nominal[tag] & self.noun_labels[label] & ((kind == 2) | (kind == 5))
        return np.where(verb, 5, self.classes[label])

    def closes(self, head: Ints, side: Any, state: Ints) -> NDArray[np.bool_]:
        """Tell whether a state may be the last dependent of a head on a side."""
        tag, _, kind, _ = self.unpack(head)
        _, label, *_ = self.unpack(state)
        right = ~self.nominal[tag] | (kind == self.right_class(state))
        left = ~self.verbal[tag] | (kind == self.subjects[label])
        closes: NDArray[np.bool_] = np.where(side == 1, right, left)
        return closes


def _class(label: str) -> int:
    if label in NOUN_LABELS:
        return 1
    return 2 if label in CLAUSES else 3 if label == "conj" else 4
