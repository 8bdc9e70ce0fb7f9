"""Rewards for training: scores of a batch of captions, one number per caption.

In: candidates as strings, with references or the ids of images whose references
were prepared. Out: a numpy array. The objects are made once; they pickle, and work
in threads, forked and spawned processes.
"""

from spicepy.rewards.ciderd import CiderD
from spicepy.rewards.spice import Spice

__all__ = ["CiderD", "Spice"]
