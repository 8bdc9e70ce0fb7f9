"""Words of questions: what sort of thing a noun names, and regular forms of words.

is_living("dog"), is_person("team"), is_clothing("vest"), is_compound("parking lot")

What is said of a noun holds for its most frequent sense in WordNet.
Source of the forms: Quirk et al. 1985, sections 3.5 and following (verbs), 5.80
(plurals).
"""

import re
from functools import cache
from typing import Final

from spicepy.common.resources import read_table
from spicepy.words.wordnet import is_below, load_wordnet

_DOUBLED: Final = re.compile(r"(?:^|[^aeiou]|qu)[aeiou][bdgklmnprtz]$")
_SYLLABLE: Final = re.compile(r"[aeiouy]+")
_MAN: Final = re.compile(r"(\w{3,}?)(?:s|wo)?man")
_ENDINGS: Final = (
    (r"(s|x|ch|sh|z)$", r"\1es"),
    (r"([^aeiou])y$", r"\1ies"),
    (r"$", "s"),
)


@cache
def is_living(noun: str) -> bool:
    """Return whether a noun means people or an animal."""
    figure = noun in _people()["figures"]
    return figure or is_person(noun) or is_below(noun, ("animal",))


@cache
def may_live(noun: str) -> bool:
    """Return whether some sense of a noun is a person or an animal: a beaver."""
    return is_below(noun, ("person", "animal"), None)


@cache
def is_person(noun: str) -> bool:
    """Return whether a noun means a person, or several."""
    people = _people()
    return noun not in people["things"] and is_below(noun, people["tops"])


@cache
def _people() -> dict[str, list[str]]:
    return read_table("questions.toml", lambda data: dict(data["people"]))


@cache
def is_clothing(noun: str) -> bool:
    """Return whether a noun means clothing, a hat or shoes."""
    return is_below(noun, ("clothing", "headdress", "footwear"))


@cache
def is_quality(noun: str) -> bool:
    """Return whether a noun names what something is like: serenity, freshness."""
    tops = ("attribute", "state", "feeling")
    return noun.endswith(("ness", "ity")) and is_below(noun, tops)


@cache
def is_compound(name: str) -> bool:
    """Return whether several words are a noun: a parking lot, a fire hydrant."""
    senses = load_wordnet().senses(name.replace(" ", "_")) if " " in name else ()
    return any(part == "n" for part, _ in senses)


@cache
def is_verb(lemma: str) -> bool:
    """Return whether a word can be a verb."""
    return any(part == "v" for part, _ in load_wordnet().senses(lemma))


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
