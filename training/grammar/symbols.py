"""Rules of annotated symbols and tags of words, read from the original's trees.

Klein and Manning (2003, "Accurate unlexicalized parsing") tell apart, among others:
symbols by the phrase around them, with its mark if that is -R; prepositions by the one
around that, and those that a clause follows, as in "a group of people running"; verbs
that are forms of "be" and "have"; noun phrases without another
phrase (-B), with a possessive (-P), with a noun phrase (-R) or a prepositional one (-E)
at their end; noun phrases beside another one, as in "ten dollars a box", with their
heads (-A); verb phrases by the tag of their head; clauses without a subject (-G);
phrases that a verb is in (-v); phrases with one part (-U).
`python -m training.parser.train` measures how well rules of such
symbols explain the original's scores.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple

from spicepy.parsing.bundled.weights import BORDER, VERBS, WHOLE, form_of

FINITE: Final = frozenset(["VBZ", "VBP", "VBD", "MD"])
CLAUSES: Final = frozenset(["VP", "S", "SBAR", "SINV", "SQ"])
NOUNS: Final = ("NN", "NNS", "NNP", "NNPS", "NX", "POS", "JJR")
OTHER_NOUNS: Final = ("$", "ADJP", "PRN", "CD", "JJ", "JJS", "RB", "QP")

HEADS: Final = {
    "PP": (1, "IN TO VBG VBN RP FW"),
    "VP": (1, "TO VBD VBN MD VBZ VB VBG VBP VP AUX ADJP NN NNS NP"),
    "S": (1, "TO IN VP S SBAR ADJP UCP NP"),
    "SBAR": (1, "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
    "ADJP": (1, "NNS QP NN ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
    "ADVP": (-1, "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
    "QP": (1, "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
    "PRT": (-1, "RP"),
}
"""Label -> direction to look in and labels of the head, best first (Collins 1999)."""

BESIDE: Final = "-A"
CLAUSAL: Final = "s"
"""Marks a preposition that a clause follows."""

Tree = Any
"""A tag, or [label, parts]."""


class Rule(NamedTuple):
    """A symbol, the symbols of its parts and the place of the head among them."""

    symbol: str
    parts: tuple[str, ...]
    head: int


Leaf = tuple[str, str]
"""Symbol of a tag, word."""


@dataclass(slots=True)
class Analysed:
    """The rules of a tree, from below, with where their parts begin and end; leaves."""

    rules: list[Rule] = field(default_factory=list)
    places: list[tuple[int, ...]] = field(default_factory=list)
    leaves: list[Leaf] = field(default_factory=list)


class _Seen(NamedTuple):
    """A kind of phrase: labels of its parts, whether it has a verb, its head's tag."""

    label: str
    labels: tuple[str, ...]
    verb: bool
    head: int
    tag: str
    parts: "list[_Seen | None]"


def analysed(text: str, words: Sequence[str]) -> Analysed:
    """Return the rules and leaves of a bracketed tree, whose leaves are tags."""
    tree = read(text)
    found = Analysed()
    if isinstance(tree, str):
        found.leaves.append((tree, words[0]))
        return found
    seen = _look(tree)
    symbol = _symbol(seen)
    _walk(tree, seen, symbol, WHOLE, words, 0, found)
    found.rules.append(Rule(WHOLE, (symbol,), 0))
    found.places.append((0, len(words)))
    return found


def read(text: str) -> Tree:
    """Read a bracketed tree."""
    above: list[Tree] = []
    tree: Tree = None
    for part in text.replace("(", "( ").replace(")", " )").split():
        if part == "(":
            new: Tree = [None, []]
            if tree is not None:
                tree[1].append(new)
                above.append(tree)
            tree = new
        elif part == ")":
            if not above:
                break
            tree = above.pop()
        elif tree is None:
            return part
        elif tree[0] is None:
            tree[0] = part
        else:
            tree[1].append(part)
    return tree


def _look(tree: Tree) -> _Seen:
    label, parts = tree
    seen = [None if isinstance(part, str) else _look(part) for part in parts]
    labels = tuple(part if isinstance(part, str) else part[0] for part in parts)
    verb = any(x.verb if x else part in VERBS for x, part in zip(seen, parts))
    head = head_of(label, labels)
    below = seen[head]
    return _Seen(label, labels, verb, head, below.tag if below else labels[head], seen)


def _walk(
    tree: Tree,
    seen: _Seen,
    symbol: str,
    around: str,
    words: Sequence[str],
    place: int,
    found: Analysed,
) -> int:
    """Add the parts of a phrase; return the position after it."""
    names, places = [], [place]
    for number, (part, own) in enumerate(zip(tree[1], seen.parts)):
        if own is None:
            word = words[place]
            name = _tag_symbol(part, word, seen, around)
            if number == seen.head and BESIDE in symbol.partition("^")[0]:
                name += BESIDE
            found.leaves.append((name, word))
            place += 1
        else:
            name = _symbol(own, seen, _beside(number, seen))
            place = _walk(part, own, name, seen.label, words, place, found)
        names.append(name)
        places.append(place)
    found.rules.append(Rule(symbol, tuple(names), seen.head))
    found.places.append(tuple(places))
    return place


def _symbol(seen: _Seen, around: _Seen | None = None, beside: bool = False) -> str:
    label, marks = seen.label, ""
    if label == "NP":
        marks += "-B" * all(part is None for part in seen.parts)
        marks += "-P" * (seen.labels[-1] == "POS")
        marks += "-R" * _right_recursive(seen)
        marks += "-E" * (seen.labels[-1] == "PP")
        marks += BESIDE * beside
    if label == "VP":
        marks += "-VBF" if seen.tag in FINITE else f"-{seen.tag}"
    marks += "-G" * (label == "S" and "NP" not in seen.labels)
    marks += "-v" * (seen.verb and label not in CLAUSES)
    marks += "-U" * (len(seen.labels) == 1)
    if around is None:
        return f"{label}{marks}^{WHOLE}"
    return f"{label}{marks}^{around.label}" + "-R" * _right_recursive(around)


def _right_recursive(seen: _Seen) -> bool:
    return seen.label == "NP" and len(seen.labels) > 1 and seen.labels[-1] == "NP"


def _beside(number: int, around: _Seen) -> bool:
    """Return whether a noun phrase would stand beside another one."""
    before = around.labels[:number]
    if number == around.head or "CC" in around.labels:
        return False
    return bool(before) if around.label == "NP" else "NP" in before


def _tag_symbol(tag: str, word: str, phrase: _Seen, around: str) -> str:
    symbol = f"{tag}^{phrase.label}"
    if tag == "IN":
        return f"{symbol}~{_outside(around)}{CLAUSAL * ('S' in phrase.labels)}"
    alone = tag in ("DT", "RB") and len(phrase.labels) == 1
    return symbol + form_of(word, tag) + "-U" * alone


def _outside(around: str) -> str:
    """Return what sort of phrase is around that of a preposition."""
    return around[0] if around[0] in "NSF" else "V"


@cache
def head_of(label: str, labels: tuple[str, ...]) -> int:
    """Return the place of the part of a phrase that has its head."""
    places = range(len(labels))
    if label == "NP":
        return _head_of_noun_phrase(labels)
    direction, order = HEADS.get(label, (1, ""))
    for wanted in order.split():
        for place in places[::direction]:
            if labels[place] == wanted:
                return place
    return places[::direction][0]


def _head_of_noun_phrase(labels: tuple[str, ...]) -> int:
    for order, direction in ((NOUNS, -1), (("NP",), 1), (OTHER_NOUNS, -1)):
        for place in range(len(labels))[::direction]:
            if labels[place] in order:
                return place
    return len(labels) - 1


def phrases(tree: Analysed) -> Iterator[tuple[Rule, tuple[int, ...]]]:
    """Yield the rules with two or more parts, and where these begin and end."""
    for rule, places in zip(tree.rules, tree.places):
        if len(rule.parts) > 1:
            yield rule, places


def beside(tree: Analysed) -> Iterator[tuple[str, str, str]]:
    """Yield each symbol between the tags before and after it."""
    tags = [BORDER, *(symbol.partition("^")[0] for symbol, _ in tree.leaves), BORDER]
    yield BORDER, WHOLE, BORDER
    for rule, places in zip(tree.rules, tree.places):
        for part, begin, end in zip(rule.parts, places, places[1:]):
            yield tags[begin], part, tags[end + 1]
