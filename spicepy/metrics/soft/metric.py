"""spice-soft: scene graphs and words compared by meaning, with learned weights.

Concepts are not either matched or unmatched; each is matched to a degree.

    captions ─ parse, rules ─▶ `CaptionConcepts` ─ `matching` ─▶ rows

An image's score is 1 if the candidate says what every reference says, 0 if it is
empty. The corpus score is the mean over images; a category's over the images whose
references have it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spicepy.common import __version__
from spicepy.common.progress import advance
from spicepy.common.threads import LRUCache, no_collector
from spicepy.metrics.base import Array, Metric, Statistics
from spicepy.metrics.soft.matching import (
    Bags,
    CaptionConcepts,
    Encoded,
    Ints,
    Matches,
    Side,
    cosines,
    described,
    encode,
    fixed,
    match,
)
from spicepy.metrics.soft.table import load_table
from spicepy.pipeline import Pipeline
from spicepy.rules.tuples import BASIC, Category, unique_names
from spicepy.tokenization.samples import TokenisedSample

# The score of each image, from the similarity of words and the matching of concepts.
#
#     W = cosine of candidate and references as bags of words: that of the most similar
#         reference and that of all together, (best + all) / 2
#     P = weighted mean of the best partner's similarity over the candidate's concepts
#     R = the same over the concepts of all references
#     T = 2 P R / (P + R)
#     O = similarity of pairs of neighbouring words by meaning, (best + mean) / 2
#     N = the same word for word
#
#     score = 0.65 W + 0.2 T + 0.1 O + 0.05 N
#     graph only = 0.5 W of the words in tuples + 0.5 T

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
    """The assignment of captions to images."""

    candidates: Ints  # One caption per image
    references: Ints  # The captions of all references, image by image
    starts: Ints  # The start of each image's references
    sizes: Ints  # The number of references of each image, at least 1

    @classmethod
    def of(
        cls, candidates: Sequence[int], references: Sequence[Sequence[int]]
    ) -> "Layout":
        """Return from one caption per image and the captions of its references."""
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
        layout.over_references(alike(repeated, layout.references, each))
        for alike in (encoded.order, encoded.wording)
    )
    matched = harmonic_mean(
        _weighted_mean(matches.candidate), _weighted_mean(matches.reference)
    )
    graph = np.where(_silent(matches), words, matched)
    return {"words": words, "graph": graph, "order": order, "wording": wording}


def image_rows(
    encoded: Encoded, layout: Layout, matches: Matches, categories: Sequence[Category]
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
        columns += _category(matches, _members(encoded, category))
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


def _category(matches: Matches, members: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Return F of the concepts of a category, and whether the references have any."""
    candidate, reference = matches.candidate, matches.reference
    own = members[candidate.concept] & candidate.present
    other = members[reference.concept] & reference.present
    f = harmonic_mean(_weighted_mean(candidate, own), _weighted_mean(reference, other))
    defined: Array = np.minimum(np.sum(other, axis=1), 1.0)
    return np.multiply(f, defined), defined


_BATCH = 20_000
"""The number of captions matched at once, times the words of the longest; bounds
memory. The scores do not depend on it."""
CACHED = 50_000
"""The number of captions whose concepts are kept from one `count` to the next."""

Texts = tuple[str, tuple[str, ...]]
"""A candidate and its references, as `Pipeline.texts` gives them."""


class SpiceSoft(Metric):
    """spice-soft as a metric; all scores are in 0-1."""

    # Without a pipeline, the options (grammar, model, sentences, jobs) make one. The
    # word vectors of a file (`table.read_table`) stand in for the bundled ones.

    def __init__(
        self,
        pipeline: Pipeline | None = None,
        *,
        vectors: str | Path | None = None,
        **options: Any,
    ) -> None:
        self.pipeline = pipeline or Pipeline(caller="SpiceSoft", **options)
        self.table = load_table(vectors)
        self.categories = unique_names((*BASIC, *self.pipeline.grammar.categories))
        self._memory: LRUCache[str, CaptionConcepts] = LRUCache(CACHED)

    @property
    def keys(self) -> tuple[str, ...]:
        """The score, that of the graph alone, and the parts of the latter."""
        parts = ("graph", "precision", "recall")
        names = (*parts, *(category.name.lower() for category in self.categories))
        return ("spice-soft", *(f"spice-soft-{name}" for name in names))

    def count(self, samples: Sequence[TokenisedSample]) -> Statistics:
        """Parse and match: rows of `scores.COLUMNS`, then two for each category."""
        texts = list(map(self.pipeline.texts, samples))
        candidates = (candidate for candidate, _ in texts)
        captions = self.describe(
            chain(candidates, (t for _, references in texts for t in references))
        )
        parts = [np.empty((0, len(COLUMNS) + 2 * len(self.categories)))]
        with no_collector():
            for batch in batches(texts):
                advance("matching concepts", batch.start, len(samples))
                matched = self.matched(texts[batch], captions)
                parts.append(image_rows(*matched, self.categories))
        ids = tuple(sample.image_id for sample in samples)
        return Statistics(ids, np.concatenate(parts))

    def parts(self, samples: Sequence[TokenisedSample]) -> Mapping[str, Array]:
        """Return the parts of the score (`scores.SHARES`), (images,) each."""
        texts = list(map(self.pipeline.texts, samples))
        captions = self.describe(t for text, others in texts for t in (text, *others))
        return score_parts(*self.matched(texts, captions))

    def describe(self, texts: Iterable[str]) -> Mapping[str, CaptionConcepts]:
        """Return concepts of captions, cached for the next system or block."""
        distinct = dict.fromkeys(texts)
        known = self._memory.get(distinct)
        new = sorted(text for text in distinct if text not in known)
        made = {
            text: described([x for tree in trees for x in tree.lemmas], proposals)
            for text, (trees, proposals) in zip(new, self.pipeline.read(new))
        }
        concepts = {t: known[t] if t in known else made[t] for t in distinct}
        self._memory.keep(concepts)
        return concepts

    def image_scores(self, rows: Array) -> Array:
        """Return the scores of images (images, keys); NaN where undefined."""
        return self._means(rows, 1)

    def corpus_scores(self, totals: Array, images: int | Array) -> Array:
        """Return means over images with a defined score; NaN without any."""
        return self._means(totals, images)

    def signature(self) -> Mapping[str, str]:
        """Return everything that can change the numbers."""
        graphs = self.pipeline.signature()
        del graphs["synonyms"]  # words are compared by their vectors
        return {
            "metric": "spice-soft",
            **graphs,
            "vectors": self.table.name,
            "averaging": "macro",
            "spicepy": __version__,
        }

    def matched(
        self, samples: Sequence[Texts], captions: Mapping[str, CaptionConcepts]
    ) -> tuple[Encoded, Layout, Matches]:
        """Match the concepts of a batch; captions are numbered as in `distinct`."""
        texts = {text: number for number, text in enumerate(distinct(samples))}
        encoded = encode([captions[text] for text in texts], self.table)
        candidates = [texts[candidate] for candidate, _ in samples]
        references_of = [[texts[text] for text in others] for _, others in samples]
        layout = Layout.of(candidates, references_of)
        return encoded, layout, match(encoded, candidates, references_of)

    def _means(self, totals: Array, images: int | Array) -> Array:
        """Divide sums by the images with a value: (..., columns) -> (..., keys)."""
        first = len(COLUMNS)
        sums, defined = totals[..., first::2], totals[..., first + 1 :: 2]
        with np.errstate(invalid="ignore"):
            categories = sums / defined
        whole = totals[..., :first] / np.asarray(images, float)[..., None]
        return np.concatenate([whole, categories], axis=-1)


def distinct(samples: Iterable[Texts]) -> list[str]:
    """Return the captions of samples in their order, each once."""
    both = ((candidate, *references) for candidate, references in samples)
    return list(dict.fromkeys(chain.from_iterable(both)))


def batches(samples: Sequence[Texts]) -> Iterator[slice]:
    """Yield neighbouring samples that fit into a batch, at least one."""
    start = captions = longest = 0
    for place, (candidate, references) in enumerate(samples):
        texts = (candidate, *references)
        captions += len(texts)
        longest = max(longest, *(len(text.split()) for text in texts))
        if captions * longest > _BATCH and place > start:
            yield slice(start, place)
            start, captions = place, len(texts)
            longest = max(len(text.split()) for text in texts)
    if start < len(samples):
        yield slice(start, len(samples))
