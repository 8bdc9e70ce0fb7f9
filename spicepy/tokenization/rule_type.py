"""The type of the rules of the PTB tokeniser.

In: pieces of regular expressions. Out: `TokenRule` values, whose patterns are compiled
when a text needs them: all at once would take a third of the time to import spicepy.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from spicepy.tokenization.actions import as_is
from spicepy.tokenization.classes import in_ascii, one_of, words

Token = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class TokenRule:
    """One rule of the tokeniser.

    The last `push_back` characters are read again as part of the next token; if
    `cut`, they are none of this one ("gon" + "na"), else of both (a stop).

    `stuck` says how far a failure at one place reaches.
    Where the body fails but `stuck` matches, the body cannot match anywhere
    inside that stretch either: the scanner need not try, and stays linear.
    """

    number: int
    first: str
    match: str
    token: Token
    push_back: int
    cut: bool
    stuck: str


@cache
def compiled(pattern: str, *, ascii_text: bool) -> re.Pattern[str]:
    """Return a pattern for any text, or for ASCII, which compiles faster."""
    return re.compile(in_ascii(pattern) if ascii_text else pattern)


def rule(
    number: int,
    first: str,
    body: str,
    token: Token = as_is,
    *,
    before: str = "",
    push_back: int = 0,
    cut: bool = False,
    stuck: str = "",
) -> TokenRule:
    """Return a rule; `first` is a set with every character the body can begin with."""
    return TokenRule(
        number, f"[{first}]", f"({body}){before}", token, push_back, cut, stuck
    )


def literals(number: int, text: str, push_back: int = 0) -> TokenRule:
    """Return words as they are; with `push_back`, contractions that are cut in two."""
    body = one_of(words(text))
    return rule(number, "A-Za-z'", body, push_back=push_back, cut=push_back > 0)
