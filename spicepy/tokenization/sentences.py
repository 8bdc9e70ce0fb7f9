"""Text of several sentences to sentences, tokenised.

In: a raw caption. Out: one line of tokens for each sentence, as `tokenize` gives it,
without punctuation. The tokeniser decides where a sentence ends: a stop that belongs
to an abbreviation or a number is no token of its own.
"""

import re
from typing import Final

from spicepy.tokenization.ptb import PUNCTUATION, tokenize

ENDS: Final = frozenset([".", "?", "!", ";"])
"""Tokens that end a sentence; a semicolon parts what could be two."""

_PARAGRAPH = re.compile(r"\n\s*\n|\r\s*\n\s*\r|\u2029")
_GLUED = re.compile(r"(?<=[a-z0-9)\"'])([.!?]+)(?=[A-Z][a-z ])")


def split_sentences(caption: str) -> list[str]:
    """Split a caption into sentences.

    Args:
        caption: Raw text. An empty line ends a sentence, and so does a stop that
            lacks its blank ("on the right.The moon").

    Returns:
        The tokens of each sentence, lower case, joined by blanks; [""] if the caption
        has none.

    >>> split_sentences("A man rides a horse. He wears a hat.")
    ['a man rides a horse', 'he wears a hat']
    """
    found: list[list[str]] = [[]]
    for paragraph in _PARAGRAPH.split(caption):
        spaced = _GLUED.sub(r"\1 ", paragraph)
        for token in tokenize([spaced], punctuation=True)[0].split(" "):
            if token in ENDS:
                found.append([])
            elif token and token not in PUNCTUATION:
                found[-1].append(token)
        found.append([])
    return [" ".join(words) for words in found if words] or [""]
