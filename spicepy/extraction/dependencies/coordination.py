"""Coordination: conjuncts share their governors and their subjects.

`split_phrases` runs before prepositions are named, `propagate` after. In "a
monkey sits on a rock and under a tree" the two phrases would be conjuncts of
different prepositions; the verb is copied instead, and each gets one phrase:

    nmod(sits, rock) conj(rock, tree)  →  conj(sits, sits') nmod(sits', tree)

Source: de Marneffe and Manning 2008, section 4.3; Schuster and Manning 2016,
sections 3.1 and 3.2; conditions as measured on the output of SPICE 1.0.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice

from spicepy.parsing.mutable_tree import MutableTree
from spicepy.parsing.trees import Edge

_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_UNSHARED = frozenset({"root", "case"})
_ACTIVE = frozenset({"VB", "VBZ", "VBP", "JJ", "JJR", "JJS"})


@dataclass(slots=True)
class Split:
    """The nodes and edges that copying governors added to the tree.

    `copies[i]` is the position that node `len(words) + i` repeats (the tree's
    words start with an empty one); `conjunctions` are (governor, copy, name)
    and `edges` hang existing nodes below copies a second time.
    """

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


def split_phrases(tree: MutableTree) -> Split:
    """Copy the governor of coordinated prepositional phrases and prepositions."""
    split = Split()
    if "case" not in tree.labels:
        return split
    conjuncts = [i for i, label in enumerate(tree.labels) if label == "conj"]
    for conjunct in conjuncts:
        if tree.labels[tree.heads[conjunct]] == "nmod":
            _split_phrase(tree, split, conjunct)
    for conjunct in conjuncts:
        if tree.labels[conjunct] != "conj":
            continue
        if tree.labels[tree.heads[conjunct]] == "case":
            _split_preposition(tree, split, conjunct)
    return split


def _split_phrase(tree: MutableTree, split: Split, second: int) -> None:
    """Handle "sits on a rock and under a tree"; `second` is tree."""
    first = tree.heads[second]
    governor = tree.heads[first]
    pairs = len(tree.children(first, "case")) * len(tree.children(second, "case"))
    coordinators = tree.children(first, "cc")
    if not (pairs and coordinators) or governor < 1:
        return
    name = _conjunction(tree, second)
    # Every pair of case markers makes a copy, though only the first is used.
    copies = [split.copy(tree, governor, name) for _ in range(pairs)]
    tree.heads[second], tree.labels[second] = copies[0], "nmod"
    before = [position for position in coordinators if position < second]
    tree.heads[(before or coordinators)[-1]] = governor


def _split_preposition(tree: MutableTree, split: Split, second: int) -> None:
    """Handle "walks up and down a street"; `second` is down."""
    first = tree.heads[second]
    noun = tree.heads[first]
    if tree.labels[noun] != "nmod" or not tree.has_children(first, "cc"):
        return
    if (governor := tree.heads[noun]) < 1:
        return
    copy = split.copy(tree, governor, _conjunction(tree, second))
    split.edges.append((f"nmod:{tree.expression(second)}", copy, noun))


def _conjunction(tree: MutableTree, conjunct: int) -> str:
    """Return the coordinator nearest before a conjunct, else the first one, else ""."""
    coordinators = tree.children(tree.heads[conjunct], "cc")
    if not coordinators:
        return ""
    before = [position for position in coordinators if position < conjunct]
    return tree.expression(before[-1] if before else coordinators[0])


def propagate(tree: MutableTree, split: Split, names: Mapping[str, str]) -> list[Edge]:
    """Name the conjunctions and copy edges to the conjuncts.

    Args:
        tree: The tree, prepositions named, conjuncts still plain `conj`.
        split: The value that `split_phrases` returned for it.
        names: Coordinator (words joined by "_") → name, where it has another.

    Returns:
        All edges, ordered by dependent, then by head. A conjunct without a
        coordinator stays `conj` and shares nothing.
    """
    conjuncts = [
        (tree.heads[i], i, _conjunction(tree, i))
        for i, label in enumerate(tree.labels)
        if label == "conj"
    ]
    pairs = []
    for first, second, name in conjuncts:
        if name:
            tree.labels[second] = f"conj:{names.get(name, name)}"
            pairs.append((first, second))
    edges = [*tree.edges(), *split.edges]
    for first, second, name in split.conjunctions:
        edges.append((f"conj:{names.get(name, name)}", first, second))
        pairs.append((first, second))
    shared = [edge for pair in pairs for edge in _shared(tree, split, edges, *pair)]
    # Not a set from the start: the order of edges stays that of the caption.
    unique = dict.fromkeys(edges + shared)
    return sorted(unique, key=lambda edge: (edge[2], edge[1]))


def _shared(
    tree: MutableTree, split: Split, edges: list[Edge], first: int, second: int
) -> list[Edge]:
    """Return the edges that `second` gets because it is a conjunct of `first`."""
    shared = [
        (label, head, second)
        for label, head, dependent in edges
        if dependent == first and label not in _UNSHARED and head != second
    ]
    size = len(tree.words)
    tag = tree.tags[second if second < size else split.copies[second - size]]
    if not tag.startswith(("VB", "JJ")):
        return shared
    if any(head == second and label in _SUBJECTS for label, head, _ in edges):
        return shared
    subjects = (
        (label, subject)
        for label, head, subject in edges
        if head == first and label in _SUBJECTS and subject != second
    )
    # The original shares only the first of several subjects.
    for label, subject in islice(subjects, 1):
        if tag in _ACTIVE:
            label = "nsubj"
        if tree.has_children(second, "auxpass"):
            label = "nsubjpass"
        shared.append((label, second, subject))
    return shared
