"""SPICE: agreement of scene graphs, overall and by category.

    captions ─ Pipeline.propose ─▶ tuples ─ score_proposals ─▶ SpiceScore

The corpus score of a category is the mean over the images where it is defined,
that is, where the references have a tuple of it; "All" is defined everywhere.

Source: Anderson et al. 2016, SPICE: Semantic Propositional Image Caption
Evaluation.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from typing import Any, Final

import numpy as np

from spicepy.common import __version__
from spicepy.common.json_values import plain
from spicepy.common.processes import run
from spicepy.common.progress import advance
from spicepy.common.threads import no_collector, processors
from spicepy.graph.concepts import ConceptLexicon
from spicepy.graph.exchange import GraphSample
from spicepy.graph.matching import Counts, Matching, match
from spicepy.graph.scene import ConceptTuple, SceneGraph
from spicepy.metrics.base import Array, CorpusScoreRow, Metric, Statistics, number
from spicepy.pipeline import Pipeline
from spicepy.rules.tuples import (
    BASIC,
    Category,
    Packed,
    Proposals,
    SemanticTuple,
    categories_digest,
    unique_names,
)
from spicepy.tokenization.samples import TokenisedSample


@dataclass(frozen=True)
class SpiceScore:
    """SPICE of one image.

    The graphs and the matching are made on demand, so that thousands of scores stay
    small, in memory and pickled.

    Attributes:
        counts: Counts by category, "All" first; the whole caption's are `f`,
            `precision` and `recall`, in 0-1 but for reused reference tuples.
        candidate_tuples: As the rules proposed them, before synonyms are merged.
        reference_tuples: The same of each reference.
        lexicon: The concepts of their words; pickled as the name of its synonyms.
    """

    counts: Mapping[str, Counts]
    candidate_tuples: Proposals = field(repr=False, compare=False)
    reference_tuples: tuple[Proposals, ...] = field(repr=False, compare=False)
    lexicon: ConceptLexicon = field(repr=False, compare=False)

    def __repr__(self) -> str:
        return (
            f"SpiceScore({self.f:.4f}: precision {self.precision:.4f}, "
            f"recall {self.recall:.4f})"
        )

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle: the fields, not the graphs made from them."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @property
    def f(self) -> float:
        """The SPICE score, F over all tuples."""
        return self.counts["All"].f

    @property
    def precision(self) -> float:
        """Matched candidate tuples by candidate tuples."""
        return self.counts["All"].precision

    @property
    def recall(self) -> float:
        """Matched candidate tuples by reference tuples."""
        return self.counts["All"].recall

    @cached_property
    def candidate(self) -> SceneGraph:
        """The candidate's scene graph."""
        return SceneGraph.from_proposals([self.candidate_tuples], self.lexicon)

    @cached_property
    def reference(self) -> SceneGraph:
        """The one scene graph of all references."""
        return SceneGraph.from_proposals(self.reference_tuples, self.lexicon)

    @cached_property
    def matching(self) -> Matching:
        """The matching of the tuples of the two graphs."""
        return match(self.candidate, self.reference)

    @property
    def matched(self) -> tuple[SemanticTuple, ...]:
        """Candidate tuples with a partner, as printed, with their rules; sorted."""
        return _chosen(self.candidate, self.matching.flags()[0], True)

    @property
    def spurious(self) -> tuple[SemanticTuple, ...]:
        """Candidate tuples without a partner, as printed, sorted."""
        return _chosen(self.candidate, self.matching.flags()[0], False)

    @property
    def missing(self) -> tuple[SemanticTuple, ...]:
        """Reference tuples that no candidate tuple was paired with."""
        return _chosen(self.reference, self.matching.flags()[1], False)

    def to_dict(self, *, tuples: bool = False) -> dict[str, Any]:
        """Return scores by category as JSON-ready values, None where undefined.

        `tuples` adds "candidate_tuples" and "reference_tuples", each a list of
        {"tuple": [...], "matched": true or false}.
        """
        entry: dict[str, Any] = {
            name: counts.to_dict() for name, counts in self.counts.items()
        }
        if tuples:
            matching = self.matching
            flags = matching.flags()
            entry["candidate_tuples"] = _flagged(matching.candidate, flags[0])
            entry["reference_tuples"] = _flagged(matching.reference, flags[1])
        return entry


def score_proposals(
    candidate: Proposals,
    references: Iterable[Proposals],
    lexicon: ConceptLexicon,
    categories: Sequence[Category] = BASIC,
) -> SpiceScore:
    """Score a candidate's proposed tuples against those of its references."""
    # Both are in the rules' order. Share one lexicon of concepts between calls;
    # `categories` are counted beside all tuples.
    references = tuple(references)
    matching = match(
        SceneGraph.from_proposals([candidate], lexicon),
        SceneGraph.from_proposals(references, lexicon),
    )
    within = zip(categories, matching.counts_of(categories), strict=True)
    counts = {"All": matching.counts(), **{c.name: counted for c, counted in within}}
    return SpiceScore(counts, candidate, references, lexicon)


def _chosen(
    graph: SceneGraph, flags: Sequence[bool], wanted: bool
) -> tuple[SemanticTuple, ...]:
    chosen = [t for t, flag in zip(graph.printed(), flags) if flag is wanted]
    return tuple(sorted(chosen, key=lambda tuple_: tuple_.members))


def _flagged(
    tuples: Sequence[ConceptTuple], flags: Sequence[bool]
) -> list[dict[str, Any]]:
    rows = sorted(
        (list(map(str, members)), flag) for members, flag in zip(tuples, flags)
    )
    return [{"tuple": members, "matched": flag} for members, flag in rows]


FIELDS: Final = ("tp", "fp", "fn", "precision", "recall", "f", "images")
"""A category's columns: `images` is 1 where it is defined; the three scores
are 0 where it is not."""
PER_PROCESS: Final = 1_000
"""The number of images for which one more process that matches pays off."""

_BLOCK: Final = 250  # images that go to another process together

Texts = tuple[str, tuple[str, ...]]
"""The packed proposals of a candidate and of its references."""


def row_of(counts: Mapping[str, Counts]) -> list[float]:
    """Return the row of an image's counts."""
    return [value for counted in counts.values() for value in _fields(counted)]


def counts_of(row: Sequence[float], names: Iterable[str]) -> dict[str, Counts]:
    """Return the counts of an image's row, by category."""
    parts = (row[at : at + len(FIELDS)] for at in range(0, len(row), len(FIELDS)))
    return {
        name: Counts(int(tp), int(fp), int(fn), defined=bool(images))
        for name, (tp, fp, fn, *_, images) in zip(names, parts, strict=True)
    }


def process_count(samples: Sequence[GraphSample], jobs: int) -> int:
    """Return how many processes should match these images."""
    # More than one pays off only for packed proposals, which are quickly sent.
    most = min(jobs, processors(), len(samples) // PER_PROCESS)
    packed = most > 1 and all(
        isinstance(x, Packed) for s in samples for x in (s.candidate, *s.references)
    )
    return most if packed else 1


def rows_in_processes(
    samples: Sequence[GraphSample],
    lexicon: ConceptLexicon,
    categories: Sequence[Category],
    processes: int,
) -> Array:
    """Return the rows of images with `Packed` proposals, from other processes."""
    texts = [(_text(s.candidate), tuple(map(_text, s.references))) for s in samples]
    blocks = [texts[at : at + _BLOCK] for at in range(0, len(texts), _BLOCK)]
    work = partial(_rows, lexicon=lexicon, categories=categories)
    rows = []
    for block in run(work, blocks, processes):
        rows.append(block)
        advance("matching scene graphs", len(rows) * _BLOCK, len(samples))
    return np.concatenate(rows)


def _rows(
    images: Sequence[Texts], lexicon: ConceptLexicon, categories: Sequence[Category]
) -> Array:
    with no_collector():
        scores = (
            score_proposals(Packed(candidate), map(Packed, others), lexicon, categories)
            for candidate, others in images
        )
        return np.array([row_of(score.counts) for score in scores], dtype=float)


def _text(proposals: object) -> str:
    assert isinstance(proposals, Packed)
    return proposals.text


def _fields(counts: Counts) -> tuple[float, ...]:
    """Return one category's columns (`FIELDS`)."""
    if not counts.defined:
        return (counts.tp, counts.fp, counts.fn, 0.0, 0.0, 0.0, 0)
    means = counts.precision, counts.recall, counts.f
    return (counts.tp, counts.fp, counts.fn, *means, 1)


SPICE_PAPER_CATEGORIES = {
    "spice": "SPICE",
    "spice-object": "Object",
    "spice-relation": "Relation",
    "spice-attribute": "Attribute",
    "spice-color": "Color",
    "spice-cardinality": "Count",
    "spice-size": "Size",
}
"""The paper's columns: keys and titles, in its order."""
_F, _IMAGES = FIELDS.index("f"), FIELDS.index("images")
_MEANS = slice(FIELDS.index("precision"), _F + 1)


@dataclass(frozen=True, slots=True)
class CategoryScore:
    """A category over a corpus: means over `images` images, sums of counts.

    The means are NaN where no image has reference tuples of the category.
    """

    f: float
    precision: float
    recall: float
    tp: int
    fp: int
    fn: int
    images: int

    def to_dict(self) -> dict[str, float | int | None]:
        """Return the fields by name."""
        return dict(plain(self))


class Spice(Metric):
    """SPICE as a metric; image scores are F over all tuples and by category.

    An image without candidate or reference tuples scores 0. F is in 0-1, except
    that two candidate tuples may match one reference tuple: then it can pass 1.

    Args:
        pipeline: The way from captions to proposals; made from the options if None.
        categories: Further categories beside the grammar's.
        options: Options of the pipeline: grammar, model, synonyms, jobs, cache.

    Raises:
        GrammarError: The grammar is wrong, or two categories share a name.
        InputError: An option is unknown or has an unknown value.
        ResourceError: A model or WordNet is missing.
    """

    def __init__(
        self,
        pipeline: Pipeline | None = None,
        *,
        categories: Sequence[Category] = (),
        **options: Any,
    ) -> None:
        self.pipeline = pipeline or Pipeline(caller="Spice", **options)
        named = (*BASIC, *self.pipeline.grammar.categories, *categories)
        self.categories = unique_names(named)
        self._further = (
            {"categories": categories_digest(categories)} if categories else {}
        )

    @property
    def keys(self) -> tuple[str, ...]:
        """The key "spice", then one for each category, such as "spice-object"."""
        return ("spice", *(f"spice-{c.name.lower()}" for c in self.categories))

    @property
    def names(self) -> tuple[str, ...]:
        """("All", "Object", …), in the order of `keys`."""
        return ("All", *(category.name for category in self.categories))

    @property
    def titles(self) -> dict[str, str]:
        """Titles in the order of the paper's Table 2, further categories last."""
        named = dict(zip(self.keys, ("SPICE", *self.names[1:])))
        return (
            {key: named[key] for key in SPICE_PAPER_CATEGORIES}
            | named
            | SPICE_PAPER_CATEGORIES
        )

    def count(self, samples: Sequence[TokenisedSample]) -> Statistics:
        """Parse, build graphs and match.

        Returns:
            Rows of `FIELDS` for each of `names`; details are `SpiceScore` values.
        """
        with no_collector():  # The collector would scan all proposals repeatedly.
            return self.count_graphs(self.pipeline.propose_samples(samples))

    def count_graphs(self, samples: Sequence[GraphSample]) -> Statistics:
        """Count images whose tuples are given, without parsing."""
        lexicon, categories = self.pipeline.lexicon, self.categories
        ids = tuple(sample.image_id for sample in samples)
        processes = process_count(samples, self.pipeline.jobs)
        if processes > 1:
            rows = rows_in_processes(samples, lexicon, categories, processes)
            details = [
                SpiceScore(
                    counts_of(row, self.names),
                    sample.candidate,
                    tuple(sample.references),
                    lexicon,
                )
                for row, sample in zip(rows.tolist(), samples)
            ]
            return Statistics(ids, rows, tuple(details))
        scores: list[SpiceScore] = []
        with no_collector():
            for sample in samples:
                if len(scores) % 1_000 == 0:
                    advance("matching scene graphs", len(scores), len(samples))
                scores.append(
                    score_proposals(
                        sample.candidate, sample.references, lexicon, categories
                    )
                )
        rows = np.empty((len(scores), len(self.names) * len(FIELDS)))
        for row, score in zip(rows, scores):
            row[:] = row_of(score.counts)
        return Statistics(ids, rows, tuple(scores))

    def image_scores(self, rows: Array) -> Array:
        """Return F of every category, NaN where undefined: (images, keys)."""
        return self._mean_f(rows)

    def corpus_scores(self, totals: Array, images: int | Array) -> Array:
        """Return the mean F of images where it is defined; NaN if nowhere."""
        return self._mean_f(totals)

    def corpus(self, totals: Array) -> dict[str, CategoryScore]:
        """Return every category over a corpus, from the sum of its rows (columns,)."""
        scores = {}
        for name, values in zip(self.names, self._means(totals).tolist()):
            tp, fp, fn, precision, recall, f, images = values
            scores[name] = CategoryScore(
                f, precision, recall, int(tp), int(fp), int(fn), int(images)
            )
        return scores

    def corpus_entry(self, totals: Array, images: int) -> dict[str, Any]:
        """Return JSON-ready scores: {"spice": {"All": {...}, "Object": {...}, …}}."""
        scores = self.corpus(totals)
        return {"spice": {name: score.to_dict() for name, score in scores.items()}}

    def image_entry(
        self, scores: Array, detail: SpiceScore, *, tuples: bool = False
    ) -> dict[str, Any]:
        """Return JSON-ready scores of one image, with its tuples if asked."""
        return {"spice": detail.to_dict(tuples=tuples)}

    def lines(self, totals: Array, images: int) -> list[CorpusScoreRow]:
        """Return SPICE and its categories with precision, recall and images."""
        return [
            CorpusScoreRow(
                "SPICE" if name == "All" else f"  {self.titles[key]}",
                number(score.f),
                number(score.precision),
                number(score.recall),
                score.images,
            )
            for key, (name, score) in zip(self.keys, self.corpus(totals).items())
        ]

    def signature(self) -> Mapping[str, str]:
        """Return everything that can change the numbers."""
        return {
            "metric": "SPICE",
            **self.pipeline.signature(),
            **self._further,
            "averaging": "macro",
            "spicepy": __version__,
        }

    def _mean_f(self, totals: Array) -> Array:
        """Return (..., columns) -> (..., names): F divided by `images`."""
        fields = totals.reshape(*totals.shape[:-1], len(self.names), len(FIELDS))
        with np.errstate(invalid="ignore", divide="ignore"):
            means: Array = fields[..., _F] / fields[..., _IMAGES]
        return means

    def _means(self, totals: Array) -> Array:
        """Return (..., columns) -> (..., names, fields), scores divided by `images`."""
        means = totals.reshape(*totals.shape[:-1], len(self.names), len(FIELDS)).copy()
        images = means[..., _IMAGES, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            means[..., _MEANS] /= images
        return means
