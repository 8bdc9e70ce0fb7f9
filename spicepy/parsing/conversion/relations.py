"""Labelled edges between the words of a tree with heads."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from spicepy.parsing.conversion.patterns import Labels, Patterns, Test, TreePath
from spicepy.parsing.conversion.trees import Linked, nodes


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
"""Rules whose dependent is not a child of the phrase."""


class RelationFinder:
    """Finds edges by the relations of a grammar."""

    def __init__(self, relations: Iterable[Relation]) -> None:
        """Take the relations."""
        self.all = tuple(relations)
        self._below = {relation.name: relation.below for relation in self.all}
        self._direct, self._elsewhere = cache(self._rules), cache(self._paths)
        self._chosen = cache(self._choose)

    def edges(self, top: Linked, outside: frozenset[int]) -> Edges:
        """Return the edges of phrases, higher ones first; `outside` has no governor."""
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
            for label, of_phrase, of_child in self._direct(phrase.label, child.label):
                if (of_child is None or of_child(child, phrase)) and (
                    of_phrase is None or of_phrase(phrase, phrase)
                ):
                    edges.append((label, child))
        for label, path in self._elsewhere(phrase.label):
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
        """Return the label of an edge that several relations made."""
        return self._chosen(frozenset(names))

    def _choose(self, names: frozenset[str]) -> str:
        chosen = "dep"  # the alphabetically first, refined by later ones below it
        for name in sorted(names):
            if self.is_below(name, chosen):
                chosen = name
        return chosen

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


# Heads and labels of all words, from the edges of the rules.
#
# Words that no rule has linked, the root, and labels that other edges decide: question
# words, stranded prepositions, passives.


@dataclass(frozen=True, slots=True)
class Infinitives:
    """Verbs that take an infinitive without an object, and their other forms."""

    verbs: frozenset[str]
    forms: frozenset[str]
    plurals: frozenset[str]

    def includes(self, word: str, tag: str) -> bool:
        """Return whether a word with a tag is such a verb."""
        if tag in ("NNP", "NNPS"):
            return word in self.verbs
        text = word.lower()
        return (
            text in self.verbs
            or (tag.startswith("V") and text in self.forms)
            or (tag == "NNS" and text in self.plurals)
        )


Edge = tuple[int, int]  # Governor and dependent; positions from 0

Labelled = dict[Edge, str]


def finish(top: Linked, edges: Labelled, outside: frozenset[int]) -> int | None:
    """Link the words that no rule has linked, and return the root."""
    # It is None for a sentence of marks alone.
    with_stranded(top, edges, outside)
    return choose_root(top, edges, outside)


def settle(
    edges: Labelled, words: Sequence[str], tags: Sequence[str], infinitives: Infinitives
) -> None:
    """Settle what other edges decide; the order counts."""
    labels = set(edges.values())
    if "xcomp" in labels:
        settle_questions(edges, words, tags, infinitives)
    if "prep" in labels or "rel" in labels:
        settle_prepositions(edges)
    if "auxpass" in labels:
        settle_passives(edges)


def with_stranded(top: Linked, edges: Labelled, outside: frozenset[int]) -> None:
    """Link words that hang on nothing to the head word of the phrase above."""
    part = list(range(1 + max(n.word for n in nodes(top))))

    def find(word: int) -> int:
        while part[word] != word:
            word = part[word]
        return word

    for governor, dependent in edges:
        part[find(dependent)] = find(governor)
    root = top.leaf.word
    for node in nodes(top):
        word = node.leaf.word
        if node.parent is None or word in outside:
            continue
        above = node.parent.leaf.word
        if word != above and find(word) != find(root) and (above, word) not in edges:
            edges[above, word] = "dep"
            part[find(word)] = find(above)


def choose_root(top: Linked, edges: Labelled, outside: frozenset[int]) -> int | None:
    """Return the root; a mark as head of the tree hands over to its first dependent."""
    root = top.leaf.word
    if root not in outside:
        return root
    below = sorted(dependent for governor, dependent in edges if governor == root)
    for dependent in below:
        label = edges.pop((root, dependent))
        if dependent != below[0]:
            edges[below[0], dependent] = label
    return below[0] if below else None


def in_table_order(dependents: Sequence[int]) -> list[int]:
    """Sort the dependents of a word as the original meets them."""
    # They come from a table of 16 places, 32 for more than 12, 64 for more than 24.
    size = 16
    while len(dependents) > size * 3 // 4:
        size *= 2
    return sorted(dependents, key=lambda word: ((word + 1) % size, word))


def dependents(edges: Labelled, governor: int) -> list[int]:
    """Return the dependents of a word in table order."""
    return in_table_order([d for g, d in edges if g == governor])


def settle_questions(
    edges: Labelled, words: Sequence[str], tags: Sequence[str], infinitives: Infinitives
) -> None:
    """Move the object of "what do you want to see" to the second verb."""
    for governor in {g for (g, _), label in edges.items() if label == "xcomp"}:
        below = dependents(edges, governor)
        verb = next(d for d in below if edges[governor, d] == "xcomp")
        first = next((d for d in below if edges[governor, d] in ("dep", "dobj")), None)
        if first is None or not tags[first].startswith("W"):
            continue
        if any(
            edges[governor, d] in ("dobj", "iobj") for d in below
        ) or infinitives.includes(words[governor], tags[governor]):
            del edges[governor, first]
            edges[verb, first] = "dobj"


def settle_prepositions(edges: Labelled) -> None:
    """Give prepositions without noun, and question words, their final labels."""
    for (governor, word), label in list(edges.items()):
        if label != "prep":
            continue
        noun = next(
            (
                d
                for d in dependents(edges, governor)
                if d < word and edges[governor, d] in ("nmod", "rel")
            ),
            None,
        )
        if noun is None:
            edges[governor, word] = "nmod"
        else:
            edges[governor, noun] = "nmod"
            del edges[governor, word]
            edges[noun, word] = "case"
    for edge, label in edges.items():
        if label == "rel":
            edges[edge] = "dobj"


def settle_passives(edges: Labelled) -> None:
    """Call the subject of a verb with a passive auxiliary a passive one."""
    passive = {g for (g, _), label in edges.items() if label == "auxpass"}
    for edge, label in edges.items():
        if edge[0] in passive and label in ("nsubj", "csubj"):
            edges[edge] = label + "pass"
