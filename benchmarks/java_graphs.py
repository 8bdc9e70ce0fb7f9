"""Conversion of recorded edges to values of spicepy, and back.

Recorded edges are [label, governor, dependent] with positions as text and a `'`
for each copy of a node; `spicepy` numbers copies after the tokens.
"""

from collections.abc import Sequence
from typing import Any

from spicepy.parsing.trees import Parse
from spicepy.rules.dependency_graphs import DependencyGraph

_KEPT = frozenset({"nmod:poss", "nmod:tmod", "nmod:npmod", "acl:relcl"})
_NAMED = ("conj", "nmod", "acl", "advcl")

Tokens = Sequence[Sequence[str]]
Edges = Sequence[Sequence[str]]


def parse(tokens: Tokens, basic: Edges) -> Parse:
    """Return the basic tree of a recorded sentence."""
    words, tags, lemmas = map(tuple, zip(*tokens, strict=True))
    above = {int(child): (int(head), label) for label, head, child in basic}
    heads, labels = zip(*(above[i + 1] for i in range(len(words))), strict=True)
    return Parse(words, tags, lemmas, heads, labels)


def basic_tree(text: str) -> Parse:
    """Return a tree written as "word/TAG/label>head" (head 0 for a root), by blanks."""
    cells = [token.rsplit("/", 2) for token in text.split()]
    words, tags, edges = map(tuple, zip(*cells, strict=True))
    labels, heads = zip(*(edge.rsplit(">", 1) for edge in edges), strict=True)
    return Parse(words, tags, words, tuple(map(int, heads)), labels)


def graph(tokens: Tokens, edges: Edges) -> DependencyGraph:
    """Return the graph of recorded edges; copies in the order of their tokens."""
    words, tags, lemmas = map(tuple, zip(*tokens, strict=True))
    names = {node for _, *nodes in edges for node in nodes if "'" in node}
    marked = sorted(names, key=lambda name: (int(name.strip("'")), len(name)))
    number = {name: len(words) + i for i, name in enumerate(marked, 1)}
    copies = tuple(int(name.strip("'")) for name in marked)
    columns = (
        column + tuple(column[i - 1] for i in copies)
        for column in (words, tags, lemmas)
    )
    numbered = (
        (label, *(number[n] if n in number else int(n) for n in (head, child)))
        for label, head, child in edges
    )
    return DependencyGraph(*columns, tuple(numbered), copies)


def edge_set(graph: DependencyGraph) -> set[tuple[str, ...]]:
    """Return the edges of a graph as they are recorded."""
    tokens = len(graph.words) - len(graph.copies)
    names = {}
    for i, token in enumerate(graph.copies):
        marks = graph.copies[: i + 1].count(token)
        names[tokens + i + 1] = f"{token}{marks * chr(39)}"
    return {
        (label, names.get(head, str(head)), names.get(child, str(child)))
        for label, head, child in graph.edges
    }


def words_of(graph: DependencyGraph) -> set[str]:
    """Return the edges as "label(head, child)", words with `'` for copies."""
    first_copy = len(graph.words) - len(graph.copies)
    marks = ("'" * (i >= first_copy) for i in range(len(graph.words)))
    names = ["ROOT", *map("".join, zip(graph.words, marks))]
    return {f"{a}({names[b]}, {names[c]})" for a, b, c in graph.edges}


def case_tree(case: dict[str, Any]) -> Parse | None:
    """Return the basic tree behind collapsed edges, None where it cannot be derived.

    A conjunct's own edge is `conj`, its others were copied to it; a word with
    several other edges, or a copy, says too little.
    """
    above: dict[int, list[tuple[str, int]]] = {}
    for label, head, child in case["edges"]:
        if "'" in head + child:
            return None
        above.setdefault(int(child), []).append((label, int(head)))
    basic = []
    for position, edges in above.items():
        own = [edge for edge in edges if edge[0].startswith("conj:")] or edges
        if len(own) != 1:
            return None
        label, head = own[0]
        plain = label.split(":")[0]
        if plain in _NAMED and label not in _KEPT:
            label = plain
        basic.append((label, str(head), str(position)))
    tokens = list(zip(case["words"], case["tags"], case["lemmas"], strict=True))
    return parse(tokens, basic) if len(basic) == len(tokens) else None
