"""`Cider`: CIDEr-D with the document frequencies of a set of references."""

from collections.abc import Mapping, Sequence
from typing import Any

from spicepy.compat.pycocoevalcap.cider import cider as coco_caption
from spicepy.metrics.ngrams import cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.tokenization.samples import TokenisedSample


class Cider(coco_caption.Cider):
    """CIDEr-D with the document frequencies of a set of references.

    Args:
        gts: The set, {id: [reference, …]}, tokenised; by default the references of
            each call.
    """

    def __init__(self, gts: Mapping[Any, Sequence[str]] | None = None) -> None:
        super().__init__()
        if gts is not None:
            images = [
                TokenisedSample(number, "", tuple(references))
                for number, references in enumerate(gts.values())
            ]
            frequencies = DocumentFrequencies.of(images, name="references")
            self._metric = cider.Cider(frequencies=frequencies)

    def __str__(self) -> str:
        return "CIDEr"
