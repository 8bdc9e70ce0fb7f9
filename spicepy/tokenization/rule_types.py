"""The type of the rules of the PTB tokeniser, and the functions that build them.

Patterns are compiled when a text needs them: all at once would take a third of the time
to import spicepy.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

# Character classes of the PTB tokeniser, as pieces of regular expressions.
#
# `ptb_classes.json` has code points of the tokeniser's own Unicode 6.3 tables, so that
# results do not depend on Python's. Case is spelled out because `re.IGNORECASE` would
# also let "ſ" match "s".


def _load() -> dict[str, str]:
    source = files(__package__) / "ptb_classes.json"
    tables: dict[str, str] = json.loads(source.read_text(encoding="utf-8"))
    return {name: ranges for name, ranges in tables.items() if name != "note"}


def _as_set(ranges: str) -> str:
    """Return the inside of a regular-expression set: '41-5a 61' -> 'A-Za'."""
    return "".join(
        "-".join(f"\\u{int(end, 16):04x}" for end in item.split("-"))
        for item in ranges.split()
    )


def _up_to_ascii(ranges: str) -> str:
    """Return the ranges that begin in ASCII; all of them also end there."""
    return " ".join(i for i in ranges.split() if int(i.split("-")[0], 16) < 128)


def words(text: str) -> list[str]:
    """Return a word list written as running text."""
    return text.split()


def any_case(literal: str) -> str:
    """Return a pattern for `literal` with ASCII letters in either case."""
    return "".join(
        f"[{c.lower()}{c.upper()}]"
        if c.isascii() and c.isalpha()
        else f"\\{c}"
        if c in r".+*?()[]{}^$|\&#-~"
        else c
        for c in literal
    )


def one_of(literals: Iterable[str]) -> str:
    """Return a pattern for any of `literals`, in either case, the longest first."""
    ordered = sorted(literals, key=len, reverse=True)
    return "(?:" + "|".join(any_case(literal) for literal in ordered) + ")"


_RANGES = _load()
TABLES = {name: _as_set(ranges) for name, ranges in _RANGES.items()}
_IN_ASCII = {
    TABLES[name]: _as_set(_up_to_ascii(ranges)) for name, ranges in _RANGES.items()
}


def in_ascii(pattern: str) -> str:
    """Return a pattern whose sets have no letters and digits beyond ASCII."""
    # It is for text without any: there it matches the same.
    for table, in_ascii in _IN_ASCII.items():
        pattern = pattern.replace(table, in_ascii)
    return pattern.replace(r"\0-\U0010ffff", r"\0-\x7f")


# The actions of the PTB tokeniser's rules, which make tokens.

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
    """One rule of the tokeniser."""

    # The last `push_back` characters are read again as part of the next token; if
    # `cut`, they are none of this one ("gon" + "na"), else of both (a stop).
    #
    # `stuck` says how far a failure at one place reaches. Where the body fails but
    # `stuck` matches, the body cannot match anywhere inside that stretch either: the
    # scanner need not try, and stays linear.
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
    token: Token = str,
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
