"""Punctuation marks out of a caption before parsing, and into its tree after.

The bundled parser never saw upper case or punctuation, so it gets words in
lower case and without punctuation marks; these hang on the root afterwards.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from spicepy.parsing.trees import Annotations

TAGS: Final = {
    **dict.fromkeys(("''", "'", '"'), "''"),
    **dict.fromkeys(("``", "`"), "``"),
    **dict.fromkeys(("-lrb-", "-lcb-", "-lsb-", "(", "{", "["), "-LRB-"),
    **dict.fromkeys(("-rrb-", "-rcb-", "-rsb-", ")", "}", "]"), "-RRB-"),
    ",": ",",
}
"""Mark -> Penn tag; others are "." where they end a sentence, else ":"."""

MARK: Final = re.compile(r"(?:-[lr][rcs]b-|[^\w$%&#@+=/])+")
"""Tokens that are no words; signs that are read aloud ("&", "%") are words."""


@lru_cache(maxsize=100_000)
def mark_tag(word: str) -> str:
    """Return the Penn tag of a punctuation mark (also of several), "" for a word."""
    lower = word.lower()
    if not MARK.fullmatch(lower):
        return ""
    ends = set(lower) <= set(".?!") and lower != "..."
    return TAGS.get(lower) or ("." if ends else ":")


def without_punctuation(words: Sequence[str]) -> list[str]:
    """Return the words that are not punctuation marks, in lower case."""
    return [word.lower() for word in words if not mark_tag(word)]


def with_punctuation(words: Sequence[str], annotations: Annotations) -> Annotations:
    """Put the punctuation marks of words back into the analysis of the other words.

    They hang on the root; where there are no other words, the first is it.
    """
    if len(words) == len(annotations.tags):
        return annotations
    tags = [mark_tag(word) for word in words]
    places = [n for n, tag in enumerate(tags, 1) if not tag]
    root = places[annotations.heads.index(0)] if places else 1
    heads = [root] * len(words)
    labels = ["punct"] * len(words)
    for place, tag, head, label in zip(places, *annotations, strict=True):
        tags[place - 1] = tag
        heads[place - 1] = places[head - 1] if head else 0
        labels[place - 1] = label
    heads[root - 1], labels[root - 1] = 0, "root"
    return Annotations(tuple(tags), tuple(heads), tuple(labels))
