"""The rules of the PTB tokeniser, in order of priority.

A rule has a body and possibly a right context; the longest body plus context wins, then
the lowest number. Several entries may share a number: Python tries alternatives in
order, and a rule must match as much as it can. `push_back` is the number of characters
at the end of the body that are read again; `token` turns the body into a token.
"""

from spicepy.tokenization.rule_types import (
    TABLES,
    any_case,
    brackets,
    hard_spaces,
    left_quotes,
    literals,
    no_soft_hyphens,
    nothing,
    one_of,
    plain_ampersand,
    right_quotes,
    rule,
    word_text,
    words,
)

# The pieces of their patterns. Names that end in `_SET` are put inside `[...]`; those
# that begin with `FIRST_` are sets of first characters.

PLAIN_SET = TABLES["plain_letter"]
DIGIT_SET = TABLES["digit"]
UPPER_SET = TABLES["upper_case"]
SYMBOL_SET = TABLES["kept_symbol"]
LETTER_SET = PLAIN_SET + TABLES["extra_word_letter"]

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

FRACTIONS = {"¼": "1/4", "½": "1/2", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}
CURRENCY = {"¢": "cents", "£": "#", **dict.fromkeys("\x80¤\u20a0€", "$")}

# The rules of the PTB tokeniser for punctuation, brackets, quotes and faces.

_STOPS = ".¡¿\u037e\u0589\u061f\u06d4\u0700-\u0702\u07fa\u3002"

MARKS = [
    rule(43, '"&', f'"|{any_case("&quot;")}', left_quotes, before="[A-Za-z0-9$]"),
    rule(44, '"&', f'"|{any_case("&quot;")}', right_quotes),
    rule(45, "\\x7f", "\\x7f", nothing),
    rule(46, "<&", f"<|{any_case('&lt;')}", lambda _: "<"),
    rule(47, ">&", f">|{any_case('&gt;')}", lambda _: ">"),
    rule(
        48,
        "<>:;=",
        r"[<>]?[:;=][\-o*']?[()DPdpO\\{@|\[\]]",
        brackets,
        before="[^A-Za-z0-9]",
    ),
    rule(49, f"\\-{EYES[1:]}\\^", f"[\\-{EYES[1:]}\\^]_[\\-{EYES[1:]}\\^]"),
    rule(49, "(", f"\\([\\-{EYES[1:]}\\^][_.]?[\\-{EYES[1:]}\\^]\\)", brackets),
    rule(49, "(", f"\\([{EYES[1:]}\\^]-[{EYES[1:]}\\^`]\\)", brackets),
    rule(49, "\\^xX=~<>", r"[\^xX=~<>]\.\[\^[xX]=~<>\]"),
    rule(50, "{", "\\{", brackets),
    rule(51, "}", "\\}", brackets),
    rule(52, "\\[", "\\[", brackets),
    rule(53, "\\]", "\\]", brackets),
    rule(54, "(", "\\(", brackets),
    rule(55, ")", "\\)", brackets),
    rule(56, "\\-", "-++", lambda body: "--" if 3 <= len(body) <= 4 else body),
    rule(57, ".", "\\.{3,5}", lambda _: "..."),
    rule(57, ".", "\\.(?:[ \\u00a0]\\.){2,4}", lambda _: "..."),
    rule(57, "\u2026\x85", "[\u2026\x85]", lambda _: "..."),
    rule(58, "@#_", "@++|#++|_++"),
    rule(59, "*\\\\", "\\*++|(?:\\\\\\*){1,3}"),
    rule(60, ",;:\u3001", INNER_STOP),
    rule(61, "?!", "[?!]++"),
    rule(62, _STOPS, f"[{_STOPS}]"),
    rule(63, "=", "="),
    rule(64, "/", "/"),
]

_LETTERS = [
    literals(0, "c++"),
    literals(1, "c# f#"),
    literals(2, "cannot", push_back=3),
    literals(3, "'twas", push_back=3),
    literals(4, "'tis", push_back=2),
    literals(5, "gonna gotta lemme gimme wanna", push_back=2),
    rule(6, "<", SGML_ON_ONE_LINE, hard_spaces, stuck="<[!?][A-Za-z\\-][^>\\r\\n]*+"),
    rule(
        7,
        "&\u2013\u2014\u2015\x96\x97",
        f"[\u2013\u2014\u2015\x96\x97]|{one_of(['&MD;', '&mdash;', '&ndash;'])}",
        lambda _: "--",
    ),
    rule(8, "&", any_case("&amp;"), lambda _: "&"),
    rule(9, "&", f"&(?:{one_of(words('HT TL UR LR QC QL QR odq cdq'))}|#[0-9]++);"),
    rule(10, FIRST_LETTER_SET, WORD, word_text, before=AUXILIARY),
    rule(
        11,
        "A-Za-z\\xad",
        "[A-Za-z\\xad]*[A-MO-Za-mo-z]\\xad*",
        no_soft_hyphens,
        before=NEGATION,
    ),
    rule(12, FIRST_LETTER_SET, WORD, word_text),
    rule(13, FIRST_APOSTROPHE_SET, f"{APOSTROPHE}[nN]{APOSTROPHE}?"),
    rule(13, "lLdDjJ", f"[lLdDjJ]{APOSTROPHE}"),
    rule(13, "dDsSoO", f"{one_of(['dunkin', 'somethin', 'ol'])}{APOSTROPHE}"),
    rule(
        13,
        FIRST_APOSTROPHE_SET,
        f"{APOSTROPHE}{one_of(['em', 'til', 'till', 'cause'])}",
    ),
    rule(13, "A-HJ-XZn", f"[A-HJ-XZn]{QUOTE}{PLAIN}{{2,}}+"),
    rule(13, FIRST_APOSTROPHE_SET, f"{APOSTROPHE}[2-9]0[sS]"),
    rule(13, PLAIN_SET, f"{PLAIN}{{2,}}+(?<=[aeiouyAEIOUY]){QUOTE}[aeiouA-Z]{PLAIN}*+"),
    rule(13, "cC", f"{any_case('cont')}'[dD]\\.?"),
    literals(13, "'twas nor'easter c'mon e'er s'mores ev'ry li'l nat'l"),
    rule(13, "oO", f"[oO]{QUOTE}[oO]"),
    rule(14, "yY", f"[yY]{APOSTROPHE}", before=PLAIN),
]

_NETWORK = [
    rule(15, "hH", f"{any_case('http')}[sS]?://{ADDRESS}"),
    *(
        rule(
            16,
            "wW",
            f"{WWW}(?:{LABEL}++\\.)+[A-Za-z]{{2,4}}{path}",
            stuck=f"{WWW}{LABEL}++(?>(?:\\.{LABEL}++)*)",
        )
        for path in ("", PATH)
    ),
    *(
        rule(
            16,
            "\\0-\\U0010ffff",
            f"(?:{LABEL2}++\\.)+{one_of(['com', 'net', 'org', 'edu'])}{path}",
            stuck=f"{LABEL2}++(?>(?:\\.{LABEL2}++)*)",
        )
        for path in ("", PATH)
    ),
    rule(
        17,
        "<&A-Za-z0-9",
        f"(?:<|{any_case('&lt;')})?[A-Za-z0-9]{MAIL}*@{HOST}(?:>|{any_case('&gt;')})?",
        stuck=f"(?:<|{any_case('&lt;')})?[A-Za-z0-9]{MAIL}*+",
    ),
    rule(18, "@#", f"@[A-Za-z_][A-Za-z0-9_]*+|#(?>{LETTER}+)"),
]

_NUMBERS = [
    rule(19, FIRST_APOSTROPHE_SET, AUXILIARY, right_quotes, before="[^A-Za-z]"),
    rule(20, "nN", NEGATION, right_quotes, before="[^A-Za-z]"),
    rule(21, DIGIT_SET, f"{DIGIT}{{1,2}}[-/]{DIGIT}{{1,2}}[-/]{DIGIT}{{2,4}}"),
    rule(
        22,
        f"+\\-.:,\\xad\\u066b\\u066c{DIGIT_SET}",
        f"[+-]?(?:{DIGIT}*+(?>(?:[.:,\\xad\\u066b\\u066c]{DIGIT}++)+)|{DIGIT}++)",
        no_soft_hyphens,
    ),
    rule(23, "⁺⁻₊₋⁰¹²³⁴-⁹₀-₉", "[⁺⁻₊₋]?(?:[⁰¹²³⁴-⁹]++|[₀-₉]++)"),
    rule(
        24,
        DIGIT_SET,
        f"(?:{DIGIT}{{1,4}}[- \\u00a0])?{DIGIT}{{1,4}}(?:/|\\\\/|\u2044){DIGIT}{{1,4}}",
        hard_spaces,
    ),
    rule(
        25,
        "¼½¾\u2153-\u215e",
        "[¼½¾\u2153-\u215e]",
        lambda body: FRACTIONS.get(body, body),
    ),
    rule(26, "\\-", one_of(words("-RRB- -LRB- -RCB- -LCB- -RSB- -LSB-"))),
    literals(26, "C.D.s pro- anti-"),
    rule(26, "sS", f"[sS]{AMPERSAND}[pP]-500|[sS]{AMPERSAND}[lL][sS]", plain_ampersand),
    rule(
        26, "cC", f"{any_case('cap')}{APOSTROPHE}[nN]|[cC]{APOSTROPHE}{any_case('est')}"
    ),
    rule(27, "A-Za-z0-9", f"{SLASHED}(?:{SLASH}{SLASHED}){{1,2}}"),
    rule(28, "A-Z$#", "[A-Z]*+\\$|#"),
    rule(
        29,
        "¢£¤¥\x80\u20a0€\u060b฿₤￠￡￥￦",
        "[¢£¤¥\x80\u20a0€\u060b฿₤￠￡￥￦]",
        lambda body: CURRENCY.get(body, body),
    ),
]

_STOPPED = [
    rule(
        30,
        "A-Za-z",
        f"{ACRONYM}\\.",
        lambda body: body[0] if len(body) == 2 else body,
        before=f"{BLANK}++(?:{STARTER}|{SGML}){BLANK}",
        push_back=1,
    ),
    rule(31, "A-Za-z", f"{NUMBER_ABBREVIATION}\\.", before=f"{BLANK}?{DIGIT}"),
    rule(
        32,
        "pPcC",
        "(?:[pP][tT][eEyY]|[cC][oO])\\.",
        before=f"{SPACE}{one_of(['ltd', 'lim'])}",
    ),
    rule(
        33,
        "A-Za-z",
        f"{FINAL_ABBREVIATION}\\.",
        before=f"{BLANK}(?:{BLANK}|[{UPPER_SET}]|{SGML})",
        push_back=1,
    ),
    rule(
        34,
        "A-Za-z",
        f"{FINAL_ABBREVIATION}\\.",
        # Two UTF-16 units: one character beyond U+FFFF is enough.
        before=f"(?:[\\0-\\uffff](?s:.)|{WIDE})",
    ),
    rule(35, "A-Za-z", f"{FINAL_ABBREVIATION}\\.", push_back=1),
    rule(36, "A-Za-z", f"{INNER_ABBREVIATION}\\."),
    rule(37, "A-Za-z", INNER_ABBREVIATION, before=SPACE),
    rule(38, "A-Za-z", ACRONYM, before=BLANK),
    rule(39, FIRST_APOSTROPHE_SET, f"{APOSTROPHE}[0-9][0-9]", before=BLANK),
    rule(
        40,
        FIRST_LETTER_SET + DIGIT_SET,
        f"{FILE}\\.{one_of(words(EXTENSIONS))}",
        before=f"(?:{BLANK}|[.?!,])",
        stuck=f"(?>{FILE})",
    ),
    rule(41, FIRST_LETTER_SET, f"{WORD}\\.", no_soft_hyphens, before=INNER_STOP),
    rule(42, "(", f"\\([0-9]{{2,3}}\\)[ \\u00a0]?{LOCAL}", brackets),
    rule(
        42,
        "+0-9",
        f"(?:(?:\\+\\+?)?(?:{CODE}[- \\u00a0])?{CODE}[- \\u00a0]){LOCAL}",
        hard_spaces,
    ),
    rule(42, "+0-9", f"(?:(?:\\+\\+?)?{CODE}\\.)?{CODE}\\.[0-9]{{3,4}}\\.[0-9]{{3,5}}"),
]

_MIXED = [
    rule(
        65,
        "A-Za-z0-9",
        f"{HYPHENATED}\\.",
        no_soft_hyphens,
        before=INNER_STOP,
        stuck=HYPHENATED_START,
    ),
    rule(66, "A-Za-z0-9", HYPHENATED, no_soft_hyphens, stuck=HYPHENATED_START),
    rule(67, PLAIN_SET + DIGIT_SET, f"{THING}\\.", before=INNER_STOP),
    rule(68, PLAIN_SET + DIGIT_SET, THING),
    rule(69, "A-Z", f"{CAPITALS}\\.", plain_ampersand, before=INNER_STOP),
    rule(70, "A-Z", CAPITALS, plain_ampersand),
    rule(71, "'", "'", left_quotes, before="[A-Za-z][^ \\t\\n\\r\\u00a0]"),
    rule(72, FIRST_APOSTROPHE_SET, AUXILIARY, right_quotes),
    rule(73, "nN", NEGATION, right_quotes),
    rule(
        74,
        f"{FIRST_QUOTE_SET}{DOUBLED}\\x91-\\x94",
        f"{APOSTROPHE}|''|[{DOUBLED}\\x91-\\x94]{{1,2}}",
        right_quotes,
    ),
    rule(74, "'", "''", right_quotes),
    rule(74, f"{DOUBLED}\\x91-\\x94", f"[{DOUBLED}\\x91-\\x94]{{2}}", right_quotes),
    rule(75, "<>", "<<|>>"),
    rule(76, SYMBOL_SET, f"[{SYMBOL_SET}]"),
    rule(
        77,
        "\\0 \\t\\u00a0\\u2000-\\u200b\\u3000\\u200e\\u200f\\ufeff",
        f"{SPACE}++|[\\0\\u200b\\u200e\\u200f\\ufeff]",
        nothing,
    ),
    rule(79, "&", any_case("&nbsp;"), nothing),
    rule(80, "\\0-\\U0010ffff", "(?s:.)", nothing),
]

RULES = (*_LETTERS, *_NETWORK, *_NUMBERS, *_STOPPED, *MARKS, *_MIXED)
