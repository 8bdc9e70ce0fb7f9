"""Noun classes: what sort of thing a noun names, by its most frequent senses.

is_living("dog"), is_person("team"), is_clothing("vest"), is_compound("parking lot")
"""

from functools import cache

from spicepy.common.resources import read_table
from spicepy.words.wordnet import is_below, load_wordnet


@cache
def is_living(noun: str) -> bool:
    """Return whether a noun means people or an animal."""
    return is_person(noun) or is_below(noun, ("animal",))


@cache
def may_live(noun: str) -> bool:
    """Return whether some sense of a noun is a person or an animal: a beaver."""
    return is_below(noun, ("person", "animal"), None)


@cache
def is_person(noun: str) -> bool:
    """Return whether a noun means a person, or several."""
    people = _people()
    return noun not in people["places"] and is_below(noun, people["tops"])


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
