"""`Spice`, as in `spicepy.compat.pycocoevalcap`."""

from spicepy.compat.pycocoevalcap.spice.spice import Spice

__all__ = ["Spice"]
