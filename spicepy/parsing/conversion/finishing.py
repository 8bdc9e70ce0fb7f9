"""Heads and labels of all words, from the edges of the rules.

Words that no rule has linked, the root, and labels that other edges decide: question
words, stranded prepositions, passives.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from spicepy.parsing.conversion.linked import Linked, nodes


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


Edge = tuple[int, int]
"""Governor and dependent; positions from 0."""

Labelled = dict[Edge, str]


def finish(top: Linked, edges: Labelled, outside: frozenset[int]) -> int | None:
    """Link the words that no rule has linked, and return the root.

    It is None for a sentence of marks alone.
    """
    with_stranded(top, edges, outside)
    return choose_root(top, edges, outside)


def settle(
    edges: Labelled,
    words: Sequence[str],
    tags: Sequence[str],
    infinitives: Infinitives,
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
        if node.mother is None or word in outside:
            continue
        above = node.mother.leaf.word
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
    """Sort the dependents of a word as the original meets them.

    They come from a table of 16 places, 32 for more than 12, 64 for more than 24.
    """
    size = 16
    while len(dependents) > size * 3 // 4:
        size *= 2
    return sorted(dependents, key=lambda word: ((word + 1) % size, word))


def dependents(edges: Labelled, governor: int) -> list[int]:
    """Return the dependents of a word in table order."""
    return in_table_order([d for g, d in edges if g == governor])


def settle_questions(
    edges: Labelled,
    words: Sequence[str],
    tags: Sequence[str],
    infinitives: Infinitives,
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
