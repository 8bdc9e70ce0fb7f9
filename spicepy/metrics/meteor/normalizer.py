"""METEOR 1.5's text normaliser (`-norm`, English).

In: a caption, as written or already PTB-tokenised. Out: the list of its
lower-case METEOR words; punctuation stays, as words of its own.

Every step is one left-to-right pass of non-overlapping replacements, in a fixed
order, exactly as the Java program does it: "1-2-3-4" loses every other hyphen.
"""

import re

# Letters and white space as the program defines them, not as Unicode does.
_ALPHA = (
    "A-Za-zŠŽšžŸ\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u0400-\u0527"
    "\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
)
_SPACE = " \t\n\x0b\f\r"
_WORD_BREAK = re.compile(r"[ \t\n\r\f]+")

# Nothing below changes a text of these characters alone, unless it happens to
# contain the stand-in for runs of dots.
_PLAIN = re.compile(r"(?!.*DOTMULTI)[A-Za-z0-9 ]*")

_SYMBOL = re.compile(rf"([^{_ALPHA}0-9{_SPACE}.'`,\-‘’])")
_DOT_RUN = re.compile(r"\.(\.+)")
_DOT_RUN_END = re.compile(r"DOTMULTI\.([^.])")
_COMMAS = (
    re.compile(r"([^0-9]),([^0-9])"),
    re.compile(r"([0-9]),([^0-9])"),
    re.compile(r"([^0-9]),([0-9])"),
)
_SINGLE_QUOTE = re.compile("[`‘’]")
_DOUBLE_QUOTE = re.compile("[“”]|''")
_HYPHEN = re.compile(rf"([{_ALPHA}0-9.])-([{_ALPHA}0-9])")
_APOSTROPHES = (
    (re.compile(rf"([^{_ALPHA}])'([^{_ALPHA}])"), r"\1 ' \2"),
    (re.compile(rf"([^{_ALPHA}0-9])'([{_ALPHA}])"), r"\1 ' \2"),
    (re.compile(rf"([{_ALPHA}])'([^{_ALPHA}])"), r"\1 ' \2"),
    (re.compile(rf"([{_ALPHA}])'([{_ALPHA}])"), r"\1 '\2"),
    (re.compile(r"([0-9])'(s)"), r"\1 '\2"),
)
_LETTER = re.compile(f"[{_ALPHA}]")
_WIDE_SPACES = re.compile("[ \u2000-\u200a\u202f\u205f\u3000\u00a0]+")
_CONTROL = "".join(map(chr, range(0x21)))  # what Java's trim removes

# Words that keep their full stop, always or only before a number.
_ABBREVIATIONS = """
A B C D E F G H I J K L M N O P Q R S T U V W X Y Z Adj Adm Adv Asst Bart Bldg
Brig Bros Capt Cmdr Col Comdr Con Corp Cpl DR Dr Drs Ens Gen Gov Hon Hr Hosp Insp
Lt MM MR MRS MS Maj Messrs Mlle Mme Mr Mrs Ms Msgr Op Ord Pfc Ph Prof Pvt Rep Reps
Res Rev Rt Sen Sens Sfc Sgt Sr St Supt Surg v vs i.e rev e.g Nos Nr
"""
_KEEP_STOP = frozenset(_ABBREVIATIONS.split())
_KEEP_STOP_BEFORE_NUMBER = frozenset(("No", "Art", "pp"))


def meteor_words(text: str) -> list[str]:
    """Normalise, lower-case and split one caption.

    Example:
        >>> meteor_words("An old-fashioned U.S. flag, isn't it?")
        ['an', 'old', 'fashioned', 'us', 'flag', ',', 'isn', "'t", 'it', '?']
    """
    if not _PLAIN.fullmatch(text):
        text = normalize(text)
    return [word for word in _WORD_BREAK.split(text.lower()) if word]


def normalize(text: str) -> str:
    """Separate punctuation, hyphens and apostrophes from words; case is kept.

    Returns:
        Words and punctuation joined by single spaces.

    Source: behaviour of METEOR 1.5 (Denkowski & Lavie 2014), option `-norm`.
    """
    text = _SYMBOL.sub(r" \1 ", f" {text} ")
    text = _protect_dot_runs(text)
    for comma in _COMMAS:
        text = comma.sub(r"\1 , \2", text)
    text = _DOUBLE_QUOTE.sub(' " ', _SINGLE_QUOTE.sub("'", text))
    text = _HYPHEN.sub(r"\1 \2", text.replace("–", "-").replace("--", "-"))
    for apostrophe, replacement in _APOSTROPHES:
        text = apostrophe.sub(replacement, text)
    text = _restore_dot_runs(_split_full_stops(text))
    return _WIDE_SPACES.sub(" ", text).strip(_CONTROL)


def _protect_dot_runs(text: str) -> str:
    """Write "..." as one word without dots, so that no later step splits it."""
    text = _DOT_RUN.sub(r" DOTMULTI\1", text)
    while "DOTMULTI." in text:
        text = _DOT_RUN_END.sub(r"DOTDOTMULTI \1", text)
        text = text.replace("DOTMULTI.", "DOTDOTMULTI")
    return text


def _restore_dot_runs(text: str) -> str:
    while "DOTDOTMULTI" in text:
        text = text.replace("DOTDOTMULTI", "DOTMULTI.")
    return text.replace("DOTMULTI", ".")


def _split_full_stops(text: str) -> str:
    """Separate the final stop from a word unless it belongs to an abbreviation."""
    words = [word for word in _WORD_BREAK.split(text) if word]
    parts: list[str] = []
    for word, following in zip(words, [*words[1:], ""]):
        before = word[:-1]
        if not before or word[-1] != "." or _keeps_stop(before, following):
            parts.append(word)
        elif "." in before and _LETTER.search(before):
            parts.append(word.replace(".", ""))
        else:
            parts += before, "."
    return " ".join(parts)


def _keeps_stop(before: str, following: str) -> bool:
    """Return whether "before." stays one word in front of the following word."""
    if "." in before and _LETTER.search(before):
        return False
    if before in _KEEP_STOP or "a" <= following[:1] <= "z":
        return True
    return before in _KEEP_STOP_BEFORE_NUMBER and "0" <= following[:1] <= "9"
