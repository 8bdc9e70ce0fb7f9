"""Claims: the number of objects of a class that a caption states.

In: the trees of a caption, with the nouns that name objects (`parsed_mentions`). Out: a
`Claim` for each class of which the caption says a number, exactly or vaguely.

    "two dogs and a few people"  →  dog: exactly 2; person: "few", 2 to 11

A number is exact only if the noun means its whole class and nothing restricts it:
"three men" are at least three people, "two red cars" at least two cars. "Two-story",
"number 3 bus", "a pair of scissors", "two pieces of pizza", "one of the dogs" and "a
dog" are no claims. If a caption has several claims about a class, the largest counts,
and those with "other" or "more" are added to it.

Source: Acharya et al. 2019 (TallyQA); Coventry et al. 2010 (quantifiers); the bounds of
vague words were read off 202,654 captions of COCO val2014.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, Literal

from spicepy.common.resources import read_table
from spicepy.objects.mentions import NamedObject, ParsedReader
from spicepy.objects.vocabulary import plain_names
from spicepy.parsing.trees import Parse

FILE: Final = "counting.toml"
Stratum = Literal["exact", "modified", "subset", "vague", "one"]
"""The reading of a claim.

`exact`: so many of the whole class. `modified` (of objects that an adjective singles
out) and `subset` (of a narrower noun): at least so many of the class. `vague`: a range.
`one`: a single object.
"""
_NEVER: Final = "never"
_ANOTHER: Final = "another"
_SAME_PLURAL: Final = ("sheep", "cattle", "people", "aircraft", "buffalo", "bison")
_PARTS: Final = ("car", "carriage")
"""Parts of trains; "two train cars" says nothing of the number of trains."""
_PLAIN: Final = frozenset(
    ["det", "nummod", "compound", "punct", "case", "det:qmod", "cc"]
)
"""Labels of a noun's dependents that restrict nothing."""
_CLAUSES: Final = frozenset(
    ["conj", "nsubj", "cop", "aux", "expl", "dep", "neg", "mwe"]
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of a caption on the number of objects of a class.

    Attributes:
        name: The object class.
        said: The number, or the lower bound of a vague word.
        high: The upper bound; None if it is open.
        stratum: The reading of the claim; see `Stratum`.
        word: The word of quantity: "two", "several".
        noun: The noun: "dog".
        further: Whether they are "other" ones than before.
    """

    name: str
    said: int
    high: int | None
    stratum: Stratum
    word: str
    noun: str
    further: bool = False


@dataclass(frozen=True, slots=True)
class CountWords:
    """The words of `grammars/counting.toml`; classes by their names in lower case."""

    numbers: Mapping[str, int]
    collectives: Mapping[str, int]
    single: frozenset[str]
    vague: Mapping[str, tuple[int, int]]
    large: frozenset[str]
    large_of: frozenset[str]
    large_range: tuple[int, int]
    further: frozenset[str]
    before: frozenset[str]
    measures: frozenset[str]
    pairs: frozenset[str]
    whole: Mapping[str, frozenset[str]]
    tiers: Mapping[str, frozenset[str]]
    seldom_outlined: frozenset[str]
    people: Mapping[str, float]

    def tier(self, name: str) -> str:
        """Return the tier of a class: "A", "B", or "" (never counted)."""
        plain = name.lower()
        listed = next((tier for tier, them in self.tiers.items() if plain in them), "A")
        return "" if listed == _NEVER else listed

    def is_whole(self, word: str, name: str) -> bool:
        """Return whether a word stands for a whole class, not for one of its kinds."""
        whole = self.whole.get(name.lower())
        return word in (whole or (name, *plain_names(name)))


@cache
def load_count_words() -> CountWords:
    """Read the words of quantity and the tiers of classes.

    Raises:
        ResourceError: The file is missing or damaged.
    """
    return read_table(FILE, _made)


def _made(data: Mapping[str, Any]) -> CountWords:
    none = data["not_numbers"]
    return CountWords(
        numbers=data["numbers"],
        collectives=data["collectives"],
        single=frozenset(data["single"]["words"]),
        vague={word: tuple(bounds) for word, bounds in data["vague"].items()},
        large=frozenset(data["large"]["words"]),
        large_of=frozenset(data["large"]["of"]),
        large_range=tuple(data["large"]["range"]),
        further=frozenset(data["further"]["words"]),
        before=frozenset(none["before"]),
        measures=frozenset(none["measures"]),
        pairs=frozenset(none["pairs"]),
        whole={name: frozenset(wholes) for name, wholes in data["whole"].items()},
        tiers={tier: frozenset(names) for tier, names in data["tiers"].items()},
        seldom_outlined=frozenset(data["seldom_outlined"]["classes"]),
        people=data["people"],
    )


class ClaimReader:
    """Finds the claims of captions.

    Args:
        reader: The reader of the nouns that name objects.
    """

    def __init__(self, reader: ParsedReader) -> None:
        self.reader, self.words = reader, load_count_words()

    def read(self, captions: Sequence[str]) -> dict[str, tuple[Claim, ...]]:
        """Return the claims of each caption, one a class; see `merged`."""
        return {
            caption: merged(c for tree in trees for c in self.claims(tree))
            for caption, trees in self.reader.trees(captions).items()
        }

    def claims(self, tree: Parse) -> Iterator[Claim]:
        """Yield the claims of one sentence, in its order."""
        for named in self.reader.named(tree):
            countable = named.there and named.name not in self.words.pairs
            if not countable or _is_part(named):
                continue
            if claim := self._claim(tree, named):
                yield claim

    def _claim(self, tree: Parse, named: NamedObject) -> Claim | None:
        children = [k for k, head in enumerate(tree.heads, 1) if head == named.last]
        before = [k for k in children if k < named.first]
        for k in before:
            number = self._number(tree, k)
            if number is not None:
                return self._counted(tree, named, children, k, number)
        for k in before:
            word, noun = tree.lemmas[k - 1], tree.tags[k - 1].startswith("NN")
            if word in self.words.vague and not noun:
                return self._vaguely(named, word)
        if claim := self._collected(tree, named, children):
            return claim
        plural = tree.tags[named.last - 1] in ("NNS", "NNPS")
        among = _is_whole_of(tree, named, children, self.words)
        return self._vaguely(named, "plural") if plural and not among else None

    def _number(self, tree: Parse, k: int) -> int | None:
        """Return the number that a word before a noun states, if any."""
        word, label = tree.words[k - 1], tree.labels[k - 1]
        if label not in ("nummod", "det", "amod", "compound", "nn", "predet"):
            return None
        if k > 1 and tree.lemmas[k - 2] in self.words.before:
            return None
        if word in self.words.numbers or word in self.words.collectives:
            return {**self.words.collectives, **self.words.numbers}[word]
        if word in self.words.single or word == _ANOTHER:
            return 1
        digits = word.isascii() and word.isdigit() and len(word) <= 2
        return int(word) if digits and int(word) > 0 else None

    def _counted(
        self, tree: Parse, named: NamedObject, children: list[int], k: int, number: int
    ) -> Claim | None:
        singular = tree.tags[named.last - 1] == "NN"
        if number > 1 and singular and named.word not in _SAME_PLURAL:
            return None  # "number 3 bus", "a two man boat"
        stratum = self._stratum(tree, named, children, k)
        if number == 1:
            stratum = "one"
        further = any(tree.lemmas[c - 1] in self.words.further for c in children)
        word, noun = tree.words[k - 1], named.word
        high = number if stratum in ("exact", "one") else None
        return Claim(named.name, number, high, stratum, word, noun, further)

    def _stratum(
        self, tree: Parse, named: NamedObject, children: list[int], number: int
    ) -> Stratum:
        if not self.words.is_whole(named.word, named.name):
            return "subset"
        restricting = (
            c
            for c in children
            if c != number
            and tree.labels[c - 1] not in _PLAIN | _CLAUSES
            and not (named.first <= c <= named.last)
        )
        return (
            "modified"
            if any(self._restricts(tree, c) for c in restricting)
            else "exact"
        )

    def _restricts(self, tree: Parse, child: int) -> bool:
        """Return whether a dependent restricts a noun to some of its class: "red"."""
        label, lemma = tree.labels[child - 1], tree.lemmas[child - 1]
        return label == "amod" and lemma not in self.words.further

    def _vaguely(self, named: NamedObject, word: str, large: bool = False) -> Claim:
        low, high = self.words.large_range if large else self.words.vague[word]
        return Claim(named.name, low, high or None, "vague", word, named.word)

    def _collected(
        self, tree: Parse, named: NamedObject, children: list[int]
    ) -> Claim | None:
        """Return the claim of "a pair of dogs", "a large group of people"."""
        head = tree.heads[named.last - 1]
        linked = any(tree.lemmas[k - 1] == "of" for k in children)
        if not head or not linked:
            return None
        word = tree.lemmas[head - 1]
        if word in self.words.collectives:
            if self._number_of(tree, head):
                return None
            number = self.words.collectives[word]
            return self._counted(tree, named, children, head, number)
        if word in self.words.vague:
            before = {
                tree.lemmas[k - 1] for k, h in enumerate(tree.heads, 1) if h == head
            }
            large = bool(before & self.words.large) and word in self.words.large_of
            return self._vaguely(named, word, large)
        return None

    def _number_of(self, tree: Parse, at: int) -> bool:
        """Return whether a noun is itself counted: "two pairs of"."""
        children = (k for k, head in enumerate(tree.heads, 1) if head == at)
        return any(tree.labels[k - 1] == "nummod" for k in children)


def _is_whole_of(
    tree: Parse, named: NamedObject, children: Sequence[int], words: CountWords
) -> bool:
    """Return whether some of the objects are meant: "one of the dogs"."""
    head = tree.heads[named.last - 1]
    linked = any(tree.lemmas[k - 1] == "of" for k in children)
    single = words.single | words.numbers.keys()
    return bool(head) and linked and tree.words[head - 1] in single


def _is_part(named: NamedObject) -> bool:
    first, _, last = named.word.rpartition(" ")
    return bool(first) and last in _PARTS and named.name != last


def merged(claims: Iterator[Claim]) -> tuple[Claim, ...]:
    """Return one claim a class.

    Numbers count before vague words. Those of "other" ones are added to the largest of
    the rest.
    """
    by_class: dict[str, list[Claim]] = {}
    for claim in claims:
        by_class.setdefault(claim.name, []).append(claim)
    return tuple(_one(same) for same in by_class.values())


def _one(claims: Sequence[Claim]) -> Claim:
    numbers = [claim for claim in claims if claim.stratum != "vague"]
    if not numbers:
        return max(claims, key=lambda claim: claim.said)
    first = [claim for claim in numbers if not claim.further]
    largest = max(first or numbers, key=lambda claim: claim.said)
    others = [c for c in numbers if c.further and c is not largest]
    if not others:
        return largest
    total = largest.said + sum(claim.said for claim in others)
    exact = all(c.stratum in ("exact", "one") for c in (largest, *others))
    stratum: Stratum = "exact" if exact else "modified"
    return replace(largest, said=total, high=total if exact else None, stratum=stratum)
