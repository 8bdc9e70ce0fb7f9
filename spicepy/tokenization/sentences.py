"""Text of several sentences to sentences, tokenised.

In: a raw caption. Out: one line of tokens for each sentence, as `tokenize` gives it,
without punctuation, but with commas where they are asked for. The tokeniser decides
where a sentence ends: a stop that belongs to an abbreviation or a number is no token of
its own.
"""

import re
from collections.abc import Container
from typing import Final

from spicepy.tokenization.ptb import PUNCTUATION, tokenize

COMMA: Final = ","

PAUSES: Final = frozenset([COMMA, "--"])
"""Tokens that part what a sentence says."""

ENDS: Final = frozenset([".", "?", "!", ";"])
"""Tokens that end a sentence; a semicolon parts what could be two."""

QUOTES: Final = {"``": "''", "`": "'"}
"""The tokens that open a quotation, and those that close it."""

_PARAGRAPH = re.compile(r"\n\s*\n|\r\s*\n\s*\r|\u2029")
_GLUED = re.compile(r"(?<=[a-z0-9)\"'])([.!?]+)(?=[A-Z][a-z ])")


def split_sentences(
    caption: str, *, commas: bool = False, quoting: Container[str] = ()
) -> list[str]:
    """Split a caption into sentences.

    Args:
        caption: Raw text. An empty line ends a sentence, and so does a stop that
            lacks its blank ("on the right.The moon").
        commas: Whether commas between words stay, and dashes as commas.
        quoting: Words after which quoted text is left out: it is to be read on what
            says so, and names nothing ("a sign that says 'no dogs'").

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
        tokens = tokenize([spaced], punctuation=True)[0].split(" ")
        for token in _without_quotations(tokens, quoting):
            if token in ENDS:
                sentences.append([])
            elif commas and token in PAUSES:
                sentences[-1].append(COMMA)
            elif token and token not in PUNCTUATION:
                sentences[-1].append(token)
        sentences.append([])
    return [" ".join(words) for x in sentences if (words := _between(x))] or [""]


def _without_quotations(tokens: list[str], quoting: Container[str]) -> list[str]:
    """Return tokens without those between quotation marks after a word of saying."""
    kept: list[str] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        said = next((x for x in reversed(kept) if x not in (COMMA, ":")), "")
        closing = QUOTES.get(token)
        if closing in tokens[place + 1 :] and closing and said in quoting:
            place = tokens.index(closing, place + 1)
        else:
            kept.append(token)
        place += 1
    return kept


def _between(tokens: list[str]) -> list[str]:
    """Return tokens with one comma where there are several, and none at the ends."""
    pairs = zip(tokens, [COMMA, *tokens])
    words = [x for x, before in pairs if not x == before == COMMA]
    return words[:-1] if words and words[-1] == COMMA else words
