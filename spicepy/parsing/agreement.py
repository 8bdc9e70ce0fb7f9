"""Scores of tags and labels and the heads in, tags and labels that agree out.

Networks choose the tag of each word and the label of each arc on their own, so
now and then a noun gets a direct object. Which (tag, label, tag of the head) there
are is known from the training captions: only few of those that could be. Where a
choice is none of them, tags and labels are chosen together, by dynamic programming
up the tree.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.intp]
Possible = NDArray[np.bool_]
"""(tags, labels, tags + 1): the last tag of a head stands for the root."""

Combinations = Mapping[str, Mapping[str, Sequence[str]]]
"""Tag -> label -> the tags of the head."""

ROOT: Final = "ROOT"
"""The root's name in `Combinations`."""

COST: Final = 3.0
"""What a combination that was not seen costs, in units of the networks' scores."""

CHOICES: Final = 3
"""So many best tags of each word are tried."""


def possible(
    combinations: Combinations, tags: Sequence[str], labels: Sequence[str]
) -> Possible:
    """Turn the names of combinations into a table.

    Raises:
        ValueError: A name is neither among the tags nor the labels.
    """
    table = np.zeros((len(tags), len(labels), len(tags) + 1), np.bool_)
    heads = [*tags, ROOT]
    for tag, by_label in combinations.items():
        for label, of_heads in by_label.items():
            place = tags.index(tag), labels.index(label)
            table[place][[heads.index(head) for head in of_heads]] = True
    return table


def agree(
    table: Possible, tags: Places, heads: Places, labels: Places
) -> NDArray[np.bool_]:
    """Tell in which sentences all combinations are possible.

    Args:
        table: What is possible.
        tags, heads, labels: (sentences, words) each; head 0 is the root.
    """
    root = np.full((len(tags), 1), len(table))
    of_heads = np.take_along_axis(np.hstack([root, tags]), heads, axis=1)
    found: NDArray[np.bool_] = table[tags, labels, of_heads].all(axis=1)
    return found


def agreed(
    table: Possible,
    tags: NDArray[np.floating],
    heads: Places,
    labels: NDArray[np.floating],
) -> tuple[Places, Places]:
    """Choose tags and labels of one sentence together.

    Args:
        table: What is possible.
        tags: (words, tags) scores.
        heads: (words,) 0 for the root, else positions from 1.
        labels: (words, labels) scores; infinite where there is no choice.

    Returns:
        Tags and labels, (words,) each.
    """
    words = len(heads)
    tried = np.argsort(-tags, axis=1, kind="stable")[:, :CHOICES]
    values = np.take_along_axis(tags, tried, axis=1).astype(np.float64)
    of_label = np.nan_to_num(labels.astype(np.float64), posinf=1e6, neginf=-1e6)
    best: list[tuple[Places, Places]] = [(tried[0], tried[0])] * words
    order = _top_down(heads)
    for word in reversed(order):
        head = heads[word]
        of_head = tried[head - 1] if head else np.array([len(table)])
        costs = np.where(table[tried[word]][:, :, of_head], 0.0, COST)
        scores = of_label[word][:, None] - costs  # own tag, label, head's tag
        totals = values[word][:, None] + scores.max(axis=1)
        best[word] = totals.argmax(axis=0), scores.argmax(axis=1)
        if head:
            values[head - 1] += totals.max(axis=0)
    chosen = np.zeros((2, words), np.intp)
    places = [0] * (words + 1)  # of the chosen tags among those tried; the root's is 0
    for word in order:
        above = places[heads[word]]
        own, label = best[word]
        places[word + 1] = at = own[above]
        chosen[:, word] = tried[word, at], label[at, above]
    return chosen[0], chosen[1]


def _top_down(heads: Places) -> list[int]:
    """Return the words, each after its head."""
    below: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for word, head in enumerate(heads.tolist()):
        below[head].append(word)
    order = list(below[0])
    for word in order:  # grows meanwhile
        order += below[word + 1]
    return order
