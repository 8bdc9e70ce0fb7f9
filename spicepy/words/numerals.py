"""Numerals: the numbers in a sentence, with the words that bound them.

    "at least two hundred birds"   ->  at least two hundred: 200 or more
    "two or three cats"            ->  two or three: 2 to 3
    "half a dozen donuts"          ->  half a dozen: 6

The words are read in their order and not from the tree, since parsers attach numbers of
several words in many ways. They are in `grammars/amounts.toml`.

Source: Quirk et al. 1985, sections 6.63-6.69 (numerals); Nouwen 2010, Two kinds of
modified numerals; Schwarz et al. 2012, on "up to".
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import ceil, floor
from typing import Any, Final

from spicepy.common.resources import read_table

FILE: Final = "amounts.toml"
_DIGITS: Final = re.compile(r"\d{1,3}(?:,\d{3})+|\d+")
_RANGE: Final = re.compile(r"(\d+)\s*(?:-|–|to|or)\s*(\d+)")
_BEFORE_BOUND: Final = ("IN", "TO", "CC", "DT", ",", ":", "(", "-LRB-")
"""Tags before "over ten" where "over" is not a preposition of place."""
_HUNDRED: Final = 100
_DOZEN: Final = "dozen"
_BEFORE: Final = (
    *("at_least", "above", "up_to", "at_most", "below", "about", "almost", "between"),
)
_AFTER: Final = ("or_more", "or_fewer", "or_so", "odd")
_MAX_NUMBER: Final = 10**9  # Larger numbers are none of objects.


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a sentence."""

    # first, last: The positions of its first and last word, from 1, with its bounds.
    first: int
    last: int
    low: int  # The least number
    high: int | None  # The greatest number; None if there is no upper bound
    collective: bool  # Whether it is a dozen or a couple, and not a cardinal
    words: str  # Its words: "at least two"


@dataclass(frozen=True)
class NumberWords:
    """Words of numbers; see `grammars/amounts.toml`."""

    cardinals: Mapping[str, int]  # Word -> number
    scales: Mapping[str, int]  # Word -> number that it multiplies by: "hundred"
    bounds: Mapping[str, Any]  # Bound -> phrases that set it: "above" -> "more than"
    # Words before a scale: "a couple hundred" -> [from, to].
    multipliers: Mapping[str, tuple[int, int | None]]
    names: frozenset[str]  # Words after which a number is a name: "bus 12"

    @cached_property
    def first_words(self) -> frozenset[str]:
        """The words with which a number can begin, other than an article."""
        return frozenset((*self.cardinals, *self.scales, *self.multipliers, "half"))

    @cached_property
    def joined_bounds(self) -> frozenset[str]:
        """The bounds that a hyphen joins to a number: "odd" of "twenty-odd"."""
        after = (self.bounds[kind] for kind in _AFTER)
        return frozenset(phrase for phrases in after for phrase in phrases)

    def number(self, words: str) -> tuple[int, int | None] | None:
        """Return the range of a number alone: "2-3"; None of other words."""
        split = words.split()
        found = find_numerals(split, ("",) * len(split), self)
        if len(found) == 1 and (found[0].first, found[0].last) == (1, len(split)):
            return found[0].low, found[0].high
        return None


@cache
def load_number_words() -> NumberWords:
    """Read the words."""
    return read_table(FILE, number_words)


def number_words(data: Mapping[str, Any]) -> NumberWords:
    """Return the words of numbers from the tables of their file."""
    multipliers: dict[str, tuple[int, int | None]] = {
        **{word: (low, None) for word, (low, _) in data["vague"].items()},
        **{word: (number, number) for word, number in data["collectives"].items()},
    }
    names = frozenset(data["not_numbers"]["before"])
    return NumberWords(
        data["cardinals"], data["scales"], data["bounds"], multipliers, names
    )


def find_numerals(
    words: Sequence[str], tags: Sequence[str], known: NumberWords
) -> list[Numeral]:
    """Return the numbers of a sentence in their order."""
    found: list[Numeral] = []
    if known.first_words.isdisjoint(words) and all(map(str.isalpha, words)):
        return found
    at = 0
    while at < len(words):
        numeral = _numeral(words, tags, at, known)
        if numeral is None:
            at += 1
        else:
            at = numeral.last
            if _word(words, numeral.first - 2) in known.names:
                continue
            above = found[-1] if found else None
            if above and _is_upper_bound(words, above, numeral, known):
                numeral = replace(
                    above, last=numeral.last, high=numeral.high
                )  # "More than three but fewer than ten"
                found.pop()
            found.append(numeral)
    return found


def _is_upper_bound(
    words: Sequence[str], above: Numeral, below: Numeral, known: NumberWords
) -> bool:
    """Return whether a number only bounds the one before it from above."""
    adjacent = below.first == above.last + 2 and below.low == 0
    joined = words[above.last] in known.bounds["joins"] if adjacent else False
    return joined and above.high is None


def _word(words: Sequence[str], at: int) -> str:
    """Return the word at an index, "" outside of the sentence."""
    return words[at] if 0 <= at < len(words) else ""


def _numeral(
    words: Sequence[str], tags: Sequence[str], at: int, known: NumberWords
) -> Numeral | None:
    """Return the number that begins at an index, with the bounds around it."""
    if not _may_begin(words, at, known):
        return None
    plain = [_number_of(word, known) for word in words]
    found = _range(plain, at, known)
    if found is None:
        return None
    low, high, end, collective = found
    first, before = _bound_before(words, tags, at, known)
    last, after = bound_after(words, end, known)
    if after == "odd" and low % 10:
        last, after = end, ""  # "Three odd people" are strange.
    low, high = bounded(low, high, after or before, known)
    return Numeral(first + 1, last, low, high, collective, " ".join(words[first:last]))


def _may_begin(words: Sequence[str], at: int, known: NumberWords) -> bool:
    """Return whether the word at an index can begin a number; most words cannot."""
    word = words[at]
    if word in ("a", "an"):
        word = _number_of(_word(words, at + 1), known)
        return word in known.scales or word in known.multipliers
    return word in known.first_words or not word.isalpha()


def _number_of(word: str, known: NumberWords) -> str:
    """Return a word without the bound that a hyphen joins to it: "twenty-odd"."""
    number, _, bound = word.rpartition("-")
    return number if bound in known.joined_bounds else word


def bounded(
    low: int, high: int | None, bound: str, known: NumberWords
) -> tuple[int, int | None]:
    """Return the range of a number, or of a range, within a bound ("at_least", ...)."""
    most = low if high is None else high
    around = max(1, round(known.bounds["tolerance"] * low))
    match bound:
        case "at_least" | "or_more":
            return low, None
        case "above":
            return low + 1, None
        case "up_to":
            return min(1, most), most
        case "at_most" | "or_fewer":
            return 0, most
        case "below":
            return 0, max(0, low - 1)
        case "about" | "or_so":
            return max(1, ceil(low - around)), floor(most + around)
        case "almost":
            return max(1, low - around), most
        case "odd":  # "Twenty-odd" is 20 to 29, "a hundred-odd" 100 to 199.
            digits = str(low)
            zeros = len(digits) - len(digits.rstrip("0"))
            return low, most + 10**zeros - 1
    return low, high


def _range(
    words: Sequence[str], at: int, known: NumberWords
) -> tuple[int, int | None, int, bool] | None:
    """Return from, to and the end of "two or three", "2-3", or one number alone."""
    if span := _RANGE.fullmatch(words[at]):
        least, most = sorted(map(int, span.groups()))
        return least, most, at + 1, False
    first = _cardinal(words, at, known)
    if first is None:
        return None
    low, high, end, collective = first
    links = {*known.bounds["links"], "-", "–"}
    if _word(words, at - 1) in known.bounds["between"]:
        links.add("and")
    if high is not None and _word(words, end) in links:
        second = _cardinal(words, end + 1, known)
        if second is not None and second[1] is not None:
            scale = known.scales.get(words[second[2] - 1], 1)
            if low < second[0] // scale:  # "Two to three dozen"
                low, high = low * scale, high * scale
            return min(low, second[0]), max(high, second[1]), second[2], collective
    return first


def _cardinal(
    words: Sequence[str], at: int, known: NumberWords
) -> tuple[int, int | None, int, bool] | None:
    """Return the number at an index: low, high, the index after it, if a collective."""
    # "A hundred and five" is one number, and so are "a dozen" and "half a dozen".
    start, half = at, 1
    if _word(words, at) == "half" and _word(words, at + 1) in ("a", _DOZEN):
        half, at = 2, at + 1
    article = _word(words, at) in ("a", "an")
    first = _word(words, at + article)
    end = at + article + 1 + (_word(words, at + article + 1) == "of")
    scale = _word(words, end)
    if first in known.multipliers and scale in known.scales:  # "A couple of dozen"
        low, high = known.multipliers[first]
        by = known.scales[scale]
        return low * by, high and high * by, end + 1, scale == _DOZEN
    if (article or start != at) and first not in known.scales:
        return None
    return _sum(words, at + article, known, half, is_scale=article or start != at)


def _sum(
    words: Sequence[str], at: int, known: NumberWords, half: int, *, is_scale: bool
) -> tuple[int, int | None, int, bool] | None:
    """Return the sum of the number words from an index on: "one hundred and five"."""
    # `half` is 2 before "a dozen" to halve it; `is_scale` says whether an article
    # stands for the "one" of "one hundred".
    total, current, end, collective = 0, int(is_scale), at, False
    room = _MAX_NUMBER if not is_scale else 1  # What may be added: less than this.
    while end < len(words):
        joined = words[end] == "and" and total + current >= _HUNDRED
        word = _word(words, end + joined)
        value = _value(word, known)
        if value is not None and value < room and (not joined or room <= _HUNDRED):
            current += value
            room = 10 if value >= 20 and value % 10 == 0 else 1
            if word.isdigit() or "," in word:
                room = 1
        elif word in known.scales and current and not joined:
            collective = word == _DOZEN or collective
            current *= known.scales[word]
            room = min(known.scales[word], _HUNDRED) if word != _DOZEN else 1
            if known.scales[word] > _HUNDRED:
                total, current, room = total + current, 0, 1000
        else:
            break
        end += 1 + joined
    if list(words[end : end + 3]) == ["and", "a", "half"]:  # "A dozen and a half"
        scale = known.scales.get(words[end - 1], 0)
        current, end = current + scale // 2, end + 3 * bool(scale)
    number = (total + current) // half
    if end == at or not 0 < number < _MAX_NUMBER:
        return None
    return number, number, end, collective


def _value(word: str, known: NumberWords) -> int | None:
    """Return the number of one word: "two", "22", "twenty-two"."""
    if word in known.cardinals:
        return known.cardinals[word]
    if word.isascii() and _DIGITS.fullmatch(word):
        return int(word.replace(",", ""))
    tens, _, unit = word.partition("-")
    if tens in known.cardinals and unit in known.cardinals:
        first, second = known.cardinals[tens], known.cardinals[unit]
        return first + second if first >= 20 and second < 10 else None
    return None


def _bound_before(
    words: Sequence[str], tags: Sequence[str], at: int, known: NumberWords
) -> tuple[int, str]:
    """Return the index and the name of the longest bound before an index."""
    first, name = at, ""
    for kind in _BEFORE:
        for phrase in known.bounds[kind]:
            parts = phrase.split()
            start = at - len(parts)
            if start < 0 or start >= first or list(words[start:at]) != parts:
                continue
            if not _is_of_place(words, tags, start, phrase, known):
                first, name = start, kind
    return first, name


def _is_of_place(
    words: Sequence[str], tags: Sequence[str], at: int, phrase: str, known: NumberWords
) -> bool:
    """Return whether a phrase at an index is a preposition of place."""
    if phrase not in known.bounds["places"] or at == 0:
        return False
    before = at - 1
    while before >= 0 and tags[before] in ("RB", "UH"):  # "with just over ten"
        before -= 1
    if before < 0 or words[before] in (*known.bounds["before"], "of"):
        return False
    if words[before] in ("is", "are", "was", "were"):
        return "there" not in words[max(0, before - 1) : before]
    return not tags[before].startswith(_BEFORE_BOUND)


def bound_after(words: Sequence[str], at: int, known: NumberWords) -> tuple[int, str]:
    """Return the index after a bound that begins at an index, and its name."""
    for kind in _AFTER:
        for phrase in known.bounds[kind]:
            parts = phrase.split()
            if list(words[at : at + len(parts)]) == parts:
                return at + len(parts), kind
            if at and words[at - 1].endswith(f"-{phrase}"):
                return at, kind
    return at, ""
