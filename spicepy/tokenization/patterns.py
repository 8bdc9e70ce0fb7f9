"""Larger patterns of the PTB tokeniser: tags, addresses, file names, compounds.

In: the classes and abbreviations. Out: constants for the bodies and contexts of
rules. Names that begin with `FIRST_` are sets of first characters.
"""

from spicepy.tokenization.abbreviations import DOTTED_ACRONYM
from spicepy.tokenization.classes import (
    AMPERSAND,
    HYPHEN,
    LETTER_OR_DIGIT,
    LETTER_SET,
    PLAIN_OR_DIGIT,
    PLAIN_SET,
    QUOTE,
    any_case,
    words,
)

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
