"""SPICE: agreement of scene graphs, overall and by category.

In: tokenised samples. Out: rows of counts and scores by category.

    captions ─ pipeline.propose ─▶ tuples ─ scoring.score_proposals ─▶ SpiceScore

The corpus score of a category is the mean over the images where it is defined,
that is, where the references have a tuple of it; "All" is defined everywhere.

Source: Anderson et al. 2016, SPICE: Semantic Propositional Image Caption
Evaluation.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np

from spicepy import __version__
from spicepy.common.collector import no_collector
from spicepy.common.progress import advance
from spicepy.common.sharing import LOCK
from spicepy.extraction.tuples import SemanticTuple
from spicepy.grammar.categories import BASIC, Category, digest, unique_names
from spicepy.grammar.loading import load_grammar
from spicepy.graph.concepts import Lexicon
from spicepy.matching import Counts
from spicepy.metrics.base import Array, Statistics
from spicepy.metrics.spice.image import Proposals, SpiceScore, score_proposals
from spicepy.parsing.parser import model_signature
from spicepy.pipeline import propose
from spicepy.samples.sample import ImageId, Sample
from spicepy.words.wordnet import load_synonyms

FIELDS = ("tp", "fp", "fn", "precision", "recall", "f", "images")
"""A category's columns: `images` is 1 where it is defined; the three scores
are 0 where it is not."""
REMEMBERED = 50_000
"""Captions whose tuples are kept from one `count` to the next, at least."""
_F, _IMAGES = FIELDS.index("f"), FIELDS.index("images")


@dataclass(frozen=True, slots=True)
class CategoryScore:
    """A category over a corpus: means over `images` images, sums of counts.

    The means are None where no image has reference tuples of the category.
    """

    f: float | None
    precision: float | None
    recall: float | None
    tp: int
    fp: int
    fn: int
    images: int

    def to_dict(self) -> dict[str, float | int | None]:
        """The fields by name."""
        return {name: getattr(self, name) for name in self.__slots__}


class Spice:
    """SPICE as a metric; image scores are F over all tuples and by category.

    An image without candidate or reference tuples scores 0. F is in 0-1, except
    that two candidate tuples may match one reference tuple: then it can pass 1.

    Args:
        grammar: Name of a grammar, or the path of its folder.
        model: Name of a spaCy model; the bundled caption parser by default.
        synonyms: "bundled" (WordNet 3.0), "nltk" (your NLTK corpus), "none".
        categories: Further categories beside the grammar's.
        n_process: Processes that parse; 1 is best below some 20,000 captions.

    Raises:
        GrammarError: The grammar is wrong, or two categories share a name.
        InputError: An option has an unknown value.
        ResourceError: A model or WordNet is missing.
    """

    def __init__(
        self,
        *,
        grammar: str = "spice-1.0",
        model: str | None = None,
        synonyms: str = "bundled",
        categories: Sequence[Category] = (),
        n_process: int = 1,
    ) -> None:
        self._grammar = load_grammar(grammar)
        self._model = model
        self._n_process = n_process
        self._proposals: dict[str, list[SemanticTuple]] = {}
        self._lexicon = Lexicon(load_synonyms(synonyms))
        found = (*BASIC, *self._grammar.categories, *categories)
        self.categories = unique_names(found)
        self._further = {"categories": digest(categories)} if categories else {}

    @property
    def keys(self) -> tuple[str, ...]:
        """("spice", "spice-object", …): "All", then every category."""
        return ("spice", *(f"spice-{c.name.lower()}" for c in self.categories))

    @property
    def names(self) -> tuple[str, ...]:
        """("All", "Object", …), in the order of `keys`."""
        return ("All", *(category.name for category in self.categories))

    def count(self, samples: Sequence[Sample]) -> Statistics:
        """Parse, build graphs and match.

        Returns:
            Rows of `FIELDS` for each of `names`; details are `SpiceScore`s.
        """
        # References last: the next system has them again.
        candidates = (sample.candidate for sample in samples)
        references = (text for sample in samples for text in sample.references)
        proposals = self._propose(dict.fromkeys(chain(candidates, references)))
        return self.count_proposals(
            [sample.image_id for sample in samples],
            [proposals[sample.candidate] for sample in samples],
            [[proposals[text] for text in sample.references] for sample in samples],
        )

    def count_proposals(
        self,
        image_ids: Sequence[ImageId],
        candidates: Iterable[Proposals],
        references: Iterable[Sequence[Proposals]],
    ) -> Statistics:
        """`count` for images whose tuples are there already (no parsing)."""
        scores: list[SpiceScore] = []
        lexicon, categories = self._lexicon, self.categories
        with no_collector():
            for candidate, reference in zip(candidates, references, strict=True):
                if len(scores) % 1_000 == 0:
                    advance("matching scene graphs", len(scores), len(image_ids))
                scores.append(
                    score_proposals(candidate, reference, lexicon, categories)
                )
        rows = np.empty((len(scores), len(self.names) * len(FIELDS)))
        for row, score in zip(rows, scores):
            row[:] = [value for c in score.counts.values() for value in _fields(c)]
        return Statistics(tuple(image_ids), rows, tuple(scores))

    def image_scores(self, rows: Array) -> Array:
        """F of every category, NaN where undefined: (images, keys)."""
        return self._means(rows)[..., _F]

    def corpus_scores(self, totals: Array, images: int | Array) -> Array:
        """Mean F over the images where it is defined; NaN where there are none."""
        return self._means(totals)[..., _F]

    def corpus(self, totals: Array) -> dict[str, CategoryScore]:
        """Every category over a corpus, from the sum of its rows (columns,)."""
        found = {}
        for name, values in zip(self.names, self._means(totals).tolist()):
            tp, fp, fn, *means, images = values
            shown = [mean if images else None for mean in means]
            precision, recall, f = shown
            found[name] = CategoryScore(
                f, precision, recall, int(tp), int(fp), int(fn), int(images)
            )
        return found

    def corpus_entry(self, statistics: Statistics) -> dict[str, Any]:
        """JSON-ready: {"spice": {"All": {...}, "Object": {...}, …}}."""
        scores = self.corpus(statistics.rows.sum(axis=0))
        return {"spice": {name: score.to_dict() for name, score in scores.items()}}

    def image_entry(
        self, statistics: Statistics, index: int, *, tuples: bool = False
    ) -> dict[str, Any]:
        """JSON-ready scores of one image, with its tuples if asked."""
        score: SpiceScore = statistics.details[index]
        return {"spice": score.to_dict(tuples=tuples)}

    def signature(self) -> Mapping[str, str]:
        return {
            "metric": "SPICE",
            "grammar": f"{self._grammar.name}@{self._grammar.digest[:8]}",
            "model": model_signature(self._model),
            "tokeniser": "ptb-3.4.1",
            "synonyms": self._lexicon.synonyms.signature,
            **self._further,
            "averaging": "macro",
            "spicepy": __version__,
        }

    def _propose(self, captions: Collection[str]) -> Mapping[str, Proposals]:
        """Proposals by caption, remembered for the next system or block.

        What was used least recently is forgotten first, but nothing of this call.
        """
        with LOCK:
            memory = self._proposals
            known = {c: memory[c] for c in captions if c in memory}
        new = propose(
            sorted(c for c in captions if c not in known),
            self._grammar,
            model=self._model,
            n_process=self._n_process,
        )
        found = {c: known[c] if c in known else new[c] for c in captions}
        with LOCK:
            for caption in known:
                memory.pop(caption, None)  # The newest are at the end.
            memory |= found
            too_many = len(memory) - max(REMEMBERED, len(found))
            for caption in list(islice(memory, max(too_many, 0))):
                del memory[caption]
        return found

    def _means(self, totals: Array) -> Array:
        """(..., columns) -> (..., names, fields), scores divided by `images`."""
        found = totals.reshape(*totals.shape[:-1], len(self.names), len(FIELDS)).copy()
        images = found[..., _IMAGES, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            found[..., 3 : _F + 1] /= images
        return found


def _fields(counts: Counts) -> tuple[float, ...]:
    """One category's columns (`FIELDS`)."""
    if not counts.defined:
        return (counts.tp, counts.fp, counts.fn, 0.0, 0.0, 0.0, 0)
    precision, recall = counts.precision or 0.0, counts.recall or 0.0
    return (counts.tp, counts.fp, counts.fn, precision, recall, counts.f or 0.0, 1)
