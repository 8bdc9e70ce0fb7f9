"""`Meteor`, as in `spicepy.compat.pycocoevalcap`."""

from spicepy.compat.pycocoevalcap.meteor.meteor import Meteor

__all__ = ["Meteor"]
