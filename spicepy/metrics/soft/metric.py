"""spice-soft: scene graphs and words compared by meaning, with learned weights.

In: tokenised samples. Out: rows of scores by image. Concepts are not either matched or
unmatched; each is matched to a degree.

    captions ─ parse, rules ─▶ `CaptionConcepts` ─ `matching` ─ `scores` ─▶ rows

An image's score is 1 if the candidate says what every reference says, 0 if it is
empty. The corpus score is the mean over images; a category's over the images whose
references have it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Unpack

import numpy as np

from spicepy.common.collector import no_collector
from spicepy.common.progress import advance
from spicepy.common.threads import LRUCache
from spicepy.common.version import __version__
from spicepy.grammar.categories import BASIC, unique_names
from spicepy.metrics.base import Array, Metric, Statistics
from spicepy.metrics.soft.concepts import CaptionConcepts, described
from spicepy.metrics.soft.matching import Encoded, Matches, encode, match
from spicepy.metrics.soft.scores import COLUMNS, Layout, image_rows, score_parts
from spicepy.metrics.soft.table import load_table
from spicepy.pipeline import Pipeline, PipelineOptions, pipeline_for
from spicepy.tokenization.samples import TokenisedSample

_BATCH = 20_000
"""The number of captions matched at once, times the words of the longest; bounds
memory. The scores do not depend on it."""
CACHED = 50_000
"""The number of captions whose concepts are kept from one `count` to the next."""

Texts = tuple[str, tuple[str, ...]]
"""A candidate and its references, as `Pipeline.texts` gives them."""


class SpiceSoft(Metric):
    """spice-soft as a metric; all scores are in 0-1.

    Args:
        pipeline: The way from captions to proposals; made from the options if None.
        vectors: A file of word vectors (`table.read_table`); bundled by default.
        options: Options of the pipeline: grammar, model, sentences, jobs.

    Raises:
        GrammarError: The grammar is wrong.
        InputError: The file of vectors is wrong, or an option is unknown.
        ResourceError: The model or the bundled table is missing.
    """

    def __init__(
        self,
        pipeline: Pipeline | None = None,
        *,
        vectors: str | Path | None = None,
        **options: Unpack[PipelineOptions],
    ) -> None:
        self.pipeline = pipeline or pipeline_for("SpiceSoft", options)
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
