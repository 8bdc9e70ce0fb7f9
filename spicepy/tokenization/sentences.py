"""Text of several sentences to sentences, tokenised.

In: a raw caption. Out: one line of tokens for each sentence, as `tokenize` gives it,
without punctuation. The tokeniser decides where a sentence ends: a stop that belongs
to an abbreviation or a number is no token of its own. Where it is asked for, the commas
of a series are written "and" (`series.py`).
"""

import re
from collections.abc import Collection
from typing import Final

from spicepy.tokenization.ptb import PUNCTUATION, tokenize
from spicepy.tokenization.series import COMMA, without_commas

ENDS: Final = frozenset([".", "?", "!", ";"])
"""Tokens that end a sentence; a semicolon parts what could be two."""

_PARAGRAPH = re.compile(r"\n\s*\n|\r\s*\n\s*\r|\u2029")
_GLUED = re.compile(r"(?<=[a-z0-9)\"'])([.!?]+)(?=[A-Z][a-z ])")


def split_sentences(caption: str, no_items: Collection[str] | None = None) -> list[str]:
    """Split a caption into sentences.

    Args:
        caption: Raw text. An empty line ends a sentence, and so does a stop that
            lacks its blank ("on the right.The moon").
        no_items: Words with which no item of a series begins. With them, the commas of
            series are written "and"; without, they are left out like all punctuation.

    Returns:
        The tokens of each sentence, lower case, joined by blanks; [""] if the caption
        has none.

    >>> split_sentences("A man rides a horse. He wears a hat.")
    ['a man rides a horse', 'he wears a hat']
    """
    sentences: list[list[str]] = [[]]
    for paragraph in _PARAGRAPH.split(caption):
        spaced = _GLUED.sub(r"\1 ", paragraph)
        for token in tokenize([spaced], punctuation=True)[0].split(" "):
            if token in ENDS:
                sentences.append([])
            elif token == COMMA or (token and token not in PUNCTUATION):
                sentences[-1].append(token)
        sentences.append([])
    said = (" ".join(without_commas(tokens, no_items)) for tokens in sentences)
    return [words for words in said if words] or [""]
