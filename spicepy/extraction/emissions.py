"""The tuples that a rule emits, as closures from a match to a `SemanticTuple`."""

from collections.abc import Callable, Set

from spicepy.extraction.indexed_graph import IndexedGraph
from spicepy.extraction.slots import Bindings, Lookups, SlotNames, Test, word_test
from spicepy.extraction.tuples import SemanticTuple
from spicepy.grammar.cards import Condition, Emission, Part, read_word_test

Make = Callable[[IndexedGraph, Bindings], SemanticTuple | None]
Write = Callable[[IndexedGraph, Bindings], str]
Locate = Callable[[IndexedGraph, Bindings], int]


def emission(
    emitted: Emission, slots: SlotNames, nodes: Set[str], rule: str, lookups: Lookups
) -> Make:
    """Make a tuple, or None if its conditions do not hold.

    `nodes` are the names that stand for one node each; others stand for several, or
    for a word.
    """
    conditions = [_condition(c, slots, lookups) for c in emitted.conditions]
    three = len(emitted.members) == 3
    lemmas = [_is_lemma(parts, nodes) for parts in emitted.members]
    locators = [
        _node_position(slots.of(parts[0].name)) if lemma else _position(parts, slots)
        for parts, lemma in zip(emitted.members, lemmas)
    ]
    relations = [three and place == 1 for place in range(len(lemmas))]
    writers = [
        _lemma(slots.of(parts[0].name))
        if lemma and not relation
        else _text(parts, slots, relation)
        for parts, lemma, relation in zip(emitted.members, lemmas, relations)
    ]

    def make(indexed: IndexedGraph, bindings: Bindings) -> SemanticTuple | None:
        for condition in conditions:
            if not condition(indexed, bindings):
                return None
        return SemanticTuple(
            tuple([write(indexed, bindings) for write in writers]),
            rule,
            tuple([locate(indexed, bindings) for locate in locators]),
        )

    return make


def _is_lemma(parts: tuple[Part, ...], nodes: Set[str]) -> bool:
    return len(parts) == 1 and parts[0].name in nodes and not parts[0].surface


def _condition(condition: Condition, slots: SlotNames, lookups: Lookups) -> Test:
    slot = slots.of(condition.node)
    if condition.kind == "present":
        return lambda indexed, bindings: bindings.has(slot)
    if condition.kind == "absent":
        return lambda indexed, bindings: not bindings.has(slot)
    if condition.kind == "word":
        return word_test([slot], read_word_test(condition.other), lookups)
    other = slots.of(condition.other)

    def before(indexed: IndexedGraph, bindings: Bindings) -> bool:
        first, second = bindings.nodes[slot], bindings.nodes[other]
        if not first or not second:
            return False
        return indexed.position[first] < indexed.position[second]

    return before


def _lemma(slot: int) -> Write:
    return lambda indexed, bindings: (
        indexed.lemmas[bindings.nodes[slot]].strip().lower()
    )


def _text(parts: tuple[Part, ...], slots: SlotNames, relation: bool) -> Write:
    """Return the text of a member: parts that are present, joined by blanks.

    Lemmas of objects and attributes are trimmed and lower-cased, those of
    relations are taken as they are.
    """
    pieces = [(part, slots.of(part.name)) for part in parts]

    def text(indexed: IndexedGraph, bindings: Bindings) -> str:
        words: list[str] = []
        for part, slot in pieces:
            if not part.name:
                words.append(part.literal)
            elif bindings.words[slot]:
                words.append(bindings.words[slot])
            else:
                source = indexed.words if part.surface else indexed.lemmas
                nodes = bindings.groups[slot] or (bindings.nodes[slot],)
                words += [source[node] for node in nodes if node]
        joined = " ".join(words)
        return joined if relation else joined.strip().lower()

    return text


def _node_position(slot: int) -> Locate:
    return lambda indexed, bindings: indexed.position[bindings.nodes[slot]]


def _position(parts: tuple[Part, ...], slots: SlotNames) -> Locate:
    """Return the position of the first token among the parts of a member, or 0."""
    spots = [slots.of(part.name) for part in parts if part.name]

    def first(indexed: IndexedGraph, bindings: Bindings) -> int:
        for spot in spots:
            group = bindings.groups[spot]
            if node := group[0] if group else bindings.nodes[spot]:
                return indexed.position[node]
        return 0

    return first
