"""The module that `pycocoevalcap.bleu` has."""
