"""Patterns: what a captioner does more often than people do to each other.

In: the scenes of a captioner. Out: `Pattern`s, those with the greatest excess first.

References cannot prove a single error, since nobody names everything. Over many images
they prove a habit, because they show how often people do the same: a captioner that
says "cat" in twenty captions where everybody else says "dog" has a habit if people
hardly ever do so.

The candidate and the k references of an image are k + 1 captions, each compared with
the k others, so that both sides have equally many captions to be compared with. Any of
the k + 1 may do a thing ("says cat, where two others say dog and none says cat"). If
the captioner were another person, each of those who do it would be the candidate with
the probability 1 / (k + 1). So the number of images on which the candidate does it has
a known distribution, given the numbers of captions that do it: a sum of independent
trials, whose upper tail is the exact p-value. The false discovery rate is controlled
over all rows that were tried.

Sources: Fisher 1935, The Design of Experiments (tests by exchangeability); Tarone 1990,
A modified Bonferroni method for discrete data (rows that never could be significant are
not tried; which ones depends on totals alone); Benjamini & Hochberg 1995.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from math import exp, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spicepy.diagnosis.captions.caption import Scene
from spicepy.diagnosis.captions.items import (
    ALL,
    ANY,
    NOTHING,
    Events,
    Item,
    Items,
    Key,
    said_by_references,
)
from spicepy.diagnosis.findings import (
    NUMBER_WORDS,
    OF_MANY,
    Pattern,
    PatternExample,
    PatternKind,
)
from spicepy.diagnosis.lexicon.aspects import Aspect, excludes
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.nouns import ABOUT_ONE_THING
from spicepy.evaluation.measured import LONGER
from spicepy.metrics.base import Array
from spicepy.metrics.significance import adjust
from spicepy.words.wordnet import load_wordnet

LEVEL: Final = 0.05
"""The share of false patterns among all, at most, as expected (false discovery)."""
_EXAMPLES: Final = 3
_ALIKE: Final = 0.6  # Minimum cosine at which two words may mean the same.
_POSSIBLE: Final = (
    1e-4  # Rows whose smallest possible p-value is greater are not tried.
)
_BY_CHANCE: Final = 0.01  # Of X for Y, given how often X is new and Y is left out
_MIN_CAPTIONS: Final = 5  # Rows with fewer captions that do it are not tried.
_MIN_PHRASE: Final = 8
_OF_WORDING: Final = ("verb", "word", "position", "phrase", "caption")
"""The categories of items that are ways of wording."""
_PART: Final = 0.8  # A phrase is not tried if this share of its captions say more.

# Exact tests.


@dataclass(frozen=True, eq=False)
class EventRow:
    """An event with its numbers.

    Attributes:
        key: The event.
        images: The numbers of the images on which any caption does it.
        done: The number of captions of each image that do it.
        own: Whether the candidate does it, for each image, 0 or 1.
        sizes: The number of captions of each image.
        p: The p-value.
    """

    key: Key
    images: NDArray[np.intp]
    done: NDArray[np.intp]
    own: NDArray[np.intp]
    sizes: NDArray[np.intp]
    p: float = 1.0

    def where(self, chosen: NDArray[np.bool_]) -> "EventRow":
        """Return the row with some of its images."""
        return EventRow(
            self.key,
            self.images[chosen],
            self.done[chosen],
            self.own[chosen],
            self.sizes[chosen],
        )

    @cached_property
    def expected(self) -> float:
        """On how many images a person does it: the mean of the references."""
        return float(((self.done - self.own) / (self.sizes - 1)).sum())

    @cached_property
    def excess(self) -> float:
        """On how many images more the candidate does it than people."""
        return float(self.own.sum()) - self.expected

    @cached_property
    def own_images(self) -> NDArray[np.intp]:
        """The images on which the candidate does it."""
        return self.images[self.own > 0]


def _rows(
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


def _lacking(row: EventRow) -> EventRow:
    """Return the row of the captions that do not say what another one says."""
    lacking = row.sizes - row.done
    key = "left out", NOTHING, row.key[1]
    every = EventRow(key, row.images, lacking, 1 - row.own, row.sizes)
    return every.where(lacking > 0)


def p_value(row: EventRow) -> float:
    """Return the probability that the candidate does it so often, 0-1.

    The candidate is one of those who do it, each with the same probability.
    """
    shares = Counter(zip(row.done.tolist(), row.sizes.tolist()))
    seen = int(row.own.sum())
    tail = np.ones(1)
    for (done, size), number in shares.items():
        tail = np.convolve(tail, _binomial(number, done / size))
    return float(min(1.0, tail[seen:].sum()))


def smallest_p(row: EventRow) -> float:
    """Return the p-value if the candidate did it on every image, 0-1."""
    return exp(float(np.log(row.done / row.sizes).sum()))


@lru_cache(4096)
def _binomial(number: int, share: float) -> Array:
    """Return the probabilities of 0, 1, … `number` successes."""
    if share >= 1:
        return np.concatenate((np.zeros(number), np.ones(1)))
    factorials = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, number + 1)))))
    n = np.arange(number + 1)
    ways = factorials[-1] - factorials - factorials[::-1]
    chances: Array = np.exp(ways + n * log(share) + (number - n) * log(1 - share))
    return chances


def find_patterns(
    scenes: Sequence[Scene],
    items: Sequence[Sequence[Items]],
    lexicon: Lexicon,
    said: Mapping[Item, list[int]] | None = None,
) -> tuple[Pattern, ...]:
    """Return what a captioner does more often than people, the greatest excess first.

    Args:
        scenes: The images.
        items: For each image, the items of the candidate, and then of each reference.
        lexicon: The words of the error analysis.
        said: What `said_by_references` returns, which is the same for all systems.
    """
    return Finder(scenes, items, lexicon, said or said_by_references(items)).patterns()


class Finder:
    """Finds the patterns of a captioner; see `find_patterns` for the arguments."""

    def __init__(
        self,
        scenes: Sequence[Scene],
        items: Sequence[Sequence[Items]],
        lexicon: Lexicon,
        said: Mapping[Item, list[int]],
    ) -> None:
        self.scenes, self.items, self.lexicon = scenes, items, lexicon
        self.said = said
        self.events = Events({}, defaultdict(list), [])
        for own in items:
            self.events.add(own)

    def patterns(self) -> tuple[Pattern, ...]:
        """Return the patterns."""
        tried = self.tried()
        ps = _adjusted([row.p for row in tried], len(tried))
        likely = [r for r, p in zip(tried, ps) if p <= LEVEL and r.excess > 0]
        # Rows about the same captions are one discovery, not several. One that is none
        # then stands for no others.
        while True:
            kept = folded(likely, len(self.scenes))
            ps = _adjusted([row.p for row in kept], len(tried))
            doubtful = {row.key for row, p in zip(kept, ps) if p > LEVEL}
            if not doubtful:
                break
            likely = [row for row in likely if row.key not in doubtful]
        found = [replace(row, p=p) for row, p in zip(kept, ps)]
        found.sort(key=lambda row: -row.excess)
        return tuple(map(self._pattern, found))

    def tried(self) -> list[EventRow]:
        """Return all rows that could be significant."""
        sizes = np.asarray(self.events.sizes, dtype=np.intp)
        said: dict[Key, list[int]] = {
            ("said", item, NOTHING): entries
            for item, entries in _distinct(self.said, self.events.said).items()
        }
        others = self.events.others.items()
        often = {key: own for key, own in others if len(own) >= _MIN_CAPTIONS}
        rows = list(_rows({**said, **often}, sizes))
        lacking = [
            _lacking(row)
            for row in rows[: len(said)]
            if row.key[1][0] not in ("phrase", "position", "caption")
        ]
        if self._are_long():  # Their wording cannot be compared, only what they show.
            rows = [row for row in rows[len(said) :] if not _is_wording(row.key)]
        rows += lacking
        tried = [row for row in rows if smallest_p(row) <= _POSSIBLE]
        tried.sort(key=lambda row: row.key)  # Sets have no order.
        return list(map(self._tested, tried))

    def _are_long(self) -> bool:
        """Return whether candidates are much longer than references, on average."""
        own = sum(len(s.candidate.words) for s in self.scenes)
        texts = [text for s in self.scenes for text in s.references]
        others = sum(len(text.words) for text in texts)
        return own / max(1, len(self.scenes)) >= others / max(1, len(texts)) + LONGER

    def _tested(self, row: EventRow) -> EventRow:
        """Return the row with its p-value, without what others say likewise.

        A captioner that says "individuals" where others say "people" invents nobody.
        """
        p, (name, said, expected) = p_value(row), row.key
        if p > LEVEL:
            return replace(row, p=p)
        if name in ("confused", "given") and self._is_by_chance(row):
            p = 1.0
        elif name == "confused":
            if said[0] in ("noun", "word"):
                rest = [
                    self._is_of_one_part(said, x, expected)
                    if said[0] == "word"
                    else not self._is_said_likewise(said, x, expected)
                    and not self._are_other_people(said, x, expected)
                    for x in row.images
                ]
                row = row.where(np.asarray(rest))
            is_one = self._is_same(said, expected)
            apart = is_one or self._are_apart(said, expected)
            apart = apart or self._is_verb(said) or self._is_verb(expected)
            p = 1.0 if apart else max(p, p_value(row))
        elif name in ("invented", "given"):
            rest = [not self._is_said_likewise(said, image) for image in row.images]
            row = row.where(np.asarray(rest))
            p = max(p, p_value(row))
        return replace(row, p=p)

    def _is_by_chance(self, row: EventRow) -> bool:
        """Return whether X for Y, or beside Y, is no more frequent than by chance.

        A captioner that says "metal" everywhere does not say it for "bench".
        """
        name, said, other = row.key
        about = {e >> 1 for e in self.said.get(other, ())}
        if name == "confused":
            about -= {e >> 1 for e in self.events.said.get(other, ())}
        new = self.events.others.get(("invented", said, NOTHING), [])
        number = sum(entry & 1 for entry in new)  # None of positions
        chances = _binomial(number, len(about) / max(1, len(self.scenes)))
        return bool(number and chances[int(row.own.sum()) :].sum() > _BY_CHANCE)

    def _are_apart(self, said: Item, expected: Item) -> bool:
        """Return whether one noun is for a person and the other one is not: a couch."""
        is_person = self.lexicon.nouns.is_person
        return said[0] == "noun" and is_person(said[1]) != is_person(expected[1])

    def _is_verb(self, noun: Item) -> bool:
        """Return whether a noun is a verb that the parser took for one: "a dog sit"."""
        category, word = noun
        known = category != "noun" or self.lexicon.nouns.is_known(word)
        return not known and bool(load_wordnet().base_forms(word, "v"))

    def _is_said_likewise(
        self, said: Item, image: int, expected: Item = NOTHING
    ) -> bool:
        """Return whether a caption of an image has another word for the same thing.

        A street is a road, whatever is missing beside it; a child is no other word for
        a girl where a boy is expected.
        """
        captions = [own.words for own in self.items[image] if said not in own.words]
        others = {o for words in captions for o in words if o[0] == said[0]}
        return any(
            self._is_related(said, other) and not self._is_related(expected, other)
            for other in others
        )

    def _is_of_one_part(self, said: Item, image: int, expected: Item) -> bool:
        """Return whether two words have one part of speech in an image's captions."""
        texts = (self.scenes[image].candidate, *self.scenes[image].references)
        one, other = (
            {t.parts[word] for t in texts if word in t.parts}
            for _, word in (said, expected)
        )
        return not (one and other) or not one.isdisjoint(other)

    def _are_other_people(self, said: Item, image: int, expected: Item) -> bool:
        """Return whether two nouns are for other people: "people" for the one man."""
        nouns, captions = self.lexicon.nouns, self.items[image]
        grade = nouns.grade(said[1], expected[1])
        if not nouns.is_person(said[1]) or grade not in (
            "more general",
            "more specific",
        ):
            return False
        single = [
            {
                number == 1
                for own in captions
                if item in own.words
                and (number := own.values.get(("count", "person"))) is not None
            }
            for item in (said, expected)
        ]
        if all(single) and single[0].isdisjoint(single[1]):
            return True
        # "People" is said where others tell a man from a woman.
        return grade == "more general" and any(
            self._are_two_people(expected[1], noun)
            for own in captions
            if expected in own.words
            for category, noun in own.words
            if category == "noun"
        )

    def _are_two_people(self, first: str, second: str) -> bool:
        """Return whether two nouns are for people of different gender or age."""
        nouns, people = self.lexicon.nouns, self.lexicon.people
        if not (nouns.is_person(first) and nouns.is_person(second)):
            return False
        return any(
            len({of(first, ()), of(second, ())} - {None}) > 1
            for of in (people.gender, people.age)
        )

    def _is_related(self, one: Item, other: Item) -> bool:
        """Return whether two words of a category may be about the same thing."""
        category, first, second = *one, other[1]
        if category == "noun":
            return self.lexicon.nouns.grade(first, second) in ABOUT_ONE_THING
        return self._is_same(one, other)

    def _is_same(self, one: Item, other: Item) -> bool:
        """Return whether two words of a category mean the same."""
        category, first, second = *one, other[1]
        if category == "noun":
            return self.lexicon.nouns.grade(first, second) == "same"
        if category in ("color", "size"):
            aspect: Aspect = "color" if category == "color" else "size"
            return not self.lexicon.aspects.contradict(aspect, first, second)
        if category in ("verb", "word"):
            alike = self.lexicon.activities.are_alike(first, second)
            return alike or self.lexicon.similarity.cosine(first, second) >= _ALIKE
        if category == "position":
            return second in first.split() or first in second.split()  # "on top of"
        return first == second

    def _kind(self, row: EventRow) -> PatternKind:
        """Return the kind of a pattern."""
        name, said, expected = row.key
        if name == "wrong":
            return _WRONG_KINDS[said[0]]
        if name != "confused":
            return _KINDS[name]
        if said[0] in _WRONG_KINDS:
            return _WRONG_KINDS[said[0]]
        if said[0] == "position":
            return self._kind_of_positions(said[1], expected[1])
        if said[0] != "noun":
            return "confused"
        return self._kind_of_nouns(said[1], expected[1])

    def _kind_of_positions(self, said: str, expected: str) -> PatternKind:
        """Return the kind: what is on top of a hill may be called "on" it as well."""
        sides = [self.lexicon.opposites.position(how) for how in (said, expected)]
        one, other = sides
        return (
            "confused" if one and other and excludes(one[0], other[0]) else "other word"
        )

    def _kind_of_nouns(self, said: str, expected: str) -> PatternKind:
        nouns = self.lexicon.nouns
        grade = nouns.grade(said, expected)
        if grade in ("more general", "more specific"):
            return "less specific" if grade == "more general" else "more specific"
        if nouns.is_person(said) and nouns.is_person(expected):
            apart = self._are_two_people(said, expected)
            return "confused" if apart else "other word"
        return "other word" if grade == "related" else "confused"

    def _pattern(self, row: EventRow) -> Pattern:
        name, said, other = row.key
        given = other[1] if name == "given" else ""
        expected = "" if name == "given" else _shown(other)
        ordered = self._clearest(row)
        ids = tuple(self.scenes[k].image_id for k in ordered)
        return Pattern(
            self._kind(row),
            self._word_of(said, ordered) or _shown(said),
            expected,
            given,
            len(ids),
            row.expected,
            row.p,
            ids,
            tuple(self._example(k, other) for k in ordered[:_EXAMPLES]),
        )

    def _word_of(self, said: Item, images: Sequence[int]) -> str:
        """Return the word for a value that candidates use most: "large" for "big"."""
        values = self.lexicon.aspects.values
        words = next((of for aspect, of in values.items() if aspect == said[0]), {})
        own = (w for k in images for w in self.scenes[k].candidate.words)
        used = Counter(word for word in own if words.get(word) == said[1])
        return used.most_common(1)[0][0] if used else ""

    def _clearest(self, row: EventRow) -> list[int]:
        """Return the candidate's images, those with the most references first.

        References count that have what is expected and not what is said.
        """
        _, said, other = row.key

        def references(image: int) -> int:
            own = self.items[image][1:]
            return sum(_has(o, other) - _has(o, said) for o in own)

        return sorted(row.own_images.tolist(), key=lambda k: -references(k))

    def _example(self, image: int, other: Item) -> PatternExample:
        scene = self.scenes[image]
        own = self.items[image][1:]
        best = next((n for n, o in enumerate(own) if _has(o, other)), 0)
        reference = scene.references[best].caption
        return PatternExample(scene.image_id, scene.candidate.caption, reference)


_KINDS: Final[Mapping[str, PatternKind]] = {
    "invented": "invented",
    "given": "invented",
    "left out": "missed",
    "said": "overused",
    "repeated": "repeated",
    "swapped": "wrong order",
}
_WRONG_KINDS: Final[Mapping[str, PatternKind]] = {
    "count": "wrong count",
    "color": "wrong color",
    "size": "wrong size",
    "material": "wrong material",
    "gender": "wrong gender",
    "age": "wrong age",
}


def _distinct(
    said: Mapping[Item, list[int]], own: Mapping[Item, list[int]]
) -> dict[Item, list[int]]:
    """Return the items that are frequent enough and not nearly part of another one.

    "Next to each" is left out if most captions that have it say "next to each other",
    and "tennis court" as a phrase if it is a noun: fewer rows are tried, by the numbers
    of all captions together.

    Args:
        said: Item -> its entries of references.
        own: Item -> its entries of candidates.
    """
    kept: dict[Item, list[int]] = {}
    frequent = (i for i, entries in said.items() if len(entries) >= _MIN_CAPTIONS)
    for item in dict.fromkeys(chain(frequent, own)):  # Others are too rare anyway.
        of_people, of_candidate = said.get(item, ()), own.get(item, ())
        least = _MIN_PHRASE if item[0] == "phrase" else _MIN_CAPTIONS
        if len(of_people) + len(of_candidate) >= least:
            kept[item] = [*of_people, *of_candidate]
    longer: dict[str, int] = {}
    for (category, text), entries in kept.items():
        several = (text.partition(" ")[2], text.rpartition(" ")[0])
        for part in several if category == "phrase" else (text,):
            longer[part] = max(longer.get(part, 0), len(entries))
    return {
        item: entries
        for item, entries in kept.items()
        if item[0] != "phrase" or longer.get(item[1], 0) < _PART * len(entries)
    }


def _adjusted(ps: Sequence[float], tried: int) -> list[float]:
    """Return p-values adjusted for the number of rows that were tried."""
    every = [*ps, *[1.0] * (tried - len(ps))]
    adjusted = adjust(every, "benjamini-hochberg") if every else ()
    return [float(p) for p in adjusted[: len(ps)]]


def _is_wording(key: Key) -> bool:
    """Return whether an event depends on how long captions are."""
    name, (category, _), _ = key
    return category in _OF_WORDING or (name, category) == ("repeated", ANY)


def _has(own: Items, item: Item) -> bool:
    return item in own.words or item in own.others


def _shown(item: Item) -> str:
    """Return an item as text: "two", "any color", "any food"."""
    category, text = item
    if category == "sort":
        return f"any {text}"
    if category == ANY:
        return OF_MANY.get(text, f"any {text}")
    noun, _, number = text.rpartition(": ")
    if category == "count" and number.isdecimal() and int(number) < len(NUMBER_WORDS):
        text = NUMBER_WORDS[int(number)]
    return f"{text} ({noun})" if noun and category == "count" else text


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
    """Return one row of those that tell of the same captions.

    Args:
        rows: Significant rows.
        images: The number of all images.
    """
    told = np.zeros((1, images), dtype=np.bool_)  # row 0: of all rows that are kept
    excesses = np.zeros(1)
    kept: list[EventRow] = []
    for row in sorted(rows, key=_order):
        first = 0 if _is_general(row) and kept else 1
        if not _is_explained(row, told[first:], excesses[first:]):
            own = np.zeros((1, images), dtype=np.bool_)
            own[0, row.own_images] = True
            told, excesses = np.vstack([told, own]), np.append(excesses, row.excess)
            told[0] |= own[0]
            excesses[0] += row.excess
            kept.append(row)
    return kept


def _order(row: EventRow) -> tuple[bool, int, float]:
    """Return the sort key of a row: X for Y first; by excess, less if it is usual."""
    # One caption for many images explains whatever is wrong in it.
    excess = row.excess
    clear = excess / row.own.sum()
    has_other = row.key[0] in ("confused", "wrong", "swapped")
    first = 0 if row.key[1][0] == "caption" else 1 if has_other else 2
    return _is_general(row), first, -excess * clear * _SAYS_MORE[row.key[0]]


def _is_general(row: EventRow) -> bool:
    """Return whether a row is about many words: any color, clothing."""
    name, said, other = row.key
    if name == "left out":
        return other[0] == "sort" or other == ALL
    return not {ANY, "sort"}.isdisjoint((said[0], other[0])) or said[1:] == ("",)


def _is_explained(row: EventRow, told: NDArray[np.bool_], excesses: Array) -> bool:
    """Return whether rows that are kept tell of the same captions as another.

    Of the images that both have, those are taken off the other row's excess that are
    more than by chance, by a standard deviation, and that are too many for people:
    what a captioner does on nearly every image explains nothing.

    Args:
        row: The other row.
        told: For each row that is kept, whether it is of an image.
        excesses: How many of its images are too many.
    """
    numbers, own = told.sum(axis=1), len(row.own_images)
    share = numbers / told.shape[1]
    by_chance = own * share + np.sqrt(own * share * (1 - share))
    both = told[:, row.own_images].sum(axis=1) - by_chance
    both = both / np.maximum(1 - share, _MIN_P) * np.minimum(1.0, excesses / numbers)
    part = _LEFT_OF_GENERAL if _is_general(row) else _LEFT
    return bool((row.excess - both < part * row.excess).any())
