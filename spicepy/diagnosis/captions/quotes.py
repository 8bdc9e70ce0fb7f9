"""Quotes: the text on signs and shirts that a caption quotes.

In: a caption as it was written, and its words. Out: the quoted texts, and the positions
of the words in them, which name no things of the picture.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

_QUOTED: Final = re.compile(r"[\"“”]([^\"“”]+)[\"“”]|(?<!\w)'([^']+)'(?!\w)")


def quoted_texts(caption: str) -> list[str]:
    """Return the texts in quotation marks, in lower case."""
    found = [(a or b).lower().strip(" .,") for a, b in _QUOTED.findall(caption)]
    return [text for text in found if text]


def quoted_places(caption: str, words: Sequence[str]) -> Iterator[int]:
    """Yield the positions (from 1) of the words that are quoted.

    A caption that is a single quotation quotes nothing.
    """
    spans = [match.span() for match in _QUOTED.finditer(caption)]
    if not spans or spans[0] == (0, len(caption)):
        return
    text, start = caption.lower(), 0
    for place, word in enumerate(words, 1):
        at = text.find(word, start)
        if at >= 0:
            start = at + len(word)
            if any(first < at < last for first, last in spans):
                yield place
