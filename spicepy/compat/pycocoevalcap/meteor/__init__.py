"""The module that `pycocoevalcap.meteor` has."""
