"""A grammar prepared for matching: each card becomes one closure.

In: a `Grammar`. Out: a `Plan`, whose rules take a graph's `View` and the edges
that may start them, and append `SemanticTuple` values to a list.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from spicepy.common.errors import GrammarError
from spicepy.extraction.edges import Fill, Step, exists, option, step
from spicepy.extraction.emissions import Make, emission
from spicepy.extraction.kit import (
    Env,
    Kit,
    Slots,
    Tags,
    Test,
    TooMuch,
    allows,
    list_tests,
    word_test,
)
from spicepy.extraction.view import View
from spicepy.grammar.values import Grammar, Rule

Out = list[Any]
"""Where matches go: `SemanticTuple` values of rules, other values of turns."""
Start = tuple[int, int, str]
"""An edge that may start a rule: head, dependent, word of its label."""
StartTest = tuple[int, Tags, Tags, str]
"""Index of a rule, tags its first edge may have at either end, word of the label."""
Run = Callable[[View, Sequence[Start], Out], None]
Emit = Callable[[View, Env, Any], bool]
Ending = Callable[[Rule, Slots, Sequence[Fill], Kit], Emit]
"""Makes what happens at a match: tuples of a rule, or the changes of a turn."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A prepared grammar.

    `by_tag(tag)` gives the rules (by index) that start from a lone node with
    that tag, `by_label(label)` those that start from an edge with that label.
    """

    rules: tuple[Run, ...]
    by_tag: Callable[[str], tuple[int, ...]]
    by_label: Callable[[str], tuple[StartTest, ...]]


def plan(grammar: Grammar, cards: Sequence[Rule]) -> Plan:
    """Prepare cards of a checked grammar: its rules, its notes."""
    kit = Kit(grammar)
    firsts = [card.match[0] for card in cards]
    ends = [(kit.tags(c.head.tags), kit.tags(c.dependent.tags)) for c in firsts]

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
            for reading in kit.reader(first.label)(label)[:1]
        )

    return Plan(tuple(prepare(card, kit) for card in cards), by_tag, by_label)


def _tuples(rule: Rule, slots: Slots, options: Sequence[Fill], kit: Kit) -> Emit:
    """The ending of a rule: its tuples go to the list."""
    nodes = _nodes(rule)
    groups = [
        [emission(e, slots, nodes, rule.id, kit) for e in group] for group in rule.emit
    ]
    return _make(options, groups)


def prepare(rule: Rule, kit: Kit, ending: Ending = _tuples) -> Run:
    """Prepare one card: search for matches, starting from the first clause."""
    slots = Slots()
    first = rule.match[0]
    head, dependent = slots.of(first.head.name), slots.of(first.dependent.name)
    bind = slots.of(first.bind)
    known = {0, head, dependent}
    steps: list[Step] = []
    if first.label and kit.asks(first.label):
        steps.append(step(first, slots, known, kit))
    steps += [step(c, slots, known, kit) for c in rule.match[1:] if c.mode == "each"]
    finish = _finish(rule, slots, kit, [head, dependent], ending)
    once, size = rule.once, slots.size

    def search(view: View, env: Env, out: Out, at: int) -> bool:
        if at == len(steps):
            return finish(view, env, out)
        for _ in steps[at](view, env):
            if search(view, env, out, at + 1) and once:
                return True
        return False

    def run(view: View, starts: Sequence[Start], out: Out) -> None:
        env: Env = [0] * size
        served = 0
        view.left = view.limit
        try:
            for env[head], env[dependent], env[bind] in starts:
                if env[head] != served and search(view, env, out, 0) and once:
                    served = env[head]
        except TooMuch:
            raise GrammarError(_too_much(rule.id, view)) from None

    return run


def _too_much(rule: str, view: View) -> str:
    caption = " ".join(view.words[1:])
    shown = caption if len(caption) <= 200 else f"{caption[:199]}…"
    return (
        f'rule "{rule}" tries more than {view.limit:,} edges in one caption, '
        f'"{shown}": give its clauses labels and tag classes, or fewer names'
    )


def _finish(
    rule: Rule, slots: Slots, kit: Kit, ends: Sequence[int], ending: Ending
) -> Emit:
    """What happens once all edges are found: tests, options, ending."""
    options = [option(c, slots, kit) for c in rule.match[1:] if c.mode != "each"]
    known = set(slots.names.values())
    first = rule.match[0]
    holding = list_tests(zip(ends, (first.head, first.dependent)), kit)
    holding += [
        word_test([slots.of(name) for name in names.split()], test, kit)
        for names, test in rule.where
    ]
    failing = [exists(pattern, slots, known, kit) for pattern in rule.without]
    either = [exists(pattern, slots, known, kit) for pattern in rule.any]
    if either:
        holding.append(_any_of(either))
    make = ending(rule, slots, options, kit)
    if not holding and not failing:
        return make

    def finish(view: View, env: Env, out: Out) -> bool:
        for test in holding:
            if not test(view, env):
                return False
        for test in failing:
            if test(view, env):
                return False
        return make(view, env, out)

    return finish


def _nodes(rule: Rule) -> set[str]:
    """The names that stand for one node each."""
    names = {c.head.name for c in rule.match}
    return names | {c.dependent.name for c in rule.match if c.mode != "all"}


def _any_of(tests: Sequence[Test]) -> Test:
    def test(view: View, env: Env) -> bool:
        return any(one(view, env) for one in tests)

    return test


def _make(options: Sequence[Fill], groups: Sequence[Sequence[Make]]) -> Emit:
    """Fill the optional slots; of each group emit the first tuple that can be."""

    def make(view: View, env: Env, out: Out) -> bool:
        for fill in options:
            fill(view, env)
        for group in groups:
            for attempt in group:
                made = attempt(view, env)
                if made is not None:
                    out.append(made)
                    break
        return True

    return make
