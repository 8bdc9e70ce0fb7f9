"""Collapse a basic tree to a graph in which coordination is propagated.

In: a `Parse`. Out: a `DependencyGraph`, in which prepositions and conjunctions have
moved from words into labels, and edges of the first of several conjuncts are copied to
the others. For "cats on top of a car":

    nmod(cats, top) nmod(top, car)  →  nmod:on_top_of(cats, car)

The steps, in this order: passive subjects, prepositions of several words,
coordinated phrases and prepositions (`coordination.py`), names, propagation.

Source: de Marneffe and Manning 2008, Stanford Dependencies manual (revised
2015), section 4; Schuster and Manning 2016, section 3; conditions as measured
on the output of SPICE 1.0.
"""

from spicepy.extraction.dependencies.coordination import Split, propagate, split_phrases
from spicepy.extraction.dependencies.graphs import DependencyGraph
from spicepy.extraction.dependencies.words import DependencyWords
from spicepy.parsing.mutable_tree import MutableTree
from spicepy.parsing.trees import Edge, Parse

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
    passive: set[int] | None = None
    for noun, markers in cases.items():
        label = labels[noun]
        if label not in _NAMED:
            continue
        marker = markers[0]
        if len(markers) > 1:
            marker = tree.hash_order(noun, markers)[-1]
        name = tree.expression(marker)
        if name == "by" and label == "nmod":
            if passive is None:
                passive = {heads[i] for i, x in enumerate(labels) if x == "auxpass"}
            if heads[noun] in passive:
                name = "agent"
        labels[noun] = f"{label}:{name}"
