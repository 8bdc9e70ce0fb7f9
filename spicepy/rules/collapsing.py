"""Collapse a basic tree to a graph in which coordination is propagated.

Prepositions and conjunctions move from words into labels, and edges of the first of
several conjuncts are copied to the others. For "cats on top of a car":

    nmod(cats, top) nmod(top, car)  →  nmod:on_top_of(cats, car)

The steps, in this order: passive subjects, prepositions of several words,
coordinated phrases and prepositions, names, propagation.

Source: de Marneffe and Manning 2008, Stanford Dependencies manual (revised
2015), section 4; Schuster and Manning 2016, section 3; conditions as measured
on the output of SPICE 1.0.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from spicepy.parsing.trees import Edge, MutableTree, Parse
from spicepy.rules.dependency_graphs import DependencyGraph, DependencyWords

# Coordination: conjuncts share their governors and their subjects.
#
# `split_phrases` runs before prepositions are named, `propagate` after. In "a monkey
# sits on a rock and under a tree" the two phrases would be conjuncts of different
# prepositions; the verb is copied instead, and each copy gets one phrase:
#
#     nmod(sits, rock) conj(rock, tree)  →  conj(sits, sits') nmod(sits', tree)
#
# Source: de Marneffe and Manning 2008, section 4.3; Schuster and Manning 2016, sections
# 3.1 and 3.2; conditions as measured on the output of SPICE 1.0.

_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_CLAUSE = _SUBJECTS | {"auxpass"}
_UNSHARED = frozenset({"root", "case"})
_ACTIVE = frozenset({"VB", "VBZ", "VBP", "JJ", "JJR", "JJS"})


@dataclass(slots=True)
class Split:
    """The nodes and edges that copying governors added to the tree."""

    # `copies[i]` is the position that node `len(words) + i` repeats (the tree's words
    # start with an empty one); `conjunctions` are (governor, copy, name) and `edges`
    # hang existing nodes below copies a second time.

    copies: list[int] = field(default_factory=list)
    conjunctions: list[tuple[int, int, str]] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)

    def copy(self, tree: MutableTree, position: int, name: str) -> int:
        """Add a copy of a token, joined by a conjunction; return its number."""
        size = len(tree.words)
        token = position if position < size else self.copies[position - size]
        node = size + len(self.copies)
        self.copies.append(token)
        self.conjunctions.append((position, node, name))
        return node


class _Coordination(NamedTuple):
    """A prepositional phrase's governor, its coordinators and its conjuncts."""

    # Every coordinator makes a copy of the governor for every conjunct with a
    # preposition, several if the phrases have several case markers: `phrases` has the
    # conjuncts with the number of copies for each coordinator.
    governor: int
    coordinators: list[int]
    phrases: list[tuple[int, int]]


def split_phrases(tree: MutableTree, names: Mapping[str, str]) -> Split:
    """Copy the governor of coordinated prepositional phrases and prepositions."""
    # Prepositions are not yet named; conjuncts that move are relabelled. `names` maps a
    # coordinator (words joined by "_") to its name, where it has another.
    split = Split()
    if "case" not in tree.labels:
        return split
    conjuncts = [i for i, label in enumerate(tree.labels) if label == "conj"]
    # All are found before any is split: a phrase that moves becomes an nmod itself.
    found = [
        _coordination(tree, first)
        for first in dict.fromkeys(tree.heads[i] for i in conjuncts)
        if tree.labels[first] == "nmod" and tree.heads[first] > 0
    ]
    for coordination in found:
        _split_phrases(tree, split, coordination, names)
    for conjunct in conjuncts:
        if tree.labels[conjunct] != "conj":
            continue
        if tree.labels[tree.heads[conjunct]] == "case":
            _split_preposition(tree, split, conjunct, names)
    return split


def _coordination(tree: MutableTree, first: int) -> _Coordination:
    """Return what is coordinated with the phrase "on a rock"; `first` is rock."""
    markers = len(tree.children(first, "case"))
    phrases = [
        (second, markers * len(tree.children(second, "case")))
        for second in tree.hash_order(first, tree.children(first, "conj"))
    ]
    coordinators = tree.hash_order(first, tree.children(first, "cc"))
    return _Coordination(tree.heads[first], coordinators, phrases)


def _split_phrases(
    tree: MutableTree,
    split: Split,
    coordination: _Coordination,
    names: Mapping[str, str],
) -> None:
    """Handle "sits on a rock and under a tree and in a park"."""
    # A phrase moves to the first of its copies; the others stay empty. The coordinators
    # move to the governor, so that a conjunct without a preposition has none and stays
    # bare: "with a cup and a plate and on a table" keeps conj(cup, plate).
    governor, coordinators, phrases = coordination
    if not any(copies for _, copies in phrases):
        return
    for coordinator in coordinators:
        name = _name(tree, coordinator, names)
        tree.heads[coordinator] = governor
        for second, copies in phrases:
            for _ in range(copies):
                copy = split.copy(tree, governor, name)
                if tree.labels[second] == "conj":
                    tree.heads[second], tree.labels[second] = copy, "nmod"


def _split_preposition(
    tree: MutableTree, split: Split, second: int, names: Mapping[str, str]
) -> None:
    """Handle "walks up and down a street"; `second` is down."""
    first = tree.heads[second]
    noun = tree.heads[first]
    if tree.labels[noun] != "nmod" or not tree.has_children(first, "cc"):
        return
    if (governor := tree.heads[noun]) < 1:
        return
    copy = split.copy(tree, governor, _conjunction(tree, second, names))
    split.edges.append((f"nmod:{tree.expression(second)}", copy, noun))


def _conjunction(tree: MutableTree, conjunct: int, names: Mapping[str, str]) -> str:
    """Return the name of the coordinator before a conjunct, else the first, or ""."""
    coordinators = tree.children(tree.heads[conjunct], "cc")
    if not coordinators:
        return ""
    before = [position for position in coordinators if position < conjunct]
    return _name(tree, before[-1] if before else coordinators[0], names)


def _name(tree: MutableTree, coordinator: int, names: Mapping[str, str]) -> str:
    """Return what a coordinator is called in labels, "negcc" for "but not"."""
    name = tree.expression(coordinator)
    # In "but not" and "but only" the second word is the head of the first.
    whole = [tree.words[i] for i in tree.children(coordinator, "cc")]
    return names.get("_".join([*whole, name]), names.get(name, name))


def propagate(tree: MutableTree, split: Split, names: Mapping[str, str]) -> list[Edge]:
    """Return all edges by dependent and head: conjunctions named, edges copied."""
    # Prepositions are named, conjuncts still plain `conj`. A conjunct without a
    # coordinator stays `conj` and shares nothing.
    conjuncts = [
        (tree.heads[i], i, _conjunction(tree, i, names))
        for i, label in enumerate(tree.labels)
        if label == "conj"
    ]
    pairs = []
    for first, second, name in conjuncts:
        if name:
            tree.labels[second] = f"conj:{name}"
            pairs.append((first, second))
    edges = [*tree.edges(), *split.edges]
    for first, second, name in split.conjunctions:
        edges.append((f"conj:{name}", first, second))
        pairs.append((first, second))
    shared = _shared(tree, split, edges, pairs)
    # Not a set from the start: the order of edges stays that of the caption.
    unique = dict.fromkeys(edges + shared)
    return sorted(unique, key=lambda edge: (edge[2], edge[1]))


def _shared(
    tree: MutableTree, split: Split, edges: list[Edge], pairs: list[tuple[int, int]]
) -> list[Edge]:
    """Return the edges that the second of each pair has because the first has them."""
    above, clause = defaultdict(list), defaultdict(list)
    for edge in edges:
        above[edge[2]].append(edge)
        if edge[0] in _CLAUSE:
            clause[edge[1]].append(edge)
    size = len(tree.words)
    shared: list[Edge] = []
    for first, second in pairs:
        shared += (
            (label, head, second)
            for label, head, _ in above[first]
            if label not in _UNSHARED and head != second
        )
        tag = tree.tags[second if second < size else split.copies[second - size]]
        if tag.startswith(("VB", "JJ")):
            shared += _shared_subject(clause[first], clause[second], second, tag)
    return shared


def _shared_subject(
    firsts: Sequence[Edge], own: Sequence[Edge], second: int, tag: str
) -> list[Edge]:
    """Return the subject that `second` gets because it is a conjunct, if any."""
    # `firsts` are the subjects and passive auxiliaries of the first conjunct.
    if any(label in _SUBJECTS for label, _, _ in own):
        return []
    # The original shares only the first of several subjects.
    for label, _, subject in firsts:
        if label not in _SUBJECTS or subject == second:
            continue
        if tag in _ACTIVE:
            label = "nsubj"
        if own:
            label = "nsubjpass"
        return [(label, second, subject)]
    return []


_NAMED = frozenset({"nmod", "acl", "advcl"})
_PASSIVE = {"nsubj": "nsubjpass", "csubj": "csubjpass"}
_MARKERS = frozenset({"case", "mark"})


def collapse(parse: Parse, grammar_words: DependencyWords) -> DependencyGraph:
    """Return the collapsed, coordination-propagated graph of a basic tree.

    Args:
        parse: A basic Universal Dependencies v1 tree.
        grammar_words: The grammar's prepositions and conjunctions.

    Returns:
        The graph, edges ordered by dependent. Coordinated phrases ("on a rock
        and under a tree") add copies of their governor at the end.

    Source: `grammars/spice-1.0/dependencies.toml` and the works named above.
    """
    tree = MutableTree(parse)
    labels = tree.labels
    if "auxpass" in labels:
        _mark_passive_subjects(tree)
    if not grammar_words.triggers.isdisjoint(tree.words):
        _join_prepositions(tree, grammar_words)
    if "conj" not in labels:
        _name_prepositions(tree)
        return DependencyGraph(
            parse.words, parse.tags, parse.lemmas, tuple(tree.edges())
        )
    split = split_phrases(tree, grammar_words.conjunctions)
    _name_prepositions(tree)
    edges = propagate(tree, split, grammar_words.conjunctions)
    return _graph(parse, edges, split)


def _graph(parse: Parse, edges: list[Edge], split: Split) -> DependencyGraph:
    copied = [position - 1 for position in split.copies]
    words, tags, lemmas = (
        column + tuple(column[i] for i in copied)
        for column in (parse.words, parse.tags, parse.lemmas)
    )
    return DependencyGraph(words, tags, lemmas, tuple(edges), tuple(split.copies))


def _mark_passive_subjects(tree: MutableTree) -> None:
    passive = {
        head for head, label in zip(tree.heads, tree.labels) if label == "auxpass"
    }
    for position, label in enumerate(tree.labels):
        if label in _PASSIVE and tree.heads[position] in passive:
            tree.labels[position] = _PASSIVE[label]


def _join_prepositions(tree: MutableTree, words: DependencyWords) -> None:
    """Join prepositions of several words: the first is case, the others mwe."""
    for first in range(1, len(tree.words) - 1):
        if tree.words[first] not in words.triggers:
            continue
        expression = tuple(tree.words[first : first + 3])
        if expression in words.three_words:
            _join_three(tree, first)
        if expression[:2] in words.flat:
            _join_flat(tree, first)
        if expression[:2] in words.headed:
            _join_headed(tree, first)


def _join_three(tree: MutableTree, first: int) -> None:
    """Join in/front/of: front -case-> in, front -nmod-> X, X -case-> of."""
    heads, labels = tree.heads, tree.labels
    middle, last = first + 1, first + 2
    noun = heads[last]
    if (
        (labels[first], heads[first]) != ("case", middle)
        or labels[last] not in _MARKERS
        or labels[noun] not in _NAMED
        or heads[noun] != middle
        or noun == last
        or tree.has_children(last)
    ):
        return
    if labels[noun] == "nmod" or labels[middle] != "nmod":
        labels[noun] = labels[middle]
    tree.replace(middle, noun)
    tree.join((first, middle, last), noun, labels[last])


def _join_flat(tree: MutableTree, first: int) -> None:
    """Join across/from where both hang on the noun and have no dependents."""
    heads, labels = tree.heads, tree.labels
    noun = heads[first + 1]
    if (
        heads[first] == noun
        and labels[first] in ("case", "advmod")
        and labels[first + 1] == "case"
        and not tree.has_children(first)
        and not tree.has_children(first + 1)
    ):
        tree.join((first, first + 1), noun, "case")


def _join_headed(tree: MutableTree, first: int) -> None:
    """Join next/to: next -nmod-> X, X -case-> to; X takes the place of next."""
    heads, labels = tree.heads, tree.labels
    noun = heads[first + 1]
    if labels[first + 1] != "case" or noun == first + 1:
        return
    if (labels[noun], heads[noun]) != ("nmod", first):
        return
    label = labels[first]
    # A predicate ("the lamp is next to the bed") keeps the label of its clause.
    clause = label != "dep" and tree.has_children(first, "cop")
    if label == "root" or clause:
        labels[noun] = label
    tree.replace(first, noun)
    tree.join((first, first + 1), noun, "case")


def _name_prepositions(tree: MutableTree) -> None:
    """Append the preposition to nmod, acl and advcl; a passive's by is agent."""
    labels, heads = tree.labels, tree.heads
    cases: dict[int, list[int]] = {}
    for position, label in enumerate(labels):
        if label == "case":
            cases.setdefault(heads[position], []).append(position)
    passive = {heads[i] for i, label in enumerate(labels) if label == "auxpass"}
    for noun, markers in cases.items():
        label = labels[noun]
        if label not in _NAMED:
            continue
        if len(markers) > 1:
            markers = tree.hash_order(noun, markers)
        names = [tree.expression(marker) for marker in markers]
        # Agents are named first: "eaten by near a dog" has one.
        agent = "by" in names and label == "nmod" and heads[noun] in passive
        labels[noun] = f"{label}:{'agent' if agent else names[-1]}"
