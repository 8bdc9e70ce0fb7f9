"""The module that `pycocoevalcap.tokenizer` has."""
