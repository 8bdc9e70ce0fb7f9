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

from dataclasses import replace
from typing import Final

from spicepy.common.threads import LRUCache
from spicepy.extraction.compiling import CompiledRules, compile_rules
from spicepy.extraction.dependencies.graphs import DependencyGraph
from spicepy.extraction.indexed_graph import IndexedGraph, index_graph
from spicepy.extraction.tuples import SemanticTuple
from spicepy.grammar.values import Grammar

_PLANS: Final[LRUCache[tuple[str, str], CompiledRules]] = LRUCache(32)


def extract(graph: DependencyGraph, grammar: Grammar) -> list[SemanticTuple]:
    """Propose the semantic tuples of one caption's graph.

    Args:
        graph: Collapsed, propagated and enhanced edges. Their order matters
            only between parallel edges and for captions of 16 or more tokens.
        grammar: The rules, see `spicepy.grammar.load_grammar`.

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
    """Return the tuples of annotation rules: facts that a caption only implies.

    They are not part of the scene graph and are never scored. "A dog" is one dog, but
    only because "a" and the singular imply it: (dog, 1) by the rule "implicit-one".

    Args:
        graph: As for `extract`.
        grammar: The rules; most grammars have no notes.
    """
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
    nodes_by_tag, edges_by_label = prepared.by_tag, prepared.by_label
    for head in indexed.order:
        for index in nodes_by_tag(tags[head]):
            starts[index].append((head, 0, ""))
    for head, label, dependent in indexed.edges:
        for index, heads, dependents, word in edges_by_label(label):
            if (heads is None or tags[head] in heads) and (
                dependents is None or tags[dependent] in dependents
            ):
                starts[index].append((head, dependent, word))
    return starts
