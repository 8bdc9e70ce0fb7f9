"""Inflection: the regular forms of English words, as they are spelled.

Source: Quirk et al. 1985, sections 3.5 and following (verbs), 5.80 (plurals).
"""

import re
from typing import Final

from spicepy.words.wordnet import load_wordnet

_DOUBLED: Final = re.compile(r"(?:^|[^aeiou]|qu)[aeiou][bdgklmnprtz]$")
_SYLLABLE: Final = re.compile(r"[aeiouy]+")
_MAN: Final = re.compile(r"(\w{3,}?)(?:s|wo)?man")
_ENDINGS: Final = (
    (r"(s|x|ch|sh|z)$", r"\1es"),
    (r"([^aeiou])y$", r"\1ies"),
    (r"$", "s"),
)


def plural(noun: str) -> str:
    """Return the regular plural of a noun, and that of firemen.

    >>> plural("bus"), plural("pony"), plural("fireman"), plural("german")
    ('buses', 'ponies', 'firemen', 'germans')
    """
    man = _MAN.fullmatch(noun)
    if man and load_wordnet().senses(man[1]):
        return f"{noun[:-3]}men"
    return next(re.sub(*form, noun) for form in _ENDINGS if re.search(form[0], noun))


def progressive(verb: str) -> str:
    """Return the present participle of a verb.

    >>> progressive("ride"), progressive("sit"), progressive("lie"), progressive("ski")
    ('riding', 'sitting', 'lying', 'skiing')
    """
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("ing") and len(_SYLLABLE.findall(verb)) > 1:
        return verb
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return verb[:-1] + "ing"
    short = len(_SYLLABLE.findall(verb)) == 1
    if (short and _DOUBLED.search(verb)) or verb in ("begin", "forget", "permit"):
        return verb + verb[-1] + "ing"
    return verb + "ing"
