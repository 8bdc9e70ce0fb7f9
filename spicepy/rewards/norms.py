"""The norms of many captions' tf-idf vectors at once.

In: tokenised captions and document frequencies. Out: norms, equal to the last bit
to those of one caption at a time.
"""

from collections.abc import Sequence

import numpy as np

from spicepy.metrics.exact_math import power
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.metrics.ngrams.grams import CHUNK, count_grams, encode
from spicepy.metrics.ngrams.vocabulary import ORDERS, Floats
from spicepy.tokenization.samples import TokenisedSample


def caption_norms(captions: Sequence[str], frequencies: DocumentFrequencies) -> Floats:
    """Return norms of the vectors of each order: (4, captions)."""
    parts = [np.empty((len(ORDERS), 0))]
    for start in range(0, len(captions), CHUNK):
        parts.append(_norms(captions[start : start + CHUNK], frequencies))
    return np.concatenate(parts, axis=1)


def _norms(captions: Sequence[str], frequencies: DocumentFrequencies) -> Floats:
    samples = [TokenisedSample(at, text, ()) for at, text in enumerate(captions)]
    table = encode(samples, frequencies.vocabulary)
    rows = []
    for n in ORDERS:
        grams = count_grams(table, n)
        seen = frequencies.frequency(grams.codes, n)
        inverse = np.log(float(frequencies.images)) - np.log(seen.astype(float))
        squares = np.zeros(len(table.words))
        # By C's pow, and added up in the order of the words, as for one caption.
        squares[grams.position] = power(grams.count * inverse[grams.gram], 2)
        rows.append(np.bincount(table.caption, squares, len(captions)))
    norms: Floats = np.sqrt(np.array(rows, float))
    return norms
