"""The best trees of sentences by the original's grammar.

Everything is tried, so no better tree can have been left out. The chart is filled by
numba where it is installed, otherwise by numpy, with the same bits. Of equally good
trees the original takes, at each phrase from the top, the first of: the word itself,
binary rules by split and in the grammar's order, unary rules.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any, Final, NamedTuple

import numpy as np

from spicepy.parsing.conversion.trees import Node
from spicepy.parsing.exact import plain_chart
from spicepy.parsing.exact.lexicon import Leaf, TagLexicon
from spicepy.parsing.exact.pcfg import BOUNDARY, ROOT, Pcfg
from spicepy.parsing.exact.rules import Rules, arranged, label

Phrase = tuple[int, int, int]
"""A phrase: its state and where it begins and ends."""
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
    """Finds the best trees by one grammar; safe in threads.

    Args:
        grammar: The grammar.
        spelling: See `TagLexicon`.
        chart: The module that fills charts; by default the fastest that is installed.
    """

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
        """Return the best tree of each sentence; None where there is none.

        A sentence that the tags of its words do not allow to parse is parsed again with
        every tag open for every word.
        """
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
    """Return the best tree of a phrase.

    Args:
        rules: The rules.
        labels: The label of each state in a tree, "" for halves of longer rules.
        words: The tags of each word.
        last_step: See `plain_chart.last_step`, of this sentence's chart.
        whole: The phrase.
    """
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
