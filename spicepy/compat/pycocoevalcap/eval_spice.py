"""`COCOEvalCapSpice`: an evaluation with SPICE alone."""

from typing import Any

from spicepy.compat.pycocoevalcap.eval import COCOEvalCap


class COCOEvalCapSpice(COCOEvalCap):
    """`COCOEvalCap` that computes SPICE only."""

    def __init__(self, coco: Any, cocoRes: Any) -> None:
        super().__init__(coco, cocoRes)
        self.metrics = ("SPICE",)
