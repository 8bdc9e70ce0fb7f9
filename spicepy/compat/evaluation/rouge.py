"""`Rouge`, as in `spicepy.compat.pycocoevalcap`."""

from spicepy.compat.pycocoevalcap.rouge.rouge import Rouge

__all__ = ["Rouge"]
