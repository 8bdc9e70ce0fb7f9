"""Lists whose first item was read as a part of the second one's name.

    a bathroom with a toilet, sink and tub   toilet ◀compound─ sink ─conj▶ tub
                                          →  toilet ─conj▶ sink, toilet ─conj▶ tub

In: a tree with commas. Out: the tree in which no comma stands inside a name that other
items of a list follow.
"""

from collections.abc import Sequence
from typing import Final

from spicepy.parsing.punctuation import COMMA
from spicepy.parsing.trees import Annotations

LIST: Final = frozenset(["cc", "conj"])


def with_items(words: Sequence[str], tree: Annotations) -> Annotations:
    """Make items of a list of what a comma parts, where "and" follows.

    Args:
        words: The words of a sentence, with commas.
        tree: Their tags, heads and labels.
    """
    if COMMA not in words:
        return tree
    heads, labels = list(tree.heads), list(tree.labels)
    for comma, word in enumerate(words, 1):
        if word == COMMA:
            _part(comma, heads, labels)
    return Annotations(tree.tags, tuple(heads), tuple(labels))


def _part(comma: int, heads: list[int], labels: list[str]) -> None:
    """Make the last word before a comma the first item, if it is part of a name."""
    before = [place for place in range(1, comma) if heads[place - 1] > comma]
    parts = [place for place in before if labels[place - 1] == "compound"]
    if not parts:
        return
    first, second = parts[-1], heads[parts[-1] - 1]
    after = range(second + 1, len(heads) + 1)
    items = [x for x in after if heads[x - 1] == second and labels[x - 1] in LIST]
    if not items:
        return
    heads[first - 1], labels[first - 1] = heads[second - 1], labels[second - 1]
    heads[second - 1], labels[second - 1] = first, "conj"
    for place in (*before, *items):
        if heads[place - 1] == second:
            heads[place - 1] = first
