"""The similarity of two captions' n-grams, as in CIDEr and CIDEr-D.

In: a table of captions and the weights of n-grams. Out: the cosine of each reference's
vector with its candidate's.

Source: Vedantam, Zitnick and Parikh (2015), "CIDEr: Consensus-based Image Description
Evaluation", equations 1 and 2 (CIDEr) and 4 (CIDEr-D).
"""

import math
from functools import lru_cache

import numpy as np

from spicepy.metrics.ngrams.grams import CaptionTable, GramTable, count_grams
from spicepy.metrics.ngrams.inverse import Inverse
from spicepy.metrics.ngrams.vocabulary import Floats

_SIGMA = 6.0


def cosines(
    table: CaptionTable, n: int, inverse: Inverse | None, *, damped: bool
) -> Floats:
    """Return cosines of the vectors of n-grams, 0-1: (references,).

    Args:
        table: The captions of some images.
        n: The length of n-grams.
        inverse: Their inverse document frequencies; None weighs all alike.
        damped: CIDEr-D: weights are clipped to the reference's, and a difference in
            length costs.
    """
    grams = count_grams(table, n)
    weights = grams.count.astype(float)
    if inverse is not None:
        weights = weights * inverse(table, grams, n)
    squares = np.zeros(len(table.words))
    squares[grams.position] = weights * weights
    norms = np.sqrt(np.bincount(table.caption, squares, len(table.image)))
    products = _products(table, grams, weights, damped=damped)[table.references]
    candidates = table.candidates[table.image[table.references]]
    scales = norms[candidates] * norms[table.references]
    cosine: Floats = np.divide(products, scales, products, where=scales != 0)
    return cosine * _length_penalty(table) if damped else cosine


def _products(
    table: CaptionTable, grams: GramTable, weights: Floats, *, damped: bool
) -> Floats:
    """Return inner products of all captions with their candidates.

    Each product goes to a slot of its own, a row of candidate-length slots
    a caption, so that it is summed in the order of the candidate's words.
    """
    rows, own_rows = grams.reference_rows, grams.candidate_rows
    reference, own = weights[rows], weights[own_rows]
    caption, candidate = grams.caption[rows], grams.caption[own_rows]
    if damped:
        own = np.minimum(own, reference)
    sizes = table.lengths[table.candidates][table.image]
    slots = np.cumsum(sizes) - sizes
    terms = np.zeros(int(sizes.sum()))
    offset = grams.position[own_rows] - table.starts[candidate]
    terms[slots[caption] + offset] = own * reference
    captions = np.arange(len(sizes))
    return np.bincount(np.repeat(captions, sizes), terms, len(sizes)).astype(float)


@lru_cache(maxsize=1)
def _length_penalty(table: CaptionTable) -> Floats:
    """Return a Gaussian of the difference in bigrams from the candidate."""
    bigrams = np.maximum(table.lengths - 1, 0)
    candidates = table.candidates[table.image[table.references]]
    difference = np.abs(bigrams[candidates] - bigrams[table.references])
    # By math.e ** x, as coco-caption has it: the last bit of exp(x) differs.
    most = int(difference.max(initial=0))
    penalty = [math.e ** (-float(d * d) / (2 * _SIGMA**2)) for d in range(most + 1)]
    penalties: Floats = np.array(penalty)[difference]
    return penalties
