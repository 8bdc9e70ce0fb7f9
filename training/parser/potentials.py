"""Learn potentials of the exact parser: how a coarse picture's bounds become tight.

Usage: python -m training.parser.potentials MODEL CAPTIONS --output FILE [--rounds N]

MODEL is the original's grammar (see `spicepy model add`), CAPTIONS a text file of
tokenised captions, one a line. FILE (`.npz`) gets the symbol and the potential of each
state; none of the grammar's numbers are in it.

For each caption the best coarse tree is found, and of each coarse rule in it the rule
that gave its score. Where a rule makes one state and the rule above takes another, the
tree is none of the grammar's. The potential of the state that is taken is lowered, that
of the state that is made is raised, so that both agree next time or the tree costs
more: a subgradient step on the dual of "both are the same state", with step sizes of
AdaGrad.
"""

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spicepy.parsing.exact.bounds import SHORT, Bounder, _Chart
from spicepy.parsing.exact.closure import closed
from spicepy.parsing.exact.extracting import extract
from spicepy.parsing.exact.lexicon import Leaf, Lexicon
from spicepy.parsing.exact.parser import spelling
from spicepy.parsing.exact.pcfg import ROOT, Ints, Pcfg
from spicepy.parsing.exact.projection import UNIT, Groups, Projection, grouped
from spicepy.parsing.exact.sources import read_model
from training.parser.state_symbols import coarse_symbols, fine_symbols

TOGETHER = 16
"""Captions of one length that make a step."""
STEP = 1.0
"""Nats of the first steps; the last ones are a tenth."""


def main() -> int:
    """Learn the potentials of both pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("model", type=Path, help="the original's model")
    parser.add_argument("captions", type=Path, help="tokenised captions, one a line")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=20, help="passes over CAPTIONS")
    options = parser.parse_args()
    grammar = extract(read_model(options.model))
    captions = [line.split() for line in options.captions.read_text().splitlines()]
    arrays: dict[str, Any] = {}
    potential = np.zeros(len(grammar.states))
    for number, symbols in enumerate((coarse_symbols, fine_symbols)):
        symbol = symbols(grammar)
        # The finer picture begins with what the coarser one has learnt.
        potential = learn(grammar, symbol, potential, captions, options.rounds)
        arrays[f"symbol{number}"] = symbol.astype("<i2")
        arrays[f"potential{number}"] = potential.astype("<f2")
    np.savez_compressed(options.output, **arrays)
    return 0


def learn(
    grammar: Pcfg,
    symbol: Ints,
    potential: Any,
    captions: Sequence[Sequence[str]],
    rounds: int,
) -> Any:
    """Return the potential of each state, (states,); print the mean bound a round."""
    lexicon = Lexicon(grammar, spelling())
    learner = Learner(Projection(grammar, symbol, np.array(potential)))
    boundary = Leaf(np.array([learner.projection.boundary]), np.zeros(1, np.float32))
    leaves = [
        [*(lexicon.leaf(word, place) for place, word in enumerate(words)), boundary]
        for words in captions
        if words
    ]
    for number in range(rounds):
        begin, done = time.process_time(), number / rounds
        step = STEP * (1 if done < 0.5 else 0.5 if done < 0.75 else 0.1)
        total = sum(learner.step(batch, step) for batch in _batches(leaves))
        seconds = time.process_time() - begin
        print(f"round {number}: mean bound {total / len(leaves):.3f}, {seconds:.0f} s")
    return learner.projection.potential


def _batches(leaves: Sequence[list[Leaf]]) -> Iterator[list[list[Leaf]]]:
    by_length = defaultdict(list)
    for own in random.sample(leaves, len(leaves)):
        by_length[len(own)].append(own)
    batches = [
        own[start : start + TOGETHER]
        for own in by_length.values()
        for start in range(0, len(own), TOGETHER)
    ]
    random.shuffle(batches)
    yield from batches


class Learner:
    """Potentials that are being learnt; `projection` holds them."""

    def __init__(self, projection: Projection) -> None:
        self.projection = projection
        self.bounder = Bounder(projection)
        self.chains = closed(projection.grammar)
        self.root = projection.grammar.states.index(ROOT)
        self.squares = np.full(len(projection.symbol), 0.01)
        symbols = projection.symbols
        self.binary_of_parent = grouped(projection.binary.parent, symbols)
        self.unary_of_parent = grouped(projection.unary.parent, symbols)

    def step(self, batch: Sequence[list[Leaf]], size: float) -> float:
        """Change the potentials by captions of one length; return their bounds' sum."""
        words = len(batch[0])
        kind = np.int16 if words <= SHORT else np.float32
        chart = _RawChart(self.bounder, words, len(batch), kind)
        scale = chart.add_words(batch)
        for width in range(2, words + 1):
            for begin in range(words + 1 - width):
                chart.fill(begin, begin + width)
        gradient = np.zeros(len(self.squares))
        for sentence, leaves in enumerate(batch):
            for state, sign in self.uses(chart, leaves, sentence):
                gradient[state] += sign
        gradient[self.root] = 0
        self.squares += gradient**2
        self.projection.potential[:] -= size * gradient / np.sqrt(self.squares)
        self.update()
        whole = chart.inside[words][self.bounder.root].astype(np.intp) + scale[-1]
        return float(whole.sum()) / UNIT

    def update(self) -> None:
        """Score the coarse rules anew."""
        projection, bounder = self.projection, self.bounder
        potential, grammar = projection.potential, projection.grammar
        score = grammar.score + potential[grammar.left] + potential[grammar.right]
        above, below, chain_score = self.chains
        both = (
            (projection.binary, score - potential[grammar.parent]),
            (projection.unary, chain_score + potential[below] - potential[above]),
        )
        for rules, own in both:
            rules.fine_score[:] = np.ceil(own * UNIT)
            best = rules.fine_score[rules.fine.members]
            rules.score[:] = np.maximum.reduceat(best, rules.fine.begins[:-1])
        order = bounder.by_parent.maximum.order
        bounder.parent_score = projection.binary.score[order][:, None]
        order = bounder.upwards.maximum.order
        bounder.upward_score = projection.unary.score[order][:, None]

    def uses(
        self, chart: "_RawChart", leaves: Sequence[Leaf], sentence: int
    ) -> Iterator[tuple[int, int]]:
        """Yield the states of the best coarse tree: 1 if taken, -1 if made."""
        projection, grammar = self.projection, self.projection.grammar
        inside = chart.inside[:, :, sentence].astype(np.intp)
        above, below, _ = self.chains
        stack = [(0, chart.words, self.bounder.root, self.root)]
        while stack:
            begin, end, symbol, state = stack.pop()
            yield state, 1
            span = chart.span(begin, end)
            raw = chart.raw[span][:, sentence].astype(np.intp)
            if raw[symbol] < inside[span, symbol]:
                own = _members(self.unary_of_parent, symbol)
                scores = raw[projection.unary.child[own]] + projection.unary.score[own]
                rule = self._fine(projection.unary, own[np.argmax(scores)])
                yield above[rule], -1
                yield below[rule], 1
                symbol = projection.symbol[below[rule]]
            if end == begin + 1:
                states, scores = leaves[begin]
                own = np.flatnonzero(projection.symbol[states] == symbol)
                best = np.argmax(scores[own] - projection.potential[states[own]])
                yield states[own[best]], -1
                continue
            rule, split = self._best_rule(chart, inside, begin, end, symbol)
            yield grammar.parent[rule], -1
            left, right = int(grammar.left[rule]), int(grammar.right[rule])
            stack.append((begin, split, projection.symbol[left], left))
            stack.append((split, end, projection.symbol[right], right))

    def _best_rule(
        self, chart: "_RawChart", inside: Ints, begin: int, end: int, symbol: int
    ) -> tuple[int, int]:
        left, right, _ = self.projection.pairs
        rules = self.projection.binary
        own = _members(self.binary_of_parent, symbol)
        pair = rules.child[own]
        scores = np.stack(
            [
                inside[chart.span(begin, split)][left[pair]]
                + inside[chart.span(split, end)][right[pair]]
                for split in range(begin + 1, end)
            ]
        )
        place, best = divmod(int((scores + rules.score[own]).argmax()), len(own))
        return self._fine(rules, own[best]), begin + 1 + place

    def _fine(self, rules: Any, coarse: int) -> int:
        """Return the rule that a coarse rule has its score from."""
        own = _members(rules.fine, coarse)
        return int(own[np.argmax(rules.fine_score[own])])


def _members(groups: Groups, group: int) -> Ints:
    return groups.members[groups.begins[group] : groups.begins[group + 1]]


class _RawChart(_Chart):
    """A chart that keeps what cells were before unary rules."""

    def __init__(self, *options: Any) -> None:
        super().__init__(*options)
        self.raw: dict[int, Any] = {}
        self._spans = (
            self.span(begin, begin + width)
            for width in range(1, self.words + 1)
            for begin in range(self.words + 1 - width)
        )

    def _with_chains(self, cell: Any) -> Any:
        self.raw[next(self._spans)] = cell.copy()
        return super()._with_chains(cell)


if __name__ == "__main__":
    raise SystemExit(main())
