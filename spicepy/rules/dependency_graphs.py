"""Dependency graphs, which the rules of a grammar read."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto

from spicepy.common.errors import GrammarError
from spicepy.parsing.trees import Edge
from spicepy.rules.tuples import Mood


@dataclass(frozen=True, slots=True)
class DependencyGraph:
    """Nodes and labelled edges, roots as edges ("root", 0, node).

    Node k (from 1) has `words[k - 1]`, `tags[k - 1]`, `lemmas[k - 1]`. Nodes
    beyond the caption's tokens are copies made by coordination: `copies[j]`
    is the position of the token that node `len(words) - len(copies) + j + 1`
    repeats. `unreal` has what the caption denies or supposes, apart from the edges.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    edges: tuple[Edge, ...]
    copies: tuple[int, ...] = ()
    unreal: "tuple[UnrealGraph, ...]" = ()


@dataclass(frozen=True, slots=True)
class UnrealGraph:
    """A caption's graph with something that the caption denies or supposes (`mood`)."""

    # `nodes` are those of what is denied or supposed; all else is stated elsewhere.
    # `graph` has the edges of the caption as if it were stated.

    mood: Mood
    nodes: frozenset[int]
    graph: DependencyGraph


# The word lists that shape dependency graphs, as one value.

Words = tuple[str, ...]

NAMES = (
    "prepositions-three-words",
    "prepositions-flat",
    "prepositions-headed",
    "conjunctions-additive",
    "conjunctions-negative",
    "quantities-determined",
    "quantities-bare",
    "quantities-partitive",
    "pronouns-singular",
)
"""The lists a grammar must have for its dependency graphs."""


@dataclass(frozen=True, slots=True)
class DependencyWords:
    """The lists ready for look-up; expressions are split at blanks.

    `triggers` holds each word that can start a preposition of several words:
    captions without any need no further look.
    """

    three_words: frozenset[Words]
    flat: frozenset[Words]
    headed: frozenset[Words]
    conjunctions: Mapping[str, str]
    determined: frozenset[str]
    bare: frozenset[str]
    partitive: frozenset[str]
    singular: frozenset[str]
    triggers: frozenset[str]

    @classmethod
    def from_lists(cls, lists: Mapping[str, Iterable[str]]) -> "DependencyWords":
        """Build the value from a grammar's lists; a missing one is a `GrammarError`."""
        if missing := [name for name in NAMES if name not in lists]:
            raise GrammarError(
                f"the grammar lacks the word list {missing[0]!r}, which its "
                f"dependency graphs need; it has: {', '.join(sorted(lists))}"
            )
        three, flat, headed = (
            frozenset(tuple(text.split()) for text in lists[name]) for name in NAMES[:3]
        )
        determined, bare, partitive, singular = (
            frozenset(lists[name]) for name in NAMES[5:]
        )
        names = dict.fromkeys(lists[NAMES[3]], "and")
        names |= dict.fromkeys(lists[NAMES[4]], "negcc")
        return cls(
            three_words=three,
            flat=flat,
            headed=headed,
            conjunctions={words.replace(" ", "_"): to for words, to in names.items()},
            determined=determined,
            bare=bare,
            partitive=partitive,
            singular=singular,
            triggers=frozenset(words[0] for words in three | flat | headed),
        )


# Quantity phrases and pronouns: the last changes before the rules.
#
# In: a collapsed `DependencyGraph`. Out: the same graph, or one in which "dogs" is the
# head of "a couple of dogs" and a pronoun's edges belong to the noun it stands for:
#
#     nmod:of(couple, dogs) det(couple, a)  →  det:qmod(dogs, a) mwe(a, couple) …
#
# Source: Schuster et al. 2015, Generating Semantically Precise Scene Graphs, section
# 3.1; conditions as measured on the output of SPICE 1.0.

_PRONOUNS = frozenset({"PRP", "PRP$"})
_SINGULAR_NOUNS = frozenset({"NN", "NNP"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_DECADE = re.compile(r"[0-9]+s")
_DIGITS = re.compile(r"[0-9]+")

Test = Callable[[str], bool]


class _Quantity(Enum):
    """Kinds of quantity phrases."""

    determined = auto()
    """"a couple of dogs"."""
    bare = auto()
    """"dozens of dogs"."""
    partitive = auto()
    """"three of the dogs"."""


def enhance(graph: DependencyGraph, grammar_words: DependencyWords) -> DependencyGraph:
    """Return the graph with quantity phrases turned and pronouns resolved.

    Args:
        graph: A collapsed graph, as `collapse` returns it.
        grammar_words: The grammar's quantity words and singular pronouns.

    Returns:
        The graph with changed edges, ordered by dependent and head, but those of
        pronouns last; the same object if nothing changes.
    """
    edges = list(graph.edges)
    lower = [word.lower() for word in graph.words]
    if "of" in lower:
        edges = _turn_quantities(graph, edges, lower, grammar_words)
        edges = sorted(dict.fromkeys(edges), key=lambda edge: (edge[2], edge[1]))
    if not _PRONOUNS.isdisjoint(graph.tags):
        edges = _resolve_pronouns(graph, edges, grammar_words.singular)
    if edges == list(graph.edges):
        return graph
    return replace(graph, edges=tuple(edges))


# Quantity phrases


def _turn_quantities(
    graph: DependencyGraph, edges: list[Edge], lower: list[str], words: DependencyWords
) -> list[Edge]:
    """Turn phrases of the three kinds, one kind after the other."""
    tokens = len(lower) - len(graph.copies)
    before_of = [i for i in range(1, tokens) if lower[i] == "of"]
    for kind, listed, pattern in (
        (_Quantity.determined, words.determined, None),
        (_Quantity.bare, words.bare, _DECADE),
        (_Quantity.partitive, words.partitive, _DIGITS),
    ):
        snapshot = list(edges)
        for position in before_of:
            word = lower[position - 1]
            if word not in listed and not (pattern and pattern.fullmatch(word)):
                continue
            for noun, article in _counted(graph, snapshot, lower, position, kind):
                if not _promote(edges, position, noun, article):
                    return edges
    return edges


def _counted(
    graph: DependencyGraph,
    edges: list[Edge],
    lower: list[str],
    word: int,
    kind: _Quantity,
) -> list[tuple[int, int]]:
    """Return (noun, article) pairs of the quantity word; article 0 for none."""
    of = word + 1
    nouns = []
    for label, head, noun in edges:
        if head != word or not label.startswith("nmod") or noun < 1:
            continue
        tag = graph.tags[noun - 1]
        pronoun = tag.startswith("PRP")
        if not (pronoun or tag in _NOUNS) or ("case", noun, of) not in edges:
            continue
        determined = pronoun or ("det", noun, of + 1) in edges
        if kind is _Quantity.partitive and not determined:
            continue
        nouns.append(noun)
    if kind is not _Quantity.determined:
        return [(noun, 0) for noun in nouns]
    articles = [
        child
        for label, head, child in edges
        if head == word and label == "det" and lower[child - 1] in ("a", "an")
    ]
    return [(noun, article) for noun in nouns for article in articles]


def _promote(edges: list[Edge], word: int, noun: int, article: int) -> bool:
    """Put `noun` in the place of the quantity word; False if that has none."""
    parent = 0 if ("root", 0, word) in edges else _parent_to_root(edges, word)
    if parent is None:
        return False
    moved = next(e for e in edges if e[1] == parent and e[2] == word)
    left = [
        child
        for label, head, child in edges
        if head == word and child < word and (not article or label == "amod")
    ]
    members = sorted({word, word + 1, *left} | ({article} if article else set()))
    taken = set(members)
    kept = [
        edge
        for edge in edges
        if edge != moved and edge[1:] != (word, noun) and edge[2] not in taken
    ]
    first, *others = members
    edges[:] = [
        *kept,
        (moved[0], parent, noun),
        ("det:qmod", noun, first),
        *(("mwe", first, other) for other in others),
    ]
    return True


def _parent_to_root(edges: list[Edge], word: int) -> int | None:
    """Return the leftmost head of `word` that hangs on a root, None if none does."""
    heads: dict[int, list[int]] = {}
    for _, head, node in edges:
        heads.setdefault(node, []).append(head)
    for parent in sorted(heads.get(word, ())):
        above = [parent]
        for node in above:
            if node == 0:
                return parent
            above += [head for head in heads.get(node, ()) if head not in above]
    return None


# Pronouns


def _resolve_pronouns(
    graph: DependencyGraph, edges: list[Edge], singular: frozenset[str]
) -> list[Edge]:
    """Give the edges of each pronoun to the first noun below the root."""
    walk: list[int] | None = None
    targets: list[tuple[int, int]] = []
    for position in range(2, len(graph.words) - len(graph.copies) + 1):
        if graph.tags[position - 1] not in _PRONOUNS:
            continue
        if not any(node == position and head for _, head, node in edges):
            continue
        if walk is None:
            walk = _breadth_first(graph, edges)
        alone = graph.words[position - 1] in singular
        tags = _SINGULAR_NOUNS if alone else _NOUNS
        noun = next((node for node in walk if graph.tags[node - 1] in tags), 0)
        if noun and _token(graph, noun) < position:
            targets.append((position, noun))
    for position, noun in targets:
        edges = _moved(edges, position, noun)
    return edges


def _moved(edges: list[Edge], old: int, new: int) -> list[Edge]:
    """Return the edges, those of `old` last and now of `new`; equal ones stay two."""
    kept: list[Edge] = []
    moved: list[Edge] = []
    for label, head, node in edges:
        if head and old in (head, node):
            head, node = (new if end == old else end for end in (head, node))
            moved.append((label, head, node))
        else:
            kept.append((label, head, node))
    return kept + moved


def _token(graph: DependencyGraph, node: int) -> int:
    """Return the position of a node's token, that of the original for a copy."""
    tokens = len(graph.words) - len(graph.copies)
    return node if node <= tokens else graph.copies[node - tokens - 1]


def _breadth_first(graph: DependencyGraph, edges: list[Edge]) -> list[int]:
    """Return all nodes below the first root, level by level, left to right."""
    children: dict[int, list[int]] = {}
    for _, head, node in edges:
        children.setdefault(head, []).append(node)
    walk = sorted(children.get(0, ()))[:1]
    seen = set(walk)
    for node in walk:
        for child in sorted(
            children.get(node, ()), key=lambda child: (_token(graph, child), child)
        ):
            if child not in seen:
                seen.add(child)
                walk.append(child)
    return walk
