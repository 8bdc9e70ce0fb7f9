"""The lexicon: what the error analysis knows of words, one module a subject."""
