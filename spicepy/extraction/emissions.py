"""What a rule emits, as closures from a match to a `SemanticTuple`."""

from collections.abc import Callable, Set

from spicepy.extraction.kit import Env, Kit, Slots, Test, word_test
from spicepy.extraction.tuples import SemanticTuple
from spicepy.extraction.view import View
from spicepy.grammar.cards import Condition, Emission, Part, read_word_test

Make = Callable[[View, Env], SemanticTuple | None]
Write = Callable[[View, Env], str]
Locate = Callable[[View, Env], int]


def emission(
    emitted: Emission, slots: Slots, nodes: Set[str], rule: str, kit: Kit
) -> Make:
    """Make a tuple, or None if its conditions do not hold.

    `nodes` are the names that stand for one node each; others stand for several, or
    for a word.
    """
    conditions = [_condition(c, slots, kit) for c in emitted.conditions]
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

    def make(view: View, env: Env) -> SemanticTuple | None:
        for condition in conditions:
            if not condition(view, env):
                return None
        return SemanticTuple(
            tuple([write(view, env) for write in writers]),
            rule,
            tuple([locate(view, env) for locate in locators]),
        )

    return make


def _is_lemma(parts: tuple[Part, ...], nodes: Set[str]) -> bool:
    return len(parts) == 1 and parts[0].name in nodes and not parts[0].surface


def _condition(condition: Condition, slots: Slots, kit: Kit) -> Test:
    slot = slots.of(condition.node)
    if condition.kind == "present":
        return lambda view, env: bool(env[slot])
    if condition.kind == "absent":
        return lambda view, env: not env[slot]
    if condition.kind == "word":
        return word_test([slot], read_word_test(condition.other), kit)
    other = slots.of(condition.other)

    def before(view: View, env: Env) -> bool:
        first, second = env[slot], env[other]
        if not first or not second:
            return False
        return view.position[first] < view.position[second]

    return before


def _lemma(slot: int) -> Write:
    return lambda view, env: view.lemmas[env[slot]].strip().lower()


def _text(parts: tuple[Part, ...], slots: Slots, relation: bool) -> Write:
    """The text of a member: parts that are present, joined by blanks.

    Lemmas of objects and attributes are trimmed and lower-cased, those of
    relations are taken as they are.
    """
    pieces = [(part, slots.of(part.name)) for part in parts]

    def text(view: View, env: Env) -> str:
        words: list[str] = []
        for part, slot in pieces:
            value = env[slot]
            if not part.name:
                words.append(part.literal)
            elif isinstance(value, str):
                if value:
                    words.append(value)
            else:
                source = view.words if part.surface else view.lemmas
                nodes = value if isinstance(value, tuple) else (value,)
                words += [source[node] for node in nodes if node]
        joined = " ".join(words)
        return joined if relation else joined.strip().lower()

    return text


def _node_position(slot: int) -> Locate:
    return lambda view, env: view.position[env[slot]]


def _position(parts: tuple[Part, ...], slots: Slots) -> Locate:
    """The position of the first token among the parts of a member, or 0."""
    spots = [slots.of(part.name) for part in parts if part.name]

    def first(view: View, env: Env) -> int:
        for spot in spots:
            value = env[spot]
            if isinstance(value, tuple):
                value = value[0] if value else 0
            if value and not isinstance(value, str):
                return view.position[value]
        return 0

    return first
