"""The changes that a step of `edits.toml` can make to a node."""

from collections.abc import Callable, Mapping
from typing import Final

from spicepy.parsing.conversion import coordination
from spicepy.parsing.conversion.labels import base
from spicepy.parsing.conversion.linked import Linked, adopt, group, replace

Operation = Callable[[Linked], None]


def read_operation(text: str) -> Operation:
    """Return the function that the words of an operation stand for.

    Raises:
        KeyError: There is no such operation.
    """
    name, *rest = text.split()
    if text in WHOLE:
        return WHOLE[text]
    return OPERATIONS[name](*rest)


def wrap(which: str, label: str) -> Operation:
    """Put nodes below a new phrase.

    `which` is the number of nodes from this one on, "next" for the next sister alone,
    "right" for all sisters after this node, or "all" for these and the node.
    """

    def operation(node: Linked) -> None:
        mother, place = mother_of(node), node.place
        if which == "next":
            group(mother, place + 1, place + 2, label)
        elif which == "right":
            group(mother, place + 1, len(mother.children), label)
        elif which == "all":
            group(mother, place, len(mother.children), label)
        else:
            group(mother, place, place + int(which), label)

    return operation


def relabel(*words: str) -> Operation:
    """Give a node, or its mother, another label; `PP~` keeps a tag of function."""
    new = words[-1]

    def operation(node: Linked) -> None:
        target = mother_of(node) if words[0] == "mother" else node
        kept = target.label[len(base(target.label)) :] if new.endswith("~") else ""
        target.label = new.removesuffix("~") + kept

    return operation


def dissolve(which: str = "") -> Operation:
    """Put the children of a node in its place; of its next sister or nth child."""

    def operation(node: Linked) -> None:
        target = node
        if which == "next":
            target = mother_of(node).children[node.place + 1]
        elif which:
            target = node.children[int(which) - 1]
        replace(target, target.children)

    return operation


def into_next(node: Linked) -> None:
    """Make a node the first child of its next sister."""
    following = mother_of(node).children[node.place + 1]
    replace(node, [])
    following.children.insert(0, node)
    adopt(following)


def join_previous(node: Linked) -> None:
    """Move the children of a node to the end of its previous sister."""
    previous = mother_of(node).children[node.place - 1]
    previous.children += node.children
    adopt(previous)
    replace(node, [])


def mother_of(node: Linked) -> Linked:
    """Return the mother of a node that has one."""
    assert node.mother is not None
    return node.mother


WHOLE: Final[Mapping[str, Operation]] = {
    "into next": into_next,
    "join previous": join_previous,
    "conjoin": coordination.conjoin,
    "divide": coordination.divide,
    "divide but also": coordination.divide_but_also,
}

OPERATIONS: Final[Mapping[str, Callable[..., Operation]]] = {
    "wrap": wrap,
    "relabel": relabel,
    "dissolve": dissolve,
}
