"""The positions of an image's words in its candidate, as bit masks.

In: a table of captions. Out: a mask for each word of each caption.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spicepy.metrics.ngrams.grams import CaptionTable

BITS: Final = 64
"""The number of words of a candidate that a mask can hold."""

Masks = NDArray[np.uint64]


@lru_cache(maxsize=1)
def word_masks(table: CaptionTable) -> Masks:
    """Return the positions in its image's candidate that hold each word.

    Bit p stands for position p, from 0; positions from 64 on are left out. The masks of
    the last table are cached.
    """
    candidate = table.candidates[table.image]  # of each caption
    lengths = np.minimum(table.lengths[candidate], BITS)[table.caption]
    # Words of the longest candidates first: those left at a position are a slice.
    order = np.argsort((BITS - lengths).astype(np.uint8), kind="stable")
    left = np.cumsum(np.bincount(lengths, minlength=BITS + 1)[::-1])[::-1]
    words, starts = table.words[order], table.starts[candidate][table.caption][order]
    masks = np.zeros(len(order), np.uint64)
    for position in range(int(lengths.max(initial=0))):
        reaching = int(left[position + 1])
        same = table.words[starts[:reaching] + position] == words[:reaching]
        masks[:reaching] |= same.astype(np.uint64) << np.uint64(position)
    sorted_masks = np.empty_like(masks)
    sorted_masks[order] = masks
    sorted_masks.flags.writeable = False
    return sorted_masks
