"""Text of several sentences to sentences, tokenised.

In: a raw caption. Out: one line of tokens for each sentence, as `tokenize` gives it,
without punctuation, but with commas where they are asked for. The tokeniser decides
where a sentence ends: a stop that belongs to an abbreviation or a number is no token of
its own.
"""

import re
from typing import Final

from spicepy.tokenization.ptb import PUNCTUATION, tokenize

COMMA: Final = ","

PAUSES: Final = frozenset([COMMA, "--"])
"""Tokens that part what a sentence says."""

ENDS: Final = frozenset([".", "?", "!", ";"])
"""Tokens that end a sentence; a semicolon parts what could be two."""

_PARAGRAPH = re.compile(r"\n\s*\n|\r\s*\n\s*\r|\u2029")
_GLUED = re.compile(r"(?<=[a-z0-9)\"'])([.!?]+)(?=[A-Z][a-z ])")


def split_sentences(caption: str, *, commas: bool = False) -> list[str]:
    """Split a caption into sentences.

    Args:
        caption: Raw text. An empty line ends a sentence, and so does a stop that
            lacks its blank ("on the right.The moon").
        commas: Whether commas between words stay, and dashes as commas.

    Returns:
        The tokens of each sentence, lower case, joined by blanks; [""] if the caption
        has none.

    >>> split_sentences("A man rides a horse. He wears a hat.")
    ['a man rides a horse', 'he wears a hat']
    >>> split_sentences("A tall, thin man waves.", commas=True)
    ['a tall , thin man waves']
    """
    sentences: list[list[str]] = [[]]
    for paragraph in _PARAGRAPH.split(caption):
        spaced = _GLUED.sub(r"\1 ", paragraph)
        for token in tokenize([spaced], punctuation=True)[0].split(" "):
            if token in ENDS:
                sentences.append([])
            elif commas and token in PAUSES:
                sentences[-1].append(COMMA)
            elif token and token not in PUNCTUATION:
                sentences[-1].append(token)
        sentences.append([])
    return [" ".join(words) for x in sentences if (words := _between(x))] or [""]


def _between(tokens: list[str]) -> list[str]:
    """Return tokens with one comma where there are several, and none at the ends."""
    pairs = zip(tokens, [COMMA, *tokens])
    words = [x for x, before in pairs if not x == before == COMMA]
    return words[:-1] if words and words[-1] == COMMA else words
