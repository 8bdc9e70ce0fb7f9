"""The module that `pycocoevalcap.spice` has."""
