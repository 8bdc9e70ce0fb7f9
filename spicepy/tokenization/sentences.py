"""Text of several sentences to sentences, tokenised.

In: a raw caption. Out: one line of tokens for each sentence, as `tokenize` gives it,
without punctuation. The tokeniser decides where a sentence ends: a stop that belongs
to an abbreviation or a number is no token of its own. The commas of a series say "and",
and are written so, since the parser reads words only.
"""

import re
from typing import Final

from spicepy.tokenization.ptb import PUNCTUATION, tokenize

ENDS: Final = frozenset([".", "?", "!", ";"])
"""Tokens that end a sentence; a semicolon parts what could be two."""

AND: Final = frozenset(["and", "or"])
"""Words before the last item of a series."""

ITEM: Final = 4
"""Words of the longest item of a series; what is longer may be a clause."""

_NO_ITEM = frozenset(
    """
    about above across after against along among around as at because before behind
    below beside between beyond by during for from if in inside into like near of off
    on onto outside over past since so that then through to toward towards under until
    up upon what when where which while who whom whose with within without yet but
    """.split()  # noqa: SIM905 (a table of words reads better as one text)
)
"""Prepositions and conjunctions: no item of a series begins with one."""

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
            elif token == "," or (token and token not in PUNCTUATION):
                found[-1].append(token)
        found.append([])
    said = (" ".join(_without_commas(tokens)) for tokens in found)
    return [words for words in said if words] or [""]


def _without_commas(tokens: list[str]) -> list[str]:
    """Write "and" for the commas of a series; leave out the others.

    >>> _without_commas(["eggs", ",", "bacon", "and", "toast"])
    ['eggs', 'and', 'bacon', 'and', 'toast']
    """
    commas = [place for place, token in enumerate(tokens) if token == ","]
    series: set[int] = set()
    if commas and tokens[0] not in _NO_ITEM:
        for place in reversed(commas):  # the last item tells what those before are
            if _is_and(tokens, place, series):
                series.add(place)
    words = ["and" if place in series else x for place, x in enumerate(tokens)]
    return [word for word in words if word != ","]


def _is_and(tokens: list[str], place: int, series: set[int]) -> bool:
    """Whether a comma stands between two items of a series that ends with "and".

    Args:
        tokens: Of a sentence, with its commas.
        place: Of the comma.
        series: Places of the later commas that do.
    """
    item = _item(tokens, place + 1)
    after = place + 1 + len(item)
    if place == 0 or not item or item[0] in _NO_ITEM or after == len(tokens):
        return False
    if len(item) > ITEM:
        return False
    if item[0].endswith("ing") and not tokens[place - 1].endswith("ing"):
        return False  # "a man in a hat, smiling and waving"
    if tokens[after] == ",":
        return after in series or tokens[after + 1 : after + 2] in (["and"], ["or"])
    last = after + 1 + len(_item(tokens, after + 1))
    return tokens[last : last + 1] != [","]  # "a man, tall and thin, walks"


def _item(tokens: list[str], start: int) -> list[str]:
    """The words from a place up to a comma or an "and", ITEM and one more at most."""
    found = tokens[start : start + ITEM + 1]
    ends = (i for i, token in enumerate(found) if token == "," or token in AND)
    return found[: next(ends, len(found))]
