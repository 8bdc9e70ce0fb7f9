"""Tables of words: lemmas, synonyms, classes, vectors, shares of omission."""
