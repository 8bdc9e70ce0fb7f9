"""The package `evaluation` of captioning models, with spicepy's numbers.

Meshed-memory transformers and their descendants import `PTBTokenizer`, `Cider` and
`compute_scores` from a package of this name beside their own code, or the classes from
its modules. In: captions as {id: [caption, …]}. Out: scores in the shapes that these
programs expect.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from spicepy.compat import scorers
from spicepy.compat.coco_samples import Captions
from spicepy.compat.coco_samples import ListTokenizer as PTBTokenizer

__all__ = ["Bleu", "Cider", "Meteor", "PTBTokenizer", "Rouge", "compute_scores"]


class Bleu(scorers.Bleu):
    """BLEU, which these programs call by its text, as the others."""

    def __str__(self) -> str:
        return "BLEU"


class Meteor(scorers.Meteor):
    """METEOR 1.5."""

    def __str__(self) -> str:
        return "METEOR"


class Rouge(scorers.Rouge):
    """ROUGE-L."""

    def __str__(self) -> str:
        return "ROUGE"


class Cider(scorers.Cider):
    """CIDEr-D with the frequencies of a tokenised set, or of each call's references."""

    def __init__(self, gts: Mapping[Any, Sequence[str]] | None = None) -> None:
        super().__init__()
        if gts is not None:
            self._metric = self._metric.for_documents(list(gts.values()))

    def __str__(self) -> str:
        return "CIDEr"


def compute_scores(
    gts: Captions, gen: Captions
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Score tokenised candidates (`gen`) against references by four metrics.

    The corpus and image scores are by name: BLEU (a list, one per order), METEOR, ROUGE
    and CIDEr.
    """
    results: dict[str, Any] = {"BLEU": Bleu().compute_score(gts, gen, verbose=0)}
    for scorer in (Meteor(), Rouge(), Cider()):
        results[str(scorer)] = scorer.compute_score(gts, gen)
    return (
        {name: score for name, (score, _) in results.items()},
        {name: scores for name, (_, scores) in results.items()},
    )
