"""Tools of a compiled grammar's closures: look-ups of names, slots and their tests."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from threading import local
from typing import Final

from spicepy.common.java_hash import buckets
from spicepy.rules.cards import Clause, NodePattern, Pattern, WordTest
from spicepy.rules.dependency_graphs import DependencyGraph
from spicepy.rules.values import Grammar

# A dependency graph made ready for rules: children, parents, visiting order.
#
# The original walks Java hash maps keyed by token index. Such a map of n entries has 16
# buckets up to 12 entries, then 32, 64 …; an entry lies in bucket (index modulo
# buckets), entries of one bucket in the order they came. Up to token 15 that is plain
# token order; beyond, "first child" depends on it, so it is repeated here.

Link = tuple[str, int]  # (label, node at the other end)
_DEPENDENT = itemgetter(2)

EDGE_BUDGET: Final = 1_000_000
"""The number of edges that one rule may try in a caption, or the square of all its
edges if that is more: every sensible rule has found all its matches then."""


class BudgetExceeded(Exception):
    """A rule has tried as many edges in one caption as it may."""


@dataclass(slots=True)
class Budget:
    """The number of edges that a rule may try in one caption, and how many are left."""

    limit: int
    left: int = 0

    def spend(self, edges: int) -> None:
        """Try some edges, or raise `BudgetExceeded` if there are not as many left."""
        self.left -= edges
        if self.left < 0:
            raise BudgetExceeded


@dataclass(slots=True, eq=False)
class IndexedGraph:
    """A graph as rules look at it; index 0 of every list is ROOT."""

    # `children[n]` and `parents[n]` are (label, node) pairs; `order` is the order in
    # which head tokens are visited, and `edges` has (head, label, dependent) in that
    # order; `position[n]` is the caption's token (from 1) that node n is or repeats;
    # `budget` limits the edges that a rule may try.
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
    """The graph that a thread indexed last, which both rules and notes read."""

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
    """Sort children as a map iterates them; parallel edges stay as they came."""
    # Copies of one token came into the map in the order of their labels.
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
    """Return nodes with heads before dependents: a reversed depth-first post-order."""
    # A graph with a cycle has no such order; its nodes come in token order.
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
                if state[child] == 0 and not children[child]:
                    state[child] = 2
                    finished.append(child)
                elif state[child] == 0:
                    state[child] = 1
                    path.append((child, iter(children[child])))
                    break
                elif state[child] == 1:
                    return sorted(nodes, key=position.__getitem__)
            else:
                path.pop()
                state[node] = 2
                finished.append(node)
    finished.reverse()
    return finished


class Bindings:
    """The values of a rule's names while it is matched, by slot."""

    # The node of a name is 0 where there is none, the word bound from a label "", and
    # the nodes of an "all" edge ().

    __slots__ = ("groups", "nodes", "words")

    def __init__(self, size: int) -> None:
        self.nodes = [0] * size
        self.words = [""] * size
        self.groups: list[tuple[int, ...]] = [()] * size

    def has(self, slot: int) -> bool:
        """Return whether a name stands for anything."""
        return bool(self.nodes[slot] or self.words[slot] or self.groups[slot])


_LABELS: Final = 4096  # The number of labels that are remembered
Tags = frozenset[str] | None  # Tags a node may have; None allows any
Test = Callable[[IndexedGraph, Bindings], bool]
Reading = tuple[str, Tags, str]
"""The word a label carries; the tags its dependent must have; the label that the
dependent must govern, or ""."""


class LabelReadings(dict[str, tuple[Reading, ...]]):
    """Label -> the ways in which it satisfies a clause; each is read once."""

    def __init__(self, read: Callable[[str], tuple[Reading, ...]]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, label: str) -> tuple[Reading, ...]:
        """Read a label."""
        if len(self) > _LABELS:  # Labels have words of captions.
            self.clear()
        readings = self[label] = self._read(label)
        return readings


class GrammarTables:
    """A grammar's tag classes, links and lists in the form closures need."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._readings: dict[str, LabelReadings] = {}

    def tags(self, name: str) -> Tags:
        """Return the tags of a class; any for an empty name and for a word list."""
        if not name or name.startswith("@"):
            return None
        return frozenset(self._grammar.tags[name])

    def words(self, test: WordTest) -> frozenset[str]:
        """Return the values of a test, its lists looked up."""
        return self._grammar.words(test)

    def readings(self, text: str) -> LabelReadings:
        """Return label -> the ways in which it satisfies a clause."""
        if text not in self._readings:
            patterns = self._grammar.edge_patterns(text)

            def read(label: str) -> tuple[Reading, ...]:
                return tuple(
                    (word, self.tags(pattern.to), pattern.having)
                    for pattern in patterns
                    if (word := pattern.bound(label)) is not None
                )

            self._readings[text] = LabelReadings(read)
        return self._readings[text]

    def has_requirements(self, text: str) -> bool:
        """Return whether a link has requirements for the dependent beyond its label."""
        patterns = self._grammar.edge_patterns(text)
        return any(pattern.to or pattern.having for pattern in patterns)


class SlotNames:
    """The slot of each name of a rule in `Bindings`; slot 0 is ROOT."""

    def __init__(self, outer: "SlotNames | None" = None) -> None:
        self.names: dict[str, int] = dict(outer.names) if outer else {"ROOT": 0}
        self._counter: list[int] = outer._counter if outer else [1]

    @property
    def size(self) -> int:
        """The number of slots that `Bindings` need."""
        return self._counter[0]

    def of(self, name: str) -> int:
        """Return the slot of a name; `_` (and no name) gets a fresh one each time."""
        if name in ("_", ""):
            return self.fresh()
        if name not in self.names:
            self.names[name] = self.fresh()
        return self.names[name]

    def fresh(self) -> int:
        """Return a slot of its own."""
        self._counter[0] += 1
        return self._counter[0] - 1


def allows(tags: Tags, tag: str) -> bool:
    """Return whether a node may have this tag."""
    return tags is None or tag in tags


def suits(indexed: IndexedGraph, node: int, reading: Reading) -> bool:
    """Return whether a dependent has the tag and the edge that a link requires."""
    _, tags, having = reading
    if tags is not None and indexed.tags[node] not in tags:
        return False
    return not having or any(label == having for label, _ in indexed.children[node])


def list_tests(
    places: Iterable[tuple[int, NodePattern]], lookups: GrammarTables
) -> list[Test]:
    """Return the tests of nodes that must be words of a list (`name:@list`)."""
    return [
        word_test([slot], WordTest("lemma", (node.tags,)), lookups)
        for slot, node in places
        if node.listed
    ]


def word_test(places: Sequence[int], test: WordTest, lookups: GrammarTables) -> Test:
    """Return a test on the word at a slot, or on the words of a name at several."""
    # A name is in its list as a rewrite rule joins it: the last word as a lemma, the
    # others as they are written.
    words, wanted = lookups.words(test), not test.negated
    if len(places) > 1:

        def joined(indexed: IndexedGraph, bindings: Bindings) -> bool:
            parts = [indexed.words[bindings.nodes[place]] for place in places[:-1]]
            parts.append(indexed.lemmas[bindings.nodes[places[-1]]].strip())
            return (" ".join(parts).lower() in words) is wanted

        return joined
    (slot,) = places
    if test.attribute == "tag":
        return lambda indexed, bindings: (
            (indexed.tags[bindings.nodes[slot]] in words) is wanted
        )
    if test.attribute == "text":
        return lambda indexed, bindings: (
            (indexed.words[bindings.nodes[slot]].lower() in words) is wanted
        )
    return lambda indexed, bindings: (
        (indexed.lemmas[bindings.nodes[slot]].strip().lower() in words) is wanted
    )


# Edges of a pattern as closures: join an edge, test for one, fill an option.

Step = Callable[[IndexedGraph, Bindings], Iterator[None]]
Fill = Callable[[IndexedGraph, Bindings], None]


def step(
    clause: Clause,
    slots: SlotNames,
    known: set[int],
    lookups: GrammarTables,
    tests: Sequence[Test] = (),
) -> Step:
    """Return an iterator over the ways to add this edge, which fills slots."""
    # `known` holds the slots filled before; the clause's own are added to it. `tests`
    # must hold then.
    head, dependent = slots.of(clause.head.name), slots.of(clause.dependent.name)
    bind = slots.of(clause.bind)
    read = lookups.readings(clause.label)
    head_tags, tags = (
        lookups.tags(clause.head.tags),
        lookups.tags(clause.dependent.tags),
    )
    down = head in known
    fixed = down and dependent in known
    near, far = (head, dependent) if down else (dependent, head)
    known.update((head, dependent))
    listed = list_tests([(head, clause.head), (dependent, clause.dependent)], lookups)
    holding = [*listed, *tests]

    def add(indexed: IndexedGraph, bindings: Bindings) -> Iterator[None]:
        nodes, known_tags = bindings.nodes, indexed.tags
        node, target = nodes[near], nodes[far]
        links = (indexed.children if down else indexed.parents)[node]
        indexed.budget.spend(len(links))
        for label, other in links:
            readings = read[label]
            if not readings or (fixed and other != target):
                continue
            above, below = (node, other) if down else (other, node)
            if head_tags is not None and known_tags[above] not in head_tags:
                continue
            if tags is not None and known_tags[below] not in tags:
                continue
            for reading in readings:
                if suits(indexed, below, reading):
                    nodes[far], bindings.words[bind] = other, reading[0]
                    for test in holding:
                        if not test(indexed, bindings):
                            break
                    else:
                        yield
                    break

    return add


def exists(
    pattern: Pattern, slots: SlotNames, known: set[int], lookups: GrammarTables
) -> Test:
    """Return whether the clauses of a pattern hold together somewhere."""
    scope, seen = SlotNames(slots), set(known)
    steps = [step(c, scope, seen, lookups) for negated, c in pattern if not negated]
    nots = [step(c, scope, set(seen), lookups) for negated, c in pattern if negated]
    lists = any(end.listed for _, c in pattern for end in (c.head, c.dependent))
    if (
        len(pattern) == 1
        and steps
        and not lists
        and not lookups.has_requirements(pattern[0][1].label)
    ):
        return _one_edge(pattern[0][1], scope, known, lookups)

    def search(indexed: IndexedGraph, bindings: Bindings, at: int) -> bool:
        if at == len(steps):
            return not any(True for leave in nots for _ in leave(indexed, bindings))
        for _ in steps[at](indexed, bindings):  # Faster than `any` of a generator.
            if search(indexed, bindings, at + 1):
                return True
        return False

    return lambda indexed, bindings: search(indexed, bindings, 0)


def _one_edge(
    clause: Clause, slots: SlotNames, known: set[int], lookups: GrammarTables
) -> Test:
    """Return `exists` for a single edge, which needs no join."""
    # This common case saves a seventh of the time of the rules of `spice-1.0`.
    head, dependent = slots.of(clause.head.name), slots.of(clause.dependent.name)
    read = lookups.readings(clause.label)
    down = head in known and head != 0
    fixed = head in known and dependent in known
    near, far = (head, dependent) if down else (dependent, head)
    ends = (clause.head.tags, clause.dependent.tags)
    near_tags, far_tags = (
        lookups.tags(name) for name in (ends if down else ends[::-1])
    )

    def test(indexed: IndexedGraph, bindings: Bindings) -> bool:
        node = bindings.nodes[near]
        if near_tags is not None and indexed.tags[node] not in near_tags:
            return False
        for label, other in (indexed.children if down else indexed.parents)[node]:
            if (
                read[label]
                and (far_tags is None or indexed.tags[other] in far_tags)
                and (not fixed or other == bindings.nodes[far])
            ):
                return True
        return False

    return test


def option(clause: Clause, slots: SlotNames, lookups: GrammarTables) -> Fill:
    """Fill the slot of an optional edge: the first such node, or all of them."""
    head, dependent = slots.of(clause.head.name), slots.of(clause.dependent.name)
    read, tags = lookups.readings(clause.label), lookups.tags(clause.dependent.tags)
    bind = slots.of(clause.bind)
    listed = list_tests([(dependent, clause.dependent)], lookups)

    def below(indexed: IndexedGraph, bindings: Bindings) -> Sequence[Link]:
        node = bindings.nodes[head]
        return indexed.children[node] if node else ()

    def fits(indexed: IndexedGraph, bindings: Bindings, node: int) -> bool:
        bindings.nodes[dependent] = node
        return all(test(indexed, bindings) for test in listed)

    def first(indexed: IndexedGraph, bindings: Bindings) -> None:
        for label, node in below(indexed, bindings):
            for reading in read[label]:
                if (
                    allows(tags, indexed.tags[node])
                    and suits(indexed, node, reading)
                    and fits(indexed, bindings, node)
                ):
                    bindings.words[bind] = reading[0]
                    return
        bindings.nodes[dependent], bindings.words[bind] = 0, ""

    def every(indexed: IndexedGraph, bindings: Bindings) -> None:
        bindings.groups[dependent] = tuple(
            node
            for label, node in below(indexed, bindings)
            if allows(tags, indexed.tags[node])
            and any(suits(indexed, node, reading) for reading in read[label])
            and fits(indexed, bindings, node)
        )
        bindings.nodes[dependent] = 0

    return every if clause.mode == "all" else first
