"""Inverse document frequencies of the n-grams of a table of captions.

In: document frequencies and, for leave-one-out, a caption of each sample's image
that does not count in them. Out: an `Inverse`, which gives the idf of each row of
a table of n-grams.

With a caption left out, frequencies need not be counted anew for every fold: an
n-gram that only this caption of its image has occurs in one image less. No
reference of the sample has it, so only the candidate's own vector changes.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from spicepy.metrics.base import LeftOut
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.metrics.ngrams.grams import CaptionTable, GramTable, count_grams, encode
from spicepy.metrics.ngrams.vocabulary import Floats, Ints
from spicepy.tokenization.samples import TokenisedSample

Inverse = Callable[[CaptionTable, GramTable, int], Floats]
"""Captions, their n-grams and n -> the idf of every row of n-grams."""


def left_out_inverse(
    frequencies: DocumentFrequencies,
    samples: Sequence[TokenisedSample],
    left_out: Sequence[LeftOut],
) -> Inverse:
    """Return the idf without one caption of each sample's image.

    The numbers equal those of frequencies counted without the caption.

    Args:
        frequencies: Document frequencies of the whole set.
        samples: The samples of the table.
        left_out: One entry a sample, in their order.
    """
    both = list(zip(samples, left_out, strict=True))
    vocabulary = frequencies.vocabulary
    out = encode([replace(s, references=(c,)) for s, (c, _) in both], vocabulary)
    others = encode([replace(s, references=o) for s, (_, o) in both], vocabulary)
    fewer = tuple(np.maximum(counts - 1, 1) for counts in frequencies.counts)
    whole, reduced = frequencies.idf, replace(frequencies, counts=fewer).idf

    def inverse(table: CaptionTable, grams: GramTable, n: int) -> Floats:
        only = np.setdiff1d(_shared(out, grams, n), _shared(others, grams, n))
        images = len(table.candidates)
        keys = grams.gram * images + table.image[grams.caption]
        rows = table.is_candidate[grams.caption] & np.isin(keys, only)
        return np.where(rows, reduced(table, grams, n), whole(table, grams, n))

    return inverse


def _shared(table: CaptionTable, grams: GramTable, n: int) -> Ints:
    """Return candidates' n-grams that a reference has, as gram × images + image."""
    counted = count_grams(table, n)
    rows = counted.candidate_rows
    gram = np.searchsorted(grams.codes, counted.codes[counted.gram[rows]])
    return np.unique(gram * len(table.candidates) + table.image[counted.caption[rows]])
