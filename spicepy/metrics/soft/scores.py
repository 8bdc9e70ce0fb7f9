"""The score of each image, from the similarity of words and the matching of concepts.

    W = cosine of candidate and references as bags of words: that of the most similar
        reference and that of all together, (best + all) / 2
    P = weighted mean of the best partner's similarity over the candidate's concepts
    R = the same over the concepts of all references
    T = 2 P R / (P + R)
    O = similarity of pairs of neighbouring words by meaning, (best + mean) / 2
    N = the same word for word

    score = 0.65 W + 0.2 T + 0.1 O + 0.05 N
    graph only = 0.5 W of the words in tuples + 0.5 T

In: encoded captions and their matches. Out: a row of `COLUMNS` and two columns more
for each category, an image.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spicepy.grammar.categories import Category
from spicepy.metrics.base import Array
from spicepy.metrics.soft.bags import Bags, Ints, cosines, fixed
from spicepy.metrics.soft.matching import Encoded, Matches, Side

SHARES = {"words": 0.65, "graph": 0.2, "order": 0.1, "wording": 0.05}
"""The parts of the score (W, T, O and N) and what share of it each has."""
GRAPH_WORDS = 0.5
"""The share of W in "graph only", where it compares the words of concepts; T's is the
rest."""

COLUMNS = ("score", "graph", "precision", "recall")
"""The columns of every image; then F and 1 for each category that its references have,
else 0 and 0."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The assignment of captions to images.

    Attributes:
        candidates: A caption an image.
        references: The captions of all references, image by image.
        starts: The start of each image's references.
        sizes: The number of references of each image, at least 1.
    """

    candidates: Ints
    references: Ints
    starts: Ints
    sizes: Ints

    @classmethod
    def of(
        cls, candidates: Sequence[int], references: Sequence[Sequence[int]]
    ) -> "Layout":
        """Return from a caption an image and the captions of its references."""
        sizes = np.array(list(map(len, references)), np.int64)
        flat = np.array([n for numbers in references for n in numbers], np.int64)
        starts = np.cumsum(sizes) - sizes
        return cls(np.array(candidates, np.int64), flat, starts, sizes)

    def over_references(self, values: Array) -> Array:
        """Return (best + mean) / 2 over the references of each image."""
        values = fixed(values)
        best = np.maximum.reduceat(values, self.starts)
        both: Array = (best + np.add.reduceat(values, self.starts) / self.sizes) / 2
        return both


def score_parts(
    encoded: Encoded, layout: Layout, matches: Matches
) -> Mapping[str, Array]:
    """Return the parts that `SHARES` names, (images,) each."""
    each = _each(encoded.words, layout)
    words = _alike(encoded.words, layout, each)
    repeated = np.repeat(layout.candidates, layout.sizes)
    order, wording = (
        layout.over_references(seen.alike(repeated, layout.references, otherwise=each))
        for seen in (encoded.order, encoded.wording)
    )
    matched = harmonic_mean(
        _weighted_mean(matches.candidate), _weighted_mean(matches.reference)
    )
    graph = np.where(_silent(matches), words, matched)
    return {"words": words, "graph": graph, "order": order, "wording": wording}


def image_rows(
    encoded: Encoded,
    layout: Layout,
    matches: Matches,
    categories: Sequence[Category],
) -> Array:
    """Return rows of all images, (images, columns)."""
    parts = score_parts(encoded, layout, matches)
    score: Array = np.sum([SHARES[name] * parts[name] for name in SHARES], axis=0)
    words = _alike(encoded.graphs, layout, _each(encoded.graphs, layout))
    graph = GRAPH_WORDS * words + (1 - GRAPH_WORDS) * parts["graph"]
    columns = [
        score,
        np.where(_silent(matches), parts["words"], graph),
        _weighted_mean(matches.candidate),
        _weighted_mean(matches.reference),
    ]
    for category in categories:
        members = _members(encoded, category)
        columns += _category(encoded, matches, members)
    return np.stack(columns, axis=1)


def harmonic_mean(precision: Array, recall: Array) -> Array:
    """Return 2 P R / (P + R), 0 where both are 0."""
    total = precision + recall
    mean: Array = 2 * precision * recall / np.where(total > 0, total, 1)
    return mean


def _each(bags: Bags, layout: Layout) -> Array:
    """Return the candidate and every reference as bags of words."""
    candidates = np.repeat(layout.candidates, layout.sizes)
    return cosines(bags, candidates, bags, layout.references)


def _alike(bags: Bags, layout: Layout, each: Array) -> Array:
    """Return the mean of the similarities to the best reference and to all together."""
    images = np.arange(len(layout.sizes))
    together = bags.together(layout.references, layout.sizes)
    every = cosines(bags, layout.candidates, together, images)
    both: Array = (np.maximum.reduceat(each, layout.starts) + every) / 2
    return both


def _weighted_mean(side: Side, chosen: NDArray[np.bool_] | None = None) -> Array:
    """Return mean of `best` over (some of) the concepts of an image; 0 without any."""
    weight = side.weight if chosen is None else side.weight * chosen
    total = weight.sum(axis=1)
    mean: Array = fixed(weight * side.best).sum(axis=1) / np.where(total > 0, total, 1)
    return mean


def _silent(matches: Matches) -> NDArray[np.bool_]:
    """Return whether an image's captions have no concepts; then only words count."""
    some = [np.any(s.present, axis=1) for s in (matches.candidate, matches.reference)]
    silent: NDArray[np.bool_] = np.logical_not(some[0] | some[1])
    return silent


def _members(encoded: Encoded, category: Category) -> NDArray[np.bool_]:
    """Return whether each concept belongs to a category."""
    listed = np.array([category.has((name,)) for name in encoded.names], np.bool_)
    members: NDArray[np.bool_] = np.logical_and(
        encoded.kind == category.length - 1, listed[encoded.term]
    )
    return members


def _category(
    encoded: Encoded, matches: Matches, members: NDArray[np.bool_]
) -> tuple[Array, Array]:
    """Return F of the concepts of a category, and whether the references have any."""
    candidate, reference = matches.candidate, matches.reference
    own = members[candidate.concept] & candidate.present
    other = members[reference.concept] & reference.present
    f = harmonic_mean(_weighted_mean(candidate, own), _weighted_mean(reference, other))
    defined: Array = np.minimum(np.sum(other, axis=1), 1.0)
    return np.multiply(f, defined), defined
