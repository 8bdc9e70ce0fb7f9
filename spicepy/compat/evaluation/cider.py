"""`Cider`, as in `spicepy.compat.pycocoevalcap`, also for a given set of references."""

from collections.abc import Mapping, Sequence
from typing import Any

from spicepy.compat.pycocoevalcap.cider import cider


class Cider(cider.Cider):
    """CIDEr-D with the document frequencies of a set of references.

    Args:
        gts: The set, {id: [reference, …]}, tokenised; by default the references of
            each call.
    """

    def __init__(self, gts: Mapping[Any, Sequence[str]] | None = None) -> None:
        super().__init__()
        if gts is not None:
            self._metric = self._metric.for_documents(list(gts.values()))

    def __str__(self) -> str:
        return "CIDEr"
