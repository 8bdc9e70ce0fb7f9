"""Extraction: the rules of a grammar run over one dependency graph.

In: a `DependencyGraph` and a `Grammar`. Out: the ordered proposals, one
`SemanticTuple` each, with the id of its rule and the positions of its words.
"a man rides a horse" → (man, ride, horse) (man) (horse).

A grammar is prepared once (`extraction.compiling`). A graph then takes one pass over
its edges: each edge starts the few rules whose first clause has its label, and these
search for the other edges of their patterns.

The order of proposals is that of the original, since merging in the scene graph depends
on it a little: rule by rule; within a rule by head token, in the order of
`IndexedGraph.order`; then all combinations of the edges.
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from spicepy.common.errors import GrammarError
from spicepy.common.threads import LRUCache
from spicepy.rules.cards import (
    Condition,
    Emission,
    NodePattern,
    Part,
    WordTest,
    read_word_test,
)
from spicepy.rules.dependency_graphs import DependencyGraph
from spicepy.rules.patterns import (
    Bindings,
    BudgetExceeded,
    Fill,
    GrammarTables,
    IndexedGraph,
    SlotNames,
    Step,
    Tags,
    Test,
    allows,
    exists,
    index_graph,
    list_tests,
    option,
    step,
    word_test,
)
from spicepy.rules.tuples import SemanticTuple
from spicepy.rules.values import Grammar, Rule

# The tuples that a rule emits, as closures from a match to a `SemanticTuple`.

Make = Callable[[IndexedGraph, Bindings], SemanticTuple | None]
Write = Callable[[IndexedGraph, Bindings], str]
Locate = Callable[[IndexedGraph, Bindings], int]


def emission(
    emitted: Emission,
    slots: SlotNames,
    nodes: Set[str],
    rule: str,
    lookups: GrammarTables,
) -> Make:
    """Make a tuple, or None if its conditions do not hold."""
    # `nodes` are the names that stand for one node each; others stand for several, or
    # for a word.
    conditions = [_condition(c, slots, lookups) for c in emitted.conditions]
    three = len(emitted.members) == 3
    lemmas = [
        len(parts) == 1 and parts[0].name in nodes and not parts[0].surface
        for parts in emitted.members
    ]
    locators = [
        _node_position(slots.of(parts[0].name)) if lemma else _position(parts, slots)
        for parts, lemma in zip(emitted.members, lemmas)
    ]
    relations = [three and place == 1 for place in range(len(lemmas))]
    writers = [
        _lemma(slots.of(parts[0].name))
        if lemma and not relation
        else _text(parts, slots, relation)
        for parts, lemma, relation in zip(emitted.members, lemmas, relations)
    ]

    def make(indexed: IndexedGraph, bindings: Bindings) -> SemanticTuple | None:
        for condition in conditions:
            if not condition(indexed, bindings):
                return None
        return SemanticTuple(
            tuple([write(indexed, bindings) for write in writers]),
            rule,
            tuple([locate(indexed, bindings) for locate in locators]),
        )

    return make


def _condition(condition: Condition, slots: SlotNames, lookups: GrammarTables) -> Test:
    slot = slots.of(condition.node)
    if condition.kind == "present":
        return lambda indexed, bindings: bindings.has(slot)
    if condition.kind == "absent":
        return lambda indexed, bindings: not bindings.has(slot)
    if condition.kind == "word":
        return word_test([slot], read_word_test(condition.other), lookups)
    other = slots.of(condition.other)

    def before(indexed: IndexedGraph, bindings: Bindings) -> bool:
        first, second = bindings.nodes[slot], bindings.nodes[other]
        if not first or not second:
            return False
        return indexed.position[first] < indexed.position[second]

    return before


def _lemma(slot: int) -> Write:
    return lambda indexed, bindings: (
        indexed.lemmas[bindings.nodes[slot]].strip().lower()
    )


def _text(parts: tuple[Part, ...], slots: SlotNames, relation: bool) -> Write:
    """Return the text of a member: parts that are present, joined by blanks."""
    # Lemmas of objects and attributes are trimmed and lower-cased, those of relations
    # are taken as they are.
    pieces = [(part, slots.of(part.name)) for part in parts]

    def text(indexed: IndexedGraph, bindings: Bindings) -> str:
        words: list[str] = []
        for part, slot in pieces:
            if not part.name:
                words.append(part.literal)
            elif bindings.words[slot]:
                words.append(bindings.words[slot])
            else:
                source = indexed.words if part.surface else indexed.lemmas
                nodes = bindings.groups[slot] or (bindings.nodes[slot],)
                words += [source[node] for node in nodes if node]
        joined = " ".join(words)
        return joined if relation else joined.strip().lower()

    return text


def _node_position(slot: int) -> Locate:
    return lambda indexed, bindings: indexed.position[bindings.nodes[slot]]


def _position(parts: tuple[Part, ...], slots: SlotNames) -> Locate:
    """Return the position of the first token among the parts of a member, or 0."""
    spots = [slots.of(part.name) for part in parts if part.name]

    def first(indexed: IndexedGraph, bindings: Bindings) -> int:
        for spot in spots:
            group = bindings.groups[spot]
            if node := group[0] if group else bindings.nodes[spot]:
                return indexed.position[node]
        return 0

    return first


# A grammar prepared for matching: each card becomes one closure.

Out = list[Any]
"""The list of matches: a `SemanticTuple` of a rule, a `RewriteMatch` of a card."""
Start = tuple[int, int, str]
"""An edge that may start a rule: head, dependent, word of its label."""
Run = Callable[[IndexedGraph, Sequence[Start], Out], None]
Emit = Callable[[IndexedGraph, Bindings, Any], bool]
Ending = Callable[[Rule, SlotNames, Sequence[Fill], GrammarTables], Emit]
"""Makes the function that runs at a match: it appends tuples or the match to a list."""


@dataclass(frozen=True, slots=True)
class CompiledRules:
    """A prepared grammar."""

    # `by_tag(tag)` gives the rules (by index) that start from a lone node with that
    # tag, `by_edge(label, tag, tag)` those that start from an edge with that label and
    # tags of head and dependent, each with the word of the label.
    rules: tuple[Run, ...]
    by_tag: Callable[[str], tuple[int, ...]]
    by_edge: Callable[[str, str, str], tuple[tuple[int, str], ...]]


def compile_rules(grammar: Grammar, cards: Sequence[Rule]) -> CompiledRules:
    """Prepare cards of a checked grammar: its rules, its notes."""
    lookups = GrammarTables(grammar)
    firsts = [card.match[0] for card in cards]
    ends = [start_tags(card, lookups) for card in cards]

    @lru_cache(maxsize=4096)
    def by_tag(tag: str) -> tuple[int, ...]:
        return tuple(
            index
            for index, first in enumerate(firsts)
            if not first.label and allows(ends[index][0], tag)
        )

    @lru_cache(maxsize=1 << 14)
    def by_edge(label: str, above: str, below: str) -> tuple[tuple[int, str], ...]:
        return tuple(
            (index, reading[0])
            for index, (first, (heads, dependents)) in enumerate(zip(firsts, ends))
            if first.label and allows(heads, above) and allows(dependents, below)
            for reading in lookups.readings(first.label)[label][:1]
        )

    return CompiledRules(
        tuple(compile_rule(card, lookups) for card in cards), by_tag, by_edge
    )


def start_tags(rule: Rule, lookups: GrammarTables) -> tuple[Tags, Tags]:
    """Return the tags that the ends of a rule's first edge may have."""
    # Tests of a tag narrow the tags of the class.

    def allowed(end: NodePattern) -> Tags:
        tags = lookups.tags(end.tags)
        for names, test in rule.where:
            if names == end.name and test.attribute == "tag" and not test.negated:
                words = lookups.words(test)
                tags = words if tags is None else tags & words
        return tags

    return allowed(rule.match[0].head), allowed(rule.match[0].dependent)


def _tuples(
    rule: Rule, slots: SlotNames, options: Sequence[Fill], lookups: GrammarTables
) -> Emit:
    """Return the ending of a rule: its tuples go to the list."""
    nodes = _nodes(rule)
    groups = [
        [emission(e, slots, nodes, rule.id, lookups) for e in group]
        for group in rule.emit
    ]
    return _make(options, groups)


def compile_rule(rule: Rule, lookups: GrammarTables, ending: Ending = _tuples) -> Run:
    """Prepare one card: search for matches, starting from the first clause."""
    slots, left = SlotNames(), list(rule.where)
    first = rule.match[0]
    head, dependent = slots.of(first.head.name), slots.of(first.dependent.name)
    bind = slots.of(first.bind)
    ends = [(head, first.head), (dependent, first.dependent)]
    tests, steps = _steps(rule, ends, left, slots, lookups)
    search = _finish(rule, left, slots, lookups, ending)
    once, size = rule.once, slots.size
    for join in reversed(steps):
        search = _search(join, search, once=once)

    def run(indexed: IndexedGraph, starts: Sequence[Start], out: Out) -> None:
        bindings = Bindings(size)
        nodes, words = bindings.nodes, bindings.words
        last_head = 0
        indexed.budget.left = indexed.budget.limit
        try:
            for nodes[head], nodes[dependent], words[bind] in starts:
                if nodes[head] == last_head:
                    continue
                for test in tests:
                    if not test(indexed, bindings):
                        break
                else:
                    if search(indexed, bindings, out) and once:
                        last_head = nodes[head]
        except BudgetExceeded:
            raise GrammarError(_budget_message(rule.id, indexed)) from None

    return run


def _search(join: Step, then: Emit, *, once: bool) -> Emit:
    """Return the search for an edge, and for what follows it, until it is found."""

    def search(indexed: IndexedGraph, bindings: Bindings, out: Out) -> bool:
        for _ in join(indexed, bindings):
            if then(indexed, bindings, out) and once:
                return True
        return False

    return search


def _steps(
    rule: Rule,
    ends: Sequence[tuple[int, NodePattern]],
    left: list[tuple[str, WordTest]],
    slots: SlotNames,
    lookups: GrammarTables,
) -> tuple[list[Test], list[Step]]:
    """Return the tests of the first edge, at `ends`, and the steps to the others."""
    # Words are tested as soon as their edge is found; their tests are `left` no longer.
    known, named = {0, *(slot for slot, _ in ends)}, {end.name for _, end in ends}
    steps: list[Step] = []
    first = rule.match[0]
    if first.label and lookups.has_requirements(first.label):
        steps.append(step(first, slots, known, lookups))
    tests = list_tests(ends, lookups) + _word_tests(left, named, slots, lookups)
    for clause in rule.match[1:]:
        if clause.mode == "each":
            named |= {clause.head.name, clause.dependent.name}
            words = _word_tests(left, named, slots, lookups)
            steps.append(step(clause, slots, known, lookups, words))
    return tests, steps


def _budget_message(rule: str, indexed: IndexedGraph) -> str:
    caption = " ".join(indexed.words[1:])
    shown = caption if len(caption) <= 200 else f"{caption[:199]}…"
    return (
        f'rule "{rule}" tries more than {indexed.budget.limit:,} edges in one caption, '
        f'"{shown}": give its clauses labels and tag classes, or fewer names'
    )


def _finish(
    rule: Rule,
    left: Sequence[tuple[str, WordTest]],
    slots: SlotNames,
    lookups: GrammarTables,
    ending: Ending,
) -> Emit:
    """Return the function that runs once all edges are found: tests, options, end."""
    # `left` are the tests that no edge has made before.
    options = [option(c, slots, lookups) for c in rule.match[1:] if c.mode != "each"]
    known = set(slots.names.values())
    names = {name for pair in left for name in pair[0].split()}
    holding = _word_tests([*left], names, slots, lookups)
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
    left: list[tuple[str, WordTest]],
    known: set[str],
    slots: SlotNames,
    lookups: GrammarTables,
) -> list[Test]:
    """Return the tests of words whose names are known; they are left no longer."""
    ready = [(names, test) for names, test in left if known.issuperset(names.split())]
    left[:] = [pair for pair in left if pair not in ready]
    return [
        word_test([slots.of(name) for name in names.split()], test, lookups)
        for names, test in ready
    ]


def _nodes(rule: Rule) -> set[str]:
    """Return the names that stand for one node each."""
    names = {c.head.name for c in rule.match}
    return names | {c.dependent.name for c in rule.match if c.mode != "all"}


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


_PLANS: Final[LRUCache[tuple[str, str], CompiledRules]] = LRUCache(32)


def extract(graph: DependencyGraph, grammar: Grammar) -> list[SemanticTuple]:
    """Propose the semantic tuples of one caption's graph.

    Args:
        graph: Collapsed, propagated and enhanced edges. Their order matters
            only between parallel edges and for captions of 16 or more tokens.
        grammar: The rules, see `spicepy.rules.load_grammar`.

    Returns:
        Proposals in the order of the rules, repetitions included. `members`
        are in printed order (source, relation, target). `tokens` has a position
        (from 1) for each member, that of its first word; 0 for a member that is
        no token (a preposition from a label, 'have'). A copied node has the
        position of the token it repeats.

    Raises:
        GrammarError: A rule tries more than a million edges in this caption
            (the square of its number of edges, if that is more).

    Source: Anderson et al. 2016, SPICE, section 3.1; Schuster et al. 2015.
    """
    return _run(graph, grammar, "rules")


def extract_unreal(graph: DependencyGraph, grammar: Grammar) -> list[SemanticTuple]:
    """Propose the tuples that one caption's graph denies or supposes.

    Args:
        graph: As for `extract`, after the rewrite rules of the grammar.
        grammar: Its rewrite rules say what is denied and supposed.

    Returns:
        The tuples that have a word of it as a member, with their `mood`.
    """
    found = []
    for part in graph.unreal:
        made = _run(part.graph, grammar, "rules")
        found += [
            replace(tuple_, mood=part.mood)
            for tuple_ in made
            if not part.nodes.isdisjoint(tuple_.tokens)
        ]
    return found


def annotate(graph: DependencyGraph, grammar: Grammar) -> list[SemanticTuple]:
    """Return the tuples of annotation rules: facts that a caption only implies."""
    # They are not part of the scene graph and are never scored. "A dog" is one dog, but
    # only because "a" and the singular imply it: (dog, 1) by the rule "implicit-one".
    return _run(graph, grammar, "annotations")


def _run(graph: DependencyGraph, grammar: Grammar, kind: str) -> list[SemanticTuple]:
    cards = grammar.rules if kind == "rules" else grammar.annotations
    prepared = _PLANS.made(
        (grammar.digest, kind), lambda: compile_rules(grammar, cards)
    )
    indexed = index_graph(graph)
    out: list[SemanticTuple] = []
    for rule, starts in zip(prepared.rules, _starts(indexed, prepared)):
        if starts:
            rule(indexed, starts, out)
    return out


def _starts(
    indexed: IndexedGraph, prepared: CompiledRules
) -> list[list[tuple[int, int, str]]]:
    """Return the edges (head, dependent, bound word) that may start each rule."""
    starts: list[list[tuple[int, int, str]]] = [[] for _ in prepared.rules]
    tags = indexed.tags
    for head in indexed.order:
        for index in prepared.by_tag(tags[head]):
            starts[index].append((head, 0, ""))
    for head, label, dependent in indexed.edges:
        for index, word in prepared.by_edge(label, tags[head], tags[dependent]):
            starts[index].append((head, dependent, word))
    return starts
