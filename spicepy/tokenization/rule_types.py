"""The type of the rules of the PTB tokeniser.

In: pieces of regular expressions. Out: `TokenRule` values, whose patterns are compiled
when a text needs them: all at once would take a third of the time to import spicepy.

Sections that belong to it:

* The actions of the PTB tokeniser's rules, which make tokens.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from spicepy.tokenization.patterns import in_ascii, one_of, words

# The actions of the PTB tokeniser's rules, which make tokens.
#
# In: the text a rule matched. Out: the token, "" for none.

FRACTIONS = {"¼": "1/4", "½": "1/2", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}
CURRENCY = {
    "¢": "cents",
    "£": "#",
    **dict.fromkeys("\x80¤\u20a0€", "$"),
}

_BRACKETS = {
    "(": "-LRB-",
    ")": "-RRB-",
    "[": "-LSB-",
    "]": "-RSB-",
    "{": "-LCB-",
    "}": "-RCB-",
}
_CURLY = str.maketrans(
    {
        **dict.fromkeys("\x91\u2018\u201b\u2039", "`"),
        **dict.fromkeys("\x92\u2019\u203a", "'"),
        **dict.fromkeys("\x93\u201c\xab", "``"),
        **dict.fromkeys("\x94\u201d\xbb", "''"),
    }
)
# Entities are recognised in any case but replaced in lower case only.
_SINGLE = re.compile("'|&apos;")
_DOUBLE = re.compile('"|&quot;')
_AMPERSAND = re.compile("&[aA][mM][pP];")


def as_is(body: str) -> str:
    """Return the text of a token."""
    return body


def nothing(_: str) -> str:
    """Return no text, so that there is no token."""
    return ""


def no_soft_hyphens(body: str) -> str:
    """Return the text without soft hyphens."""
    return body.replace("\xad", "")


def word_text(body: str) -> str:
    """Return a word less its soft hyphens; "-" if it had nothing else."""
    return body.replace("\xad", "") or "-"


def hard_spaces(body: str) -> str:
    """Return the text with no-break spaces instead of spaces."""
    return body.replace(" ", "\u00a0")


def brackets(body: str) -> str:
    """Return brackets by name, as the Penn Treebank writes them."""
    if len(body) == 1:
        return _BRACKETS.get(body, body)
    body = body.replace("(", "-LRB-").replace(")", "-RRB-")
    return hard_spaces(body)


def plain_ampersand(body: str) -> str:
    """Return the text with "&" instead of its entity."""
    return _AMPERSAND.sub("&", body)


def left_quotes(body: str) -> str:
    """Return quotation marks as opening ones."""
    return _DOUBLE.sub("``", _SINGLE.sub("`", body)).translate(_CURLY)


def right_quotes(body: str) -> str:
    """Return quotation marks as closing ones."""
    return _DOUBLE.sub("''", _SINGLE.sub("'", body)).translate(_CURLY)


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
