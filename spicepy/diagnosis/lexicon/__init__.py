"""The lexicon: what the error analysis knows of words, one module per subject."""
