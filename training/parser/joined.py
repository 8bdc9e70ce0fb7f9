"""The attachment of coordinated phrases (see `paraphrases`).

"A man with a hammer and a woman with a saw" has no woman in the man's hand: two
phrases built alike are joined as wholes. "A plate of rice and beans" is the other
case; there, `Maker.inside` makes the trees.
"""

from dataclasses import replace

from training.parser.maker import Maker
from training.parser.nodes import Node, has_case, leaf

PARTS = {
    "its": "door doors mouth wings lid tail lights window windows hood",
    "his": "arms legs mouth hands eyes shirt hat sleeves",
    "her": "arms legs mouth hands eyes hair coat sleeves",
    "their": "arms hands eyes doors wings mouths lights backs",
}
"""Owner -> the parts of it that may be in a state of their own."""

STATES = {
    **dict.fromkeys(("open", "full", "wide", "dirty", "wet", "bare"), "JJ"),
    **dict.fromkeys(("closed", "crossed", "raised", "spread", "stretched"), "VBN"),
    **dict.fromkeys(("showing", "hanging", "touching", "shining"), "VBG"),
}
"""State -> tag; an adjective is `amod` of the noun before, a participle its `acl`."""


def parallel(maker: Maker, top: Node, other: Node) -> Node | None:
    """A bowl of soup and a slice of bread; a man in a hat and a woman in a dress."""
    case = _only_case(top)
    if case is None or case != _only_case(other) or not _begins_anew(other):
        return None
    joint = (leaf("and", "CC", "cc"), replace(other, label="conj"))
    return replace(top, right=(*top.right, *joint))


def phrase_and_noun(maker: Maker, top: Node, other: Node) -> Node | None:
    """A cup of tea and a spoon; a spoon and a cup of tea."""
    short = other.is_noun and not other.right and _begins_anew(other)
    if _only_case(top) != "of" or not short or not _begins_anew(top):
        return None
    if _begins_anew(top.right[0]) and maker.numbers.random() < 0.9:
        return None  # "the top of a cup and a spoon": who knows
    first, second = (top, other) if maker.numbers.random() < 0.5 else (other, top)
    joint = (leaf("and", "CC", "cc"), replace(second, label="conj"))
    return replace(first, right=(*first.right, *joint))


def participles(maker: Maker, top: Node, other: Node) -> Node | None:
    """A man sitting on a bench and reading a book."""
    first, second = maker.split(top, "VBG"), maker.split(other, "VBG")
    if not first or not second:
        return None
    noun, verb = first
    joint = (leaf("and", "CC", "cc"), replace(second[1], label="conj"))
    if any(x.label == "conj" for x in verb.right):
        return None
    return replace(noun, right=(*noun.right, replace(verb, right=verb.right + joint)))


def with_state(maker: Maker, top: Node) -> Node | None:
    """A truck parked with its doors open; a woman sits with her eyes closed."""
    split = maker.split(top, "VBG") or maker.split(top, "VBN")
    noun, verb = split or (top, None)
    if not noun.is_noun or any(x.label == "conj" for x in top.right):
        return None
    choose = maker.numbers.choice
    whose = "their" if noun.is_plural else choose(("its", "his", "her"))
    part = choose(PARTS[whose].split())
    state = choose(list(STATES))
    label = "amod" if STATES[state] == "JJ" else "acl"
    phrase = Node(
        part,
        "NNS" if part.endswith("s") else "NN",
        "nmod",
        (leaf("with", "IN", "case"), leaf(whose, "PRP$", "nmod:poss")),
        (leaf(state, STATES[state], label),),
    )
    if verb and maker.numbers.random() < 0.5:
        return replace(top, right=(*noun.right, phrase, verb))
    if verb:
        verb = replace(verb, right=(*verb.right, phrase))
        return replace(noun, right=(*noun.right, verb))
    return replace(noun, right=(*noun.right, phrase))


def _only_case(node: Node) -> str | None:
    """The preposition of a noun's only phrase, which has none of its own."""
    if not node.is_noun or len(node.right) != 1:
        return None
    phrase = node.right[0]
    cases = [x.word for x in phrase.left if x.label == "case"]
    ok = phrase.label == "nmod" and phrase.is_noun and has_case(phrase, cases)
    return cases[0] if ok and not phrase.right else None


def _begins_anew(node: Node) -> bool:
    """Return whether a node has an article or a number: "a bowl", not "bowls"."""
    return any(x.label in ("det", "nummod") for x in node.left)
