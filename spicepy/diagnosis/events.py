"""Events: what the captions of an image do beside each other, and exact tests of them.

In: the `Items` of the captions of all images. Out: `Events`, and for each event an
`EventRow` with its p-value.

The candidate and the k references of an image are k + 1 captions, each compared with
the k others, so that both sides have equally many captions to be compared with. Any of
the k + 1 may do a thing ("says cat, where two others say dog and none says cat"). If
the captioner were another person, each of those who do it would be the candidate with
the probability 1 / (k + 1). So the number of images on which the candidate does it has
a known distribution, given the numbers of captions that do it: a sum of independent
trials, whose upper tail is the exact p-value.

Sources: Fisher 1935, The Design of Experiments (tests by exchangeability); Tarone 1990,
A modified Bonferroni method for discrete data (rows that never could be significant are
not tried; which ones depends on totals alone).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from math import exp, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spicepy.diagnosis.captions.items import ANY, Item, Items
from spicepy.diagnosis.lexicon.aspects import Aspect, Value
from spicepy.metrics.base import Array

Key = tuple[str, Item, Item]
"""An event: its name, what is said, and what is expected or given."""
NOTHING: Final[Item] = ("", "")
ALL: Final[Item] = (ANY, "named by all")


@dataclass(slots=True)
class Events:
    """The events of all images."""

    # An entry of a list is a caption that does a thing: twice the number of the image,
    # plus one for the candidate.
    # Item -> its entries of candidates
    said: defaultdict[Item, list[int]] = field(
        default_factory=lambda: defaultdict(list)
    )
    # Event -> its entries
    others: defaultdict[Key, list[int]] = field(
        default_factory=lambda: defaultdict(list)
    )
    # For each image, the number of its captions, candidate and references.
    sizes: list[int] = field(default_factory=list)

    def add(self, items: Sequence[Items]) -> None:
        """Add the events of an image, by the items of candidate and references."""
        image = len(self.sizes)
        self.sizes.append(len(items))
        if len(items) < 2:  # There is nothing to compare the candidate with.
            return
        lists = self.others
        for item in (*items[0].words, *items[0].others):
            self.said[item].append(2 * image + 1)
        words = Counter(chain.from_iterable(own.words for own in items))
        most = (len(items) + 1) // 2
        # "Street" is no invention where others have a street light.
        parts = {w for c, text in words if c == "noun" for w in text.split(" ")[:-1]}
        new = {
            item
            for item, number in words.items()
            if number == 1 and (item[0] != "noun" or item[1] not in parts)
        }
        usual = [i for i, n in words.items() if n > most and i[0] == "noun"]
        every = [i for i, n in words.items() if n == len(items) - 1]
        placed = _by_position(items)
        for number, own in enumerate(items):
            entry = 2 * image + (number == 0)
            for key in _new(own, own.words & new, words, usual, placed):
                lists[key].append(entry)
            for item in own.repeated:
                lists["repeated", item, NOTHING].append(entry)
            if not own.words.issuperset(every):
                lists["left out", NOTHING, ALL].append(entry)
        for number, key in {*_wrong(items), *_swapped(items)}:
            lists[key].append(2 * image + (number == 0))


def said_by_references(items: Sequence[Sequence[Items]]) -> dict[Item, list[int]]:
    """Return item -> the entries of references that say it; see `Events`."""
    # `items` are those of the candidate and of each reference, for each image.
    said: defaultdict[Item, list[int]] = defaultdict(list)
    for image, (_, *references) in enumerate(items):
        for own in references:
            for item in (*own.words, *own.others):
                said[item].append(2 * image)
    return dict(said)


def _by_position(items: Sequence[Items]) -> dict[str, set[str]]:
    """Return position -> the nouns of the places that captions give with it."""
    placed: dict[str, set[str]] = {}
    for own in items:
        for how, noun in own.placed:
            placed.setdefault(how, set()).add(noun)
    return placed


def _new(
    own: Items,
    new: Set[Item],
    words: Iterable[Item],
    usual: Sequence[Item],
    placed: Mapping[str, Set[str]],
) -> Iterator[Key]:
    """Yield what a caption says and no other one, for what, and given what."""
    # `own` are its items and `new` those that no other caption has, `words` those of
    # all captions of the image, and `usual` the nouns that most of them say. `placed`
    # has the places of positions: "on a hill" is not said for "in a tree".
    if not new:
        return
    missing: dict[str, list[Item]] = {}
    for item in words:
        if item not in own.words:
            missing.setdefault(item[0], []).append(item)
    for item in new:
        if item[0] != "position":  # Few positions contradict what others say.
            yield "invented", item, NOTHING
        places = placed.get(item[1], frozenset())
        for other in missing.get(item[0], ()):
            if item[0] != "position" or places & placed.get(other[1], frozenset()):
                yield "confused", item, other
        if item[0] in ("noun", "verb"):
            for other in usual:
                yield "given", item, other


def _wrong(items: Sequence[Items]) -> Iterator[tuple[int, Key]]:
    """Yield the values that contradict all others, each with its caption's number."""
    # "A group" may stand for a number that others give, unless one of them says so too
    # or "people" beside the one woman of others. A number greater than those of others
    # is no error where one of them says "several" or "people".
    given: dict[tuple[Aspect, str], list[tuple[int, Value]]] = {}
    for number, own in enumerate(items):
        for about, value in own.values.items():
            given.setdefault(about, []).append((number, value))
    for (aspect, noun), values in given.items():
        for number, value in values if len({v for _, v in values}) > 1 else ():
            said = [other for n, other in values if n != number]
            if aspect == "count":
                if _is_open(noun, value, number, items, said):
                    continue
                said = [other for other in said if isinstance(other, int)]
            if not said or value in said:
                continue
            [(meant, _)] = Counter(said).most_common(1)
            one, other = (aspect, str(value)), (aspect, str(meant))
            yield number, ("wrong", one, other)
            if aspect == "count" and isinstance(value, str):
                continue
            yield number, ("wrong", (aspect, ""), NOTHING)
            if noun != "person":
                yield number, ("wrong", (aspect, f"{noun}: {value}"), other)


def _is_open(
    noun: str,
    value: Value,
    number: int,
    items: Sequence[Items],
    said: Sequence[Value],
) -> bool:
    """Return whether other captions leave open how many there are."""
    others = (*items[:number], *items[number + 1 :])
    is_open = any(own.amounts.get(noun, 0) is None for own in others)
    if isinstance(value, int):
        return is_open and all(value > n for n in said if isinstance(n, int))
    # A "several" is open if others say "several", too, or "people" beside those who
    # have one. People are counted together: "a group of men", "people".
    if noun not in items[number].amounts or any(isinstance(v, str) for v in said):
        return True
    return 1 in said and is_open


def most_contradicting(candidate: Items, others: Sequence[Items], aspect: str) -> int:
    """Return how many captions give the noun that most contradict another value."""
    return max(
        (
            sum(own.values.get(about, value) != value for own in others)
            for about, value in candidate.values.items()
            if about[0] == aspect
        ),
        default=0,
    )


def _swapped(items: Sequence[Items]) -> Iterator[tuple[int, Key]]:
    """Yield relations that others have the other way round, as `_wrong` does."""
    every = frozenset[tuple[str, str, str]]().union(*(own.relations for own in items))
    turned = {(how, b, a) for how, a, b in every if (how, b, a) in every}
    for number, own in enumerate(items) if turned else ():
        others = [*items[:number], *items[number + 1 :]]
        for relation in own.relations & turned:
            how, first, second = relation
            if any((how, second, first) in o.relations for o in others):
                yield number, ("swapped", ("relation", how), NOTHING)
                yield number, ("swapped", (ANY, "relation"), NOTHING)


# Exact tests.


@dataclass(frozen=True, eq=False)
class EventRow:
    """An event with its numbers."""

    key: Key  # The event
    images: NDArray[np.intp]  # The numbers of the images on which any caption does it
    done: NDArray[np.intp]  # The number of captions of each image that do it
    own: NDArray[np.intp]  # Whether the candidate does it, for each image, 0 or 1
    sizes: NDArray[np.intp]  # The number of captions of each image
    p: float = 1.0  # The p-value

    def where(self, chosen: NDArray[np.bool_]) -> "EventRow":
        """Return the row with some of its images."""
        images, done, own, sizes = (
            numbers[chosen]
            for numbers in (self.images, self.done, self.own, self.sizes)
        )
        return EventRow(self.key, images, done, own, sizes)

    @cached_property
    def expected(self) -> float:
        """On how many images a person does it: the mean of the references."""
        return float(((self.done - self.own) / (self.sizes - 1)).sum())

    @cached_property
    def excess(self) -> float:
        """On how many images more the candidate does it than people."""
        return float(self.own.sum()) - self.expected

    @property
    def own_images(self) -> NDArray[np.intp]:
        """The images on which the candidate does it."""
        return self.images[self.own > 0]


def event_rows(
    events: Mapping[Key, Sequence[int]], sizes: NDArray[np.intp]
) -> Iterator[EventRow]:
    """Yield the row of each event from its entries (see `Events`), all in one go."""
    lengths = [len(entries) for entries in events.values()]
    span = 2 * len(sizes)  # The entries of the first row, then those of the second …
    numbers = np.repeat(np.arange(len(lengths), dtype=np.intp), lengths) * span
    found = np.fromiter(chain.from_iterable(events.values()), np.intp, sum(lengths))
    found = np.sort(found + numbers)
    ends = np.flatnonzero(np.diff(found >> 1, append=-1))
    done = np.diff(ends, prepend=-1)
    found = found[ends]  # The candidate is the last one of its image.
    images, own = found % max(span, 1) >> 1, found & 1
    parts = np.searchsorted(found, np.arange(len(lengths) + 1) * span)
    for key, start, end in zip(events, parts, parts[1:]):
        at = slice(start, end)
        yield EventRow(key, images[at], done[at], own[at], sizes[images[at]])


def lacking(row: EventRow) -> EventRow:
    """Return the row of the captions that do not say what another one says."""
    others = row.sizes - row.done
    key = "left out", NOTHING, row.key[1]
    every = EventRow(key, row.images, others, 1 - row.own, row.sizes)
    return every.where(others > 0)


def p_value(row: EventRow) -> float:
    """Return the probability that the candidate does it so often, 0-1.

    The candidate is one of those who do it, each with the same probability.
    """
    shares = Counter(zip(row.done.tolist(), row.sizes.tolist()))
    seen = int(row.own.sum())
    tail = np.ones(1)
    for (done, size), number in shares.items():
        tail = np.convolve(tail, binomial(number, done / size))
    return float(min(1.0, tail[seen:].sum()))


def smallest_p(row: EventRow) -> float:
    """Return the p-value if the candidate did it on every image, 0-1."""
    return exp(float(np.log(row.done / row.sizes).sum()))


@lru_cache(4096)
def binomial(number: int, share: float) -> Array:
    """Return the probabilities of 0, 1, … `number` successes."""
    if share >= 1:
        return np.concatenate((np.zeros(number), np.ones(1)))
    factorials = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, number + 1)))))
    n = np.arange(number + 1)
    ways = factorials[-1] - factorials - factorials[::-1]
    chances: Array = np.exp(ways + n * log(share) + (number - n) * log(1 - share))
    return chances


# Folding: rows that tell of the same captions.
#
# A captioner that says "cat" for dog also invents cats and misses dogs. Of such rows
# the one that says most is kept: a row goes if a row that is kept explains half of its
# excess.

_SAYS_MORE: Final = {
    **{"confused": 3.0, "wrong": 2.5, "swapped": 2.5, "given": 2.0, "repeated": 1.5},
    **{"invented": 1.4, "left out": 1.1, "said": 1.0},
}
"""How much an event explains: a row may stand for others with this many times its
excess."""
_LEFT: Final = 0.5
_LEFT_OF_GENERAL: Final = 0.7
_MIN_P: Final = 1e-9


def folded(rows: Iterable[EventRow], images: int) -> list[EventRow]:
    """Return one of the significant rows that tell of the same captions."""
    told = np.zeros((1, images), dtype=np.bool_)  # row 0: of all rows that are kept
    excesses = np.zeros(1)
    kept: list[EventRow] = []
    for row in sorted(rows, key=_order):
        first = 0 if _is_general(row) and kept else 1
        alike = np.array([False, *(_are_about_one_word(row, other) for other in kept)])
        if not _is_explained(row, told[first:], excesses[first:], alike[first:]):
            own = np.zeros((1, images), dtype=np.bool_)
            own[0, row.own_images] = True
            told, excesses = np.vstack([told, own]), np.append(excesses, row.excess)
            told[0] |= own[0]
            excesses[0] += row.excess
            kept.append(row)
    return kept


def _order(row: EventRow) -> tuple[bool, int, float, int]:
    """Return the sort key of a row: X for Y first; by excess, less if it is usual."""
    # One caption for many images explains whatever is wrong in it.
    excess = row.excess
    clear = excess / row.own.sum()
    has_other = row.key[0] in ("confused", "wrong", "swapped")
    first = 0 if row.key[1][0] == "caption" else 1 if has_other else 2
    strength = excess * clear * _SAYS_MORE[row.key[0]]
    return _is_general(row), first, -strength, len(row.key[1][1])  # Not "car: mauve"


def _is_general(row: EventRow) -> bool:
    """Return whether a row is about many words: any color, clothing."""
    name, said, other = row.key
    if name == "left out":
        return other[0] == "sort" or other == ALL
    return not {ANY, "sort"}.isdisjoint((said[0], other[0])) or said[1:] == ("",)


def _are_about_one_word(row: EventRow, kept: EventRow) -> bool:
    """Return whether rows are about one word: "mauve", "a mauve car", "any color"."""
    (name, said, other), about = row.key, kept.key[1:]
    own = [f" {text} " for _, text in (said, other) if text]
    words = [f" {text} " for _, text in about if text]
    if any(one in text or text in one for one in own for text in words):
        return True
    leaves_out = other == ALL and kept.key[2] != NOTHING
    return leaves_out or (name, said) == (kept.key[0], (about[0][0], ""))


def _is_explained(
    row: EventRow,
    told: NDArray[np.bool_],
    excesses: Array,
    alike: NDArray[np.bool_],
) -> bool:
    """Return whether rows that are kept tell of the same captions as another."""
    # Of the images that both have, those are taken off the other row's excess that are
    # more than by chance, by a standard deviation, and that are too many for people:
    # what a captioner does on nearly every image explains nothing. No image of both is
    # by chance if they are about one word (`alike`). `told` has for each row that is
    # kept whether it is of an image, `excesses` how many are too many.
    numbers, own = told.sum(axis=1), len(row.own_images)
    share, too_many = numbers / told.shape[1], np.minimum(1.0, excesses / numbers)
    by_chance = own * share + np.sqrt(own * share * (1 - share))
    both = told[:, row.own_images].sum(axis=1) * too_many
    more = (both - by_chance * too_many) / np.maximum(1 - share, _MIN_P)
    part = _LEFT_OF_GENERAL if _is_general(row) else _LEFT
    is_one_word = alike & (both > part * own)
    return bool((is_one_word | (row.excess - more < part * row.excess)).any())
