"""`Bleu`, as in `spicepy.compat.pycocoevalcap`."""

from spicepy.compat.pycocoevalcap.bleu.bleu import Bleu

__all__ = ["Bleu"]
