"""Words of sentences in, the best tree of each by the original's grammar out.

Every tree is proven to be the best: a tree is accepted only if its score is above what
was looked for, so that nothing as good can have been left out (`bounds`). Otherwise the
search goes on, with a finer picture of the grammar or further down.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from spicepy.parsing.conversion.trees import Node
from spicepy.parsing.exact.bounds import MARGIN, Bounder
from spicepy.parsing.exact.chart import Cells, Joins, Raises, fill
from spicepy.parsing.exact.closure import closed
from spicepy.parsing.exact.lexicon import Leaf, Lexicon
from spicepy.parsing.exact.pcfg import ROOT
from spicepy.parsing.exact.projection import UNIT, Projection, grouped
from spicepy.parsing.exact.reading import Reader

TOGETHER: Final = 64
"""Sentences that are searched together."""
SLACK: Final = (4.0, 5.0, 5.0)
"""Nats below the best coarse tree that are searched first in each projection."""
FURTHER: Final = 1.5
"""How much further each search in the last projection goes than the one before."""
FURTHEST: Final = 400.0
"""Nats below the best coarse tree at which a sentence is taken to have no tree."""


class Tree(NamedTuple):
    """A tree and its score, and what was looked for: all trees above this limit."""

    root: Node
    score: float
    limit: float


class Search:
    """Finds the best trees by one grammar; safe in threads.

    Args:
        projections: Coarse pictures of the grammar, the coarsest first.
        spelling: See `Lexicon`.
    """

    def __init__(
        self, projections: Sequence[Projection], spelling: Mapping[str, str]
    ) -> None:
        self.lexicon = Lexicon(projections[0].grammar, spelling)
        self.levels = [_Level(projection) for projection in projections]

    def trees(self, sentences: Sequence[Sequence[str]]) -> list[Tree | None]:
        """Return the best tree of each sentence; None where there is none.

        A sentence that the tags of its words do not allow to parse is parsed again with
        every tag open for every word.
        """
        found = self._trees(sentences, every_tag=False)
        missing = [n for n, tree in enumerate(found) if tree is None and sentences[n]]
        again = self._trees([sentences[n] for n in missing], every_tag=True)
        for number, tree in zip(missing, again):
            found[number] = tree
        return found

    def _trees(
        self, sentences: Sequence[Sequence[str]], every_tag: bool
    ) -> list[Tree | None]:
        return self.trees_of_leaves(
            [
                [self.lexicon.leaf(word, n, every_tag) for n, word in enumerate(words)]
                for words in sentences
            ]
        )

    def trees_of_leaves(self, leaves: Sequence[Sequence[Leaf]]) -> list[Tree | None]:
        """Return the best tree of each sentence, of whose words the tags are given."""
        found: list[Tree | None] = [None] * len(leaves)
        left = [number for number, own in enumerate(leaves) if own]
        for level, slack in self._attempts():
            for numbers in _together(left, leaves):
                own = [leaves[number] for number in numbers]
                reached = [
                    -np.inf if (tree := found[number]) is None else tree.score
                    for number in numbers
                ]
                trees = level.search(own, slack, reached)
                for number, tree in zip(numbers, trees):
                    found[number] = tree or found[number]
            left = [n for n in left if (tree := found[n]) is None or not proven(tree)]
            if not left:
                break
        return found

    def _attempts(self) -> Iterator[tuple["_Level", float]]:
        """Yield where to search, and how many nats down."""
        for level, slack in zip(self.levels, SLACK):
            yield level, slack
        while (slack := slack * FURTHER) < FURTHEST:
            yield level, slack


def proven(tree: Tree) -> bool:
    """Return whether no other tree can be better."""
    return tree.score >= tree.limit + MARGIN


def _together(
    numbers: Sequence[int], leaves: Sequence[Sequence[Leaf]]
) -> Iterator[list[int]]:
    """Yield the numbers of sentences of one length that are searched together."""
    groups = defaultdict(list)
    for number in numbers:
        groups[len(leaves[number])].append(number)
    for words, group in groups.items():
        many = max(1, min(TOGETHER, TOGETHER * 16 // words**2 * 16))
        for start in range(0, len(group), many):
            yield group[start : start + many]


class _Level:
    """A projection and what is worked out from it once."""

    def __init__(self, projection: Projection) -> None:
        self.projection, grammar = projection, projection.grammar
        self.bounder = Bounder(projection)
        self.root = grammar.states.index(ROOT)
        self.of_pair = grouped(projection.binary.child, len(projection.pairs[0]))
        states = len(grammar.states)
        above, below, score = closed(grammar)
        self.chains = Raises(above, score, grouped(below, states))
        self.single_steps = Raises(
            grammar.above, grammar.unary_score, grouped(grammar.below, states)
        )
        self.boundary = Leaf(np.array([projection.boundary]), np.zeros(1, np.float32))

    def search(
        self,
        leaves: Sequence[Sequence[Leaf]],
        slack: float,
        reached: Sequence[float],
    ) -> list[Tree | None]:
        """Search in sentences of one length; None where there is no tree so far down.

        Args:
            leaves: The leaf of each word of each sentence.
            slack: Nats below the best coarse tree.
            reached: The score of a tree of each sentence, -inf if none is known.
        """
        with_boundary = [[*own, self.boundary] for own in leaves]
        bounds = self.bounder.bounds(with_boundary, slack, reached)
        cells = Cells(self.projection, bounds)
        words = self._enter(cells, with_boundary)
        joins = Joins(cells, self.of_pair, bounds.edges)
        reader = Reader(fill(cells, joins, self.chains, self.single_steps), words)
        last, limits = bounds.places - 1, bounds.limit + bounds.scale[-1]
        found: list[Tree | None] = []
        for sentence in range(len(leaves)):
            score = reader.score(self.root, last, sentence)
            if score > -np.inf:
                whole = reader.tree(self.root, last, sentence)
                limit = float(limits[sentence]) / UNIT
                found.append(Tree(whole.children[0], score, limit))
            else:
                found.append(None)
        return found

    def _enter(
        self, cells: Cells, leaves: Sequence[Sequence[Leaf]]
    ) -> dict[int, float]:
        """Enter the words' scores; return those of open places."""
        places = cells.bounds.places
        words: dict[int, float] = {}
        for sentence, own in enumerate(leaves):
            for begin, (states, scores) in enumerate(own):
                symbols = self.projection.symbol[states]
                span = begin * places + begin + 1
                cell = cells.number(span, symbols, sentence)
                is_open = np.flatnonzero(cells.begin[cell] >= 0)
                place = cells.place(cell[is_open], states[is_open])
                cells.values[place] = scores[is_open]
                words.update(zip(place.tolist(), scores[is_open].tolist()))
        return words
