"""The original's own trees of captions, by the grammar that the user has added.

The best tree of phrases is found by trying everything; `conversion` gives its heads and
labels.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from types import ModuleType
from typing import Any, Final, NamedTuple

import numpy as np

from spicepy.common.errors import ResourceError
from spicepy.common.resources import folder
from spicepy.parsing.conversion import dependencies
from spicepy.parsing.conversion.trees import Node
from spicepy.parsing.exact import plain_chart
from spicepy.parsing.exact.pcfg import BOUNDARY, ROOT, Pcfg
from spicepy.parsing.exact.weights import Leaf, Rules, TagLexicon, arranged, label
from spicepy.parsing.trees import Annotations, Parse, with_lemmas
from spicepy.tokenization.ptb import tokenize

# The best trees of sentences by the original's grammar.
#
# Everything is tried, so no better tree can have been left out. The chart is filled by
# numba where it is installed, otherwise by numpy, with the same bits. Of equally good
# trees the original takes, at each phrase from the top, the first of: the word itself,
# binary rules by split and in the grammar's order, unary rules.

Phrase = tuple[int, int, int]  # A phrase: its state and where it begins and ends
LastStep = Callable[[Phrase, float], tuple[int, int]]

MEMORY: Final = 120_000_000
"""The maximum bytes of charts that are filled together, unless one is larger."""


class Tree(NamedTuple):
    """A tree and its score, the natural logarithm of its probability."""

    root: Node
    score: float


@cache
def chart_module() -> ModuleType:
    """Return the module that fills charts: the compiled one if numba is installed."""
    try:
        from spicepy.parsing.exact import compiled_chart
    except ImportError:
        return plain_chart
    return compiled_chart


class Search:
    """Finds the best trees by one grammar; safe in threads."""

    def __init__(
        self,
        grammar: Pcfg,
        spelling: Mapping[str, str],
        chart: ModuleType | None = None,
    ) -> None:
        self.lexicon = TagLexicon(grammar, spelling)
        self.chart = chart or chart_module()
        self.rules = arranged(grammar)
        self.labels = list(map(label, grammar.states))
        self.root = grammar.states.index(ROOT)
        self.boundary = Leaf(
            np.array([grammar.states.index(BOUNDARY)]), np.zeros(1, np.float32)
        )

    def trees(self, sentences: Sequence[Sequence[str]]) -> list[Tree | None]:
        """Return the best tree of each sentence; None where there is none."""
        # A sentence that the tags of its words do not allow to parse is parsed again
        # with every tag open for every word.
        trees = self._trees(sentences, every_tag=False)
        missing = [n for n, tree in enumerate(trees) if tree is None and sentences[n]]
        again = self._trees([sentences[n] for n in missing], every_tag=True)
        for number, tree in zip(missing, again):
            trees[number] = tree
        return trees

    def _trees(
        self, sentences: Sequence[Sequence[str]], every_tag: bool
    ) -> list[Tree | None]:
        # Sentences with equal beginnings have more rules in common.
        order = sorted(range(len(sentences)), key=lambda n: tuple(sentences[n]))
        leaves = [
            [
                self.lexicon.leaf(word, n, every_tag)
                for n, word in enumerate(sentences[number])
            ]
            for number in order
        ]
        trees = self.trees_of_leaves(leaves)
        by_number = dict(zip(order, trees))
        return [by_number[number] for number in range(len(sentences))]

    def trees_of_leaves(self, leaves: Sequence[Sequence[Leaf]]) -> list[Tree | None]:
        """Return the best tree of each sentence, given the tags of its words."""
        trees: list[Tree | None] = [None] * len(leaves)
        chart = None  # its memory is reused by the next one
        for numbers in self._groups(leaves):
            sentences = [[*leaves[number], self.boundary] for number in numbers]
            chart = self.chart.fill(self.rules, sentences, len(self.labels), chart)
            for sentence, number in enumerate(numbers):
                trees[number] = self._read(sentences[sentence], chart, sentence)
        return trees

    def _groups(self, leaves: Sequence[Sequence[Leaf]]) -> Iterator[list[int]]:
        """Yield the numbers of sentences of one length that are searched together."""
        groups = defaultdict(list)
        for number, own in enumerate(leaves):
            if own:
                groups[len(own)].append(number)
        for words, group in groups.items():
            spans = (words + 1) * (words + 2) // 2
            fit = MEMORY // self.chart.bytes_of(spans, len(self.labels))
            many = max(1, min(self.chart.TOGETHER, fit))
            for start in range(0, len(group), many):
                yield group[start : start + many]

    def _read(self, words: Sequence[Leaf], chart: Any, sentence: int) -> Tree | None:
        whole = self.root, 0, len(words)
        score = self.chart.score_of(chart, sentence, whole)
        if score == -np.inf:
            return None

        def last_step(place: tuple[int, int, int], reached: float) -> Any:
            made_of, single = self.rules.made_of, self.rules.single
            return self.chart.last_step(
                made_of, single, chart, sentence, place, reached
            )

        tree = _read_tree(self.rules, self.labels, words, last_step, whole)
        return Tree(tree.children[0], score)


def _read_tree(
    rules: Rules, labels: Sequence[str], words: Sequence[Leaf], last_step: LastStep,
    whole: Phrase,
) -> Node:  # fmt: skip
    """Return the best tree of a phrase; halves of longer rules have the label ""."""
    top: list[Any] = []
    stack: list[tuple[Phrase, list[Any]]] = [(whole, top)]
    made: list[tuple[list[Any], int, str, list[Any]]] = []
    while stack:
        place, parts = stack.pop()
        state, begin, end = place
        rule, split = last_step(place, _as_word(words, place))
        if rule < 0:
            parts.append(Node(labels[state], (), begin))
            continue
        if labels[state]:
            children: list[Any] = []
            made.append((parts, len(parts), labels[state], children))
            parts.append(None)
            parts = children
        if split:
            left, right = rules.made_of.left[rule], rules.made_of.right[rule]
            stack.append(((int(right), split, end), parts))
            stack.append(((int(left), begin, split), parts))
        else:
            stack.append(((int(rules.single.below[rule]), begin, end), parts))
    for parts, number, name, children in reversed(made):
        parts[number] = Node(name, tuple(children))
    root: Node = top[0]
    return root


def _as_word(words: Sequence[Leaf], place: Phrase) -> float:
    """Return the score of a phrase that is a word with its tag, otherwise -inf."""
    state, begin, end = place
    if end > begin + 1:
        return -np.inf
    states, scores = words[begin]
    number = int(np.searchsorted(states, state))
    there = number < len(states) and states[number] == state
    return float(scores[number]) if there else -np.inf


DATA: Final = "english-pcfg"
"""The folder of tables that belong to the grammar, in `grammars/`."""


class ExactParser:
    """Parses with one grammar; safe in threads."""

    def __init__(self, grammar: Pcfg) -> None:
        self.search = Search(grammar, spelling())

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Parse]:
        """Return the dependency tree of each sentence, with lemmas."""
        tokenised = list(map(tokens, sentences))
        return list(map(with_lemmas, tokenised, self.analyse(tokenised)))

    def analyse(self, sentences: Sequence[Sequence[str]]) -> list[Annotations]:
        """Return tags, heads and labels of each sentence."""
        # A mark that stands outside the tree hangs on the root, labelled "punct".
        trees = self.search.trees(sentences)
        return [
            _analysis(tree.root, words) if tree else _without_tree(words)
            for tree, words in zip(trees, sentences, strict=True)
        ]


@lru_cache(maxsize=1)
def spelling() -> dict[str, str]:
    """Return the words whose spelling the original changes before it looks them up."""
    path = folder() / DATA / "spelling.tsv"
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return dict(line.split("\t") for line in lines)
    except (OSError, ValueError) as error:
        raise ResourceError(f"{path}: cannot be read: {error!r}") from None


def tokens(words: Sequence[str]) -> list[str]:
    """Return the words of a sentence as the original's own tokeniser has them."""
    # It reads captions that were tokenised once more: a stop at the end is separated
    # from its word ("a trash can."), and is doubled behind an abbreviation ("blvd. .").
    if all(map(str.isalpha, words)):
        return list(words)
    [line] = tokenize([" ".join(words)], punctuation=True)
    return line.split(" ") if line else []


def data_digest() -> str:
    """Return a digest of all tables that decide trees, besides the grammar itself."""
    digest = hashlib.sha256()
    for path in sorted((folder() / DATA).iterdir()):
        digest.update(f"{path.name}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def _analysis(root: Node, words: Sequence[str]) -> Annotations:
    tags = _tags(root)
    heads, labels = dependencies(root, words)
    place = heads.index(0) + 1 if 0 in heads else 1
    heads[place - 1] = 0
    labels[place - 1] = "root"
    return Annotations(
        tuple(tags),
        tuple(place if head < 0 else head for head in heads),
        tuple("punct" if head < 0 else label for head, label in zip(heads, labels)),
    )


def _tags(root: Node) -> list[str]:
    """Return the tags of a tree from left to right."""
    tags, stack = [], [root]
    while stack:
        node = stack.pop()
        if node.children:
            stack += reversed(node.children)
        else:
            tags.append(node.label)
    return tags


def _without_tree(words: Sequence[str]) -> Annotations:
    """Return an analysis of words that have no tree: the first governs the others."""
    count = len(words)
    heads = tuple(min(1, place) for place in range(count))
    labels = tuple("dep" if place else "root" for place in range(count))
    return Annotations(("X",) * count, heads, labels)
