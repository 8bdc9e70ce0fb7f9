"""Text of several sentences to sentences, tokenised.

In: a raw caption. Out: one line of tokens for each sentence, as `tokenize` gives it,
without punctuation. The tokeniser decides where a sentence ends: a stop that belongs
to an abbreviation or a number is no token of its own. Where it is asked for, commas and
dashes stay as ",", for a parser that reads them, and the commas of a series are written
"and": "eggs, bacon and toast" are eggs and bacon and toast.
"""

import re
from collections.abc import Collection
from typing import Final

from spicepy.tokenization.ptb import PUNCTUATION, tokenize

COMMA: Final = ","
PAUSES: Final = frozenset([COMMA, "--"])
"""Tokens that part what a sentence says."""

AND: Final = frozenset(["and", "or"])
"""Words before the last item of a series."""

ITEM: Final = 4
"""The number of words of the longest item of a series; what is longer may be a
clause."""

ENDS: Final = frozenset([".", "?", "!", ";"])
"""Tokens that end a sentence; a semicolon parts what could be two."""

_PARAGRAPH = re.compile(r"\n\s*\n|\r\s*\n\s*\r|\u2029")
_GLUED = re.compile(r"(?<=[a-z0-9)\"'])([.!?]+)(?=[A-Z][a-z ])")


def split_sentences(caption: str, no_items: Collection[str] | None = None) -> list[str]:
    """Split a caption into sentences.

    Args:
        caption: Raw text. An empty line ends a sentence, and so does a stop that
            lacks its blank ("on the right.The moon").
        no_items: Words with which no item of a series begins. With them, commas stay,
            and those of series are written "and"; without, they are left out like all
            punctuation.

    Returns:
        The tokens of each sentence, lower case, joined by blanks; [""] if the caption
        has none.

    >>> split_sentences("A man rides a horse. He wears a hat.")
    ['a man rides a horse', 'he wears a hat']
    >>> split_sentences("A tall, thin man eats eggs, bacon and toast.", [])
    ['a tall , thin man eats eggs and bacon and toast']
    """
    sentences: list[list[str]] = [[]]
    for paragraph in _PARAGRAPH.split(caption):
        spaced = _GLUED.sub(r"\1 ", paragraph)
        for token in tokenize([spaced], punctuation=True)[0].split(" "):
            if token in ENDS:
                sentences.append([])
            elif token in PAUSES:
                sentences[-1].append(COMMA)
            elif token and token not in PUNCTUATION:
                sentences[-1].append(token)
        sentences.append([])
    if no_items is None:
        spoken = [[x for x in tokens if x != COMMA] for tokens in sentences]
    else:
        spoken = [_spoken(tokens, no_items) for tokens in sentences]
    return [" ".join(words) for words in spoken if words] or [""]


def _spoken(tokens: list[str], no_items: Collection[str]) -> list[str]:
    """Return the words and commas of a sentence, "and" for the commas of a series.

    Left out are a comma before the "and" that ends such a series, and one at an end.

    Args:
        tokens: The tokens of a sentence, with its commas.
        no_items: Words with which no item begins.

    >>> _spoken(["eggs", ",", "bacon", ",", "and", "toast", ","], [])
    ['eggs', 'and', 'bacon', 'and', 'toast']
    """
    commas = [place for place, token in enumerate(tokens) if token == COMMA]
    series: set[int] = set()
    if commas and tokens[0] not in no_items:
        for place in reversed(commas):  # the last item tells what those before are
            if _is_and(tokens, place, series, no_items):
                series.add(place)
    written = [COMMA]
    before = -1
    for place, token in enumerate(tokens):
        if token != COMMA:
            written.append(token)
            continue
        ends = before in series and tokens[place + 1 : place + 2] in (["and"], ["or"])
        if place in series:
            written.append("and")
        elif written[-1] != COMMA and not ends:
            written.append(COMMA)
        before = place
    return written[1 : -1 if written[-1] == COMMA else None]


def _is_and(
    tokens: list[str], place: int, series: Collection[int], no_items: Collection[str]
) -> bool:
    """Return whether a comma stands between two items of a series that ends with "and".

    `series` are the places of the later commas that do.
    """
    item = _item(tokens, place + 1)
    after = place + 1 + len(item)
    if place == 0 or not item or item[0] in no_items or after == len(tokens):
        return False
    if len(item) > ITEM:
        return False
    if item[0].endswith("ing") and not tokens[place - 1].endswith("ing"):
        return False  # "a man in a hat, smiling and waving"
    if tokens[after] == COMMA:
        return after in series or tokens[after + 1 : after + 2] in (["and"], ["or"])
    last = after + 1 + len(_item(tokens, after + 1))
    return tokens[last : last + 1] != [COMMA]  # "a man, tall and thin, walks"


def _item(tokens: list[str], start: int) -> list[str]:
    """Return the words up to a comma or an "and", at most ITEM and one more."""
    item = tokens[start : start + ITEM + 1]
    ends = (i for i, token in enumerate(item) if token == COMMA or token in AND)
    return item[: next(ends, len(item))]
