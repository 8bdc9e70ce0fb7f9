"""Punctuation marks out of a caption before parsing, and into its tree after.

The bundled parser never saw upper case or punctuation, so it gets words in
lower case and without punctuation marks; these hang on the root afterwards.
"""

from collections.abc import Sequence
from typing import Final

from spicepy.parsing.network import Arcs

PUNCTUATION: Final = {
    **dict.fromkeys(".?!", "."),
    **dict.fromkeys((":", ";", "-", "--", "..."), ":"),
    **dict.fromkeys(("''", "'", '"'), "''"),
    **dict.fromkeys(("``", "`"), "``"),
    **dict.fromkeys(("-LRB-", "-LCB-", "(", "-lrb-", "-lcb-"), "-LRB-"),
    **dict.fromkeys(("-RRB-", "-RCB-", ")", "-rrb-", "-rcb-"), "-RRB-"),
    ",": ",",
}
"""Punctuation mark -> Penn tag."""


def without_punctuation(words: Sequence[str]) -> list[str]:
    """Return the words that are not punctuation marks, in lower case."""
    return [word.lower() for word in words if word not in PUNCTUATION]


def with_punctuation(words: Sequence[str], arcs: Arcs) -> Arcs:
    """Put the punctuation marks of words back into the arcs of the other words.

    They hang on the root; where there are no other words, the first is it.
    """
    if len(words) == len(arcs[0]):
        return arcs
    places = [n for n, word in enumerate(words, 1) if word not in PUNCTUATION]
    tags = [PUNCTUATION.get(word, "") for word in words]
    root = places[arcs[1].index(0)] if places else 1
    heads = [root] * len(words)
    labels = ["punct"] * len(words)
    for place, tag, head, label in zip(places, *arcs, strict=True):
        tags[place - 1] = tag
        heads[place - 1] = places[head - 1] if head else 0
        labels[place - 1] = label
    heads[root - 1], labels[root - 1] = 0, "root"
    return tuple(tags), tuple(heads), tuple(labels)
