"""Amounts: how many of a thing there are, as a caption says it.

`spicepy count` and the error analysis have the same amounts: `sentence_amounts` reads
them off a sentence, here are their sums and their words.

    two dogs   2-2      at least two dogs   2-      several dogs     3-
    a dog      1-1      two or three dogs   2-3     dogs             2-
    no dog     0-0      two of the dogs     2-      dozens of dogs  24-

The words are in `grammars/amounts.toml`.

Source: Quirk et al. 1985, sections 5.16-5.25 (quantifiers), 6.52 (collectives).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from itertools import combinations
from typing import Any, Final, Literal, NamedTuple

from spicepy.common.resources import from_table, read_table
from spicepy.parsing.trees import Parse
from spicepy.words.numerals import FILE, NumberWords, Numeral, number_words

AmountForm = Literal["number", "quantity", "one", "vague", "plural", "bare", "none"]
"""How an amount is said.

`number`: two, 2, at least two. `quantity`: both, a couple, a dozen. `one`: a dog.
`vague`: several. `plural`: dogs. `bare`: a singular that no article counts: "dog", "the
dog". `none`: no dog.
"""
Link = Literal["", "further", "rest", "part", "share", "left"]
"""How a noun relates to others of its kind.

`further`: another dog, two more dogs. `rest`: the other two dogs. `part`: one dog, of
two that were named. `share`: two of the dogs. `left`: now there are two.
"""
MANY: Final = "many"  # The value of an amount that is not one number

_ORDER: Final[tuple[AmountForm, ...]] = (
    *("number", "quantity", "vague", "one", "bare", "plural", "none"),
)
"""The form of a sum is the first of these that its parts have."""
_MAX_ADDED: Final = 6  # The most things of one kind in one caption that are added up.


@dataclass(frozen=True, slots=True)
class Amount:
    """The number of a thing, and how the caption says it."""

    low: int  # The least number
    high: int | None  # The greatest number; None if there is no upper bound
    wording: AmountForm  # See `AmountForm`
    # The words that say it: "two", "several".
    word: str = field(default="", compare=False)
    link: Link = field(default="", compare=False)  # See `Link`
    # In a series, its place in it: 3 for "a third dog"; else 0.
    place: int = field(default=0, compare=False)

    def meets(self, other: "Amount") -> bool:
        """Return whether both amounts can be true at once: their ranges overlap."""
        return reaches(self.high, other.low) and reaches(other.high, self.low)

    def has_range_of(self, other: "Amount") -> bool:
        """Return whether two amounts have the same bounds."""
        return (self.low, self.high) == (other.low, other.high)

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
        wording = min(self.wording, other.wording, key=_ORDER.index)
        word = self.word if wording == self.wording else other.word
        return Amount(self.low + other.low, high, wording, word)

    def for_each_of(self, others: "Amount") -> "Amount":
        """Return how many there are if each of several others has so many."""
        high = self.high * others.high if self.high and others.high else None
        form: AmountForm = "quantity" if high else "vague"
        times = 1 if self.wording == "plural" else others.low  # "Cups on each table"
        return Amount(self.low * times, high, form, self.word)


ONE: Final = Amount(1, 1, "one")  # The amount of "a dog"


def of_numeral(numeral: Numeral, link: Link) -> Amount:
    """Return the amount of a number without a noun."""
    form: AmountForm = "one" if numeral.low == numeral.high == 1 else "number"
    return Amount(numeral.low, numeral.high, form, numeral.words, link)


def reaches(high: int | None, low: int) -> bool:
    """Return whether an upper bound, None without one, is not below a number."""
    return high is None or high >= low


def sums(amounts: Sequence[Amount], least: int = 1) -> Iterator[Amount]:
    """Yield the sum of every subset of `least` or more of the first six, and of all."""
    for size in range(least, len(amounts[:_MAX_ADDED]) + 1):
        for group in combinations(amounts[:_MAX_ADDED], size):
            yield total(group)
    if len(amounts) > _MAX_ADDED:
        yield total(amounts)


def total(amounts: Iterable[Amount]) -> Amount:
    """Return the sum of one or more amounts."""
    first, *others = amounts
    for other in others:
        first = first.plus(other)
    return first


def total_of_sentences(sentences: Iterable[Sequence[Amount]]) -> Amount | None:
    """Return how many things of one name per caption has: None without any."""
    # The sentences of an answer name the same things again, so that the greatest number
    # of a sentence counts; but "two other cats" are further ones.
    every: Amount | None = None
    for own in sentences:
        if any(amount.link == "left" for amount in own):
            every = None  # "There were six birds; now there are two"
        again = total_of_sentence(
            [a for a in own if every is None or a.link != "further"]
        )
        found = [amount for amount in (every, again) if amount]
        greatest = max(found, key=lambda a: (a.low, a.high is not None), default=None)
        later = [a for a in own if every is not None and a.link == "further"]
        every = total_of_sentence([a for a in (greatest, *later) if a is not None])
    return every


def total_of_sentence(amounts: Sequence[Amount]) -> Amount | None:
    """Return the sum of the amounts of one sentence, None without any."""
    # "One dog" and "the other dog" are among "two dogs"; "a third dog" makes three.
    if amounts and amounts[-1].link == "left":
        return amounts[-1]
    of_several = any(amount.link in ("part", "rest") for amount in amounts)
    of_several = of_several and amounts[0].link != "share"
    single = all(amount.low == 1 for amount in amounts[1:])
    low, named = amounts[0].low if amounts else 0, len(amounts)
    among = low == named - 1 or low >= named > 2
    if of_several and single and low > 1 and among:
        return amounts[0]  # "Three dogs, one on a bed and another on a chair"
    every: Amount | None = None
    for amount in amounts:
        among = amount.link == "rest" and not _is_apart(amounts[0])
        if every is None:
            place = amount.place  # "A third dog", of whom two others were not named.
            every = replace(amount, low=place, high=None) if place else amount
            if amount.link == "share" and amounts[-1].link == "rest":
                every = replace(every, high=every.low)  # "Four of them … the other two"
        elif every.wording == "vague" and not amount.link and amount.low < every.low:
            continue  # "A group of giraffes, a tall giraffe beside a small one"
        elif among and every.low >= (amount.place or amount.low + 1):
            continue
        elif amount.low == amount.high == every.place - 1:
            # "A third dog joins two dogs"
            every = replace(every, high=every.low, place=0)
        else:
            low = max(every.low, amount.place - 1)
            every = replace(every, low=low, high=every.high and max(low, every.high))
            both = every.plus(amount)
            every = both if both.high is None else replace(both, wording="number")
    return every


def _is_apart(amount: Amount) -> bool:
    """Return whether the others are not among these: "four of the dogs", "two more"."""
    return amount.link == "share" or (amount.link == "further" and not amount.place)


def amounts_of_nouns(nouns: Sequence[tuple[Amount, bool]]) -> list[Amount]:
    """Return the amounts of the nouns of a class in one sentence that add up.

    Of each noun: how many there are, and whether it stands for the whole class. What is
    vague of the whole class includes the others ("several people, a man and a woman"),
    and so does a number that they add up to, or of which they are some ("two people,
    one man in a hat").
    """
    amounts = [amount for amount, _ in nouns]
    for n, (amount, is_whole) in enumerate(nouns if len(nouns) > 1 else ()):
        others = [*amounts[:n], *amounts[n + 1 :]]
        sum_ = total(others)
        if not is_whole or (n and amount.link == "further"):
            continue  # "A couple dances, and another couple watches"
        if amount.wording in ("vague", "plural"):
            return [replace(amount, low=max(amount.low, sum_.low))]
        some = all(a.link == "part" for a in others) and sum_.low < amount.low
        if (sum_.low > 1 and sum_.has_range_of(amount)) or some:
            return [amount]
    if len(nouns) < 2:
        return amounts
    same = [amount for amount in amounts if amount.link != "further"]
    further = [amount for amount in amounts if amount.link == "further"]
    return [*([total(same)] if same else []), *further]


@dataclass(frozen=True)
class AmountWords:
    """The words of amounts; see `grammars/amounts.toml`."""

    numbers: NumberWords  # Words of numbers and bounds
    collectives: Mapping[str, int]  # Noun -> number: "pair"
    # Word -> the least and the greatest number (0: open).
    vague: Mapping[str, tuple[int, int]]
    # large, large_of, large_range: The sizes of "a large group".
    large: frozenset[str]
    large_of: frozenset[str]
    large_range: tuple[int, int]
    # Noun of several people -> how many, as in `vague`.
    groups: Mapping[str, tuple[int, int]]
    singular: frozenset[str]  # Determiners of one thing
    distributive: frozenset[str]  # Determiners that leave the number open: "each"
    definite: frozenset[str]  # Determiners that refer back: "the"
    each: frozenset[str]  # Those of `distributive` that mean all of several
    are: frozenset[str]  # After "the woman", which is then misspelt
    or_two: frozenset[str]  # After "a dog": "a dog or two"
    including: frozenset[str]  # Before some of those that were counted
    them: frozenset[str]  # After "two of": what was named before
    nots: frozenset[str]  # Before "many"
    comparing: frozenset[str]  # Before "many", which is then no number: "as many"
    single: frozenset[str]  # Words that say that it is one: "single"
    all: frozenset[str]  # Words before "the" or "of the": "all the dogs"
    ordinals: Mapping[str, int]  # Word -> place in a series
    further: frozenset[str]  # Words before further things of a sort: "two more cats"
    # Words, after "the", for the others of several: "the other two".
    rest: frozenset[str]
    # Words before each of several things that were named: "one dog".
    parts: frozenset[str]
    remainder: frozenset[str]  # Nouns for those that are left: "the rest"
    first: frozenset[str]  # Words before those that were there: "the first three"
    now: frozenset[str]  # Before how many are left: "now there is one"
    in_all: frozenset[str]  # After the number of all that are named: "seven in all"
    # Words for further things of a sort that is counted: "others".
    uncounted: frozenset[str]
    another: frozenset[str]  # Those of `further` that need no article: "another"
    # The nouns of "a green one", "three white ones".
    pronouns: frozenset[str]
    plural_pronouns: frozenset[str]
    articles: frozenset[str]  # Before one of a sort: "a"
    static: frozenset[str]  # Before the places that each have a thing: "on each"
    paired: frozenset[str]  # Of which each has two: "a cup in each hand"
    times: frozenset[str]  # Nouns of which each is a time: "each day"
    wearing: frozenset[str]  # Verbs that single out those who wear something
    sides: frozenset[str]  # Parts of the picture, which single out what is there
    # Words that stand between a number and a noun it does not count: "sided".
    units: frozenset[str]
    measures: frozenset[str]  # Nouns whose number is not a number of things: "slice"
    pieces: frozenset[str]  # Nouns that count the things of a mass: "piece" of luggage
    mass: frozenset[str]  # Nouns of masses: "luggage"
    portions: frozenset[str]  # Portions of a thing: "slice"
    plural_only: frozenset[str]  # Plurals that mean one thing: "scissors"
    same_plural: frozenset[str]  # Nouns whose singular and plural are the same: "sheep"

    @cached_property
    def standing(self) -> frozenset[str]:
        """All words of which one is in what stands for further things."""
        ones = self.pronouns | self.remainder | self.now
        return self.further | self.rest | ones | self.ordinals.keys()

    def of_word(self, word: str) -> Amount | None:
        """Return the amount that a word or attribute alone says: "2", "two hundred"."""
        found = self.numbers.number(word)
        return Amount(*found, "number", word) if found else None


@cache
def load_amount_words() -> AmountWords:
    """Read the words."""
    return read_table(FILE, _words)


def _words(data: Mapping[str, Any]) -> AmountWords:
    more, large = data["further"], data["large"]
    lists = ("not_numbers", "nouns", "determiners", "further", "restrictions", "shared")
    table = {name: words for each in lists for name, words in data[each].items()}
    table |= {name: data[name] for name in ("collectives", "vague", "groups")}
    table |= {
        "ordinals": data["ordinals"],
        "further": [*more["words"], *data["ordinals"]],
    }
    table |= {"large": large["words"], "large_of": large["of"]}
    table["large_range"] = large["range"]
    return from_table(AmountWords, table, numbers=number_words(data))


# The tree of a sentence: the words below a word.


def children(tree: Parse, at: int) -> tuple[int, ...]:
    """Return the positions of the dependents of a word."""
    return _dependents(tree.heads)[at]


@lru_cache(maxsize=256)
def _dependents(heads: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the dependents of each word, and at 0 the roots."""
    below: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for at, head in enumerate(heads, 1):
        below[head].append(at)
    return list(map(tuple, below))


def cases(tree: Parse, at: int) -> set[str]:
    """Return the prepositions of a noun."""
    return {
        tree.lemmas[k - 1] for k in children(tree, at) if tree.labels[k - 1] == "case"
    }


# Holders: several things of which each has another one (Quirk et al. 1985, sections
# 5.15 and 6.50, distributive determiners).
#
#     each of the men holds a cup     men have cups
#     on each bench sit two women     benches have women
#     three beds with a cat on each   beds have cats
#     two boys hold a kite each       boys have kites
#     two boys run, each holding a kite


_MAIN: Final = ("root", "nsubj", "nsubjpass", "dobj")


class Holder(NamedTuple):
    """A noun of which each has something."""

    noun: int  # The position of the noun, from 1; 0 if nothing names it
    top: int  # The position of the top word of its phrase: "each" in "each of the men"
    shared: bool = False  # Whether several may have one: "each sits on a bench"


def holder_of(tree: Parse, known: AmountWords, last: int) -> Holder | None:
    """Return the holder of what a noun, at a position, names, None without one."""
    if known.each.isdisjoint(tree.words):
        return None
    holders = list(_holders(tree, known))
    if any(last in (holder.noun, holder.top) for holder in holders):
        return None
    for holder in holders:
        if holder.noun and _has(tree, known, holder, last):
            beside = tree.heads[last - 1] == tree.heads[holder.top - 1]
            shared = beside and tree.labels[last - 1] == "nmod"
            return holder._replace(shared=shared)
    return None


def _holders(tree: Parse, known: AmountWords) -> Iterator[Holder]:
    """Yield the noun of every "each", other than that of "each other"."""
    for at, word in enumerate(tree.words, 1):
        after = tree.words[at : at + 1]
        if word in known.each and known.rest.isdisjoint(after):
            yield _holder(tree, known, at, of=after == ("of",))


def _holder(tree: Parse, known: AmountWords, each: int, *, of: bool) -> Holder:
    head, label = tree.heads[each - 1], tree.labels[each - 1]
    if label == "det" and head > each:  # "Each boy", not "each day"
        noun = tree.lemmas[head - 1]
        named = tree.lemmas.index(noun) + 1  # "Two tables with a cup on each table"
        return Holder(named * (noun not in known.times), head)
    if tree.tags[each : each + 1] == ("VBG",):  # "Two boys run, each holding a kite"
        return Holder(next(_several(tree, each), 0), each + 1)
    if label == "appos":  # "Two boys each"
        return Holder(head, head)
    below = [k for k in children(tree, each) if k > each + 1]
    if of and below and tree.tags[below[0] - 1] != "PRP":
        return Holder(below[0], each)  # "Each of the boys"
    if head and label != "conj" and tree.tags[head - 1].startswith("NN"):
        return Holder(tree.heads[head - 1], each)  # "Beds with a cat on each"
    own = (k for k in children(tree, head) if tree.labels[k - 1] == "nsubj")
    who = next(own, each)
    several = tree.tags[who - 1].endswith("S")
    return Holder(who * several, each)  # "Two boys hold a kite each"


def _several(tree: Parse, end: int) -> Iterator[int]:
    """Yield the positions before `end` of plurals that a sentence is about."""
    for at, (tag, label) in enumerate(zip(tree.tags[: end - 1], tree.labels), 1):
        if tag.endswith("S") and (label in _MAIN or cases(tree, at) == {"of"}):
            yield at


def _has(tree: Parse, known: AmountWords, holder: Holder, last: int) -> bool:
    """Return whether each of some holders has what a noun names."""
    if tree.tags[holder.top - 1] == "VBG":
        owner, label = tree.heads[last - 1], tree.labels[last - 1]
        return (owner, label) == (holder.top, "dobj")
    head, label = tree.heads[holder.top - 1], tree.labels[holder.top - 1]
    cases = {tree.words[k - 1] for k in children(tree, holder.top)}
    place = label.startswith("nmod")
    if place and cases.isdisjoint(known.static):
        return False
    if tree.heads[last - 1] != head:
        return head == last
    objects = any(tree.labels[k - 1] == "dobj" for k in children(tree, head))
    owned = ("dobj" if objects else "nsubj",) if place else ("dobj", "nmod")
    return tree.labels[last - 1] in owned
