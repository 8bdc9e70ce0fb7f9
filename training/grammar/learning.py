"""The recipe of the grammar, from the original's scored trees and a network.

1. What rules and words are worth is fitted to the differences of the scores of the
   listed trees (`observations`, `fit_grammar`).
2. A tree that is not listed must score less than the last one that is. So captions are
   parsed with the grammar of before; each tree that it prefers wrongly is one more
   inequality, and all is fitted anew. This is done many times with some captions each.
   The mean of the last fits is taken.
3. How heads and labels follow from phrases is counted (`attach`), and all is written in
   the form that the chart reads (`compile_grammar`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Final

from spicepy.parsing.bundled.analyser import attach
from spicepy.parsing.bundled.chart import Node, best_trees
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.bundled.scores import by_length, margins
from spicepy.parsing.bundled.weights import PhraseGrammar, open_choices
from spicepy.parsing.bundled.words import ParserThresholds
from training.grammar.attachments import learn_attachments
from training.grammar.compiling import compile_grammar
from training.grammar.fitting import MIN_SHARE, Fitted, fit, mean
from training.grammar.kbest import Candidate, read_kbest
from training.grammar.observations import Observations
from training.grammar.symbols import Analysed, Rule, analysed

Caption = tuple[list[str], list[Candidate]]

REACH: Final = 4.0
"""More is left open than when captions are parsed,"""
WIDE: Final = ParserThresholds(beam=12.0, phrase_beam=12.0, word_beam=12.0)
"""more is looked at, so that no wrong tree is left out by luck,"""
SURE: Final = 3.0
"""and more captions are parsed with the grammar."""
LENGTHS: Final = range(2, 41)
"""The maximum number of words of captions that are parsed."""
BELOW: Final = 1.0
"""The margin by which a tree that is not listed should score less than the last listed
one,"""
VARIANT: Final = 0.3
"""and that by which other phrases for a listed analysis should score less than it."""
PROBE: Final = 0.01
"""The weight of a probe, beside 1 of a caption, in how frequent rules are."""
PROBED: Final = -8.0
"""The minimum score of a probe's tree."""
PARTS: Final = 64
"""The number of sentences that are parsed together."""
AVERAGED: Final = 4
"""The number of last fits, whose mean is better than each."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """The material of learning.

    Attributes:
        captions: Files of captions with their trees.
        probes: Files of probes.
        rounds: The number of times that captions are parsed to see what is wrong,
        corrected: and how many each time; after the last one, the first follows.
    """

    captions: Sequence[Path]
    probes: Sequence[Path] = ()
    rounds: int = 24
    corrected: int = 10_000


def learn_grammar(recipe: Recipe, network: Network) -> PhraseGrammar:
    """Return the grammar; the network decides which choices stay open.

    Raises:
        ValueError: No caption has brackets of all its trees.
    """
    if next(_whole(recipe.captions), None) is None:
        raise ValueError(
            f"no caption with brackets of all its trees: {recipe.captions}"
        )
    seen = Observations()
    for path in recipe.captions:
        for words, found in read_kbest(path):
            seen.add(words, found)
    for path in recipe.probes:
        for words, found in read_kbest(path):
            seen.add(words, found, share=PROBE, least=PROBED, odd=False)
    attachments = learn_attachments(
        (analysed(tree.brackets, words), tree)
        for path in recipe.captions
        for words, found in read_kbest(path)
        for tree in found
        if tree.brackets.startswith("(")
    )
    fits = [fit(seen)]
    captions = chain.from_iterable(map(_whole, repeat(recipe.captions)))
    for _ in range(recipe.rounds):
        grammar = compiled(seen, fits[-1], attachments)
        some = islice(captions, recipe.corrected)
        wrong = Counter(correct(seen, grammar, network, some))
        fits = [*fits[1 - AVERAGED :], fit(seen, fits[-1])]
        print(f"grammar: {dict(wrong)}, error {fits[-1].error:.3f} nats", flush=True)
    return compiled(seen, mean(fits), attachments)


def compiled(
    seen: Observations, fitted: Fitted, attachments: dict[str, str]
) -> PhraseGrammar:
    """Return the grammar of rules that are in the original's trees."""
    rules = [(rule, n) for rule, n in seen.rules.items() if seen.counts[n] >= MIN_SHARE]
    return compile_grammar(
        [rule for rule, _ in rules],
        [fitted.rules[n] for _, n in rules],
        [seen.counts[n] for _, n in rules],
        seen.leaves,
        fitted.words,
        (seen.before, seen.after),
        attachments,
    )


def _whole(paths: Iterable[Path]) -> Iterator[Caption]:
    """Yield captions of which all trees have brackets."""
    for path in paths:
        for words, found in read_kbest(path):
            whole = all(tree.brackets.startswith("(") for tree in found)
            if whole and len(found) > 1 and found[0].score == 0:
                yield words, found


def correct(
    seen: Observations,
    grammar: PhraseGrammar,
    network: Network,
    captions: Iterable[Caption],
) -> Iterator[str]:
    """Note each tree that is preferred wrongly; yield a verdict on each caption."""
    numbers = {(rule.symbol, rule.parts): rule for rule in seen.rules}
    kept = list(captions)
    for group in by_length([words for words, _ in kept]):
        if group.length not in LENGTHS:
            continue
        for start in range(0, len(group.places), PARTS):
            part = group.of(slice(start, start + PARTS))
            [scores] = network.read([part.sentences])
            unsure = margins(scores) < SURE
            part = part.read(scores).of(unsure)
            if not len(part.places):
                continue
            choices = open_choices(part, network.names["tags"], REACH, REACH)
            for place, tree in zip(
                part.places.tolist(), best_trees(choices, grammar, WIDE)
            ):
                yield _correct(seen, grammar, tree, kept[place], numbers)


def _correct(
    seen: Observations,
    grammar: PhraseGrammar,
    tree: Node | None,
    caption: Caption,
    rules: dict[tuple[str, tuple[str, ...]], Rule],
) -> str:
    if tree is None:
        return "none"
    words, listed = caption
    found = Analysed()
    _read(tree, grammar, words, rules, found)
    trees = [analysed(candidate.brackets, words) for candidate in listed]
    same = [_parts(x) == _parts(found) for x in trees]
    if any(same):
        return "best" if same[0] else "listed"
    tags, heads, _ = attach(tree, grammar, words)
    alike = [
        candidate.score
        for candidate in listed
        if candidate.tags == tags and candidate.heads == heads
    ]
    if alike and alike[0] == 0:
        return "best analysis"
    highest = alike[0] - VARIANT if alike else listed[-1].score - BELOW
    seen.add_difference(found, trees[0], highest, at_most=True)
    return "listed analysis" if alike else "not listed"


def _parts(tree: Analysed) -> tuple[list[Rule], list[tuple[str, str]]]:
    return sorted(tree.rules), sorted(tree.leaves)


def _read(
    node: Node,
    grammar: PhraseGrammar,
    words: Sequence[str],
    rules: dict[tuple[str, tuple[str, ...]], Rule],
    found: Analysed,
) -> None:
    """Collect the rules and leaves of a tree of the chart."""
    number, begin, _, parts = node
    symbol = grammar.symbols[number]
    if not parts:
        found.leaves.append((symbol, words[begin]))
        return
    names = tuple(grammar.symbols[part[0]] for part in parts)
    found.rules.append(rules[symbol, names])
    for part in parts:
        _read(part, grammar, words, rules, found)
