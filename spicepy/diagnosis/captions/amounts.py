"""Amounts: how many of a thing there are, as a caption says it.

In: a noun with its attributes and the words before it. Out: an `Amount`, a range
whose upper end may be open: "two dogs" 2–2, "2-3 dogs" 2–3, "dogs" 2–∞, "a dog" 1–1.

Source: Quirk et al. 1985, sections 5.16–5.25 (quantifiers), 6.52 (collectives).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from spicepy.diagnosis.lexicon.lexicon import Lexicon

AmountForm = Literal["number", "quantity", "plural", "one"]
MANY: Final = "many"
"""The value of an amount without an upper bound."""

_PLURAL: Final = ("NNS", "NNPS")
_NOUNS: Final = ("NN", "NNS", "POS")
_UNITS: Final = 2  # The number of words before a noun that are searched for a unit.
_LONGEST: Final = 6  # The most words that may stand between "a couple of" and its noun.
_RANGE: Final = re.compile(r"(\d+)\s*(?:-|to|or)\s*(\d+)")
_VERBS: Final = ("are", "were")  # After "the woman", which is then misspelt.
_MODEL: Final = 100  # Before a singular, a number from here on is a name: a 747 plane.
_MOST: Final = 6  # The most things of one class in one caption that are added up.


@dataclass(frozen=True, slots=True)
class Amount:
    """The number of a thing, and how the caption says it.

    Attributes:
        low: The least number.
        high: The greatest number; None if there is no upper bound.
        wording: "number" (two, 2), "quantity" (a couple, several), "plural" (dogs) or
            "one" (a dog).
    """

    low: int
    high: int | None
    wording: AmountForm

    def meets(self, other: "Amount") -> bool:
        """Return whether both amounts can be true at once: their ranges overlap."""
        return reaches(self.high, other.low) and reaches(other.high, self.low)

    @property
    def value(self) -> int | str:
        """The number, or "many"."""
        return self.low if self.high == self.low else MANY

    @property
    def in_words(self) -> bool:
        """Whether it is bounded and said by a number or a word of quantity."""
        return self.wording in ("number", "quantity") and self.high is not None

    def plus(self, other: "Amount") -> "Amount":
        """Return the sum of two amounts."""
        high = None
        if self.high is not None and other.high is not None:
            high = self.high + other.high
        order: tuple[AmountForm, ...] = ("number", "quantity", "one", "plural")
        wording = min(self.wording, other.wording, key=order.index)
        return Amount(self.low + other.low, high, wording)


ONE: Final = Amount(1, 1, "one")
"""The amount of "a dog"."""


def reaches(high: int | None, low: int) -> bool:
    """Return whether an upper bound, None without one, is not below a number."""
    return high is None or high >= low


def sums(amounts: Sequence[Amount]) -> Iterator[Amount]:
    """Yield the sum of every non-empty subset; of more than six, also that of all."""
    for size in range(1, len(amounts[:_MOST]) + 1):
        for group in combinations(amounts[:_MOST], size):
            yield total(group)
    if len(amounts) > _MOST:
        yield total(amounts)


def total(amounts: Iterable[Amount]) -> Amount:
    """Return the sum of one or more amounts."""
    first, *others = amounts
    for other in others:
        first = first.plus(other)
    return first


def amount(
    name: str,
    place: int,
    attributes: Iterable[str],
    words: Sequence[str],
    tags: Sequence[str],
    heads: frozenset[int],
    lexicon: Lexicon,
    *,
    one: bool,
    named: bool,
) -> Amount | None:
    """Return how many of a thing there are, None if the caption leaves it open.

    Args:
        name: The noun.
        place: Its position in the caption, from 1; 0 if unknown.
        attributes: The attributes of the thing.
        words: The words of the caption; may be empty.
        tags: The part-of-speech tags of the words.
        heads: The positions of all things.
        lexicon: Words of quantity, and nouns for people and animals.
        one: Whether an article says that there is one.
        named: Whether an earlier thing has the same name. Then "the dogs" are the same
            dogs and add nothing to their number.
    """
    quantities, people = lexicon.quantities, lexicon.people
    head = name.rpartition(" ")[2]
    portioned = not quantities.portions.isdisjoint(attributes)
    if portioned or head in quantities.plural_only or _modifies(place, tags):
        return None
    if head in people.crowds and head not in people.anyone:
        return Amount(3, None, "plural")  # Two teams are more than two people.
    start = max(0, place - name.count(" "))
    before = words[: max(0, start - 1)]
    if named and _is_known(before, heads, lexicon):
        return None
    units = _counts_units(name, before, lexicon)
    tag = tags[place - 1] if 0 < place <= len(tags) else ""
    living = tag.startswith("NN") and lexicon.nouns.is_living(name)
    if not units and (said := _number(attributes, lexicon)) is not None:
        return None if tag == "NN" and said.low >= _MODEL else said
    if place > 0 and not units:
        said = _quantity(before, tag, start, heads, lexicon, living=living)
        if said is not None:
            return said if said.low else None
    if head in people.couples:
        return Amount(2, 2, "quantity")
    if tag in _PLURAL:
        singular = not quantities.singular.isdisjoint(_phrase(before, heads, lexicon))
        return None if singular else Amount(2, None, "plural")
    if one or (living and not _may_be_several(head, words, place, lexicon)):
        return None if _is_of_each(words, place, lexicon) else ONE
    return None


def _number(attributes: Iterable[str], lexicon: Lexicon) -> Amount | None:
    for attribute in attributes:
        if span := _RANGE.fullmatch(attribute):
            low, high = sorted(map(int, span.groups()))
            return Amount(low, high, "number")
        for value in lexicon.aspects.of("count", [attribute]):
            if isinstance(value, int):
                return Amount(value, value, "number")
    return None


def _modifies(place: int, tags: Sequence[str]) -> bool:
    """Return whether a plural modifies the next noun: "the elephants eye"."""
    if not 0 < place < len(tags):
        return False
    return tags[place - 1] in _PLURAL and tags[place] in _NOUNS


def _counts_units(name: str, before: Sequence[str], lexicon: Lexicon) -> bool:
    """Return whether a number counts units, not things: "a four sided clock".

    "A stack of books" is a number of books.
    """
    quantities = lexicon.quantities
    between = {*before[-_UNITS:], *name.split(" ")[:-1]}
    if tuple(before[-1:]) == ("of",):
        between -= quantities.group
    return not quantities.units.isdisjoint(between)


def _is_of_each(words: Sequence[str], place: int, lexicon: Lexicon) -> bool:
    """Return whether there is one for each of several: "beds with a cat on each"."""
    where, each, other = (*words[place : place + 3], "", "", "")[:3]
    return where in lexicon.places.locatives and each == "each" and other != "other"


def _may_be_several(
    head: str, words: Sequence[str], place: int, lexicon: Lexicon
) -> bool:
    """Return whether a noun has the plural's form, or a verb in the plural follows.

    "The woman are playing" is misspelt; "a man and a woman are" is not.
    """
    if head in lexicon.quantities.same_plural:
        return True
    return "and" not in words[:place] and "".join(words[place : place + 1]) in _VERBS


def _phrase(
    before: Sequence[str], heads: frozenset[int], lexicon: Lexicon
) -> list[str]:
    """Return the words between the last noun or preposition and a noun."""
    ends = {"of"} | lexicon.quantities.ends - lexicon.quantities.singular
    phrase: list[str] = []
    for place in range(len(before), max(0, len(before) - _LONGEST), -1):
        if place in heads or before[place - 1] in ends:
            break
        phrase.append(before[place - 1])
    return phrase


def _is_known(before: Sequence[str], heads: frozenset[int], lexicon: Lexicon) -> bool:
    """Return whether a definite determiner refers back: "the dogs"."""
    phrase = _phrase(before, heads, lexicon)
    return not lexicon.quantities.definite.isdisjoint(phrase) and "other" not in phrase


def _quantity(
    before: Sequence[str],
    tag: str,
    start: int,
    heads: frozenset[int],
    lexicon: Lexicon,
    *,
    living: bool,
) -> Amount | None:
    """Return the amount that a quantity phrase before a noun says, None without one.

    Before a singular, "a lot of" says no number: any amount, from 0.

    Quantity phrases are "couple of", "couple of large brown", "dozen", "several".
    "Row" in "a row boat" is no quantity, and neither is "some" in "some kind of
    animal". Numbers are read here for plurals and directly before living beings ("two
    zebra"): the graph of "two dogs next to each other" has two dogs and no number.
    """
    known, locatives = lexicon.quantities, lexicon.places.locatives
    for back, word in enumerate(reversed(before[-_LONGEST:]), 1):
        follows = before[len(before) - back + 1] if back > 1 else ""
        of = follows == "of"
        if word in known.exact and (of or word in ("dozen", "both")):
            number = known.exact[word]
            return Amount(number, number, "quantity")
        numbers = lexicon.aspects.of("count", [word])
        if numbers and not of and (tag in _PLURAL or (back == 1 and living)):
            [value] = numbers
            return Amount(int(value), int(value), "number")
        if word in known.group and (of or word == "few"):
            return Amount(3, None, "quantity")
        if word in known.several and start - back not in heads:
            is_mass = word in known.mass and tag not in _PLURAL
            return Amount(0 if is_mass else 2, None, "quantity")
        if word in known.ends or word in locatives or start - back in heads:
            return None
    return None
