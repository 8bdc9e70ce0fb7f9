"""A grammar prepared for matching: each card becomes one closure.

In: a `Grammar`. Out: `CompiledRules`, whose rules take an `IndexedGraph` and the edges
that may start them, and append `SemanticTuple` values to a list.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from spicepy.common.errors import GrammarError
from spicepy.extraction.edges import Fill, Step, exists, option, step
from spicepy.extraction.emissions import Make, emission
from spicepy.extraction.indexed_graph import BudgetExceeded, IndexedGraph
from spicepy.extraction.slots import (
    Bindings,
    Lookups,
    SlotNames,
    Tags,
    Test,
    allows,
    list_tests,
    word_test,
)
from spicepy.grammar.values import Grammar, Rule

Out = list[Any]
"""The list of matches: a `SemanticTuple` of a rule, a `RewriteMatch` of a card."""
Start = tuple[int, int, str]
"""An edge that may start a rule: head, dependent, word of its label."""
StartTest = tuple[int, Tags, Tags, str]
"""Index of a rule, tags its first edge may have at either end, word of the label."""
Run = Callable[[IndexedGraph, Sequence[Start], Out], None]
Emit = Callable[[IndexedGraph, Bindings, Any], bool]
Ending = Callable[[Rule, SlotNames, Sequence[Fill], Lookups], Emit]
"""Makes the function that runs at a match: it appends tuples or the match to a list."""


@dataclass(frozen=True, slots=True)
class CompiledRules:
    """A prepared grammar.

    `by_tag(tag)` gives the rules (by index) that start from a lone node with
    that tag, `by_label(label)` those that start from an edge with that label.
    """

    rules: tuple[Run, ...]
    by_tag: Callable[[str], tuple[int, ...]]
    by_label: Callable[[str], tuple[StartTest, ...]]


def compile_rules(grammar: Grammar, cards: Sequence[Rule]) -> CompiledRules:
    """Prepare cards of a checked grammar: its rules, its notes."""
    lookups = Lookups(grammar)
    firsts = [card.match[0] for card in cards]
    ends = [(lookups.tags(c.head.tags), lookups.tags(c.dependent.tags)) for c in firsts]

    @lru_cache(maxsize=4096)
    def by_tag(tag: str) -> tuple[int, ...]:
        return tuple(
            index
            for index, first in enumerate(firsts)
            if not first.label and allows(ends[index][0], tag)
        )

    @lru_cache(maxsize=4096)
    def by_label(label: str) -> tuple[StartTest, ...]:
        return tuple(
            (index, *ends[index], reading[0])
            for index, first in enumerate(firsts)
            if first.label
            for reading in lookups.reader(first.label)(label)[:1]
        )

    return CompiledRules(
        tuple(compile_rule(card, lookups) for card in cards), by_tag, by_label
    )


def _tuples(
    rule: Rule, slots: SlotNames, options: Sequence[Fill], lookups: Lookups
) -> Emit:
    """Return the ending of a rule: its tuples go to the list."""
    nodes = _nodes(rule)
    groups = [
        [emission(e, slots, nodes, rule.id, lookups) for e in group]
        for group in rule.emit
    ]
    return _make(options, groups)


def compile_rule(rule: Rule, lookups: Lookups, ending: Ending = _tuples) -> Run:
    """Prepare one card: search for matches, starting from the first clause."""
    slots = SlotNames()
    first = rule.match[0]
    head, dependent = slots.of(first.head.name), slots.of(first.dependent.name)
    bind = slots.of(first.bind)
    known = {0, head, dependent}
    steps: list[Step] = []
    if first.label and lookups.has_requirements(first.label):
        steps.append(step(first, slots, known, lookups))
    steps += [
        step(c, slots, known, lookups) for c in rule.match[1:] if c.mode == "each"
    ]
    ends = [first.head.name, first.dependent.name]
    tests = list_tests(zip([head, dependent], (first.head, first.dependent)), lookups)
    tests += _word_tests(rule, slots, lookups, lambda names: names <= {*ends})
    begins = _all_of(tests)
    finish = _finish(rule, slots, lookups, ends, ending)
    once, size = rule.once, slots.size

    def search(indexed: IndexedGraph, bindings: Bindings, out: Out, at: int) -> bool:
        if at == len(steps):
            return finish(indexed, bindings, out)
        for _ in steps[at](indexed, bindings):
            if search(indexed, bindings, out, at + 1) and once:
                return True
        return False

    def run(indexed: IndexedGraph, starts: Sequence[Start], out: Out) -> None:
        bindings = Bindings(size)
        nodes, words = bindings.nodes, bindings.words
        last_head = 0
        indexed.budget.renew()
        try:
            for nodes[head], nodes[dependent], words[bind] in starts:
                if (
                    nodes[head] != last_head
                    and begins(indexed, bindings)
                    and search(indexed, bindings, out, 0)
                    and once
                ):
                    last_head = nodes[head]
        except BudgetExceeded:
            raise GrammarError(_budget_message(rule.id, indexed)) from None

    return run


def _budget_message(rule: str, indexed: IndexedGraph) -> str:
    caption = " ".join(indexed.words[1:])
    shown = caption if len(caption) <= 200 else f"{caption[:199]}…"
    return (
        f'rule "{rule}" tries more than {indexed.budget.limit:,} edges in one caption, '
        f'"{shown}": give its clauses labels and tag classes, or fewer names'
    )


def _finish(
    rule: Rule, slots: SlotNames, lookups: Lookups, ends: Sequence[str], ending: Ending
) -> Emit:
    """Return the function that runs once all edges are found: tests, options, end.

    Words at the ends of the first clause, `ends`, were tested before.
    """
    options = [option(c, slots, lookups) for c in rule.match[1:] if c.mode != "each"]
    known = set(slots.names.values())
    holding = _word_tests(rule, slots, lookups, lambda names: not names <= {*ends})
    failing = [exists(pattern, slots, known, lookups) for pattern in rule.without]
    either = [exists(pattern, slots, known, lookups) for pattern in rule.any]
    if either:
        holding.append(_any_of(either))
    make = ending(rule, slots, options, lookups)
    if not holding and not failing:
        return make

    def finish(indexed: IndexedGraph, bindings: Bindings, out: Out) -> bool:
        for test in holding:
            if not test(indexed, bindings):
                return False
        for test in failing:
            if test(indexed, bindings):
                return False
        return make(indexed, bindings, out)

    return finish


def _word_tests(
    rule: Rule, slots: SlotNames, lookups: Lookups, wanted: Callable[[set[str]], bool]
) -> list[Test]:
    """Return the tests of words whose names are wanted."""
    named = [(names.split(), test) for names, test in rule.where]
    return [
        word_test([slots.of(name) for name in names], test, lookups)
        for names, test in named
        if wanted({*names})
    ]


def _nodes(rule: Rule) -> set[str]:
    """Return the names that stand for one node each."""
    names = {c.head.name for c in rule.match}
    return names | {c.dependent.name for c in rule.match if c.mode != "all"}


def _all_of(tests: Sequence[Test]) -> Test:
    if len(tests) == 1:  # Most rules have one at most.
        return tests[0]

    def test(indexed: IndexedGraph, bindings: Bindings) -> bool:
        return all(one(indexed, bindings) for one in tests)

    return test


def _any_of(tests: Sequence[Test]) -> Test:
    def test(indexed: IndexedGraph, bindings: Bindings) -> bool:
        return any(one(indexed, bindings) for one in tests)

    return test


def _make(options: Sequence[Fill], groups: Sequence[Sequence[Make]]) -> Emit:
    """Fill the optional slots; of each group emit the first tuple that can be."""

    def make(indexed: IndexedGraph, bindings: Bindings, out: Out) -> bool:
        for fill in options:
            fill(indexed, bindings)
        for group in groups:
            for attempt in group:
                made = attempt(indexed, bindings)
                if made is not None:
                    out.append(made)
                    break
        return True

    return make
