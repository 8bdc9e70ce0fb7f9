"""Character classes of the PTB tokeniser, as pieces of regular expressions.

In: `data/ptb_classes.json` (code points of the tokeniser's own Unicode 6.3
tables, so that results do not depend on Python's). Out: constants ready to be
put inside `[...]` (upper-case names ending in `_SET`) or used as they are.
Case is spelled out because `re.IGNORECASE` would also let "ſ" match "s".
"""

import json
from collections.abc import Iterable
from importlib.resources import files


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
    """Return those of the ranges that begin in ASCII; all of them end there, too."""
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
_TABLES = {name: _as_set(ranges) for name, ranges in _RANGES.items()}
_IN_ASCII = {
    _TABLES[name]: _as_set(_up_to_ascii(ranges)) for name, ranges in _RANGES.items()
}


def in_ascii(pattern: str) -> str:
    """Return a pattern whose sets have no letters and digits beyond ASCII.

    It is for text without any: there it matches the same.
    """
    for table, in_ascii in _IN_ASCII.items():
        pattern = pattern.replace(table, in_ascii)
    return pattern.replace(r"\0-\U0010ffff", r"\0-\x7f")


PLAIN_SET = _TABLES["plain_letter"]
DIGIT_SET = _TABLES["digit"]
UPPER_SET = _TABLES["upper_case"]
SYMBOL_SET = _TABLES["kept_symbol"]
LETTER_SET = PLAIN_SET + _TABLES["extra_word_letter"]

# Letters are matched with their entities: "&eacute;" is one letter.
_ENTITY = "&[aeiouAEIOU]" + one_of(["acute;", "grave;", "uml;"])
LETTER = f"(?:[{LETTER_SET}]|{_ENTITY})"
LETTER_OR_DIGIT = f"(?:[{LETTER_SET}{DIGIT_SET}]|{_ENTITY})"
PLAIN_OR_DIGIT = f"[{PLAIN_SET}{DIGIT_SET}]"
DIGIT = f"[{DIGIT_SET}]"

APOSTROPHE_SET = "'\u2019\x92"
APOSTROPHE = f"(?:[{APOSTROPHE_SET}]|{any_case('&apos;')})"
QUOTE_SET = APOSTROPHE_SET + "`\u2018\u201b\x91"
QUOTE = f"(?:[{QUOTE_SET}]|{any_case('&apos;')})"

SPACE_SET = " \t\u00a0\u2000-\u200a\u3000"
BREAK_SET = "\n\r\v\f\x85\u2028\u2029"
SPACE = f"[{SPACE_SET}]"
BLANK = f"[{SPACE_SET}{BREAK_SET}]"
INNER_STOP = "[,;:\u3001]"
HYPHEN = "[\\-_\u058a\u2010\u2011]"
AMPERSAND = f"(?:{any_case('&amp;')}|&)"

# Atomic groups, not possessive ones: `(?:…)*+` is wrong in Python before 3.11.5.
WORD = f"(?>{LETTER}{LETTER_OR_DIGIT}*(?:[.!?]{LETTER}{LETTER_OR_DIGIT}*)*)"
AUXILIARY = f"{APOSTROPHE}(?:[msdMSD]|{one_of(['re', 've', 'll'])})"
NEGATION = f"[nN]{QUOTE}[tT]"
