"""Lemmas of words with Penn tags, as SPICE's lemmatiser (Morpha) has them.

The tag decides what may happen: verbs and plural nouns lose their ending,
pronouns and modals have a short table, every other word stays as it is.
A table of suffixes gives what endings turn into (`lemma_suffixes.tsv`,
made by `training/words/lemmas.py`): the longest suffix of the word in the
table wins, and a whole word is its own longest suffix.
"""

import re
from collections.abc import Container
from functools import lru_cache
from importlib.resources import files

START = "^"  # Marks the start of a word, so that a whole word can be a table entry

MAX_SUFFIX = 8
"""The number of letters of the longest suffix in the table that is not a whole word."""

Edits = dict[str, tuple[int, str]]  # Suffix -> (letters to strip, letters to add)


@lru_cache(maxsize=1 << 17)
def lemmatize(word: str, tag: str) -> str:
    """Return the lemma of a word with a Penn Treebank tag.

    The lemma is in lower case, except that of a proper noun (NNP, NNPS),
    which is the word itself.

    Source: Minnen, Carroll and Pearce (2001), Applied morphological
    processing of English; the table is inferred from that program's output.

    >>> lemmatize("riding", "VBG"), lemmatize("shelves", "NNS")
    ('ride', 'shelf')
    """
    if tag.startswith("NNP"):
        return word
    word = word.lower()
    kind = tag_class(tag)
    if word.endswith("-") and kind in {"V", "NNS"}:
        return f"{word}_{tag}"  # Morpha does not read "-lrb-", a bracket
    edits = _edits().get(kind)
    return word if edits is None else apply_edits(word, edits)


def tag_class(tag: str) -> str:
    """Return the table a tag uses: all verb tags share one."""
    return "V" if tag.startswith("VB") else tag


def apply_edits(word: str, edits: Edits) -> str:
    """Apply the edit of the longest suffix of `word` that has one."""
    marked = START + word
    edit = edits.get(marked)
    size = min(len(word), MAX_SUFFIX)
    while edit is None and size >= 0:
        edit = edits.get(word[len(word) - size :])
        size -= 1
    if edit is None:
        return word
    strip, add = edit
    return word[: len(word) - strip] + add if strip < len(word) or add else word


@lru_cache(maxsize=1)
def _edits() -> dict[str, Edits]:
    tables: dict[str, Edits] = {}
    path = files(__package__) / "lemma_suffixes.tsv"
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line and not line.startswith("# "):
            kind, suffix, strip, add = line.split("\t")
            tables.setdefault(kind, {})[suffix] = (int(strip), add)
    return tables


# The Snowball English stemmer ("Porter 2") in its 2002-2010 revision.
#
# METEOR 1.5 calls two words a stem match if these stems are equal. The packages
# `snowballstemmer` (a later revision) and `nltk` give other stems for some words, and
# METEOR needs neither: hence this one. nltk's Snowball differs for 3 of 47,812 words
# stemmed by METEOR itself ("irrationally", "irrationality", "poetizer") and, by the
# same slip in its step 2, for others like "realization": 16 of the 105,314 words of
# WordNet and COCO. So a list of exceptions would not do.
#
# The word is worked on as a plain string, in which a consonant y is written Y. Regions
# R1 and R2 are the positions where they begin, fixed before any step.


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in text.split())


_WHOLE_WORDS = _pairs(
    "skis:ski skies:sky dying:die lying:lie tying:tie idly:idl gently:gentl ugly:ugli "
    "early:earli only:onli singly:singl"
) | {w: w for w in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")}

_NOUNS_IN_ING = ("inning", "outing", "canning", "herring", "earring")
_FINISHED_AFTER_1A = frozenset((*_NOUNS_IN_ING, "proceed", "exceed", "succeed"))

_VOWELS = frozenset("aeiouy")
_CONSONANT_Y = re.compile(r"(?:^|(?<=[aeiouy]))y")
_REGION = re.compile(r"[aeiouy][^aeiouy]")
_R1_PREFIX = re.compile(r"gener|commun|arsen")
_SHORT_SYLLABLE = re.compile(r"[^aeiouy][aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]$")
_DOUBLES = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")

_STEP_2 = _pairs(
    "tional:tion enci:ence anci:ance abli:able entli:ent izer:ize ization:ize "
    "ational:ate ation:ate ator:ate alism:al aliti:al alli:al fulness:ful fulli:ful "
    "ousli:ous ousness:ous iveness:ive iviti:ive biliti:ble bli:ble lessli:less ogi:og "
    "li:"
)
_STEP_3 = _pairs(
    "ational:ate tional:tion alize:al icate:ic iciti:ic ical:ic ful: ness: ative:"
)
_ENDINGS = "al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion"
_STEP_4 = frozenset(_ENDINGS.split())


@lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """Stem one lower-case word; words of one or two characters come back unchanged.

    Any character that is not a vowel (digits, accented letters, apostrophes) counts as
    a consonant.

    Source: Porter, "The English (Porter2) stemming algorithm", Snowball 2002.

    >>> stem("riding"), stem("ponies"), stem("happily")
    ('ride', 'poni', 'happili')
    """
    if word in _WHOLE_WORDS:
        return _WHOLE_WORDS[word]
    if len(word) <= 2:
        return word
    word = _CONSONANT_Y.sub("Y", word.removeprefix("'"))
    r1, r2 = _regions(word)
    word = _step_1a(_step_0(word))
    if word not in _FINISHED_AFTER_1A:
        word = _step_1c(_step_1b(word, r1))
        word = _step_3(_step_2(word, r1), r1, r2)
        word = _step_5(_step_4(word, r2), r1, r2)
    return word.replace("Y", "y")


def _regions(word: str) -> tuple[int, int]:
    """Return where R1 and R2 begin; len(word) if they are empty."""
    prefix = _R1_PREFIX.match(word) or _REGION.search(word)
    r1 = prefix.end() if prefix else len(word)
    second = _REGION.search(word, r1)
    return r1, second.end() if second else len(word)


def _longest_suffix(word: str, suffixes: Container[str]) -> str:
    """Return the longest of the suffixes (2 to 7 letters) that ends the word, or ""."""
    for length in range(min(7, len(word)), 1, -1):
        if word[-length:] in suffixes:
            return word[-length:]
    return ""


def _has_vowel(text: str) -> bool:
    return not _VOWELS.isdisjoint(text)


def _step_0(word: str) -> str:
    for suffix in ("'s'", "'s", "'"):
        if word.endswith(suffix):
            return word[: -len(suffix)]
    return word


def _step_1a(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-1] if len(word) <= 4 else word[:-2]
    if word.endswith(("us", "ss")) or not word.endswith("s"):
        return word
    return word[:-1] if _has_vowel(word[:-2]) else word


def _step_1b(word: str, r1: int) -> str:
    for suffix in ("eedly", "eed"):
        if word.endswith(suffix):
            begin = len(word) - len(suffix)
            return word[:begin] + "ee" if begin >= r1 else word
    for suffix in ("ingly", "edly", "ing", "ed"):
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            return _restore_e(base, r1) if _has_vowel(base) else word
    return word


def _restore_e(base: str, r1: int) -> str:
    """Restore the end of a stem: hop(ing) → hope, hopp(ing) → hop."""
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if base.endswith(_DOUBLES):
        return base[:-1]
    if len(base) == r1 and _SHORT_SYLLABLE.search(base):
        return base + "e"
    return base


def _step_1c(word: str) -> str:
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in _VOWELS:
        return word[:-1] + "i"
    return word


def _step_2(word: str, r1: int) -> str:
    suffix = _longest_suffix(word, _STEP_2)
    begin = len(word) - len(suffix)
    if not suffix or begin < r1:
        return word
    before = word[begin - 1 : begin]
    if suffix == "ogi" and before != "l":
        return word
    if suffix == "li" and before not in tuple("cdeghkmnrt"):
        return word
    return word[:begin] + _STEP_2[suffix]


def _step_3(word: str, r1: int, r2: int) -> str:
    suffix = _longest_suffix(word, _STEP_3)
    begin = len(word) - len(suffix)
    if not suffix or begin < (r2 if suffix == "ative" else r1):
        return word
    return word[:begin] + _STEP_3[suffix]


def _step_4(word: str, r2: int) -> str:
    suffix = _longest_suffix(word, _STEP_4)
    begin = len(word) - len(suffix)
    if not suffix or begin < r2:
        return word
    if suffix == "ion" and not word[:begin].endswith(("s", "t")):
        return word
    return word[:begin]


def _step_5(word: str, r1: int, r2: int) -> str:
    begin = len(word) - 1
    if word.endswith("e"):
        in_r1 = begin >= r1 and not _SHORT_SYLLABLE.search(word[:-1])
        return word[:-1] if begin >= r2 or in_r1 else word
    if word.endswith("ll") and begin >= r2:
        return word[:-1]
    return word


def read_function_words() -> frozenset[str]:
    """Return the 93 function words of METEOR 1.5: "the", "of"."""
    path = files("spicepy.words") / "function-words.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(
        word for line in lines if not line.startswith("# ") for word in line.split()
    )
