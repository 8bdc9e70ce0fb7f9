"""Labelled edges between the words of a tree with heads.

In: a tree with heads. Out: edges.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from spicepy.parsing.conversion.labels import Labels, Test
from spicepy.parsing.conversion.linked import Linked, nodes
from spicepy.parsing.conversion.patterns import Patterns, TreePath


@dataclass(frozen=True, slots=True)
class Relation:
    """A kind of dependency: its name, the one that it refines, and its patterns."""

    name: str
    below: str
    phrases: Labels | None
    rules: tuple[TreePath, ...]


def read_relation(name: str, card: Mapping[str, Any], patterns: Patterns) -> Relation:
    """Compile a table of `relations.toml`."""
    phrases = None
    if "phrases" in card:
        phrases = patterns.matcher("|".join(card["phrases"].split())).labels
    rules = tuple(map(patterns.path, card.get("rules", ())))
    return Relation(name, card["below"], phrases, rules)


@dataclass(slots=True)
class Edges:
    """The edges of a sentence: governor and labels of each word, by positions."""

    governor: dict[int, int]
    labels: dict[int, set[str]]


Direct = tuple[tuple[str, Test | None, Test | None], ...]
"""Rules about a child: label, test of the phrase, test of the child."""

Elsewhere = tuple[tuple[str, TreePath], ...]
"""Rules whose dependent is no child of the phrase."""


class RelationFinder:
    """Finds edges by the relations of a grammar."""

    def __init__(self, relations: Iterable[Relation]) -> None:
        """Take the relations."""
        self.all = tuple(relations)
        self._below = {relation.name: relation.below for relation in self.all}
        self._direct: dict[tuple[str, str], Direct] = {}
        self._elsewhere: dict[str, Elsewhere] = {}
        self._chosen: dict[frozenset[str], str] = {}

    def edges(self, top: Linked, outside: frozenset[int]) -> Edges:
        """Return the edges that the phrases of a tree make, higher phrases first.

        Args:
            top: The tree, with heads.
            outside: Positions of words that get no governor.
        """
        edges = Edges({}, {})
        for phrase in nodes(top):
            if phrase.children:
                for label, node in self._found(phrase):
                    add(edges, phrase.leaf.word, node.leaf.word, label, outside)
        return edges

    def _found(self, phrase: Linked) -> list[tuple[str, Linked]]:
        """Return the dependents of a phrase with their labels."""
        edges = []
        for child in phrase.children:
            key = phrase.label, child.label
            rules = self._direct.get(key)
            if rules is None:
                rules = self._direct[key] = self._rules(*key)
            for label, of_phrase, of_child in rules:
                if (of_child is None or of_child(child, phrase)) and (
                    of_phrase is None or of_phrase(phrase, phrase)
                ):
                    edges.append((label, child))
        elsewhere = self._elsewhere.get(phrase.label)
        if elsewhere is None:
            elsewhere = self._paths(phrase.label)
            self._elsewhere[phrase.label] = elsewhere
        for label, path in elsewhere:
            edges += [(label, node) for node in reach(phrase, path)]
        return edges

    def _rules(self, phrase: str, child: str) -> Direct:
        return tuple(
            (relation.name, path.phrase.rest, path.ways[0][1].rest)
            for relation, path in self._of(phrase)
            if path.direct and path.ways[0][1].labels[child]
        )

    def _paths(self, phrase: str) -> Elsewhere:
        return tuple(
            (relation.name, path)
            for relation, path in self._of(phrase)
            if not path.direct
        )

    def _of(self, phrase: str) -> Iterable[tuple[Relation, TreePath]]:
        for relation in self.all:
            if relation.phrases is None or relation.phrases[phrase]:
                for path in relation.rules:
                    if path.phrase.labels[phrase]:
                        yield relation, path

    def label(self, names: Iterable[str]) -> str:
        """Return the label of an edge that several relations made.

        The alphabetically first, refined by later ones below it.
        """
        key = frozenset(names)
        if key not in self._chosen:
            chosen = "dep"
            for name in sorted(key):
                if self.is_below(name, chosen):
                    chosen = name
            self._chosen[key] = chosen
        return self._chosen[key]

    def is_below(self, name: str, other: str) -> bool:
        """Return whether a relation is a kind of another one."""
        while name in self._below:
            name = self._below[name]
            if name == other:
                return True
        return False


def reach(phrase: Linked, path: TreePath) -> list[Linked]:
    """Return the nodes at the end of a path from a phrase."""
    if path.phrase.rest is not None and not path.phrase.rest(phrase, phrase):
        return []
    nodes = [phrase]
    for way, matcher in path.ways:
        labels, rest = matcher.labels, matcher.rest
        nodes = [
            other
            for node in nodes
            for other in way(node)
            if labels[other.label] and (rest is None or rest(other, node))
        ]
        if not nodes:
            break
    return nodes


def add(
    edges: Edges, governor: int, dependent: int, label: str, outside: frozenset[int]
) -> None:
    """Add an edge unless the dependent has another governor or governs its governor."""
    if governor == dependent or dependent in outside:
        return
    known = edges.governor.get(dependent)
    if known is None:
        above: int | None = governor
        while above is not None:
            if above == dependent:
                return
            above = edges.governor.get(above)
        edges.governor[dependent] = governor
        edges.labels[dependent] = {label}
    elif known == governor:
        edges.labels[dependent].add(label)
