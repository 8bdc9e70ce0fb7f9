"""Rewards for training: scores of a batch of captions, one number per caption.

References are given, or known by the ids of images. The objects are made once; they
pickle, and work in threads, forked and spawned processes.
"""

from spicepy.rewards.ciderd import CiderD
from spicepy.rewards.spice import Spice

__all__ = ["CiderD", "Spice"]
