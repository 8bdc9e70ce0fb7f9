"""The package `evaluation` of captioning models, with spicepy's numbers.

Meshed-memory transformers and their descendants import `PTBTokenizer`, `Cider` and
`compute_scores` from a package of this name beside their own code, or the classes from
its modules. In: captions as {id: [caption, …]}. Out: scores in the shapes that these
programs expect.
"""

from typing import Any

from spicepy.compat.evaluation.bleu import Bleu
from spicepy.compat.evaluation.cider import Cider
from spicepy.compat.evaluation.meteor import Meteor
from spicepy.compat.evaluation.rouge import Rouge
from spicepy.compat.evaluation.tokenizer import PTBTokenizer
from spicepy.compat.pycocoevalcap._samples import Captions

__all__ = ["Bleu", "Cider", "Meteor", "PTBTokenizer", "Rouge", "compute_scores"]


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
