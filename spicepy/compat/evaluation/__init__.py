"""The package `evaluation` that captioning models carry, with spicepy's numbers.

Meshed-memory transformers and their descendants import `PTBTokenizer`, `Cider` and
`compute_scores` from a package of this name beside their own code. In: captions as
{id: [caption, …]}. Out: scores in the shapes those programs expect.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from spicepy.compat.pycocoevalcap._samples import Captions, samples_of
from spicepy.compat.pycocoevalcap.bleu.bleu import Bleu
from spicepy.compat.pycocoevalcap.meteor.meteor import Meteor
from spicepy.compat.pycocoevalcap.rouge.rouge import Rouge
from spicepy.compat.pycocoevalcap.tokenizer.ptbtokenizer import (
    PTBTokenizer as _PTBTokenizer,
)
from spicepy.metrics.base import Array
from spicepy.metrics.ngrams import cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.metrics.totals import total
from spicepy.tokenization.samples import TokenisedSample

__all__ = ["Bleu", "Cider", "Meteor", "PTBTokenizer", "Rouge", "compute_scores"]


class PTBTokenizer:
    """coco-caption's tokeniser, for dictionaries and for lists of captions."""

    @classmethod
    def tokenize(cls, corpus: Any) -> dict[Any, list[str]]:
        """Tokenise captions.

        Args:
            corpus: {id: [caption, …]}, or a list of captions or of lists of them,
                whose ids are their places.

        Returns:
            {id: [tokens joined by spaces, …]}.
        """
        if not isinstance(corpus, Mapping):
            corpus = dict(enumerate(corpus))
        texts = {
            key: [captions] if isinstance(captions, str) else captions
            for key, captions in corpus.items()
        }
        return _PTBTokenizer.tokenize(
            {key: [{"caption": text} for text in own] for key, own in texts.items()}
        )


class Cider:
    """CIDEr-D with the document frequencies of a set of references.

    Args:
        gts: The set, {id: [reference, …]}, tokenised; by default the references of
            each call.
    """

    def __init__(self, gts: Mapping[Any, Sequence[str]] | None = None) -> None:
        frequencies = None
        if gts is not None:
            images = [
                TokenisedSample(number, "", tuple(references))
                for number, references in enumerate(gts.values())
            ]
            frequencies = DocumentFrequencies.of(images, name="references")
        self._metric = cider.Cider(frequencies=frequencies)

    def compute_score(self, gts: Captions, res: Captions) -> tuple[np.float64, Array]:
        """Return the mean and the scores of the images, in the order of `gts`.

        Raises:
            InputError: See `samples_of`.
        """
        rows = self._metric.count(samples_of(gts, res)).rows
        return self._metric.corpus_scores(total(rows), len(rows))[0], rows[:, 0]

    def __str__(self) -> str:
        return "CIDEr"


def compute_scores(
    gts: Captions, gen: Captions
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Score tokenised candidates (`gen`) against references by four metrics.

    Returns:
        Corpus scores and image scores by name: BLEU (a list, one an order), METEOR,
        ROUGE and CIDEr.

    Raises:
        InputError: See `samples_of`.
        ResourceError: METEOR's paraphrase table is not installed.
    """
    scorers: dict[str, Any] = {"METEOR": Meteor(), "ROUGE": Rouge(), "CIDEr": Cider()}
    results: dict[str, tuple[Any, Any]] = {
        "BLEU": Bleu().compute_score(gts, gen, verbose=0)
    }
    for name, scorer in scorers.items():
        results[name] = scorer.compute_score(gts, gen)
    return (
        {name: score for name, (score, _) in results.items()},
        {name: scores for name, (_, scores) in results.items()},
    )
