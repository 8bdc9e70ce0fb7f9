"""The rules of the PTB tokeniser, in order of priority.

In: the classes and abbreviations. Out: `RULES`. A rule has a body and possibly
a right context; the longest body plus context wins, then the lowest number.
Several entries may share a number: Python tries alternatives in order, and a
rule must match as much as it can. `push_back` is the number of characters at
the end of the body that are read again; `token` turns the body into a token.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from spicepy._ptb_abbreviations import (
    ACRONYM,
    DOTTED_ACRONYM,
    FINAL_ABBREVIATION,
    INNER_ABBREVIATION,
    NUMBER_ABBREVIATION,
)
from spicepy._ptb_classes import (
    AMPERSAND,
    APOSTROPHE,
    AUXILIARY,
    BLANK,
    DIGIT,
    DIGIT_SET,
    HYPHEN,
    INNER_STOP,
    LETTER,
    LETTER_OR_DIGIT,
    LETTER_SET,
    NEGATION,
    PLAIN_OR_DIGIT,
    PLAIN_SET,
    QUOTE,
    SPACE,
    SYMBOL_SET,
    UPPER_SET,
    WORD,
    any_case,
    one_of,
    words,
)
from spicepy._ptb_quotes import (
    CURRENCY,
    FRACTIONS,
    as_is,
    brackets,
    hard_spaces,
    left_quotes,
    no_soft_hyphens,
    nothing,
    plain_ampersand,
    right_quotes,
    word_text,
)

Token = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; `stuck` says how far a failure at one place reaches.

    Where the body fails but `stuck` matches, the body cannot match anywhere
    inside that stretch either: the scanner need not try, and stays linear.
    """

    number: int
    first: re.Pattern[str]
    match: re.Pattern[str]
    token: Token
    push_back: int
    stuck: re.Pattern[str] | None


def _rule(
    number: int,
    first: str,
    body: str,
    token: Token = as_is,
    *,
    before: str = "",
    push_back: int = 0,
    stuck: str = "",
) -> Rule:
    """`first` is a set with every character the body can begin with."""
    return Rule(
        number,
        re.compile(f"[{first}]"),
        re.compile(f"({body}){before}"),
        token,
        push_back,
        re.compile(stuck) if stuck else None,
    )


def _literals(number: int, text: str, push_back: int = 0) -> Rule:
    return _rule(number, "A-Za-z'", one_of(words(text)), push_back=push_back)


_L1 = f"&{LETTER_SET}"
_Q1 = "'\u2019\x92&"
_QP1 = _Q1 + "`\u2018\u201b\x91"
_PN = PLAIN_OR_DIGIT
_P = f"[{PLAIN_SET}]"

_NAME = "[A-Za-z][A-Za-z0-9_:.\\-]*+"


def _sgml(white: str, value: str) -> str:
    quoted = f"\"[^\"{value}]*+\"|'[^'{value}]*+'"
    attribute = f"{white}++{_NAME}(?:{white}*+={white}*+(?:{quoted}))?+"
    return (
        f"<(?:[!?][A-Za-z\\-][^>\\r\\n]*+"
        f"|{_NAME}(?:{attribute})*+{white}*+/?"
        f"|/{_NAME}){white}*+>"
    )


# A tag that is a token stays on its line, so that no caption can swallow the
# next one; a tag that is looked ahead at may go on.
SGML_ON_ONE_LINE = _sgml(" ", "\\n")
SGML = _sgml(" ", "")

# Words that start a sentence: an acronym before one ends the sentence before.
_STARTERS = words("""
About According Additionally After A An As At But Earlier He Her Here However If
In It Last Many More Mr. Ms. Now Once One Other Our She Since So Some Such That
The Their Then There These They This We When While What Yet You
""")
_STARTER = "|".join(
    word[0] + any_case(word[1:]) for word in sorted(_STARTERS, key=len, reverse=True)
)

_URL_END = '[^ \\t\\n\\f\\r"<>|().!?,\\-{}]'
_LABEL = '[^ \\t\\n\\f\\r"<>|.!?(){},]'
_LABEL2 = "[^ \\t\\n\\f\\r\"<>|.!?(){}`'$,-_]"
# At least two UTF-16 units: one character beyond U+FFFF is enough.
_WIDE = "[\\U00010000-\\U0010ffff]"
_PATH = f'/(?:[^ \\t\\n\\f\\r"<>|()]+{_URL_END}|{_WIDE})'
_ADDRESS = f'(?:[^ \\t\\n\\f\\r"<>|(){{}}]+{_URL_END}|{_WIDE})'
_WWW = any_case("www.")
_MAIL = '[^ \\t\\n\\f\\r"<>|(){}\\u00a0]'
_HOST_LABEL = '[^ \\t\\n\\f\\r"<>|(){}\\u00a0.]'
_HOST = f"{_HOST_LABEL}++(?:\\.{_HOST_LABEL}++)*+"

_SLASHED = "[A-Za-z0-9]++(?:-[A-Za-z]+){0,2}"
_SLASH = r"(?:/|\\/)"

_EXTENSIONS = (
    "bat bmp c class cgi cpp dll doc docx exe gif gz h htm html jar java jpeg jpg "
    "mov mp3 pdf php pl png ppt ps py sql tar txt wav x xml zip"
)
_FILE = f"{LETTER_OR_DIGIT}++(?:\\.{LETTER_OR_DIGIT}++)*"

_CODE = "[0-9]{2,4}"
_LOCAL = "[0-9]{3,4}[- \\u00a0]?[0-9]{3,5}"
_HYPHENATED_START = "[A-Za-z0-9][A-Za-z0-9.,\\xad]*+"
_HYPHENATED = f"{_HYPHENATED_START}(?:-(?:{DOTTED_ACRONYM}\\.|[A-Za-z0-9\\xad]+))+"
_THING_PART = f"(?:[dDoOlL]{QUOTE}{_PN})?{_PN}++"
_THING = f"{_THING_PART}(?:{HYPHEN}{_THING_PART})*"
_CAPITALS = f"[A-Z]++(?:(?:{AMPERSAND}|\\+)[A-Z]++)++"

_EYES = "^x=~<>'"
_DOUBLED = "`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039\u203a\xab\xbb"

_LETTERS = [
    _literals(0, "c++"),
    _literals(1, "c# f#"),
    _literals(2, "cannot", push_back=3),
    _literals(3, "'twas", push_back=3),
    _literals(4, "'tis", push_back=2),
    _literals(5, "gonna gotta lemme gimme wanna", push_back=2),
    _rule(6, "<", SGML_ON_ONE_LINE, hard_spaces, stuck="<[!?][A-Za-z\\-][^>\\r\\n]*+"),
    _rule(
        7,
        "&\u2013\u2014\u2015\x96\x97",
        f"[\u2013\u2014\u2015\x96\x97]|{one_of(['&MD;', '&mdash;', '&ndash;'])}",
        lambda _: "--",
    ),
    _rule(8, "&", any_case("&amp;"), lambda _: "&"),
    _rule(
        9,
        "&",
        f"&(?:{one_of(words('HT TL UR LR QC QL QR odq cdq'))}|#[0-9]++);",
    ),
    _rule(10, _L1, WORD, word_text, before=AUXILIARY),
    _rule(
        11,
        "A-Za-z\\xad",
        "[A-Za-z\\xad]*[A-MO-Za-mo-z]\\xad*",
        no_soft_hyphens,
        before=NEGATION,
    ),
    _rule(12, _L1, WORD, word_text),
    _rule(13, _Q1, f"{APOSTROPHE}[nN]{APOSTROPHE}?"),
    _rule(13, "lLdDjJ", f"[lLdDjJ]{APOSTROPHE}"),
    _rule(13, "dDsSoO", f"{one_of(['dunkin', 'somethin', 'ol'])}{APOSTROPHE}"),
    _rule(13, _Q1, f"{APOSTROPHE}{one_of(['em', 'til', 'till', 'cause'])}"),
    _rule(13, "A-HJ-XZn", f"[A-HJ-XZn]{QUOTE}{_P}{{2,}}+"),
    _rule(13, _Q1, f"{APOSTROPHE}[2-9]0[sS]"),
    _rule(
        13,
        PLAIN_SET,
        f"{_P}{{2,}}+(?<=[aeiouyAEIOUY]){QUOTE}[aeiouA-Z]{_P}*+",
    ),
    _rule(13, "cC", f"{any_case('cont')}'[dD]\\.?"),
    _literals(13, "'twas nor'easter c'mon e'er s'mores ev'ry li'l nat'l"),
    _rule(13, "oO", f"[oO]{QUOTE}[oO]"),
    _rule(14, "yY", f"[yY]{APOSTROPHE}", before=_P),
]

_NETWORK = [
    _rule(15, "hH", f"{any_case('http')}[sS]?://{_ADDRESS}"),
    *(
        _rule(
            16,
            "wW",
            f"{_WWW}(?:{_LABEL}++\\.)+[A-Za-z]{{2,4}}{path}",
            stuck=f"{_WWW}{_LABEL}++(?:\\.{_LABEL}++)*+",
        )
        for path in ("", _PATH)
    ),
    *(
        _rule(
            16,
            "\\0-\\U0010ffff",
            f"(?:{_LABEL2}++\\.)+{one_of(['com', 'net', 'org', 'edu'])}{path}",
            stuck=f"{_LABEL2}++(?:\\.{_LABEL2}++)*+",
        )
        for path in ("", _PATH)
    ),
    _rule(
        17,
        "<&A-Za-z0-9",
        f"(?:<|{any_case('&lt;')})?[A-Za-z0-9]{_MAIL}*@{_HOST}(?:>|{any_case('&gt;')})?",
        stuck=f"(?:<|{any_case('&lt;')})?[A-Za-z0-9]{_MAIL}*+",
    ),
    _rule(18, "@#", f"@[A-Za-z_][A-Za-z0-9_]*+|#{LETTER}++"),
]

_NUMBERS = [
    _rule(19, _Q1, AUXILIARY, right_quotes, before="[^A-Za-z]"),
    _rule(20, "nN", NEGATION, right_quotes, before="[^A-Za-z]"),
    _rule(21, DIGIT_SET, f"{DIGIT}{{1,2}}[-/]{DIGIT}{{1,2}}[-/]{DIGIT}{{2,4}}"),
    _rule(
        22,
        f"+\\-.:,\\xad\\u066b\\u066c{DIGIT_SET}",
        f"[+-]?(?:{DIGIT}*+(?:[.:,\\xad\\u066b\\u066c]{DIGIT}++)++|{DIGIT}++)",
        no_soft_hyphens,
    ),
    _rule(
        23,
        "⁺⁻₊₋⁰¹²³⁴-⁹₀-₉",
        "[⁺⁻₊₋]?(?:[⁰¹²³⁴-⁹]++|[₀-₉]++)",
    ),
    _rule(
        24,
        DIGIT_SET,
        f"(?:{DIGIT}{{1,4}}[- \\u00a0])?{DIGIT}{{1,4}}(?:/|\\\\/|\u2044){DIGIT}{{1,4}}",
        hard_spaces,
    ),
    _rule(
        25,
        "¼½¾\u2153-\u215e",
        "[¼½¾\u2153-\u215e]",
        lambda body: FRACTIONS.get(body, body),
    ),
    _rule(26, "\\-", one_of(words("-RRB- -LRB- -RCB- -LCB- -RSB- -LSB-"))),
    _literals(26, "C.D.s pro- anti-"),
    _rule(
        26,
        "sS",
        f"[sS]{AMPERSAND}[pP]-500|[sS]{AMPERSAND}[lL][sS]",
        plain_ampersand,
    ),
    _rule(
        26,
        "cC",
        f"{any_case('cap')}{APOSTROPHE}[nN]|[cC]{APOSTROPHE}{any_case('est')}",
    ),
    _rule(27, "A-Za-z0-9", f"{_SLASHED}(?:{_SLASH}{_SLASHED}){{1,2}}"),
    _rule(28, "A-Z$#", "[A-Z]*+\\$|#"),
    _rule(
        29,
        "¢£¤¥\x80\u20a0€\u060b฿₤￠￡￥￦",
        "[¢£¤¥\x80\u20a0€\u060b฿₤￠￡￥￦]",
        lambda body: CURRENCY.get(body, body),
    ),
]

_STOPPED = [
    _rule(
        30,
        "A-Za-z",
        f"{ACRONYM}\\.",
        lambda body: body[0] if len(body) == 2 else body,
        before=f"{BLANK}++(?:{_STARTER}|{SGML}){BLANK}",
        push_back=1,
    ),
    _rule(31, "A-Za-z", f"{NUMBER_ABBREVIATION}\\.", before=f"{BLANK}?{DIGIT}"),
    _rule(
        32,
        "pPcC",
        "(?:[pP][tT][eEyY]|[cC][oO])\\.",
        before=f"{SPACE}{one_of(['ltd', 'lim'])}",
    ),
    _rule(
        33,
        "A-Za-z",
        f"{FINAL_ABBREVIATION}\\.",
        before=f"{BLANK}(?:{BLANK}|[{UPPER_SET}]|{SGML})",
        push_back=1,
    ),
    _rule(
        34,
        "A-Za-z",
        f"{FINAL_ABBREVIATION}\\.",
        # Two UTF-16 units: one character beyond U+FFFF is enough.
        before=f"(?:[\\0-\\uffff](?s:.)|{_WIDE})",
    ),
    _rule(35, "A-Za-z", f"{FINAL_ABBREVIATION}\\.", push_back=1),
    _rule(36, "A-Za-z", f"{INNER_ABBREVIATION}\\."),
    _rule(37, "A-Za-z", INNER_ABBREVIATION, before=SPACE),
    _rule(38, "A-Za-z", ACRONYM, before=BLANK),
    _rule(39, _Q1, f"{APOSTROPHE}[0-9][0-9]", before=BLANK),
    _rule(
        40,
        _L1 + DIGIT_SET,
        f"{_FILE}\\.{one_of(words(_EXTENSIONS))}",
        before=f"(?:{BLANK}|[.?!,])",
        stuck=f"{_FILE[:-1]}*+",
    ),
    _rule(41, _L1, f"{WORD}\\.", no_soft_hyphens, before=INNER_STOP),
    _rule(42, "(", f"\\([0-9]{{2,3}}\\)[ \\u00a0]?{_LOCAL}", brackets),
    _rule(
        42,
        "+0-9",
        f"(?:(?:\\+\\+?)?(?:{_CODE}[- \\u00a0])?{_CODE}[- \\u00a0]){_LOCAL}",
        hard_spaces,
    ),
    _rule(
        42,
        "+0-9",
        f"(?:(?:\\+\\+?)?{_CODE}\\.)?{_CODE}\\.[0-9]{{3,4}}\\.[0-9]{{3,5}}",
    ),
]

_STOPS = ".¡¿\u037e\u0589\u061f\u06d4\u0700-\u0702\u07fa\u3002"

_MARKS = [
    _rule(43, '"&', f'"|{any_case("&quot;")}', left_quotes, before="[A-Za-z0-9$]"),
    _rule(44, '"&', f'"|{any_case("&quot;")}', right_quotes),
    _rule(45, "\\x7f", "\\x7f", nothing),
    _rule(46, "<&", f"<|{any_case('&lt;')}", lambda _: "<"),
    _rule(47, ">&", f">|{any_case('&gt;')}", lambda _: ">"),
    _rule(
        48,
        "<>:;=",
        r"[<>]?[:;=][\-o*']?[()DPdpO\\{@|\[\]]",
        brackets,
        before="[^A-Za-z0-9]",
    ),
    _rule(49, f"\\-{_EYES[1:]}\\^", f"[\\-{_EYES[1:]}\\^]_[\\-{_EYES[1:]}\\^]"),
    _rule(49, "(", f"\\([\\-{_EYES[1:]}\\^][_.]?[\\-{_EYES[1:]}\\^]\\)", brackets),
    _rule(
        49,
        "(",
        f"\\([{_EYES[1:]}\\^]-[{_EYES[1:]}\\^`]\\)",
        brackets,
    ),
    _rule(49, "\\^xX=~<>", r"[\^xX=~<>]\.\[\^[xX]=~<>\]"),
    _rule(50, "{", "\\{", brackets),
    _rule(51, "}", "\\}", brackets),
    _rule(52, "\\[", "\\[", brackets),
    _rule(53, "\\]", "\\]", brackets),
    _rule(54, "(", "\\(", brackets),
    _rule(55, ")", "\\)", brackets),
    _rule(56, "\\-", "-++", lambda body: "--" if 3 <= len(body) <= 4 else body),
    _rule(57, ".", "\\.{3,5}", lambda _: "..."),
    _rule(57, ".", "\\.(?:[ \\u00a0]\\.){2,4}", lambda _: "..."),
    _rule(57, "\u2026\x85", "[\u2026\x85]", lambda _: "..."),
    _rule(58, "@#_", "@++|#++|_++"),
    _rule(59, "*\\\\", "\\*++|(?:\\\\\\*){1,3}"),
    _rule(60, ",;:\u3001", INNER_STOP),
    _rule(61, "?!", "[?!]++"),
    _rule(62, _STOPS, f"[{_STOPS}]"),
    _rule(63, "=", "="),
    _rule(64, "/", "/"),
]

_MIXED = [
    _rule(
        65,
        "A-Za-z0-9",
        f"{_HYPHENATED}\\.",
        no_soft_hyphens,
        before=INNER_STOP,
        stuck=_HYPHENATED_START,
    ),
    _rule(66, "A-Za-z0-9", _HYPHENATED, no_soft_hyphens, stuck=_HYPHENATED_START),
    _rule(67, PLAIN_SET + DIGIT_SET, f"{_THING}\\.", before=INNER_STOP),
    _rule(68, PLAIN_SET + DIGIT_SET, _THING),
    _rule(69, "A-Z", f"{_CAPITALS}\\.", plain_ampersand, before=INNER_STOP),
    _rule(70, "A-Z", _CAPITALS, plain_ampersand),
    _rule(71, "'", "'", left_quotes, before="[A-Za-z][^ \\t\\n\\r\\u00a0]"),
    _rule(72, _Q1, AUXILIARY, right_quotes),
    _rule(73, "nN", NEGATION, right_quotes),
    _rule(
        74,
        f"{_QP1}{_DOUBLED}\\x91-\\x94",
        f"{APOSTROPHE}|''|[{_DOUBLED}\\x91-\\x94]{{1,2}}",
        right_quotes,
    ),
    _rule(74, "'", "''", right_quotes),
    _rule(74, f"{_DOUBLED}\\x91-\\x94", f"[{_DOUBLED}\\x91-\\x94]{{2}}", right_quotes),
    _rule(75, "<>", "<<|>>"),
    _rule(76, SYMBOL_SET, f"[{SYMBOL_SET}]"),
    _rule(
        77,
        "\\0 \\t\\u00a0\\u2000-\\u200b\\u3000\\u200e\\u200f\\ufeff",
        f"{SPACE}++|[\\0\\u200b\\u200e\\u200f\\ufeff]",
        nothing,
    ),
    _rule(79, "&", any_case("&nbsp;"), nothing),
    _rule(80, "\\0-\\U0010ffff", "(?s:.)", nothing),
]

RULES = (*_LETTERS, *_NETWORK, *_NUMBERS, *_STOPPED, *_MARKS, *_MIXED)
