"""Punctuation marks out of a caption before parsing, and into its tree after.

The bundled parsers were trained on words in lower case, and of punctuation marks on the
comma at most. So they get words in lower case, and those that read commas get one for
each mark at which a reader pauses; other marks hang on the root afterwards.
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

PAUSES: Final = frozenset(
    [",", ":", ";", "-", "--", "---", "–", "—", "...", "…", "(", ")"]
    + [f"-{side}{kind}b-" for side in "lr" for kind in "rcs"]
)
"""Marks that are read as commas, lower case."""

COMMA: Final = ","

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
    return as_read(words, places_read(words, commas=False))


def places_read(words: Sequence[str], commas: bool) -> list[int]:
    """Return the places, from 1, of the words that a parser reads.

    Args:
        words: The words of a sentence, with its punctuation marks.
        commas: Whether the parser reads commas.
    """
    marks = [word.lower() if mark_tag(word) else "" for word in words]
    pauses = PAUSES if commas and not all(marks) else ()
    return [place for place, x in enumerate(marks, 1) if not x or x in pauses]


def as_read(words: Sequence[str], places: Sequence[int]) -> list[str]:
    """Return the words at these places in lower case, with commas for the marks."""
    read = [words[place - 1] for place in places]
    return [COMMA if mark_tag(word) else word.lower() for word in read]


def with_punctuation(
    words: Sequence[str], places: Sequence[int], annotations: Annotations
) -> Annotations:
    """Put the marks that were not read back into the analysis of the other words.

    They hang on the root; where no word was read, the first is it. Marks that were read
    keep their heads.

    Args:
        words: The words of a sentence, with its punctuation marks.
        places: The places of the words that were read, from 1.
        annotations: The analysis of these.
    """
    tags = [mark_tag(word) for word in words]
    if not any(tags):
        return annotations
    root = places[annotations.heads.index(0)] if places else 1
    heads = [root] * len(words)
    labels = ["punct"] * len(words)
    for place, tag, head, label in zip(places, *annotations, strict=True):
        heads[place - 1] = places[head - 1] if head else 0
        if not tags[place - 1]:
            tags[place - 1], labels[place - 1] = tag, label
    heads[root - 1], labels[root - 1] = 0, "root"
    return Annotations(tuple(tags), tuple(heads), tuple(labels))
