"""Spelling: what a misspelt word of a caption should be, where that is certain.

A word is misspelt if neither captions nor WordNet have it. What was meant is certain if
two letters changed places or one is doubled or not ("teh", "runing"), or if a word of
six letters or more is one letter away from a single word that is usual in captions. The
first letter is never mended: it is seldom wrong, and often that of a name. Who does
what a known verb says is known ("groomer"). "W/" is read as "with", "w/o" as "without".

Source: Damerau 1964, A technique for computer detection and correction of spelling
errors: four of five errors are of one letter.
"""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib import resources
from string import ascii_lowercase
from typing import Final

from spicepy.words.wordnet import load_wordnet

MIN_LETTERS: Final = 3  # The least number of letters of a word that is mended
MIN_LETTERS_OTHER: Final = 6
"""The same where no letters changed places and none was doubled."""
SHORT: Final = {"w/o": "without", "w /": "with"}
TIMES: Final = 50
"""How much more usual than all others a word must be that is one letter away."""


def is_known(word: str) -> bool:
    """Return whether captions or WordNet have a word, inflected or not."""
    doer = word.removesuffix("s").endswith("er")
    deed = word.removesuffix("s").removesuffix("er") + "ing"
    return word in usual_words() or _in_wordnet(word) or (doer and _in_wordnet(deed))


@lru_cache(maxsize=1 << 14)
def mended(word: str) -> str | None:
    """Return the word that a misspelt word should be, or None where it is not certain.

    >>> mended("teh"), mended("runing"), mended("blorp")
    ('the', 'running', None)
    """
    if word in SHORT:
        return SHORT[word]
    letters = word.isascii() and word.isalpha() and word.islower()
    if not letters or len(word) < MIN_LETTERS or is_known(word):
        return None
    usual = usual_words()
    slips = _usual(_slips(word))
    others = _usual(_edits(word)) if len(word) >= MIN_LETTERS_OTHER else []
    if slips:
        rivals = [other for other in (*slips[1:], *others) if other != slips[0]]
        return slips[0] if all(usual[slips[0]] > usual[x] for x in rivals) else None
    if others and (len(others) == 1 or usual[others[0]] >= TIMES * usual[others[1]]):
        return others[0]
    return None


@cache
def usual_words() -> dict[str, int]:
    """Return the words that are usual in captions with their numbers of occurrences."""
    table = resources.files(__package__) / "caption-words.tsv"
    lines = table.read_text(encoding="utf-8").splitlines()
    return {word: int(n) for word, n in (line.split("\t") for line in lines)}


def _in_wordnet(word: str) -> bool:
    """Return whether WordNet has a word, as it is or regularly inflected."""
    # "Runing" is not "run" inflected, since the verb doubles its consonant.
    wordnet = load_wordnet()
    if wordnet.senses(word):
        return True
    for part in "nvar":
        for base in wordnet.base_forms(word, part):
            ending = word.removeprefix(base)
            doubled = base + base[-1] + ending
            doubles = ending in ("ed", "er", "est", "ing") and base[-1] not in "aeiouy"
            if not (doubles and base in wordnet.base_forms(doubled, part)):
                return True
    return False


def _usual(words: Iterable[str]) -> list[str]:
    """Return those of the words that are usual, the most usual first."""
    usual = usual_words()
    return sorted({w for w in words if w in usual}, key=lambda w: (-usual[w], w))


def _slips(word: str) -> Iterator[str]:
    """Yield the word with two letters in the other order, doubled, or not doubled."""
    # A word of three letters is as likely an abbreviation: no letter of it is doubled.
    for at in range(1, len(word)):
        if word[at] != word[at - 1]:
            yield word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
        elif len(word) > MIN_LETTERS:
            yield word[:at] + word[at + 1 :]
        if len(word) > MIN_LETTERS:
            yield word[:at] + word[at] + word[at:]


def _edits(word: str) -> Iterator[str]:
    """Yield the word with a letter put in, left out or changed, but for the first."""
    for at in range(1, len(word) + 1):
        yield word[:at] + word[at + 1 :]
        for letter in ascii_lowercase:
            yield word[:at] + letter + word[at:]
            yield word[:at] + letter + word[at + 1 :]
