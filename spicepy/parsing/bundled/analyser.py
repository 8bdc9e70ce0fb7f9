"""The tags, heads and labels of sentences.

The network reads every sentence. Of those it is not sure of, the original's grammar
decides among what the network leaves open.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from spicepy.common.threads import ReferenceCountedSetup
from spicepy.parsing.bundled.chart import Node, best_trees
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.bundled.scores import Group, batches, by_length, decode, margins
from spicepy.parsing.bundled.weights import (
    CandidateChoices,
    PhraseGrammar,
    open_choices,
)
from spicepy.parsing.bundled.words import DEFAULT, ParserThresholds
from spicepy.parsing.list_repairs import repair_lists
from spicepy.parsing.trees import (
    Annotations,
    Parse,
    drop_unread_marks,
    positions_read,
    with_lemmas,
    with_punctuation,
)

# The grammar's tags, heads and labels of sentences with a network's scores.
#
# A phrase has a head: the word of it that depends on none of the others. For each rule
# with the tags of its parts' heads, the attachments say which part has the head of the
# whole ("*"), and on which part's head each other one depends, with which label ("1
# nsubj"). They were read off the original's analyses (`training/grammar`); what they do
# not have exactly is looked up without the tags. Some labels depend on words, or on
# what else hangs on a word: these are mended at the end.

HEAD: Final = "*"
AFTER_THERE: Final = " EX"
"""Marks rules of phrases that follow a "there": "is" is then no copula."""

UNKNOWN_LABEL: Final = "dep"
SUBJECTS: Final = "nsubj", "nsubjpass"
CLAUSES: Final = "ccomp", "xcomp", "advcl"


def reparse(
    groups: Sequence[Group],
    grammar: PhraseGrammar,
    tags: Sequence[str],
    thresholds: ParserThresholds = DEFAULT,
) -> list[Annotations | None]:
    """Return the grammar's analysis of each sentence; None if it has no open tree."""
    if not groups:
        return []
    choices = CandidateChoices.joined(
        [
            open_choices(group, list(tags), thresholds.open_tag, thresholds.open_head)
            for group in groups
        ]
    )
    trees = best_trees(choices, grammar, thresholds)
    return [
        attach(tree, grammar, words) if tree else None
        for tree, words in zip(trees, choices.sentences, strict=True)
    ]


def attach(tree: Node, grammar: PhraseGrammar, words: Sequence[str]) -> Annotations:
    """Return the tags, heads (from 1, 0 for the root) and labels of a tree's words."""
    tags: list[str] = []
    heads, labels = [0] * len(words), ["root"] * len(words)
    _head_of(tree, grammar, tags, heads, labels)
    mend_labels(words, heads, labels)
    return Annotations(tuple(tags), tuple(heads), tuple(labels))


def _head_of(
    node: Node,
    grammar: PhraseGrammar,
    tags: list[str],
    heads: list[int],
    labels: list[str],
) -> int:
    """Attach all words of a phrase to each other but its head, and return that."""
    # Their tags are added to those of the words before.
    symbol, begin, _, parts = node
    if not parts:
        tags.append(grammar.tags[symbol])
        return begin
    if len(parts) == 1:
        return _head_of(parts[0], grammar, tags, heads, labels)
    below = [_head_of(part, grammar, tags, heads, labels) for part in parts]
    there = begin > 0 and tags[begin - 1] == "EX"
    bare = [grammar.bare[part[0]] for part in parts]
    rule = key(grammar.bare[symbol], bare, [tags[word] for word in below], there)
    rule_head = grammar.attachments.get(rule) or grammar.attachments.get(
        key(grammar.bare[symbol], bare)
    )
    ways = (
        rule_head.split() if rule_head else [HEAD] + ["0", UNKNOWN_LABEL] * len(below)
    )
    return _attach(below, ways, heads, labels)


def _attach(
    words: list[int], ways: list[str], heads: list[int], labels: list[str]
) -> int:
    """Attach the heads of parts to each other; return the head of all."""
    rest, top = iter(ways), words[0]
    for word in words:
        way = next(rest)
        if way == HEAD:
            top = word
        else:
            heads[word], labels[word] = words[int(way)] + 1, next(rest)
    return top


def mend_labels(words: Sequence[str], heads: Sequence[int], labels: list[str]) -> None:
    """Correct labels that the phrases alone do not determine."""
    # A subject is passive if its verb has a passive auxiliary. "No" is a negation.
    # Whether a clause is a complement depends on the word that it begins with; one with
    # neither such a word nor a subject of its own is an open complement.
    below: list[list[int]] = [[] for _ in words]
    for position, head in enumerate(heads):
        if head:
            below[head - 1].append(position)
    for position, label in enumerate(labels):
        if label in SUBJECTS:
            verb = below[heads[position] - 1]
            labels[position] = SUBJECTS[any(labels[n] == "auxpass" for n in verb)]
        elif label == "det" and words[position] == "no":
            labels[position] = "neg"
        elif label in CLAUSES:
            children = below[position]
            marks = [words[n] for n in children if labels[n] == "mark"]
            if not marks and label == "xcomp":
                subject = any(labels[n] in SUBJECTS for n in children)
                labels[position] = "ccomp" if subject else label
            elif marks and marks[0] != "to" and label != "xcomp":
                labels[position] = "ccomp" if marks[0] == "that" else "advcl"


def key(
    symbol: str, parts: list[str], tags: list[str] | None = None, there: bool = False
) -> str:
    """Return the key of a rule: with the tags of the parts' heads, or without."""
    rule = f"{symbol} > {' '.join(parts)}"
    if tags is None:
        return rule
    return f"{rule} | {' '.join(tags)}{AFTER_THERE if there else ''}"


# The files of a part of the parser: its names and its numbers.
#
# Most numbers are rounded to multiples of a power of two (`words`). Those that 16
# bits hold are written as whole numbers, and first the low bytes of all, then the high
# ones, of which there are few different: a fifth smaller than as floats. Of whole
# numbers that rise, as hashes do that are looked up by bisection, the steps are
# written, which takes half the room. The key of an array says how it is written.

WHOLE: Final = "whole"
STEPS: Final = "steps"
"""Ways to write whole numbers: as they are, and as what each is above the last."""


def read_part(folder: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return names and arrays."""
    names = json.loads((folder / "names.json").read_text(encoding="utf-8"))
    with np.load(folder / "arrays.npz") as arrays:
        return names, dict(_unpacked(*entry) for entry in arrays.items())


def _unpacked(key: str, array: NDArray[Any]) -> tuple[str, NDArray[Any]]:
    name, _, way = key.partition("/")
    if not way:
        return key, array
    way, _, kind = way.partition("/")
    numbers = _joined(array, kind or "<i2")
    if way == STEPS:
        return name, np.cumsum(numbers, dtype=numbers.dtype)
    if way == WHOLE:
        return name, numbers
    return name, numbers.astype(np.float32) / np.float32(way)


def _joined(planes: NDArray[np.uint8], kind: str) -> NDArray[Any]:
    joined = np.empty((*planes.shape[1:], len(planes)), np.uint8)
    for number, plane in enumerate(planes):
        joined[..., number] = plane
    return joined.view(kind)[..., 0]


# One thread for numpy's BLAS while a parser works, its own number afterwards.


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
    """Leave the switch of BLAS to other threads; the last to leave turns it back."""
    # From its version 3.8 on, threadpoolctl gives it to the thread that used it first,
    # until a `with` ends there.
    with _threads().limit(limits=None):
        pass


one_thread: Final = ReferenceCountedSetup(_limit_threads)
"""Let BLAS use one thread, for as long as any thread of Python needs that."""


class Analyser:
    """A network, and a grammar that decides where it is not sure, if there is one."""

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
        """Read the network, and the grammar if there is one, from a folder."""
        network = Network(*read_part(folder / "network"), thresholds)
        grammar = None
        if (folder / "grammar").is_dir():
            grammar = PhraseGrammar(*read_part(folder / "grammar"), thresholds)
        return cls(network, grammar, thresholds)

    def parse(self, sentences: Sequence[list[str]]) -> list[Parse]:
        """Parse sentences; marks that the model does not read hang on the root."""
        places = [positions_read(words, self.reads_commas) for words in sentences]
        annotations = self.analyse(list(map(drop_unread_marks, sentences, places)))
        whole = map(with_punctuation, sentences, places, annotations)
        if self.reads_commas:
            whole = map(repair_lists, sentences, whole)
        return list(map(with_lemmas, sentences, whole))

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
        for batch in batches(
            groups,
            limits.read_batch,
            length_ratio=limits.length_ratio,
            step_cost=limits.step_cost,
        ):
            read = self.network.read([group.sentences for group in batch])
            for group, scores in zip(batch, read, strict=True):
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
        return (annotations[index] for index in range(len(sentences)))

    def _best(self, group: Group) -> Iterable[tuple[int, Annotations]]:
        """Yield places with the annotations that the network's scores give."""
        if not group.scores or not len(group.places):
            return
        choices = decode(group.scores)
        rows = zip(group.places.tolist(), *(numbers.tolist() for numbers in choices))
        for index, tags, heads, labels in rows:
            names = tuple(map(self._tag, tags)), tuple(map(self._label, labels))
            yield index, Annotations(names[0], tuple(heads), names[1])

    def _reparsed(self, groups: Sequence[Group]) -> Iterator[tuple[int, Annotations]]:
        """Yield places with the grammar's annotations, or else the network's."""
        if not self.grammar:
            return
        tags = self.network.names["tags"]
        some = sorted((x for x in groups if len(x.places)), key=lambda x: x.length)
        for batch in batches(some, self.thresholds.span_batch, lambda n: (n + 1) ** 2):
            trees = iter(reparse(batch, self.grammar, tags, self.thresholds))
            for group in batch:
                decided = list(islice(trees, len(group.places)))
                yield from self._best(group.of(np.array([x is None for x in decided])))
                for index, analysis in zip(group.places.tolist(), decided):
                    if analysis:
                        yield index, analysis


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
