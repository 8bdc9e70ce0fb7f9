"""Pruned against dense: the exact parser's trees beside those of a chart of everything.

In: captions of `silver-kbest/captions-01` of the shared data; the user's
`english-pcfg-3.6.0`. Out: captions whose tree or score by the pruned search differs
from an exhaustive chart in plain numpy, which scores every rule at every split;
milliseconds of processor time a caption of each. Exit status 0 if none differs.

    python -m benchmarks.parity.exact_dense --shared DIR [--limit N] [--record]
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.figures import figure, run
from benchmarks.java_oracle import shared_parser
from benchmarks.parity.exact_captions import brackets, captions
from spicepy.parsing.conversion.trees import Node
from spicepy.parsing.exact.closure import closed
from spicepy.parsing.exact.installed import EXACT, load_grammar
from spicepy.parsing.exact.lexicon import Leaf, Lexicon
from spicepy.parsing.exact.parser import projections, spelling
from spicepy.parsing.exact.pcfg import BOUNDARY, ROOT, Pcfg
from spicepy.parsing.exact.projection import label
from spicepy.parsing.exact.searching import Search

NEVER = np.float32(-np.inf)


def main() -> int:
    """Compare the search with the exhaustive chart."""
    parser = shared_parser(__doc__)
    parser.add_argument("--limit", type=int, default=300, help="captions")
    options = parser.parse_args()
    found = [words for words, _ in captions(options.shared, limit=options.limit)]
    grammar = load_grammar(EXACT)
    pictures, table = projections(grammar), spelling()
    dense = Dense(grammar, Lexicon(grammar, table))
    expected = [_timed(dense.tree, words) for words in found]
    figure("captions", len(found))
    figure("dense.ms", 1000 * sum(s for _, s in expected) / len(found), 1)
    print(f"{len(found)} captions; dense: {_mean(expected):.1f} ms a caption")
    search = Search(pictures, table)
    search.trees(found[:1])
    start = time.process_time()
    trees = search.trees(found)
    each = 1000 * (time.process_time() - start) / len(found)
    differs = sum(
        tree is None or (brackets(tree.root), tree.score) != own
        for tree, (own, _) in zip(trees, expected)
    )
    print(f"pruned: {each:.1f} ms a caption, {differs} differences")
    figure("pruned.differences", differs)
    figure("pruned.ms", each, 1)
    return int(differs > 0)


def _timed(way: Callable[[list[str]], Any], words: list[str]) -> tuple[Any, float]:
    start = time.process_time()
    return way(words), time.process_time() - start


def _mean(timed: Sequence[tuple[Any, float]]) -> float:
    return 1000 * sum(seconds for _, seconds in timed) / len(timed)


class Dense:
    """The exhaustive chart, a score for each state of each span."""

    def __init__(self, grammar: Pcfg, lexicon: Lexicon) -> None:
        self.grammar, self.lexicon = grammar, lexicon
        self.states = len(grammar.states)
        order = np.argsort(grammar.parent, kind="stable")
        self.left, self.right = grammar.left[order], grammar.right[order]
        self.score = grammar.score[order]
        self.parents, self.begins = np.unique(grammar.parent[order], return_index=True)
        self.ends = np.append(self.begins[1:], len(order))
        self.chains = closed(grammar)
        self.root = grammar.states.index(ROOT)
        boundary = np.array([grammar.states.index(BOUNDARY)])
        self.boundary = Leaf(boundary, np.zeros(1, np.float32))

    def tree(self, words: list[str]) -> tuple[str, float] | None:
        """Return the brackets of the best tree and its score, None if none."""
        leaves = [self.lexicon.leaf(word, place) for place, word in enumerate(words)]
        chart = self._chart([*leaves, self.boundary])
        score = float(chart[0, len(words) + 1][self.root])
        if score == NEVER:
            return None
        [whole] = self._read(chart, leaves, self.root, 0, len(words) + 1)
        return brackets(whole.children[0]), score

    def _chart(self, leaves: list[Leaf]) -> dict[tuple[int, int], Any]:
        chart: dict[tuple[int, int], Any] = {}
        for width in range(1, len(leaves) + 1):
            for begin in range(len(leaves) + 1 - width):
                end = begin + width
                cell = np.full(self.states, NEVER)
                if width == 1:
                    cell[leaves[begin].states] = leaves[begin].scores
                else:
                    best = np.full(len(self.score), NEVER)
                    for split in range(begin + 1, end):
                        parts = self.score + chart[begin, split][self.left]
                        parts += chart[split, end][self.right]
                        np.maximum(best, parts, out=best)
                    cell[self.parents] = np.maximum.reduceat(best, self.begins)
                above, below, score = self.chains
                raised = cell[below] + score
                np.maximum.at(cell, above, raised)
                chart[begin, end] = cell
        return chart

    def _read(
        self, chart: Any, leaves: list[Leaf], state: int, begin: int, end: int
    ) -> tuple[Node, ...]:
        """Return the best tree of a state, or the parts if it is half of a rule."""
        best, parts = -np.inf, None
        if end == begin + 1:
            leaf = self.boundary if begin == len(leaves) else leaves[begin]
            for own, score in zip(*leaf):
                if own == state:
                    best, parts = float(score), ()
        found = np.searchsorted(self.parents, state)
        if found < len(self.parents) and self.parents[found] == state:
            rules = slice(self.begins[found], self.ends[found])
            for split in range(begin + 1, end):
                scores = self.score[rules].astype(float)
                scores = scores + chart[begin, split][self.left[rules]]
                scores = scores + chart[split, end][self.right[rules]]
                first = int(scores.argmax())
                if scores[first] > best:
                    rule = rules.start + first
                    best = scores[first]
                    parts = (
                        (self.left[rule], begin, split),
                        (self.right[rule], split, end),
                    )
        for number in np.flatnonzero(self.grammar.above == state):
            below = self.grammar.below[number]
            score = float(self.grammar.unary_score[number])
            score += float(chart[begin, end][below])
            if score > best:
                best, parts = score, ((below, begin, end),)
        name = label(self.grammar.states[state])
        if not parts:
            return (Node(name, (), begin),)
        children = tuple(n for part in parts for n in self._read(chart, leaves, *part))
        return (Node(name, children),) if name else children


if __name__ == "__main__":
    raise SystemExit(run(main, "exact_dense"))
