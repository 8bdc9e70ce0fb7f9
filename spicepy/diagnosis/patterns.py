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
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from math import exp, log
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from spicepy.captions.sample import ImageId
from spicepy.diagnosis.captions.caption import Scene
from spicepy.diagnosis.captions.items import ANY, Item, Items
from spicepy.diagnosis.lexicon.aspects import Aspect, Value, excludes
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.nouns import ABOUT_ONE_THING
from spicepy.evaluation.measured import LONGER
from spicepy.metrics.base import Array
from spicepy.metrics.significance import adjust, wilson

LEVEL: Final = 0.05
"""The share of false patterns among all, at most, as expected (false discovery)."""
_EXAMPLES: Final = 3
_ALIKE: Final = 0.6  # Minimum cosine at which two words may mean the same.
_POSSIBLE: Final = (
    1e-4  # Rows whose smallest possible p-value is greater are not tried.
)
_MIN_CAPTIONS: Final = 5  # Rows with fewer captions that do it are not tried.
_MIN_PHRASE: Final = 8
_PART: Final = 0.8  # A phrase is not tried if this share of its captions say more.

PatternKind = Literal[
    "confused",
    "less specific",
    "more specific",
    "other word",
    "invented",
    "missed",
    "overused",
    "repeated",
    "wrong order",
    "wrong count",
    "wrong color",
    "wrong size",
    "wrong material",
    "wrong gender",
    "wrong age",
]


_FOR: Final = frozenset(get_args(PatternKind)) - {
    *("invented", "missed", "overused", "repeated", "wrong order"),
}
"""The kinds of patterns that say one thing for another."""
_WORDING: Final = frozenset(("other word", "overused", "missed"))
"""The kinds of patterns that are ways of wording, and no errors."""
_OF_WORDING: Final = ("verb", "word", "position", "phrase")
"""The categories of items that are ways of wording."""


@dataclass(frozen=True, slots=True)
class PatternExample:
    """A caption with a pattern.

    Attributes:
        image_id: The image.
        caption: The candidate.
        reference: A reference that shows what is expected.
    """

    image_id: ImageId
    caption: str
    reference: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """On how many images of a pattern annotated objects agree that it is an error.

    Attributes:
        images: The number of images on which they do.
        judged: The number of images on which they can tell.
    """

    images: int
    judged: int

    def __str__(self) -> str:
        """Return the share with its 95 % interval (Wilson): "8 of 10 (.49-.94)"."""
        low, high = wilson(self.images, self.judged) or (0.0, 1.0)
        ends = "-".join(f"{end:.2f}".removeprefix("0") for end in (low, high))
        return f"{self.images} of {self.judged} ({ends})"


def _quoted(text: str) -> str:
    """Return a word in quotation marks; what stands for many words has none."""
    return text if text.startswith(("any ", "a ")) else f'"{text}"'


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a captioner does more often than people.

    Attributes:
        kind: What it does.
        said: The word, value or phrase that it says; "" if it leaves something out.
        expected: The word or value that the references have instead; "" without one.
        given: What the references say of these images; "" if there is no condition.
        images: The number of images on which the candidate does it.
        expected_images: The number of images on which a person would do it: the mean of
            the references.
        p: The exact p-value, adjusted for all rows that were tried, 0-1.
        image_ids: These images, the clearest first.
        examples: The first of them.
        agreement: What annotated objects say of it; None if they say nothing.
    """

    kind: PatternKind
    said: str
    expected: str
    given: str
    images: int
    expected_images: float
    p: float
    image_ids: tuple[ImageId, ...]
    examples: tuple[PatternExample, ...]
    agreement: Agreement | None = None

    @property
    def excess(self) -> float:
        """How many images more than people."""
        return self.images - self.expected_images

    @property
    def text(self) -> str:
        """What the captioner does, as the end of a sentence."""
        said, expected = map(_quoted, (self.said, self.expected))
        if self.kind in _FOR:
            if not self.said:
                kind = self.kind.replace("count", "number").replace("color", "colour")
                return f"gives a {kind}"
            return f"says {said} for {expected}"
        if self.kind == "invented":
            given = f' where the references have "{self.given}"'
            return f"says {said}{given if self.given else ' where no reference does'}"
        if self.kind == "missed":
            return f"leaves out {expected}"
        if self.kind == "overused":
            return f"says {said} too often"
        if self.kind == "repeated":
            return f"says {said} twice"
        return f"has {said} the other way round"


def strongest(patterns: Sequence[Pattern], most: int | None) -> Sequence[Pattern]:
    """Return at most so many patterns, half of them errors if there are enough.

    Args:
        patterns: Patterns, the greatest excess first.
        most: The maximum number; None for all.
    """
    if most is None or len(patterns) <= most:
        return patterns
    errors = [p for p in patterns if _is_error(p)][: (most + 1) // 2]
    others = [p for p in patterns if p not in errors]
    return [*errors, *others[: most - len(errors)]]


def _is_error(pattern: Pattern) -> bool:
    """Return whether a pattern is an error; "a group" for two is a way of wording."""
    if pattern.kind == "wrong count" and pattern.expected != "one":
        number = pattern.said.partition(" ")[0]
        return not number or number in _NUMBERS or number.isdecimal()
    return pattern.kind not in _WORDING


# Events: what the captions of an image do.

Key = tuple[str, Item, Item]
"""An event: its name, what is said, and what is expected or given."""
_NOTHING: Final[Item] = ("", "")
_ALL: Final[Item] = (ANY, "named by all")
_INVENTING: Final = (
    *("noun", "verb", "word", "position", "count", "color", "size", "material"),
)


@dataclass(slots=True)
class Events:
    """The events of all images.

    An entry of a list is a caption that does a thing: twice the number of the image,
    plus one for the candidate.

    Attributes:
        said: Item -> its entries of candidates.
        others: Event -> its entries.
        sizes: For each image, the number of its captions, candidate and references.
    """

    said: dict[Item, list[int]]
    others: dict[Key, list[int]]
    sizes: list[int]

    def add(self, items: Sequence[Items]) -> None:
        """Add the events of an image.

        Args:
            items: What the candidate says, and then what each reference says.
        """
        image = len(self.sizes)
        self.sizes.append(len(items))
        if len(items) < 2:  # There is nothing to compare the candidate with.
            return
        lists = self.others
        for item in (*items[0].words, *items[0].others):
            self.said.setdefault(item, []).append(2 * image + 1)
        words = Counter(chain.from_iterable(own.words for own in items))
        most = (len(items) + 1) // 2
        new = {i for i, n in words.items() if n == 1 and i[0] in _INVENTING}
        usual = [i for i, n in words.items() if n > most and i[0] == "noun"]
        every = [i for i, n in words.items() if n == len(items) - 1]
        for number, own in enumerate(items):
            entry = 2 * image + (number == 0)
            for key in _new(own, own.words & new, words, usual):
                lists[key].append(entry)
            for item in own.repeated:
                lists["repeated", item, _NOTHING].append(entry)
            if not own.words.issuperset(every):
                lists["left out", _NOTHING, _ALL].append(entry)
        for number, key in {*_wrong(items), *_swapped(items)}:
            lists[key].append(2 * image + (number == 0))


def said_by_references(items: Sequence[Sequence[Items]]) -> dict[Item, list[int]]:
    """Return item -> the entries of references that say it; see `Events`.

    Args:
        items: For each image, what the candidate says, and then each reference.
    """
    said: defaultdict[Item, list[int]] = defaultdict(list)
    for image, (_, *references) in enumerate(items):
        for own in references:
            for item in (*own.words, *own.others):
                said[item].append(2 * image)
    return dict(said)


def _new(
    own: Items, new: Set[Item], words: Iterable[Item], usual: Sequence[Item]
) -> Iterator[Key]:
    """Yield what a caption says and no other one, for what, and given what.

    Args:
        own: What the caption says.
        new: The items that no other caption of the image has.
        words: The items of all captions of the image.
        usual: The nouns that most of them say.
    """
    if not new:
        return
    missing: dict[str, list[Item]] = {}
    for item in words:
        if item not in own.words:
            missing.setdefault(item[0], []).append(item)
    for item in new:
        if item[0] != "position":  # Few positions contradict what others say.
            yield "invented", item, _NOTHING
        for other in missing.get(item[0], ()):
            yield "confused", item, other
        if item[0] in ("noun", "verb"):
            for other in usual:
                yield "given", item, other


def _wrong(items: Sequence[Items]) -> Iterator[tuple[int, Key]]:
    """Yield the values that contradict all others, alone and with their nouns.

    "Several" may stand for a number that others give, but a number is no error where
    others say "several".

    Yields:
        The number of the caption with the value, and the event.
    """
    given: dict[tuple[Aspect, str], list[tuple[int, Value]]] = {}
    for number, own in enumerate(items):
        for about, value in own.values.items():
            given.setdefault(about, []).append((number, value))
    for (aspect, noun), values in given.items():
        for number, value in values if len({v for _, v in values}) > 1 else ():
            said = [other for n, other in values if n != number]
            if aspect == "count":
                said = [other for other in said if isinstance(other, int)]
            if not said or value in said:
                continue
            [(meant, _)] = Counter(said).most_common(1)
            one, other = (aspect, str(value)), (aspect, str(meant))
            yield number, ("wrong", one, other)
            if aspect == "count" and isinstance(value, str):
                continue
            yield number, ("wrong", (aspect, ""), _NOTHING)
            if noun != "person":
                yield number, ("wrong", (aspect, f"{noun}: {value}"), other)


def _swapped(items: Sequence[Items]) -> Iterator[tuple[int, Key]]:
    """Yield relations that others have the other way round, as `_wrong` does."""
    every = frozenset[tuple[str, str, str]]().union(*(own.relations for own in items))
    turned = {(how, b, a) for how, a, b in every if (how, b, a) in every}
    for number, own in enumerate(items) if turned else ():
        others = [*items[:number], *items[number + 1 :]]
        for relation in own.relations & turned:
            how, first, second = relation
            if any((how, second, first) in o.relations for o in others):
                yield number, ("swapped", ("relation", how), _NOTHING)
                yield number, ("swapped", (ANY, "relation"), _NOTHING)


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
    key = "left out", _NOTHING, row.key[1]
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
        items: For each image, what the candidate says, and then each reference.
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
            ("said", item, _NOTHING): entries
            for item, entries in _distinct(self.said, self.events.said).items()
        }
        others = self.events.others.items()
        often = {key: own for key, own in others if len(own) >= _MIN_CAPTIONS}
        rows = list(_rows({**said, **often}, sizes))
        lacking = [
            _lacking(row)
            for row in rows[: len(said)]
            if row.key[1][0] not in ("phrase", "position")
        ]
        if self._are_long():  # Their wording cannot be compared, only what they show.
            rows = [row for row in rows[len(said) :] if not _is_wording(row.key)]
        rows += lacking
        tried = [row for row in rows if smallest_p(row) <= _POSSIBLE]
        tried.sort(key=lambda row: row.key)  # Sets have no order.
        return [replace(row, p=self._p(row)) for row in tried]

    def _are_long(self) -> bool:
        """Return whether candidates are much longer than references, on average."""
        own = sum(len(s.candidate.words) for s in self.scenes)
        texts = [text for s in self.scenes for text in s.references]
        others = sum(len(text.words) for text in texts)
        return own / max(1, len(self.scenes)) >= others / max(1, len(texts)) + LONGER

    def _p(self, row: EventRow) -> float:
        """Return the p-value; what others say likewise is not invented."""
        p = p_value(row)
        name, said, expected = row.key
        if p > LEVEL:
            return p
        if name == "confused":
            return 1.0 if self._is_same(said, expected) else p
        if name not in ("invented", "given"):
            return p
        rest = [not self._is_said_likewise(said, image) for image in row.images]
        return max(p, p_value(row.where(np.asarray(rest))))

    def _is_said_likewise(self, said: Item, image: int) -> bool:
        """Return whether a caption of an image has another word for the same thing."""
        captions = [own.words for own in self.items[image] if said not in own.words]
        others = {o for words in captions for o in words if o[0] == said[0]}
        return any(self._is_related(said, other) for other in others)

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
        nouns, people = self.lexicon.nouns, self.lexicon.people
        grade = nouns.grade(said, expected)
        if grade in ("more general", "more specific"):
            return "less specific" if grade == "more general" else "more specific"
        if nouns.is_person(said) and nouns.is_person(expected):
            genders = {people.gender(said, ()), people.gender(expected, ())} - {None}
            ages = {people.age(said, ()), people.age(expected, ())} - {None}
            return "confused" if len(genders) > 1 or len(ages) > 1 else "other word"
        return "other word" if grade == "related" else "confused"

    def _pattern(self, row: EventRow) -> Pattern:
        name, said, other = row.key
        given = other[1] if name == "given" else ""
        expected = "" if name == "given" else _shown(other)
        ordered = self._clearest(row)
        ids = tuple(self.scenes[k].image_id for k in ordered)
        return Pattern(
            self._kind(row),
            _shown(said),
            expected,
            given,
            len(ids),
            row.expected,
            row.p,
            ids,
            tuple(self._example(k, other) for k in ordered[:_EXAMPLES]),
        )

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
_NUMBERS: Final = ("none", "one", "two", "three", "four", "five", "six")
_ANY: Final = {
    **{"count": "any number", "noun": "a thing", "phrase": "a phrase"},
    "longer phrase": "a longer phrase",
    "named by all": "a thing that all others name",
    **{"word in a row": "a word in a row", "second thing": "a second thing"},
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
        return _ANY.get(text, f"any {text}")
    noun, _, number = text.rpartition(": ")
    if category == "count" and number.isdecimal() and int(number) < len(_NUMBERS):
        text = _NUMBERS[int(number)]
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


def _order(row: EventRow) -> tuple[bool, bool, float]:
    """Return the sort key of a row: X for Y first; by excess, less if it is usual."""
    excess = row.excess
    clear = excess / row.own.sum()
    has_other = row.key[0] in ("confused", "wrong", "swapped")
    return _is_general(row), not has_other, -excess * clear * _SAYS_MORE[row.key[0]]


def _is_general(row: EventRow) -> bool:
    """Return whether a row is about many words: any color, clothing."""
    name, said, other = row.key
    if name == "left out":
        return other[0] == "sort" or other == _ALL
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
