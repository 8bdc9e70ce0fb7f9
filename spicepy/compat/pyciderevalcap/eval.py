"""`CIDErEvalCap`: CIDEr and CIDEr-D of raw captions.

In: references, {id: [{"caption": …}, …]}, and candidates, [{"image_id": id, "caption":
…}, …]. Out: lists of scores by metric, in the order of the candidates.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from spicepy.compat.pyciderevalcap._results import Scorer
from spicepy.compat.pyciderevalcap.cider.cider import Cider
from spicepy.compat.pyciderevalcap.ciderD.ciderD import CiderD
from spicepy.compat.pyciderevalcap.tokenizer.ptbtokenizer import PTBTokenizer


class CIDErEvalCap:
    """CIDEr and CIDEr-D of candidates.

    Args:
        gts: The references of each image.
        res: The candidates.
        df: "corpus" for the document frequencies of `gts`, or a file of them.

    Raises:
        InputError: There are no usable frequencies.
    """

    def __init__(
        self,
        gts: Mapping[Any, Sequence[Mapping[str, str]]],
        res: Sequence[Mapping[str, Any]],
        df: str,
    ) -> None:
        self.scorers: dict[str, Scorer] = {
            "CIDEr": Cider(df=df),
            "CIDErD": CiderD(df=df),
        }
        self.gts: Any = PTBTokenizer("gts").tokenize(gts)
        self.res: Any = PTBTokenizer("res").tokenize(res)

    def evaluate(self) -> dict[str, list[float]]:
        """Return the scores of the candidates: "CIDEr" and "CIDErD", each 0-10.

        Raises:
            InputError: A candidate's image has no references.
        """
        return {
            name: list(scorer.compute_score(self.gts, self.res)[1])
            for name, scorer in self.scorers.items()
        }
