"""A dependency graph made ready for rules: children, parents, visiting order.

In: a `DependencyGraph`. Out: a `IndexedGraph` with one entry a node (0 is ROOT).

The original walks Java hash maps keyed by token index. Such a map of n entries
has 16 buckets up to 12 entries, then 32, 64 …; an entry lies in bucket (index
modulo buckets), entries of one bucket in the order they came. Up to token 15
that is plain token order; beyond, "first child" depends on it, so it is
repeated here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from threading import local
from typing import Final

from spicepy.common.java_hash import buckets
from spicepy.rules.dependency_graphs import DependencyGraph

Link = tuple[str, int]
"""(label, node at the other end)."""
_DEPENDENT = itemgetter(2)

EDGE_BUDGET: Final = 1_000_000
"""The number of edges that one rule may try in a caption, or the square of all its
edges if that is more: every sensible rule has found all its matches then."""


class BudgetExceeded(Exception):
    """A rule has tried as many edges in one caption as it may."""


@dataclass(slots=True)
class Budget:
    """The number of edges that a rule may try in one caption.

    Attributes:
        limit: The number for each rule.
        left: The number that is left to the rule at work.
    """

    limit: int
    left: int = 0

    def renew(self) -> None:
        """Begin another rule."""
        self.left = self.limit

    def spend(self, edges: int) -> None:
        """Try some edges.

        Raises:
            BudgetExceeded: There are not as many left.
        """
        self.left -= edges
        if self.left < 0:
            raise BudgetExceeded


@dataclass(frozen=True, slots=True)
class IndexedGraph:
    """A graph as rules look at it; index 0 of every list is ROOT.

    `children[n]` and `parents[n]` are (label, node) pairs; `order` is the order
    in which head tokens are visited, and `edges` has (head, label, dependent) in
    that order; `position[n]` is the caption's token (from 1) that node n is or
    repeats; `budget` limits the edges that a rule may try.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    children: list[list[Link]]
    parents: list[list[Link]]
    order: Sequence[int]
    edges: Sequence[tuple[int, str, int]]
    position: Sequence[int]
    budget: Budget


class _Latest(local):
    """The graph that a thread indexed last, which rules and notes read, too."""

    graph: DependencyGraph | None = None
    indexed: IndexedGraph | None = None


_latest: Final = _Latest()


def index_graph(graph: DependencyGraph) -> IndexedGraph:
    """Index the edges of a graph by their ends."""
    if _latest.indexed is None or _latest.graph is not graph:
        _latest.graph, _latest.indexed = graph, _indexed(graph)
    return _latest.indexed


def _indexed(graph: DependencyGraph) -> IndexedGraph:
    size = len(graph.words) + 1
    tokens = size - len(graph.copies)
    position: Sequence[int] = range(size)
    if graph.copies:
        position = (*range(tokens), *graph.copies)
    plain = size <= 16 and not graph.copies  # buckets are in token order
    edges = sorted(graph.edges, key=_DEPENDENT) if plain else graph.edges
    children: list[list[Link]] = [[] for _ in range(size)]
    parents: list[list[Link]] = [[] for _ in range(size)]
    for label, head, dependent in edges:
        children[head].append((label, dependent))
        parents[dependent].append((label, head))
    nodes = [n for n in range(1, size) if parents[n] or children[n]]
    if not plain:
        nodes = _in_buckets(nodes, position)
        for links in children:
            if len(links) > 1:
                _sort_links(links, position)
    order = _visiting_order(nodes, children, position)
    return IndexedGraph(
        words=("", *graph.words),
        tags=("", *graph.tags),
        lemmas=("", *graph.lemmas),
        children=children,
        parents=parents,
        order=order,
        edges=[(h, label, n) for h in order for label, n in children[h]],
        position=position,
        budget=Budget(max(EDGE_BUDGET, len(edges) ** 2)),
    )


def _in_buckets(nodes: Iterable[int], position: Sequence[int]) -> list[int]:
    """Sort nodes as a map iterates them; copies follow the token they repeat."""
    tokens = sorted(nodes, key=position.__getitem__)
    mask = buckets(len(tokens)) - 1
    if tokens and position[tokens[-1]] > mask:
        tokens.sort(key=lambda node: position[node] & mask)
    return tokens


def _sort_links(links: list[Link], position: Sequence[int]) -> None:
    """Sort children as a map iterates them; parallel edges stay as they came.

    Copies of one token came into the map in the order of their labels.
    """
    mask = 15
    if len(links) > 12:
        mask = buckets(len({node for _, node in links})) - 1
    tokens: dict[int, int] = {}
    places: dict[int, tuple[int, int, str, int]] = {}
    for place, (label, node) in enumerate(links):
        token = position[node]
        first = tokens.setdefault(token, place)
        places.setdefault(node, (token & mask, first, label, place))
    links.sort(key=lambda link: places[link[1]])


def _visiting_order(
    nodes: list[int], children: list[list[Link]], position: Sequence[int]
) -> list[int]:
    """Return nodes with heads before dependents: a reversed depth-first post-order.

    A graph with a cycle has no such order; its nodes come in token order.
    """
    state = bytearray(len(children))  # 0 new, 1 on the path, 2 done
    finished: list[int] = []
    for start in nodes:
        if state[start]:
            continue
        state[start] = 1
        path = [(start, iter(children[start]))]
        while path:
            node, links = path[-1]
            for _, child in links:
                if state[child] == 0:
                    state[child] = 1
                    path.append((child, iter(children[child])))
                    break
                if state[child] == 1:
                    return sorted(nodes, key=position.__getitem__)
            else:
                path.pop()
                state[node] = 2
                finished.append(node)
    finished.reverse()
    return finished
