"""Rewriting: apply rewrite rules to a dependency graph before extraction.

The graph gets the form for which the grammar's rules are written. For "the side of a
stop sign":

    compound(sign, stop)  →  a node named "stop sign"

Cards run phase by phase, in a phase in the order of the files; each is applied at its
first match until it has none, so that one change can make room for the next.

What a card says is denied or supposed goes through the remaining cards in a graph of
its own, `UnrealGraph`, in which it is stated.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import chain
from operator import and_, or_
from typing import Final

from spicepy.common.threads import LRUCache
from spicepy.parsing.trees import Edge
from spicepy.rules.cards import Clause, NodePattern, WordTest
from spicepy.rules.dependency_graphs import DependencyGraph, UnrealGraph
from spicepy.rules.engine import Emit, Run, compile_rule, start_tags
from spicepy.rules.patterns import (
    Bindings,
    Fill,
    GrammarTables,
    IndexedGraph,
    SlotNames,
    index_graph,
)
from spicepy.rules.values import Grammar, Rewrite, Rule
from spicepy.words.morphology import lemmatize

MAX_REWRITES_PER_CARD: Final = 20
"""The number of changes that one card may make to a caption, so that all cards end."""


_STATED: Final = ("nsubj", "conj:and", "conj:but", "advcl", "parataxis")
"""Labels of dependents that are stated although their governor is denied; further below
only subjects are."""


@dataclass(slots=True, eq=False)
class RewriteMatch:
    """The values of a card's names at a match; see `Bindings`."""

    nodes: dict[str, int]
    words: dict[str, str]
    groups: dict[str, tuple[int, ...]]

    def all_nodes(self, name: str) -> tuple[int, ...]:
        """Return the nodes that a name stands for; none if it is absent or `_`."""
        node = self.nodes.get(name)
        return self.groups.get(name) or ((node,) if node else ())


@dataclass(frozen=True, slots=True)
class RewriteStep:
    """One change: the card's id, its results, and the graph after it."""

    # (head, label, dependent) for an edge, (name) for a joined name, ("no", name) for a
    # node that lost its edges, (word, tag) for one of another part of speech.

    card: str
    made: tuple[tuple[str, ...], ...]
    after: DependencyGraph


def rewrite(graph: DependencyGraph, grammar: Grammar) -> DependencyGraph:
    """Apply the rewrite rules of a grammar, if it has any, to a collapsed graph."""
    return trace(graph, grammar)[0]


def trace(
    graph: DependencyGraph, grammar: Grammar
) -> tuple[DependencyGraph, list[RewriteStep]]:
    """Return the rewritten graph, and every change in order."""
    if not grammar.rewrites:
        return graph, []
    prepared = _PREPARED.made(grammar.digest, lambda: _prepare(grammar))
    return _rewritten(graph, prepared, -1, real=True)


def _rewritten(
    graph: DependencyGraph, prepared: "_Prepared", after: int, *, real: bool
) -> tuple[DependencyGraph, list[RewriteStep]]:
    """Apply the cards after a place; where all is unreal, none that say so."""
    indexed = index_graph(graph)
    changes: list[RewriteStep] = []
    unreal: list[UnrealGraph] = []
    applicable, place = prepared.applicable(indexed), after
    # The bits of the cards that come after the last one.
    while waiting := applicable >> place + 1:
        place += (waiting & -waiting).bit_length()
        card, starts, run = prepared.cards[place]
        is_mood = bool(card.denied or card.supposed)
        if is_mood and not real:
            continue
        for _ in range(MAX_REWRITES_PER_CARD):
            found = starts(indexed)
            if not found:
                break
            matches: list[RewriteMatch] = []
            run(indexed, found, matches)
            # A match that has been applied may stand: "no picture and no clock".
            for match in (m for m in matches if _stands(m, card.order)):
                changed, made = _apply(graph, card, match, prepared.lookups)
                if changed != graph:
                    break
            else:
                break
            if is_mood:
                part = _unreal_part(graph, card, match)
                whole, _ = _rewritten(part.graph, prepared, place, real=False)
                unreal.append(replace(part, graph=whole))
            graph, indexed = changed, index_graph(changed)
            changes.append(RewriteStep(card.card.id, made, graph))
            applicable = prepared.applicable(indexed)
            if not applicable >> place & 1:
                break
    return (replace(graph, unreal=tuple(unreal)) if unreal else graph), changes


Starts = Callable[[IndexedGraph], list[tuple[int, int, str]]]


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A grammar's cards in order, its links, and which cards may apply to a graph."""

    # `applicable` returns the cards (bits) whose clauses a graph meets.

    cards: list[tuple[Rewrite, Starts, Run]]
    lookups: GrammarTables
    applicable: Callable[[IndexedGraph], int]


_PREPARED: Final[LRUCache[str, _Prepared]] = LRUCache(16)


def _prepare(grammar: Grammar) -> _Prepared:
    lookups = GrammarTables(grammar)
    cards = [
        (card, _starts(card, lookups), compile_rule(card.card, lookups, _matches))
        for card in grammar.rewrites
    ]
    applicable = _by_clauses([card.card for card in grammar.rewrites], lookups)
    return _Prepared(cards, lookups, applicable)


# Which cards may match a graph, before any of them is tried.
#
# Each clause of a card needs an edge of its own: with its label, between two tokens
# whose words and tags fit. A set of clauses is a number: the bits of the first clause
# of each card come first, then those of the second one …

_CLAUSES: Final = 3
"""How many clauses of a card are looked for in a graph before the card is tried."""
_PARTS: Final = ("text", "lemma", "last", "tag")
"""The parts of a token that are tested; "last" is the last word of its name."""


class _End:
    """Which clauses (bits) may have a token as their head, or as their dependent."""

    def __init__(self) -> None:
        self._tested = dict.fromkeys(_PARTS, 0)
        self._fitting: dict[tuple[str, str], int] = {}

    def add(self, bit: int, tests: Mapping[str, Set[str]]) -> None:
        """Let a clause have only tokens whose parts have one of some values each."""
        for part, wanted in tests.items():
            self._tested[part] |= bit
            for each in wanted:
                self._fitting[part, each] = self._fitting.get((part, each), 0) | bit

    def of(self, values: Sequence[str], every: int) -> int:
        """Return those of all clauses that may have a token, by its `_PARTS`."""
        for pair in zip(_PARTS, values, strict=True):
            every &= ~self._tested[pair[0]] | self._fitting.get(pair, 0)
        return every


def _by_clauses(
    cards: Sequence[Rule], lookups: GrammarTables
) -> Callable[[IndexedGraph], int]:
    """Return a function from a graph to the cards (bits) whose clauses it meets."""
    width, lone = len(cards), 0
    missing = every = (1 << width * _CLAUSES) - 1
    heads, dependents = _End(), _End()
    labelled: dict[str, int] = {}
    for at, card in enumerate(cards):
        clauses = [clause for clause in card.match if clause.mode == "each"]
        for n, clause in enumerate(clauses[:_CLAUSES]):
            bit = 1 << at + n * width
            missing ^= bit
            if clause.label:
                labelled[clause.label] = labelled.get(clause.label, 0) | bit
            else:
                lone |= bit
            heads.add(bit, _tests(card, clause.head, lookups))
            dependents.add(bit, _tests(card, clause.dependent, lookups))
    readings = [(lookups.readings(text), bits) for text, bits in labelled.items()]

    @lru_cache(maxsize=4096)
    def with_label(label: str) -> int:
        return reduce(or_, (bits for read, bits in readings if read[label]), 0)

    @lru_cache(maxsize=1 << 14)
    def with_token(word: str, tag: str, lemma: str) -> tuple[int, int]:
        name = lemma.strip().lower()
        own = (word.lower(), name, name.rpartition(" ")[2], tag)
        return heads.of(own, every), dependents.of(own, every)

    def applicable(indexed: IndexedGraph) -> int:
        ends = list(map(with_token, indexed.words, indexed.tags, indexed.lemmas))
        met = missing | lone & reduce(or_, (own for own, _ in ends), 0)
        for (own, _), links in zip(ends, indexed.children):
            for label, node in links:
                met |= own & with_label(label) & ends[node][1]
        return reduce(and_, (met >> n * width for n in range(_CLAUSES)), every)

    return applicable


def _tests(
    card: Rule, end: NodePattern, lookups: GrammarTables
) -> dict[str, frozenset[str]]:
    """Return part of a token -> the values that a card allows at an end of an edge."""
    # Of several tests of one part the last is taken: a card is only tried too often.
    allowed: dict[str, frozenset[str]] = {}
    if (tags := lookups.tags(end.tags)) is not None:
        allowed["tag"] = tags
    if end.listed:
        allowed["lemma"] = lookups.words(WordTest("lemma", (end.tags,)))
    for names, test in card.where:
        words = lookups.words(test)
        if test.negated or names.split()[-1] != end.name:
            continue
        if " " in names:  # "first noun" in a list of names
            allowed["last"] = frozenset(word.rpartition(" ")[2] for word in words)
        else:
            allowed[test.attribute] = words
    return allowed


def _starts(card: Rewrite, lookups: GrammarTables) -> Starts:
    """Return the edges that the first clause of a card may stand for."""
    first = card.card.match[0]
    heads, dependents = start_tags(card.card, lookups)
    if not first.label:
        return lambda indexed: [
            (n, 0, "") for n in indexed.order if not heads or indexed.tags[n] in heads
        ]
    readings = lookups.readings(first.label)

    def starts(indexed: IndexedGraph) -> list[tuple[int, int, str]]:
        tags = indexed.tags
        return [
            (head, dependent, found[0][0])
            for head, label, dependent in indexed.edges
            if (found := readings[label])
            and (not heads or tags[head] in heads)
            and (not dependents or tags[dependent] in dependents)
        ]

    return starts


def _matches(
    rule: Rule, slots: SlotNames, options: Sequence[Fill], lookups: GrammarTables
) -> Emit:
    """Return the ending of a rewrite rule: its match goes to the list."""
    names = dict(slots.names)

    def finish(
        indexed: IndexedGraph, bindings: Bindings, out: list[RewriteMatch]
    ) -> bool:
        for fill in options:
            fill(indexed, bindings)
        nodes = {name: bindings.nodes[slot] for name, slot in names.items()}
        present = [node for node in nodes.values() if node]
        if len(set(present)) < len(present):
            return False  # two names for one node: no match
        words = {name: bindings.words[slot] for name, slot in names.items()}
        groups = {name: bindings.groups[slot] for name, slot in names.items()}
        out.append(RewriteMatch(nodes, words, groups))
        return True

    return finish


def _stands(match: RewriteMatch, order: Sequence[str]) -> bool:
    """Return whether the words of some names stand in this order."""
    places = [match.nodes[name] for name in order if match.nodes[name]]
    return places == sorted(places)


def _apply(
    graph: DependencyGraph, card: Rewrite, match: RewriteMatch, lookups: GrammarTables
) -> tuple[DependencyGraph, tuple[tuple[str, ...], ...]]:
    """Make the changes of one match."""
    before, at = frozenset(graph.edges), match.nodes
    edges = list(graph.edges)
    made: list[tuple[str, ...]] = []
    if card.becomes is not None:
        edges = _apart(edges, card.card.match, match)
    for clause in card.remove:
        read, pairs = lookups.readings(clause.label), _joined_by([clause], match)
        edges = [e for e in edges if not (e[1:] in pairs and read[e[0]])]
    new = list(_new_edges((*(card.becomes or ()), *card.add), match, graph))
    for old, instead in card.replace:
        if at[old] and at[instead]:
            edges = _moved(edges, at[old], at[instead])
    dropped = {at[name] for name in card.drop} - {0}
    if card.denied or card.supposed:
        dropped |= _unreal_nodes(graph, card, match)
        dropped -= {at[name] for name in card.join}
    edges = [edge for edge in edges if dropped.isdisjoint(edge[1:])]
    if card.join:
        *parts, noun = chain.from_iterable(map(match.all_nodes, card.join))
        graph = _joined(graph, parts, noun)
        for part in parts:
            edges = _moved(edges, part, noun)
        made.append((graph.lemmas[noun - 1],))
    for name, tag in card.retag:
        graph = _retagged(graph, at[name], tag)
        made.append((graph.words[at[name] - 1], tag))
    ordered = _in_order([*edges, *new])
    changed = replace(graph, edges=ordered)
    names = ("ROOT", *graph.lemmas)
    made += [
        (names[head], label, names[node])
        for label, head, node in ordered
        if (label, head, node) not in before
    ]
    named = {
        at[name.rstrip("*")] for name in (*card.drop, *card.denied, *card.supposed)
    }
    made += [("no", names[node]) for node in sorted(dropped & named)]
    return changed, tuple(made)


def _unreal_part(
    graph: DependencyGraph, card: Rewrite, match: RewriteMatch
) -> UnrealGraph:
    """Return what is denied or supposed at a match, as a graph that states it."""
    edges = list(graph.edges)
    if card.saying is not None:
        edges = _apart(edges, card.card.match, match)
        edges += _new_edges(card.saying, match, graph)
    return UnrealGraph(
        "denied" if card.denied else "supposed",
        frozenset(_unreal_nodes(graph, card, match)),
        replace(graph, edges=_in_order(edges)),
    )


def _unreal_nodes(
    graph: DependencyGraph, card: Rewrite, match: RewriteMatch
) -> set[int]:
    """Return the nodes that a card calls denied or supposed."""
    # After `verb*` also those that hang on it alone, but for subjects, further
    # predicates and definite nouns: who walks without holding the leash does not deny
    # the leash.
    names = (*card.denied, *card.supposed)
    nodes = {match.nodes[name.rstrip("*")] for name in names} - {0}
    below = [match.nodes[name[:-1]] for name in names if name.endswith("*")]
    first = {*below}
    while below:
        top = below.pop()
        for label, head, node in graph.edges:
            kept = _STATED if top in first else _STATED[0]
            if head != top or node in nodes or label.startswith(kept):
                continue
            if _is_definite(graph, node):
                continue
            # Each of several nouns also has the governor that they share.
            if all(
                other in nodes or mark.startswith("conj")
                for mark, other, its in graph.edges
                if its == node
            ):
                nodes.add(node)
                below.append(node)
    return nodes


def _is_definite(graph: DependencyGraph, node: int) -> bool:
    """Return whether a noun has an owner or a determiner of what is known."""
    # In "its head and neck" both have.
    nouns = {h for mark, h, below in graph.edges if (mark, below) == ("conj:and", node)}
    return any(
        head in {node, *nouns}
        and (mark == "nmod:poss" or graph.lemmas[below - 1] in ("the", "this", "that"))
        for mark, head, below in graph.edges
    )


def _new_edges(
    clauses: Sequence[Clause], match: RewriteMatch, graph: DependencyGraph
) -> Iterator[Edge]:
    """Yield the edges that a card makes; those of absent nodes are left out."""
    for clause in clauses:
        head, node = match.nodes[clause.head.name], match.nodes[clause.dependent.name]
        if (clause.head.name == "ROOT" or head) and node:
            yield _label(clause.label, match, graph), head, node


def _in_order(edges: Sequence[Edge]) -> tuple[Edge, ...]:
    return tuple(sorted(dict.fromkeys(edges), key=lambda edge: (edge[2], edge[1])))


def _apart(
    edges: list[Edge], clauses: Sequence[Clause], match: RewriteMatch
) -> list[Edge]:
    """Return the edges without those between nodes that matched clauses join."""
    pairs = _joined_by(clauses, match)
    return [edge for edge in edges if edge[1:] not in pairs]


def _joined_by(clauses: Sequence[Clause], match: RewriteMatch) -> set[tuple[int, ...]]:
    """Return the pairs of nodes that matched clauses join."""
    return {
        (match.nodes[clause.head.name], node)
        for clause in clauses
        if clause.label and clause.head.name in match.nodes
        for node in match.all_nodes(clause.dependent.name)
    }


def _label(text: str, match: RewriteMatch, graph: DependencyGraph) -> str:
    """Return a label with the words of the match in it: nmod:{how}_{place}_of."""
    for name, node in match.nodes.items():
        if "{" + name + "}" in text:
            word = match.words[name] or (graph.lemmas[node - 1] if node else "")
            text = text.replace("{" + name + "}", word)
    return text.replace(" ", "_").replace(":_", ":").removesuffix(":")


def _moved(edges: list[Edge], old: int, new: int) -> list[Edge]:
    """Return the edges of `old` at `new`, except one between the two."""
    moved = [
        (label, new if head == old else head, new if node == old else node)
        for label, head, node in edges
    ]
    return [edge for edge in moved if edge[1] != edge[2]]


def _joined(graph: DependencyGraph, parts: list[int], noun: int) -> DependencyGraph:
    """Return the graph with the words of `parts` in front of the noun's name."""
    words, lemmas = list(graph.words), list(graph.lemmas)
    before = [graph.words[part - 1] for part in sorted(parts)]
    words[noun - 1] = _name([*before, words[noun - 1]])
    lemmas[noun - 1] = _name([*(w.lower() for w in before), lemmas[noun - 1]])
    return replace(graph, words=tuple(words), lemmas=tuple(lemmas))


def _name(words: Sequence[str]) -> str:
    """Return words as one name: "stop sign", "$5.99"."""
    return " ".join(words).replace("$ ", "$")


def _retagged(graph: DependencyGraph, node: int, tag: str) -> DependencyGraph:
    """Return the graph with another part of speech and lemma of a word."""
    tags, lemmas = list(graph.tags), list(graph.lemmas)
    tags[node - 1] = tag
    lemmas[node - 1] = lemmatize(graph.words[node - 1], tag)
    return replace(graph, tags=tuple(tags), lemmas=tuple(lemmas))
