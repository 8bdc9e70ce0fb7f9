"""Amounts: how many of a thing there are, as a caption says it.

It is the one reader of numbers: `spicepy count` and the error analysis both take their
amounts from here.

    two dogs   2-2      at least two dogs   2-      several dogs     3-
    a dog      1-1      two or three dogs   2-3     dogs             2-
    no dog     0-0      two of the dogs     2-      dozens of dogs  24-

The words are in `grammars/amounts.toml`.

Source: Quirk et al. 1985, sections 5.16-5.25 (quantifiers), 6.52 (collectives).
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import combinations
from typing import Any, Final, Literal, NamedTuple

from spicepy.common.resources import read_table
from spicepy.parsing.trees import Parse
from spicepy.words.numerals import (
    FILE,
    NumberWords,
    Numeral,
    bound_after,
    bounded,
    find_numerals,
    number_words,
)

AmountForm = Literal["number", "quantity", "one", "vague", "plural", "bare", "none"]
"""How an amount is said.

`number`: two, 2, at least two. `quantity`: both, a couple, a dozen. `one`: a dog.
`vague`: several. `plural`: dogs. `bare`: a singular that no article counts: "dog", "the
dog". `none`: no dog.
"""
Link = Literal["", "further", "rest", "part"]
"""How a noun relates to those of its kind before it.

`further`: another dog, two more dogs. `rest`: the other two dogs. `part`: one dog, of
two that were named.
"""
MANY: Final = "many"  # The value of an amount that is not one number

_ORDER: Final[tuple[AmountForm, ...]] = (
    *("number", "quantity", "vague", "one", "bare", "plural", "none"),
)
"""The form of a sum is the first of these that its parts have."""
_PLURALS: Final = ("NNS", "NNPS")
_BARE: Final = "plural"  # The word of amounts that nothing but the form says.
_DETERMINING: Final = ("DT", "PDT", "PRP$", "JJ", "JJR")
_MODIFIERS: Final = ("CD", "JJ", "VBN", "VBG", "VBD", "NN", "RB")
_JOINING: Final = ("CC", ",", "HYPH")
_NOT_ALONE: Final = ("det", "amod", "nummod", "compound")
"""Labels of words that modify a noun: "two more dogs"."""
_MODEL: Final = 100  # Before a singular, a number this large is a name: a 747 plane.
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


ONE: Final = Amount(1, 1, "one")  # The amount of "a dog"


class StandIn(NamedTuple):
    """Words that stand for further things without their noun: "the other two"."""

    # first, last: The positions of its first and last word, from 1.
    first: int
    last: int
    head: int  # The position of the word that stands for the noun: "two"
    amount: Amount
    described: bool = False  # Whether an adjective tells it apart: "a green one"


def _of_numeral(numeral: Numeral, link: Link) -> Amount:
    """Return the amount of a number without a noun."""
    form: AmountForm = "one" if numeral.low == numeral.high == 1 else "number"
    return Amount(numeral.low, numeral.high, form, numeral.words, link)


def reaches(high: int | None, low: int) -> bool:
    """Return whether an upper bound, None without one, is not below a number."""
    return high is None or high >= low


def sums(amounts: Sequence[Amount]) -> Iterator[Amount]:
    """Yield the sum of every non-empty subset; of more than six, also that of all."""
    for size in range(1, len(amounts[:_MAX_ADDED]) + 1):
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
    of_several = any(amount.link in ("part", "rest") for amount in amounts)
    single = all(amount.low == 1 for amount in amounts[1:])
    low, named = amounts[0].low if amounts else 0, len(amounts)
    among = low == named - 1 or low >= named > 2
    if of_several and single and low > 1 and among:
        return amounts[0]  # "Three dogs, one on a bed and another on a chair"
    every: Amount | None = None
    for amount in amounts:
        if every is None:
            place = amount.place  # "A third dog", of whom two others were not named.
            every = replace(amount, low=place, high=None) if place else amount
        elif amount.link == "rest" and every.low >= (amount.place or amount.low + 1):
            continue
        else:
            low = max(every.low, amount.place - 1)
            every = replace(every, low=low, high=every.high and max(low, every.high))
            both = every.plus(amount)
            every = both if both.high is None else replace(both, wording="number")
    return every


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
    single: frozenset[str]  # Words that say that it is one: "single"
    all: frozenset[str]  # Words before "the" or "of the": "all the dogs"
    ordinals: Mapping[str, int]  # Word -> place in a series
    further: frozenset[str]  # Words before further things of a sort: "two more cats"
    # Words, after "the", for the others of several: "the other two".
    rest: frozenset[str]
    # Words before each of several things that were named: "one dog".
    parts: frozenset[str]
    # Words for further things of a sort that is counted: "others".
    uncounted: frozenset[str]
    another: frozenset[str]  # Those of `further` that need no article: "another"
    # The nouns of "a green one", "three white ones".
    pronouns: frozenset[str]
    plural_pronouns: frozenset[str]
    articles: frozenset[str]  # Before one of a sort: "a"
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
        return self.further | self.rest | self.pronouns | self.ordinals.keys()

    def of_word(self, word: str) -> Amount | None:
        """Return the amount that a word or attribute alone says: "2", "two hundred"."""
        found = self.numbers.number(word)
        return Amount(*found, "number", word) if found else None


@cache
def load_amount_words() -> AmountWords:
    """Read the words."""
    return read_table(FILE, _words)


def _words(data: Mapping[str, Any]) -> AmountWords:
    determiners, more, only = data["determiners"], data["further"], data["restrictions"]
    vague = {word: tuple(bounds) for word, bounds in data["vague"].items()}
    sets = {**data["not_numbers"], **data["nouns"], **determiners, **more, **only}
    sets["further"] = sets.pop("words")
    del sets["before"]
    return AmountWords(
        number_words(data),
        collectives=data["collectives"],
        vague=vague,
        large=frozenset(data["large"]["words"]),
        large_of=frozenset(data["large"]["of"]),
        large_range=tuple(data["large"]["range"]),
        groups={word: tuple(bounds) for word, bounds in data["groups"].items()},
        ordinals=data["ordinals"],
        **{name: frozenset(words) for name, words in sets.items()},
    )


class SentenceAmounts:
    """The amounts of the nouns of one sentence."""

    def __init__(self, tree: Parse, known: AmountWords) -> None:
        self.tree, self.known = tree, known
        self._numerals: dict[int, Numeral] = {}
        self.inside: set[int] = set()
        for numeral in find_numerals(tree.words, tree.tags, known.numbers):
            self._numerals[numeral.last] = numeral
            self.inside.update(range(numeral.first, numeral.last + 1))

    def of(self, first: int, last: int) -> Amount | None:
        """Return how many of a thing there are, None if the sentence leaves it open."""
        # The words of its noun are at the positions `first` to `last`, from 1.
        known = self.known
        start = self.start(first, last)
        amount = self._stated(start, first, last)
        if amount is None:
            return None
        counted = (
            self._tag(last) in _PLURALS and amount.word != _BARE
        )  # "two dogs bark"
        if not counted and self._is_modifier(last):
            return None
        amount = self._of_group(amount, last)
        phrase = self._phrase(first, start)
        definite = self._is_definite(phrase)
        place = max((known.ordinals.get(word, 0) for word in phrase), default=0)
        if not known.rest.isdisjoint(phrase) and not known.definite.isdisjoint(phrase):
            return replace(amount, link="rest")
        if place and amount.wording != "number":
            link: Link = "rest" if definite else "further"
            return replace(amount, link=link, place=place)
        if not definite and not known.further.isdisjoint(phrase):
            return replace(amount, link="further")
        if not known.parts.isdisjoint(phrase):
            return replace(amount, link="part")
        return amount

    def stand_ins(self) -> Iterator[StandIn]:
        """Yield the words without a noun that stand for further things, in order."""
        if self.known.standing.isdisjoint(self.tree.words):
            return
        for last in range(1, len(self.tree.words) + 1):
            said = self._stand_in(last)
            if said is None or self._word(last + 1) == "of":
                continue
            modifies = self.tree.labels[said.head - 1] in _NOT_ALONE
            if not modifies and self._word(said.first - 1) not in self.known.single:
                yield said

    @cached_property
    def more(self) -> int:
        """The position of words for several further things, "two more"; else 0."""
        several = (s.last for s in self.stand_ins() if s.amount.low > 1)
        return max(several, default=0)

    def _stand_in(self, last: int) -> StandIn | None:
        """Return what ends at a position and stands for things, else None."""
        known, word = self.known, self._word(last)
        further = known.further - known.ordinals.keys() - known.another
        numeral = self._numerals.get(last - 1)
        if numeral and word in further and self._tag(last) != "RB":
            amount = _of_numeral(numeral, "further")  # "Two more", "three others"
            head = last - (self._tag(last) not in _PLURALS)
            return StandIn(numeral.first, last, head, amount)
        alone = word not in known.pronouns
        start = last + alone  # The first of the adjectives: "another white one"
        named = known.further | known.rest
        while not alone and self._is_adjective(start - 1, named):
            start -= 1
        described, at, numeral = start < last, start - 1, self._numerals.get(start - 1)
        amount = ONE if word not in known.plural_pronouns else Amount(2, None, "plural")
        if numeral:
            amount, at = _of_numeral(numeral, ""), numeral.first - 1
        how, before = self._word(at), self._word(at - 1)
        article, definite = before in known.articles, before in known.definite
        place = known.ordinals.get(how, 0) if article or definite else 0
        if definite and (place or how in known.rest):
            link: Link = "rest"
        elif place or how in known.another or (how in further and article):
            link = "further"
        elif described and (how in known.articles or numeral):
            amount = replace(amount, link="further")
            return StandIn(start, last, last, amount, described=True)
        else:
            return None
        word = how if amount.high == 1 else amount.word
        return StandIn(
            at, last, last, replace(amount, word=word, link=link, place=place)
        )

    def _is_adjective(self, at: int, named: Container[str]) -> bool:
        return self._tag(at).startswith("JJ") and self._word(at) not in named

    def _phrase(self, first: int, start: int) -> set[str]:
        """Return the words before a noun that belong to it, of its numbers "one"."""
        phrase = {*self.tree.words[start - 1 : first - 1]}
        before = start - 1
        if numeral := self._numerals.get(before):
            phrase.update({numeral.words} & self.known.parts)
            before = numeral.first - 1
        while before and self._tag(before) in _DETERMINING:
            phrase.add(self._word(before))
            before -= 1
        return phrase

    def is_definite(self, first: int, last: int) -> bool:
        """Return whether a noun refers back: "the dogs", not "the other dogs"."""
        return self._is_definite(self._phrase(first, self.start(first, last)))

    def _is_definite(self, phrase: set[str]) -> bool:
        definite = not self.known.definite.isdisjoint(phrase)
        return definite and self.known.rest.isdisjoint(phrase)

    def start(self, first: int, last: int) -> int:
        """Return the position of the first modifier of a noun, after its numbers."""
        start = first
        while start > 1 and self._modifies(start - 1, last):
            start -= 1
        while start < first and self.tree.tags[start - 1] in _JOINING:
            start += 1
        return start

    def _modifies(self, at: int, last: int) -> bool:
        """Return whether the word at a position modifies a noun: "large", "police"."""
        tree, known = self.tree, self.known
        word, tag = tree.words[at - 1], tree.tags[at - 1]
        quantity = word in known.vague and not tag.startswith("NN")
        if self._tag(at + 1) in _PLURALS and word in known.collectives:
            return False  # "A couple cars"
        if at in self.inside or quantity or word in known.portions | known.distributive:
            return False
        if not tag.startswith(_MODIFIERS) and tag not in _JOINING:
            return False
        while at < last:
            at = tree.heads[at - 1]
            if at == last:
                return True
            if not at:
                return False
        return False

    def _word(self, at: int) -> str:
        """Return the word at a position, "" outside of the sentence."""
        return self.tree.words[at - 1] if 0 < at <= len(self.tree.words) else ""

    def _tag(self, at: int) -> str:
        return self.tree.tags[at - 1] if 0 < at <= len(self.tree.tags) else ""

    def _stated(self, start: int, first: int, last: int) -> Amount | None:
        """Return what the words before a noun phrase say of its number."""
        known, tree = self.known, self.tree
        at, word = start - 1, self._word(start - 1)
        noun = first if self._word(first + 1) == "of" and first < last else last
        plural = tree.tags[noun - 1] in _PLURALS
        between = {*tree.words[start - 1 : last - 1]} - {"of"}
        if numeral := self._numerals.get(at):
            found = self._counted(numeral, noun, last, plural=plural)
            named = found is None and numeral.low >= _MODEL
            if known.units.isdisjoint(between) and not named:
                return found
            at, word = numeral.first - 1, self._word(numeral.first - 1)
        if at in self.inside or self._is_of_portion(at):
            return None
        if word in known.them and self._word(at - 1) == "of":
            return None  # "Four people, two of them women"
        definite = word in known.definite or word == "of"
        if definite and (found := self._partitive(at, plural=plural)):
            return found
        if word == "of" and self._collects(at - 1):
            return self._collected(at - 1, noun, plural=plural)
        if found := self._quantified(at, noun, last, plural=plural):
            return found if found.low else None
        return self._bare(word, start, last, plural=plural)

    def _quantified(
        self, at: int, noun: int, last: int, *, plural: bool
    ) -> Amount | None:
        """Return the amount of "both", "several"; one of 0 after "not many"."""
        known, word = self.known, self._word(at)
        if word in known.collectives and not self._is_correlative(at, last):
            number = known.collectives[word]
            return Amount(number, number, "quantity", word)
        several = plural or self.tree.lemmas[noun - 1] in known.same_plural
        if word in known.vague and (several or self._tag(at).startswith(("JJ", "NN"))):
            low, high = known.vague[word]
            denied = self._word(at - 1) in known.nots
            return Amount(0 if denied else low, high or None, "vague", word)
        return None

    def _is_of_portion(self, at: int) -> bool:
        """Return whether a determiner follows a portion: "half of a pizza"."""
        lemma = self.tree.lemmas[at - 3] if at > 2 else ""
        of = self._word(at - 1) == "of" and self._word(at) != "of"
        return of and lemma in self.known.portions

    def _counted(
        self, numeral: Numeral, noun: int, last: int, *, plural: bool
    ) -> Amount | None:
        """Return the amount of a number before a noun, None if it counts no things."""
        # Before a singular it is a part of a name ("a 747 plane", "a two man boat"),
        # unless the singular is a plural, too ("two sheep"), or misspelt ("two zebra").
        same = self.tree.lemmas[noun - 1] in self.known.same_plural
        if not plural and not same and numeral.low > 1:
            article = self._tag(numeral.first - 1) in ("DT", "PRP$")
            if article or numeral.low >= _MODEL:
                return None
        low, high = numeral.low, numeral.high
        _, after = bound_after(self.tree.words, last, self.known.numbers)
        if after in ("or_more", "or_fewer"):  # "three dogs or more"
            low, high = bounded(low, high, after, self.known.numbers)
        if high == low == 1:
            return Amount(1, 1, "one", numeral.words)
        form: AmountForm = "quantity" if numeral.collective else "number"
        return Amount(low, high, form, numeral.words)

    def _partitive(self, at: int, *, plural: bool) -> Amount | None:
        """Return the amount of "two of the dogs", "all the dogs"; else None."""
        # At least that many are there, and at least two if the noun is a plural.
        known = self.known
        before = at - 1
        if self._word(before) == "of" and self._word(at) != "of":
            before -= 1
        elif self._word(before) not in known.all or self._word(at) == "of":
            return None
        word, least = self._word(before), 1 + plural
        if plural and word in known.all and (two := known.collectives.get(word)):
            return Amount(two, two, "quantity", word)  # "Both of the dogs"
        if before in self._numerals:
            numeral = self._numerals[before]
            return Amount(max(numeral.low, least), None, "number", numeral.words)
        if word in known.all or self._tag(before) in ("DT", "JJS"):
            low = max(known.vague.get(word, (least, 0))[0], least)
            return Amount(low, None, "plural", word) if plural else None
        return None

    def _collects(self, at: int) -> bool:
        """Return whether a noun before "of" says how many: "pair", "slice"."""
        known, lemma = self.known, self.tree.lemmas[at - 1] if at else ""
        listed = {*known.collectives, *known.vague, *known.measures, *known.pieces}
        return lemma in listed or at in self._numerals or bool(self._scale(at))

    def _scale(self, at: int) -> int:
        """Return the number of the plural of a scale, "dozens"; 0 of other words."""
        scales = {**self.known.numbers.scales, "ten": 10}
        word = self._word(at)
        return scales.get(word.removesuffix("s"), 0) if word.endswith("s") else 0

    def _collected(self, at: int, noun: int, *, plural: bool) -> Amount | None:
        """Return the amount of "a pair of dogs", from its "pair"."""
        known, tree = self.known, self.tree
        word, lemma = self._word(at), tree.lemmas[at - 1]
        some = Amount(2, None, "plural", _BARE) if plural else None
        several = plural or tree.lemmas[noun - 1] in known.same_plural | known.mass
        if scale := self._scale(at):
            return Amount(2 * scale, None, "quantity", word)
        if lemma in known.pieces and tree.lemmas[noun - 1] in known.mass:
            return self.of(at, at)
        numeral = self._numerals.get(self.start(at, at) - 1)
        times = numeral.low if numeral else 1
        if lemma in known.collectives:
            low = known.collectives[lemma] * times
            exact = tree.tags[at - 1] not in _PLURALS or (numeral and numeral.high)
            return Amount(low, low if exact else None, "quantity", word)
        if lemma in known.measures or at in self._numerals or not several:
            return some
        return self._vague(at, times)

    def _vague(self, at: int, times: int) -> Amount:
        """Return the amount of "a large group of", several times."""
        known, lemma = self.known, self.tree.lemmas[at - 1]
        low, high = known.vague[lemma]
        words = set(self.tree.words[self.start(at, at) - 1 : at])
        if lemma in known.large_of and not words.isdisjoint(known.large):
            low, high = known.large_range
        return Amount(low * times, high or None, "vague", lemma)

    def _bare(self, word: str, start: int, last: int, *, plural: bool) -> Amount | None:
        """Return the amount of a noun by its own form and its article."""
        known, tree = self.known, self.tree
        if self._is_of_each(last):
            return None
        modifiers = {*tree.words[start - 1 : last]}
        if not modifiers.isdisjoint(known.single) and not plural:
            return Amount(1, 1, "one", next(iter(modifiers & known.single)))
        if plural:
            singular = word in known.singular and word != "one"
            return None if singular else Amount(2, None, "plural", _BARE)
        same = tree.lemmas[last - 1] in known.same_plural
        if word in known.distributive or tree.tags[last - 1] not in ("NN", "NNP"):
            return None
        if word in known.singular:
            if " ".join(self.tree.words[last : last + 2]) in known.or_two:
                return Amount(1, 2, "quantity", "or two")
            return Amount(1, 1, "one", word)
        if same or (
            "and" not in tree.words[:last] and self._word(last + 1) in known.are
        ):
            return None
        if tree.lemmas[last - 1] in known.mass:
            return None
        return Amount(1, 1, "bare", word if word in known.definite else "")

    def _is_of_each(self, last: int) -> bool:
        """Return whether each of several has one: "beds with a cat on each"."""
        tree, head, each = self.tree, self.tree.heads[last - 1], self.known.each
        if each.isdisjoint(tree.words):
            return False
        for k, (above, label) in enumerate(zip(tree.heads[: last - 1], tree.labels), 1):
            who = self._word(k), self._word(self.start(k, k) - 1)
            if (above, label) == (head, "nsubj") and not each.isdisjoint(who):
                return True  # "Each of the men holds a cup"
        other = self._word(last + 3) in self.known.rest
        is_each = self._word(last + 2) in each and not other
        return is_each and self._tag(last + 1) == "IN"

    def _is_correlative(self, at: int, last: int) -> bool:
        """Return whether a "both" joins two nouns: "both dogs and cats"."""
        tree = self.tree
        joined = any(
            head == last and label == "cc"
            for head, label in zip(tree.heads, tree.labels, strict=True)
        )
        return self._word(at) in self.known.all | self.known.distributive and joined

    def _is_modifier(self, last: int) -> bool:
        """Return whether a noun modifies the next word: "snow covered"."""
        tree, tag = self.tree, self._tag(last)
        if tag in _PLURALS:
            return self._tag(last + 1) in ("NN", "NNS", "POS")
        modifies = tree.labels[last - 1] in ("compound", "nn", "amod", "nmod:npmod")
        return modifies and tree.heads[last - 1] > last

    def members(self, last: int) -> Numeral | None:
        """Return the number of a group's people: "four" in "a family of four"."""
        tree, lemma = self.tree, self.tree.lemmas[last - 1]
        if lemma not in self.known.groups or lemma in self.known.collectives:
            return None
        of = self._word(last + 1) == "of"
        own = (n for n in self._numerals.values() if of and n.first == last + 2)
        return next((n for n in own if tree.labels[n.last - 1] != "nummod"), None)

    def _of_group(self, amount: Amount, last: int) -> Amount:
        """Return the number of people in groups: two for "a couple"."""
        lemma = self.tree.lemmas[last - 1]
        if numeral := self.members(last):
            return Amount(numeral.low, numeral.high, "number", numeral.words)
        if lemma not in self.known.groups or amount.link:
            return amount
        low, high = self.known.groups[lemma]
        top = high * amount.high if high and amount.high else None
        form: AmountForm = "quantity" if top else "vague"
        if amount.wording == "plural" and high:
            top = None
        return Amount(low * amount.low, top, form, lemma)
