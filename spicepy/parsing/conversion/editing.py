"""The parser's trees, reshaped for the relations.

The steps are in `edits.toml` and `expressions.toml`. A step names a node by a pattern
and what is done there by some words (`OPERATIONS`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from spicepy.parsing.conversion.patterns import Matcher, Patterns, Test, base
from spicepy.parsing.conversion.trees import Linked, adopt, group, nodes, replace

# Flat coordinations inside a phrase get phrases for their parts.
#
# `(NP DT JJ CC JJ NN)` becomes `(NP DT (ADJP JJ CC JJ) NN)`: what belongs together can
# only be recognised by tags and positions, so this is code, not a table.

EITHER = frozenset({"either", "neither", "both"})


def conjoin(coordinator: Linked) -> None:
    """Group the children of a flat noun phrase around one coordinator."""
    # Four shapes: "a and b c" (the joined words come first), "the a and b c", "a, b and
    # c d", and two whole noun phrases.
    phrase = coordinator.parent
    assert phrase is not None
    s = phrase.children
    at = coordinator.index
    more = next(
        (i for i in range(at + 1, len(s) - 1) if s[i].label.startswith("CC")), None
    )
    if at == 1 and _joined_first(s):
        _group_first(phrase, more)
    elif (
        at == 2
        and s[0].label.startswith("DT")
        and s[1].label != "NNS"
        and 5 in (len(s), more)
    ):
        group(phrase, 1, 4, category(s[1]))
    elif at > 2 and s[at - 2].label == "," and s[at - 1].label != "NNS":
        start = at - 3
        while start - 1 > 0 and s[start - 1].label == ",":
            start -= 2
        group(phrase, start, at + 2, category(s[at - 1]))
    else:
        _divide_nouns(phrase, at, more)


def category(word: Linked) -> str:
    """Return the category of a phrase made around a word."""
    return "ADJP" if word.label.startswith("JJ") else "NP"


def _joined_first(s: list[Linked]) -> bool:
    """Return whether the words around the first coordinator are joined alone."""
    label = s[0].label
    return (label in ("DT", "JJ", "RB") or s[2].label != "DT") and not (
        label.startswith("NP") or label in ("ADJP", "NNS")
    )


def _group_first(phrase: Linked, more: int | None) -> None:
    """Join the first three children, then what stands before a further coordinator."""
    s = phrase.children
    first = Linked(category(s[0]), s[:3])
    if more is None:
        phrase.children = [first, *s[3:]]
        adopt(phrase)
        return
    stop = more - 1 if s[more - 1].label == "," else more
    if more > 3:
        first = Linked(category(s[more - 1]), [first, *s[3:stop]])
    phrase.children = [first, *s[max(stop, 3) : more + 1], Linked("NP", s[more + 1 :])]
    adopt(phrase)


def _divide_nouns(phrase: Linked, at: int, more: int | None) -> None:
    """Make two noun phrases of what stands before and after the coordinator."""
    s = phrase.children
    end = len(s) if more is None else more
    parts: list[Linked] = []
    start = 0
    if s[0].text in EITHER:
        s[0].label = "CC"
        parts.append(s[0])
        start = 1
    stop = at - 1 if s[at - 1].label == "," else at
    if start < stop:
        parts.append(Linked(category(s[at - 1]), s[start:stop]))
    parts += s[stop : at + 1]
    last = end - 1 if s[end - 1].label == "," else end
    if at + 1 < last:
        parts.append(Linked(category(s[end - 1]), s[at + 1 : last]))
    parts += s[last:end]
    if more is not None:
        parts = [Linked("NP", parts), *s[end:]]
    phrase.children = parts
    adopt(phrase)


def divide(phrase: Linked) -> None:
    """Give what stands before and after a coordinator among numbers a phrase each."""
    s = phrase.children
    at = next(i for i in range(1, len(s) - 1) if s[i].label.startswith("CC"))
    phrase.children = [_number(s[:at]), s[at], _number(s[at + 1 :])]
    adopt(phrase)


def _number(part: list[Linked]) -> Linked:
    money = any(x.label.startswith("$") or x.label.endswith("CC") for x in part)
    return Linked("QP" if money else "NP", part)


def divide_but_also(phrase: Linked) -> None:
    """Part "but also": but stays, also goes into what follows."""
    but = next(x for x in phrase.children if x.label == "CC" and x.form == "but")
    also = next(x for x in phrase.children if x.label == "RB" and x.form == "also")
    parent, index = phrase.parent, phrase.index
    assert parent is not None
    adverb = Linked("ADVP", [also])
    following = parent.children[index + 1 : index + 2]
    if following and following[0].children:
        replace(phrase, [but])
        following[0].children.insert(0, adverb)
        adopt(following[0])
    else:
        replace(phrase, [but, adverb])


Operation = Callable[[Linked], None]


@dataclass(frozen=True, slots=True)
class Edit:
    """One step: the nodes that it concerns and its operations."""

    id: str
    at: Matcher
    do: tuple[Operation, ...]


def read_edit(card: Mapping[str, Any], patterns: Patterns) -> Edit:
    """Compile a card of `edits.toml`."""
    return Edit(
        card["id"],
        patterns.matcher(card["at"]),
        tuple(read_operation(text) for text in card["do"]),
    )


Steps = tuple[tuple[int, Test | None], ...]
"""Steps that a node may match: their numbers, and what must hold beside the label."""


class Editor:
    """Applies the steps of a grammar to a tree, in order."""

    def __init__(self, edits: tuple[Edit, ...]) -> None:
        """Take the steps."""
        self.edits = edits
        self._words = frozenset[str]().union(*(edit.at.words or () for edit in edits))
        self._steps = cache(self._steps_for)

    def edit(self, top: Linked) -> None:
        """Reshape a tree: labels without tags of function, then each step."""
        for node in nodes(top):
            node.label = plain_label(node.label)
        number = self._next(top, 0)
        while number is not None:
            apply(self.edits[number], top)
            number = self._next(top, number + 1)

    def _next(self, top: Linked, start: int) -> int | None:
        """Return the first step from `start` on that some node matches."""
        first = len(self.edits)
        for node in nodes(top):
            word = node.text if node.text in self._words else None
            for number, rest in self._steps(node.label, word):
                if number >= first:
                    break
                if number >= start and (rest is None or rest(node, node)):
                    first = number
                    break
        return first if first < len(self.edits) else None

    def _steps_for(self, label: str, word: str | None) -> Steps:
        """Return the steps for nodes with a label and a word, in order."""
        return tuple(
            (number, edit.at.rest)
            for number, edit in enumerate(self.edits)
            if edit.at.labels[label]
            and (edit.at.words is None or word in edit.at.words)
        )


def apply(edit: Edit, top: Linked) -> None:
    """Apply a step at the first node that matches, until none does."""
    while True:
        node = next(filter(edit.at, nodes(top)), None)
        if node is None:
            return
        for operation in edit.do:
            operation(node)


@cache
def plain_label(label: str) -> str:
    """Return a label without tags of function, but for times and adverbs.

    >>> plain_label("NP-SBJ"), plain_label("NP-TMP")
    ('NP', 'NP-TMP')
    """
    if label.startswith(("NP", "UCP")):
        for tag in ("-TMP", "-ADV"):
            if tag in label:
                return base(label) + tag
    return base(label)


def read_operation(text: str) -> Operation:
    """Return the function that the words of an operation stand for."""
    name, *rest = text.split()
    if text in WHOLE:
        return WHOLE[text]
    return OPERATIONS[name](*rest)


def wrap(which: str, label: str) -> Operation:
    """Put nodes below a new phrase: "all", "next", "right", or a number of them."""

    def operation(node: Linked) -> None:
        parent, index = parent_of(node), node.index
        if which == "next":
            group(parent, index + 1, index + 2, label)
        elif which == "right":
            group(parent, index + 1, len(parent.children), label)
        elif which == "all":
            group(parent, index, len(parent.children), label)
        else:
            group(parent, index, index + int(which), label)

    return operation


def relabel(*words: str) -> Operation:
    """Give a node, or its parent, another label; `PP~` keeps a tag of function."""
    new = words[-1]

    def operation(node: Linked) -> None:
        target = parent_of(node) if words[0] == "parent" else node
        kept = target.label[len(base(target.label)) :] if new.endswith("~") else ""
        target.label = new.removesuffix("~") + kept

    return operation


def dissolve(which: str = "") -> Operation:
    """Put the children of a node in its place; of its next sibling or nth child."""

    def operation(node: Linked) -> None:
        target = node
        if which == "next":
            target = parent_of(node).children[node.index + 1]
        elif which:
            target = node.children[int(which) - 1]
        replace(target, target.children)

    return operation


def into_next(node: Linked) -> None:
    """Make a node the first child of its next sibling."""
    following = parent_of(node).children[node.index + 1]
    replace(node, [])
    following.children.insert(0, node)
    adopt(following)


def join_previous(node: Linked) -> None:
    """Move the children of a node to the end of its previous sibling."""
    previous = parent_of(node).children[node.index - 1]
    previous.children += node.children
    adopt(previous)
    replace(node, [])


def parent_of(node: Linked) -> Linked:
    """Return the parent of a node that has one."""
    assert node.parent is not None
    return node.parent


WHOLE: Final[Mapping[str, Operation]] = {
    "into next": into_next,
    "join previous": join_previous,
    "conjoin": conjoin,
    "divide": divide,
    "divide but also": divide_but_also,
}

OPERATIONS: Final[Mapping[str, Callable[..., Operation]]] = {
    "wrap": wrap,
    "relabel": relabel,
    "dissolve": dissolve,
}
