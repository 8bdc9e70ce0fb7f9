"""The module that `pycocoevalcap.rouge` has."""
