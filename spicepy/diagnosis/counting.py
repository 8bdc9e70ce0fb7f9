"""Can it count? How often a captioner gives numbers, and how often they are right.

In: what the captions of each image say. Out: a `CountingSummary` of the candidates and
one of people, by one definition:

* **What people count** are the things to which two of the references that the caption
  is compared with (all, if there are fewer) give a number in words or digits from two
  on. What the caption itself says has no part in it.
* A caption gives a number if it does so in words or digits, or says one by an article.
  It is right if one of these references gives the same number.
* **Single things** are those of which two references say one and none says another
  number. They are not counted by people; two or more for one is told beside.

A reference is compared with the other references of its image, and the candidate with
the same ones: for each reference once, all with the same weight, so that both have
equally many to be compared with and people's shares are the same for all systems.
The observations of numbers, on which tables, figures and the report rest, are these.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum
from typing import Final

from spicepy.captions.sample import ImageId
from spicepy.common.errors import counted
from spicepy.common.tables import Cells, Table
from spicepy.diagnosis.captions.items import Items
from spicepy.diagnosis.findings import Observation, Verdict
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.nouns import ABOUT_ONE_THING
from spicepy.metrics.significance import share_difference, wilson

_ENOUGH: Final = 2
_MIN_MULTIPLIED: Final = 0.05  # The share of single things at which the verdict tells.
_OFTEN: Final = ("rarely", "less often", "about as often", "more often")
_WELL: Final = ("poorly", "less well", "as well", "better")
_ALIKE: Final = 0.9  # A share is like another if it is at least this part of it.
_FEW: Final = 10  # With this many numbers, the greatest one says something.


@dataclass(frozen=True, slots=True)
class Count:
    """What a caption says of a thing that people count."""

    image_id: ImageId  # The image
    noun: str  # The thing; "person" for all people
    # The numbers of the references that the caption is compared with; first that which
    # most references of the image have.
    numbers: tuple[int, ...]
    said: int | None  # The caption's number, None if it gives none
    named: bool  # Whether it names the thing
    # One divided by the number of comparisons, each without one reference.
    weight: float = 1.0

    @property
    def is_right(self) -> bool:
        """Whether a reference has the number."""
        return self.said in self.numbers

    @property
    def expected(self) -> int:
        """The number nearest to it; if it gives none, that of most references."""
        said = self.numbers[0] if self.said is None else self.said
        return min(self.numbers, key=lambda number: abs(number - said))

    @property
    def verdict(self) -> Verdict:
        """The verdict on the number."""
        if self.said is None:
            return "unsaid" if self.named else "absent"
        return "right" if self.is_right else "wrong"


@dataclass(frozen=True, slots=True)
class CountingSummary:
    """How well captions count."""

    # The number of things that people count, a mean over the references.
    things: float = 0.0
    given: float = 0.0  # How many of them have a number in the captions
    right: float = 0.0  # How many of these numbers are right
    named: float = 0.0  # How many things have no number and are named
    off_by_one: float = 0.0  # How many numbers are wrong by one
    # The sum of the distances of numbers to the nearest of the references, 0 for right
    # ones.
    error: float = 0.0
    twos: float = 0.0  # How many things are two: what is right if one always says two
    above_two: float = 0.0  # How many of the numbers that are given are above two
    singles: float = 0.0  # The number of single things
    multiplied: float = 0.0  # To how many of these the captions give two or more
    # The number of things that people count, each once, whichever of the references are
    # compared.
    distinct: int = 0

    @property
    def absent(self) -> float:
        """How many of the things the captions do not name."""
        return max(0.0, self.things - self.given - self.named)

    @property
    def given_share(self) -> float | None:
        """The share of things with a number, 0-1; None without things."""
        return self.given / self.things if self.things else None

    @property
    def right_share(self) -> float | None:
        """The share of numbers that are right, 0-1; None without numbers."""
        return self.right / self.given if self.given else None

    @property
    def twos_share(self) -> float | None:
        """The share of things that are two, 0-1; None without things."""
        return self.twos / self.things if self.things else None


def summed(counts: Iterable[Count], singles: Iterable[Count] = ()) -> CountingSummary:
    """Return the sums over things that people count, and over single things."""
    every, ones = list(counts), list(singles)
    given = [c for c in every if c.said is not None]
    distances = [(abs((c.said or 0) - c.expected), c) for c in given]
    return CountingSummary(
        fsum(c.weight for c in every),
        fsum(c.weight for c in given),
        fsum(c.weight for c in given if c.is_right),
        fsum(c.weight for c in every if c.said is None and c.named),
        fsum(c.weight for distance, c in distances if distance == 1),
        fsum(c.weight * distance for distance, c in distances),
        fsum(c.weight for c in every if 2 in c.numbers),
        fsum(c.weight for c in given if (c.said or 0) > 2),
        fsum(c.weight for c in ones),
        fsum(c.weight for c in ones if (c.said or 0) > 1),
        len({(c.image_id, c.noun) for c in every}),
    )


@dataclass(frozen=True, slots=True)
class CountingSkill:
    """How well a captioner counts, beside people."""

    own: CountingSummary = field(default_factory=CountingSummary)
    people: CountingSummary = field(default_factory=CountingSummary)
    example: Count | None = None

    @property
    def judgment(self) -> str:
        """How it counts beside people, in a few words; a difference is significant."""
        own, people = self.own, self.people
        if not own.given:
            return "does not count" if own.things else "nothing to count"
        if not people.things:
            return (
                "counts, but cannot be compared with people (that takes two references)"
            )
        often = own.given, own.things, people.given, people.things
        well = own.right, own.given, people.right, people.given
        how_often, beside = _beside(*often, _OFTEN)
        if not people.given:
            return f"counts {how_often}{beside}"
        how_well, beside_well = _beside(*well, _WELL)
        if beside != beside_well:
            how_often += beside
        return f"counts {how_often} and {how_well}{beside_well}"

    @property
    def sentence(self) -> str:
        """How well it counts, as a sentence."""
        own, people = self.own, self.people
        if not own.things:
            text = "The references count nothing, so that nothing is known of counting"
        elif not own.given:
            things = counted(own.distinct, "thing")
            text = (
                f"Does not count: gives no number for the {things} that people count"
                f"{_people(people.given_share)}"
            )
        else:
            text = (
                f"{self.judgment.capitalize()}: it gives a number for "
                f"{_percent(own.given_share)} of what people count"
                f"{_people(people.given_share)}, "
                f"{_percent(own.right_share)} of them right"
                f"{_people(people.right_share)}{self._absent()}{self._twos()}"
            )
        return f"{text}.{self._singles()}{self._example()}"

    def _absent(self) -> str:
        """Return how much of what people count it does not name, if that is much."""
        own, people = self.own, self.people
        if not _exceeds(own.absent, own.things, people.absent, people.things):
            return ""
        share = _percent(own.absent / own.things)
        return f"; it does not name {share} of what people count"

    def _twos(self) -> str:
        own = self.own
        share, text = own.twos_share or 0.0, ""
        if own.given >= _FEW and own.above_two <= 1 < self.people.above_two / 4:
            how = "hardly any" if own.above_two else "none"
            text = f"; {how} of these numbers is above two"
        if (own.right_share or 0) <= share:
            _, high = wilson(own.right, own.given) or (0.0, 1.0)
            how = "more often" if high < share else "as often"
            text += f"; always saying two would be right {how} ({_percent(share)})"
        return text

    def _singles(self) -> str:
        """Return how often it multiplies single things, if more often than people."""
        own, people = self.own, self.people
        sums = own.multiplied, own.singles, people.multiplied, people.singles
        if own.multiplied < _MIN_MULTIPLIED * own.singles or not _exceeds(*sums):
            return ""
        return (
            f" Says two or more for {_percent(own.multiplied / own.singles)} of what "
            f"is one{_people(people.multiplied / people.singles)}."
        )

    def _example(self) -> str:
        wrong = self.example
        if wrong is None:
            return ""
        return (
            f" Says {wrong.said} for {wrong.numbers[0]} ({wrong.noun}), image "
            f"{wrong.image_id}."
        )

    def table(self) -> Table:
        """Return a table with a row for the captioner and one for people."""
        return counting_table({"this system": self})


def counting_table(skills: Mapping[str, CountingSkill]) -> Table:
    """Return a table with a row for each captioner, and one for people."""
    first = next(iter(skills.values()), CountingSkill())
    rows = [_row(name, skill.own) for name, skill in skills.items()]
    rows.append(_row("people", first.people))
    gives = 1.0 if first.own.things else None
    always = ("always saying two", gives, first.own.twos_share, None, None, None, gives)
    rows.append(always)
    columns = ("Who", "gives a number", "right", "off by one", "mean error")
    more = ("only named", "2+ for 1")
    note = (
        f"shares of {counted(first.own.distinct, 'thing')} to which two or more "
        "references give a number of two or more, each weighted by the share of "
        f"comparisons in which they do ({first.own.things:.1f} in all); right: of the "
        "numbers given (a or an is one), those that a reference has; 2+ for 1: of what "
        "references say is one, the share that gets two or more; people: each "
        "reference is compared with the others of its image, and each caption with as "
        "many"
    )
    return Table("Can it count?", (*columns, *more), rows, (note,), 2)


def _row(name: str, own: CountingSummary) -> Cells:
    def share(number: float, whole: float) -> float | None:
        return number / whole if whole else None

    return (
        name,
        own.given_share,
        own.right_share,
        share(own.off_by_one, own.given),
        share(own.error, own.given),
        share(own.named, own.things),
        share(own.multiplied, own.singles),
    )


def _beside(
    hits: float,
    total: float,
    other_hits: float,
    other_total: float,
    words: tuple[str, str, str, str],
) -> tuple[str, str]:
    """Return how a share stands to that of people: a word, and a comparison."""
    much_less, less, same, more = words
    interval = share_difference(hits, total, other_hits, other_total) or (0.0, 0.0)
    share, other = hits / total, other_hits / other_total
    if interval[0] > 0:
        return more, " than people"
    if interval[1] >= 0:
        if share < _ALIKE * other:
            return f"not provably {less}", " than people"
        return same, " as people"
    if share < 0.5 * other:
        return much_less, ""
    return f"a little {less}" if share >= _ALIKE * other else less, " than people"


def _exceeds(hits: float, total: float, other_hits: float, other_total: float) -> bool:
    """Return whether a share is significantly greater than that of people."""
    interval = share_difference(hits, total, other_hits, other_total)
    return interval is not None and interval[0] > 0


def _people(share: float | None) -> str:
    return "" if share is None else f" (people {_percent(share)})"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


def measure(
    images: Iterable[tuple[ImageId, Sequence[Items]]], lexicon: Lexicon
) -> CountingSkill:
    """Return how well the candidates count, beside the references."""
    # `images` have what the candidate of each says, and then each reference.
    counts: tuple[list[Count], list[Count]] = [], []  # of candidates, of people
    wrong: dict[tuple[ImageId, str], list[Count]] = {}
    singles: tuple[list[Count], list[Count]] = [], []
    for image_id, (candidate, *references) in images:
        known = len(counts[0])
        for sums, compared in ((counts, _compared), (singles, _single_things)):
            for thing, numbers, left_out, weight in compared(references):
                captions = [candidate, left_out][: len(references)]
                for caption, found in zip(captions, sums):
                    said = _said_of(thing, caption, lexicon)
                    found.append(Count(image_id, thing, numbers, *said, weight))
        for count in counts[0][known:]:
            others = (own.amounts.get(count.noun) for own in references)
            is_named = count.noun in candidate.amounts  # A plate is no clear bowl.
            if count.verdict == "wrong" and is_named and count.said not in others:
                wrong.setdefault((image_id, count.noun), []).append(count)
    own, people = map(summed, counts, singles)
    # The clearest example: wrong whichever reference is left out.
    clear = max(wrong.values(), key=lambda own: fsum(c.weight for c in own), default=[])
    return CountingSkill(own, people, next(iter(clear), None))


def observe_numbers(
    image_id: ImageId, items: Sequence[Items], lexicon: Lexicon
) -> list[Observation]:
    """Return the verdicts on the candidate's numbers of what people count."""
    # `items` are those of the candidate, then those of each reference.
    candidate, *references = items
    weights: dict[Observation, float] = {}
    for thing, numbers, _, weight in _compared(references):
        count = Count(image_id, thing, numbers, *_said_of(thing, candidate, lexicon))
        giving = sum(thing in said.numbers for said in references)
        said = count.expected, count.said, count.verdict
        seen = Observation(image_id, "count", thing, *said, giving)
        weights[seen] = weights.get(seen, 0.0) + weight
    return [replace(seen, weight=weight) for seen, weight in weights.items()]


def _compared(
    references: Sequence[Items],
) -> Iterator[tuple[str, tuple[int, ...], Items, float]]:
    """Yield each thing that all references but one count.

    Yields:
        The thing, its numbers, the reference that is left out, and the weight of the
        comparison. A single reference is not left out.
    """
    if not (every := _numbers(references)):
        return
    for left_out, others in _without_each(references):
        for thing, known in _numbers(others).items():
            if known.total() >= min(_ENOUGH, len(others)):
                numbers = sorted(known, key=every[thing].__getitem__, reverse=True)
                yield thing, tuple(numbers), left_out, 1 / len(references)


def _single_things(
    references: Sequence[Items],
) -> Iterator[tuple[str, tuple[int, ...], Items, float]]:
    """Yield, as `_compared` does, each thing that is one by all references but one."""
    for left_out, others in _without_each(references):
        amounts = [own.amounts for own in others]
        for thing in dict.fromkeys(t for own in amounts for t in own):
            said = [own[thing] for own in amounts if thing in own]
            if said.count(1) >= min(_ENOUGH, len(others)) and {*said} <= {1}:
                yield thing, (1,), left_out, 1 / len(references)


def _without_each(references: Sequence[Items]) -> Iterator[tuple[Items, list[Items]]]:
    """Yield each reference with the others; a single one with itself."""
    for number, own in enumerate(references):
        yield own, [*references[:number], *references[number + 1 :]] or [own]


def _numbers(references: Sequence[Items]) -> dict[str, Counter[int]]:
    """Return thing -> how many references give it each number."""
    numbers: dict[str, Counter[int]] = {}
    for said in references:
        for noun, number in said.numbers.items():
            numbers.setdefault(noun, Counter())[number] += 1
    return numbers


def _said_of(noun: str, own: Items, lexicon: Lexicon) -> tuple[int | None, bool]:
    """Return the number that a caption gives a thing, and whether it names it."""
    grade = lexicon.nouns.grade
    named = [n for n in own.amounts if n == noun or grade(n, noun) in ABOUT_ONE_THING]
    named.sort(key=lambda n: n != noun)
    given = (own.amounts[n] for n in named if own.amounts[n] is not None)
    return next(given, None), bool(named)
