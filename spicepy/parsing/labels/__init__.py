"""Label schemes: from ClearNLP labels to Universal Dependencies v1."""

from spicepy.parsing.labels.mapping import scheme_of, to_universal

__all__ = [
    "scheme_of",
    "to_universal",
]
