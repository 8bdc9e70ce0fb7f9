"""The type of the rules of the PTB tokeniser.

In: pieces of regular expressions. Out: `TokenRule` values, whose patterns are compiled
when a text needs them: all at once would take a third of the time to import spicepy.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

# Larger patterns of the PTB tokeniser: tags, addresses, file names, compounds.
#
# Names that begin with `FIRST_` are sets of first characters.

# Character classes of the PTB tokeniser, as pieces of regular expressions.
#
# In: `data/ptb_classes.json` (code points of the tokeniser's own Unicode 6.3 tables, so
# that results do not depend on Python's). Out: constants ready to be put inside `[...]`
# (upper-case names ending in `_SET`) or used as they are. Case is spelled out because
# `re.IGNORECASE` would also let "ſ" match "s".


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


# Abbreviations and acronyms known to the PTB tokeniser.

_FINAL = words("""
Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec
Mon Tue Tues Wed Thu Thurs Fri
Ala Ariz Calif Colo Conn Ct Dak Fla Ga Ind Kan Kans Ky Md Mich Minn Mo Mont Neb
Nev Okla Penn Tenn Va Vt Wis Wisc Wyo
Inc Co Cos Corp Ltd Plc Rt Bancorp Bhd
Assn Univ Intl Sys
tel est ext sq Jr Sr Bros Ed.D Ph.D Blvd Rd Esq etc al seq Bldg
""")

# Any case but for the vowel: "PTe" is one, "PTE" is not.
_COMPANIES = words("pte ptes ppte pptes pty ptys ppty pptys")

_FINAL_CAPITAL = words("Az Ark Del Ill La Mass Miss Ore Pa Tex Wash")

_INNER = words("""
Mr Mrs Ms Dr Drs Prof Profs Sen Sens Rep Reps Atty Attys Lt Col Gen Messrs
Gov Govs Adm Rev Maj Sgt Cpl Pvt Capt St Ste Ave Pres Lieut Hon Brig Cmdr
Comdr Pfc Spc Supt Supts Det Mt Ft Adj Adv Asst Assoc Ens Insp Mlle Mme Msgr
Sfc vs Alex Wm Jos Cie a.k.a cf treas Ph Invt Elec Natl Dept Mfg Mtg
""")

_BEFORE_NUMBER = words("ca fig figs prop no nos art bldg pp op")

ABBREVIATIONS = frozenset(
    word.lower()
    for word in (*_FINAL, *_COMPANIES, *_FINAL_CAPITAL, *_INNER, *_BEFORE_NUMBER)
)


def _capitalised(literals: list[str]) -> str:
    """Return any of `literals` with a capital first letter, the rest in either case."""
    ordered = sorted(literals, key=len, reverse=True)
    return "|".join(word[0] + any_case(word[1:]) for word in ordered)


# The longer forms stand first: alternatives are tried in order.
_COUNTRY = (
    f"{any_case('U.S.-U.S.S.R')}|{any_case('U.S.-U.K')}"
    f"|{one_of(['Canada', 'Sino', 'Korean', 'EU', 'Japan', 'non'])}{any_case('-U.S')}"
)
ACRONYM = rf"(?:{_COUNTRY}|[A-Za-z](?:\.[A-Za-z])*)"
DOTTED_ACRONYM = r"(?:[A-Za-z](?:\.[A-Za-z])+)"

FINAL_ABBREVIATION = (
    f"(?:{one_of(_FINAL)}|[pP]{{1,2}}[tT][ey][sS]?|{_capitalised(_FINAL_CAPITAL)})"
)
INNER_ABBREVIATION = f"(?:{ACRONYM}|{one_of(_INNER)}|{_capitalised(['Miss'])})"
NUMBER_ABBREVIATION = one_of(_BEFORE_NUMBER)

FIRST_LETTER_SET = f"&{LETTER_SET}"
FIRST_APOSTROPHE_SET = "'\u2019\x92&"
FIRST_QUOTE_SET = FIRST_APOSTROPHE_SET + "`\u2018\u201b\x91"
PLAIN = f"[{PLAIN_SET}]"

NAME = "[A-Za-z][A-Za-z0-9_:.\\-]*+"


def _attribute(never_in_value: str) -> str:
    quoted = f"\"[^\"{never_in_value}]*+\"|'[^'{never_in_value}]*+'"
    return f" ++{NAME}(?>(?: *+= *+(?:{quoted}))?)"


def _sgml(attribute: str) -> str:
    inside = f"[!?][A-Za-z\\-][^>\\r\\n]*+|{NAME}(?>(?:{attribute})*) *+/?|/{NAME}"
    return f"<(?:{inside}) *+>"


# A tag that is a token stays on its line, so that no caption can swallow the
# next one; a tag that is looked ahead at may go on.
SGML_ON_ONE_LINE = _sgml(_attribute("\\n"))
ATTRIBUTE = _attribute("")
SGML = _sgml(ATTRIBUTE)

# Words that start a sentence: an acronym before one ends the sentence before.
STARTERS = words("""
About According Additionally After A An As At But Earlier He Her Here However If
In It Last Many More Mr. Ms. Now Once One Other Our She Since So Some Such That
The Their Then There These They This We When While What Yet You
""")
STARTER = "|".join(
    word[0] + any_case(word[1:]) for word in sorted(STARTERS, key=len, reverse=True)
)

URL_END = '[^ \\t\\n\\f\\r"<>|().!?,\\-{}]'
LABEL = '[^ \\t\\n\\f\\r"<>|.!?(){},]'
LABEL2 = "[^ \\t\\n\\f\\r\"<>|.!?(){}`'$,-_]"
# At least two UTF-16 units: one character beyond U+FFFF is enough.
WIDE = "[\\U00010000-\\U0010ffff]"
PATH = f'/(?:[^ \\t\\n\\f\\r"<>|()]+{URL_END}|{WIDE})'
ADDRESS = f'(?:[^ \\t\\n\\f\\r"<>|(){{}}]+{URL_END}|{WIDE})'
WWW = any_case("www.")
MAIL = '[^ \\t\\n\\f\\r"<>|(){}\\u00a0]'
HOST_LABEL = '[^ \\t\\n\\f\\r"<>|(){}\\u00a0.]'
HOST = f"{HOST_LABEL}++(?>(?:\\.{HOST_LABEL}++)*)"

SLASHED = "[A-Za-z0-9]++(?:-[A-Za-z]+){0,2}"
SLASH = r"(?:/|\\/)"

EXTENSIONS = (
    "bat bmp c class cgi cpp dll doc docx exe gif gz h htm html jar java jpeg jpg "
    "mov mp3 pdf php pl png ppt ps py sql tar txt wav x xml zip"
)
FILE = f"(?>{LETTER_OR_DIGIT}+)(?:\\.(?>{LETTER_OR_DIGIT}+))*"

CODE = "[0-9]{2,4}"
LOCAL = "[0-9]{3,4}[- \\u00a0]?[0-9]{3,5}"
HYPHENATED_START = "[A-Za-z0-9][A-Za-z0-9.,\\xad]*+"
HYPHENATED = f"{HYPHENATED_START}(?:-(?:{DOTTED_ACRONYM}\\.|[A-Za-z0-9\\xad]+))+"
THING_PART = f"(?:[dDoOlL]{QUOTE}{PLAIN_OR_DIGIT})?{PLAIN_OR_DIGIT}++"
THING = f"{THING_PART}(?:{HYPHEN}{THING_PART})*"
CAPITALS = f"(?>[A-Z]++(?:(?:{AMPERSAND}|\\+)[A-Z]++)+)"

EYES = "^x=~<>'"
DOUBLED = "`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039\u203a\xab\xbb"

# The actions of the PTB tokeniser's rules, which make tokens.

FRACTIONS = {"¼": "1/4", "½": "1/2", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}
CURRENCY = {"¢": "cents", "£": "#", **dict.fromkeys("\x80¤\u20a0€", "$")}

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
