"""N-grams of candidates that references have, counted without sorting.

In: a table of captions. Out: for each image, the number of n-grams of its candidate
that are matched, each as often as one reference has it.

The mask of a word has the positions of the word in its image's candidate (bit p:
position p). Shifted masks of neighbouring words, joined by "and", give the positions of
n-grams. The first position of an n-gram is its name, so that occurrences are counted in
a row of counters for each caption:

    candidate   a dog a dog     masks  0101 1010 0101 1010
    bigrams     a dog  0101 & 1010 >> 1 = 0101: positions 0 and 2, named 0
"""

from collections.abc import Iterator, Sequence

import numpy as np

from spicepy.metrics.ngrams.grams import CaptionTable, positions
from spicepy.metrics.ngrams.masks import BITS, Masks, word_masks
from spicepy.metrics.ngrams.vocabulary import Ints


def clipped_matches(table: CaptionTable, orders: Sequence[int]) -> list[Ints] | None:
    """Count matched n-grams of candidates, each as often as one reference has it.

    Args:
        table: The captions.
        orders: Lengths of n-grams, rising from 1 by 1.

    Returns:
        (images,) for each order; None if a candidate has more than 64 words, for
        which masks are too short.
    """
    longest = int(table.lengths[table.candidates].max(initial=0))
    if longest > BITS:
        return None
    named = _named(table, len(orders))
    return [_matches(table, numbers, max(longest, 1)) for numbers in named]


def _named(table: CaptionTable, most: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield, by order, the captions and names of n-grams that candidates have."""
    words = word_masks(table)
    masks: Masks = words
    for n in range(1, most + 1):
        if n > 1:
            at = positions(table, n)  # where n words belong to one caption
            longer = np.zeros_like(words)
            longer[at] = masks[at] & words[at + n - 1] >> np.uint64(n - 1)
            masks = longer
        at = np.flatnonzero(masks)
        bits = masks[at]
        lowest = bits & (~bits + np.uint64(1))
        yield (
            table.caption[at],
            np.bitwise_count(lowest - np.uint64(1)).astype(np.int64),
        )


def _matches(table: CaptionTable, named: tuple[Ints, Ints], width: int) -> Ints:
    """Return matches of each image; names are below `width`."""
    caption, name = named
    images = len(table.candidates)
    keys = table.image[caption] * width + name
    candidate = table.is_candidate[caption]
    counted = np.bincount(keys[candidate], minlength=images * width)
    # A key a reference: its caption and the n-gram.
    others, counts = np.unique((caption * width + name)[~candidate], return_counts=True)
    holder, gram = np.divmod(others, width)
    most = np.zeros(images * width, np.int64)
    np.maximum.at(most, table.image[holder] * width + gram, counts)
    matched: Ints = np.minimum(most, counted).reshape(images, width).sum(axis=1)
    return matched
