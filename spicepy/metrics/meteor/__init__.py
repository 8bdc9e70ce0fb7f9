"""METEOR 1.5 for English."""

from spicepy.metrics.meteor.metric import Meteor

__all__ = ["Meteor"]
