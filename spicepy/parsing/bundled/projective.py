"""The best projective tree with one root, given scores of arcs.

Most captions need no search: where the best head of every word already gives
such a tree, it is the best of all trees. The others go through Eisner's
algorithm (Eisner 1996, "Three new probabilistic models for dependency
parsing"), all sentences of one length together.
"""

import numpy as np

from spicepy.parsing.bundled.arithmetic import Bools, Floats64, Ints


def best_trees(scores: Floats64) -> Ints:
    """Return the heads of the best tree of each sentence.

    Args:
        scores: (sentences, words, words + 1); `scores[s, m, h]` is the score
            of head h of word m + 1, where h = 0 stands for the root.

    Returns:
        (sentences, words) heads: 0 for the root, else positions from 1.
    """
    heads: Ints = scores.argmax(axis=2)
    rest = np.flatnonzero(~are_trees(heads))
    if rest.size:
        heads[rest] = _eisner(scores[rest])
    return heads


def are_trees(heads: Ints) -> Bools:
    """Return which rows of heads (sentences, words) are projective, one-root trees."""
    sentences, words = heads.shape
    ancestors = np.zeros((sentences, words + 1), heads.dtype)
    ancestors[:, 1:] = heads
    for _ in range(words.bit_length()):  # twice as far up each time
        ancestors = np.take_along_axis(ancestors, ancestors, axis=1)
    places = np.arange(1, words + 1)
    left, right = np.minimum(heads, places), np.maximum(heads, places)
    inside = (left[:, :, None] < left[:, None]) & (left[:, None] < right[:, :, None])
    crossing = inside & (right[:, :, None] < right[:, None])
    whole: Bools = (heads == 0).sum(axis=1) == 1
    whole &= ~ancestors.any(axis=1)
    whole &= ~crossing.any(axis=(1, 2))
    return whole


def _eisner(scores: Floats64) -> Ints:
    """Search the best tree; spans are [left, right] over words from 0."""
    sentences, words = scores.shape[:2]
    arc = np.swapaxes(scores[:, :, 1:], 1, 2)  # [sentence, head, word]
    # Best scores of spans whose head is at the left and at the right end. `open`:
    # the word at the other end still lacks its dependents beyond that end.
    to_right = np.zeros((sentences, words, words))
    to_left, open_right, open_left = np.zeros((3, *to_right.shape))
    cuts = np.zeros((3, *to_right.shape), np.intp)
    for width in range(1, words):
        i = np.arange(words - width)
        j = i + width
        first = i[:, None]
        last = j[:, None]
        cut = first + np.arange(width)

        def best(kind: int, sums: Floats64) -> Floats64:
            place = sums.argmax(axis=2)
            cuts[kind][:, i, j] = place  # noqa: B023
            return np.take_along_axis(sums, place[:, :, None], axis=2)[:, :, 0]

        halves = best(0, to_right[:, first, cut] + to_left[:, cut + 1, last])
        open_right[:, i, j] = halves + arc[:, i, j]
        open_left[:, i, j] = halves + arc[:, j, i]
        right = open_right[:, first, cut + 1] + to_right[:, cut + 1, last]
        left = to_left[:, first, cut] + open_left[:, cut, last]
        to_right[:, i, j] = best(1, right)
        to_left[:, i, j] = best(2, left)
    roots = (to_left[:, 0] + to_right[:, :, -1] + scores[:, :, 0]).argmax(axis=1)
    heads = np.zeros((sentences, words), np.intp)
    for sentence, root in enumerate(roots.tolist()):
        _trace(cuts[:, sentence], root, heads[sentence])
    return heads


def _trace(cuts: Ints, root: int, heads: Ints) -> None:
    """Fill in the heads of one sentence from where its spans were cut."""
    last = len(heads) - 1
    to_do = [(0, root, "to left"), (root, last, "to right")]
    while to_do:
        i, j, kind = to_do.pop()
        if i == j:
            continue
        if kind == "to right":
            cut = i + 1 + int(cuts[1, i, j])
            to_do += [(i, cut, "open right"), (cut, j, "to right")]
        elif kind == "to left":
            cut = i + int(cuts[2, i, j])
            to_do += [(i, cut, "to left"), (cut, j, "open left")]
        else:
            head, dependent = (i, j) if kind == "open right" else (j, i)
            heads[dependent] = head + 1
            cut = i + int(cuts[0, i, j])
            to_do += [(i, cut, "to right"), (cut + 1, j, "to left")]
