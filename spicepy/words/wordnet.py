"""Synonyms: which words share a WordNet 3.0 synset.

Two words are synonyms when they, or their base forms, share the id of a synset.

SPICE and METEOR 1.5 use the same table and the same rule: the ids of all parts
of speech and senses are pooled, an id is a bare byte offset without its part of
speech (so 282 ids mean different things in different parts of speech: "able"
and "breathe" are synonyms here), and the ids of the word's base form are added,
even if the word is a base form itself.

This module alone opens WordNet. The bundled table is one sorted text, one lemma per
line, searched in place: nothing is unpacked into Python objects until asked.

Source: Banerjee & Lavie 2005, METEOR, section 2; Miller 1995, WordNet.
"""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Final, Literal, Protocol

from spicepy.common.errors import InputError, ResourceError
from spicepy.common.files import without_digest
from spicepy.common.resources import required

# WordNet's files as sorted tables of text, small and searched in place.

PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
"""WordNet's file suffixes and the letter that marks each in our table."""

BLOCK: Final = 2048  # Bytes of a block of lines, about


class SortedTable:
    """A sorted text of `key TAB values` lines, searched without unpacking."""

    # The first keys of blocks of lines are known; inside a block, the text is searched.

    def __init__(self, data: bytes) -> None:
        self._data = data
        begins = {data.find(b"\n", at) + 1 for at in range(BLOCK, len(data), BLOCK)}
        self._begins = sorted({0, *begins, len(data)})
        self._firsts = [
            data[begin : data.find(b"\t", begin) + 1] for begin in self._begins[:-1]
        ]

    def __bytes__(self) -> bytes:
        return self._data

    def lines(self) -> list[bytes]:
        """Return all lines, without their ends."""
        return self._data.split(b"\n")[:-1]

    def get(self, key: str) -> str | None:
        """Return the values of a key, or None."""
        data, start = self._data, key.encode(errors="surrogatepass") + b"\t"
        block = bisect_right(self._firsts, start) - 1
        if block < 0:
            return None
        at = self._begins[block]
        if self._firsts[block] != start:
            at = data.find(b"\n" + start, at, self._begins[block + 1]) + 1
            if not at:
                return None
        return data[at + len(start) : data.find(b"\n", at)].decode()


def lemma_table(files: Iterable[tuple[str, Iterable[str]]]) -> bytes:
    """Make the lemma table from (part of speech, lines of `index.*`)."""
    senses: dict[str, list[str]] = {}
    for part, lines in files:
        for line in lines:
            if line.startswith(" ") or not line.strip():
                continue  # the licence, or an empty line at the end
            fields = line.split()
            offsets = fields[-int(fields[2]) :]
            senses.setdefault(fields[0], []).extend(
                f"{PARTS[part]}{int(offset)}" for offset in offsets
            )
    return _table(senses)


def exception_table(files: Iterable[tuple[str, Iterable[str]]]) -> bytes:
    """Make the exception table from (part of speech, lines of `*.exc`)."""
    bases: dict[str, list[str]] = {}
    for part, lines in files:
        for line in lines:
            inflected, *forms = line.split() or [""]
            for base in forms:
                bases.setdefault(inflected, []).append(f"{PARTS[part]}:{base}")
    return _table(bases)


def _table(entries: dict[str, list[str]]) -> bytes:
    lines = sorted(
        f"{key}\t{' '.join(dict.fromkeys(values))}\n".encode()
        for key, values in entries.items()
    )
    return b"".join(lines)


MORPHY: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "n": (
        *(("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z")),
        *(("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")),
    ),
    "v": (
        *(("s", ""), ("ies", "y"), ("es", "e"), ("es", "")),
        *(("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}
"""Part of speech -> Morphy's detachment rules."""

SUFFIXES = tuple(r for rules in MORPHY.values() for r in rules if r != ("ves", "f"))
"""Detachment rules of METEOR: the first that fits and gives a lemma wins."""

Source = Literal["bundled", "nltk"]
_BLANKS = "".join(map(chr, range(33)))
_NONE: frozenset[int] = frozenset()


class Synonyms(Protocol):
    """A source of synonyms for the scene graph and METEOR."""

    @property
    def signature(self) -> str:
        """The name of the data, for a result's signature."""

    def synset_ids(self, word: str) -> frozenset[int]:
        """Return the synset ids of a word or phrase; synonyms share at least one."""


class WordNet:
    """The synonym table of METEOR 1.5 and SPICE, over WordNet 3.0.

    Args:
        lemmas: Sorted UTF-8 lines `lemma TAB n1740 n2137 v4523`: a letter for part of
            speech, then the synset's offset.
        exceptions: Sorted lines `inflected TAB n:base v:base`.
        signature: The name of the data.
        source: The name in `load_wordnet`, if any: then this alone is pickled.
    """

    def __init__(
        self,
        lemmas: bytes,
        exceptions: bytes,
        signature: str,
        source: Source | None = None,
    ) -> None:
        self.signature = signature
        self.source = source
        self._lemmas = SortedTable(lemmas)
        self._exceptions = SortedTable(exceptions)
        self._ids: dict[str, frozenset[int]] = {}

    def __reduce__(self) -> tuple[Callable[..., "WordNet"], tuple[object, ...]]:
        if self.source is not None:
            return load_wordnet, (self.source,)
        tables = bytes(self._lemmas), bytes(self._exceptions)
        return WordNet, (*tables, self.signature)

    def senses(self, lemma: str) -> tuple[tuple[str, int], ...]:
        """Return (part of speech: n, v, a or r; offset) of each synset of a lemma."""
        # WordNet's own spelling is expected: lower case, `_` for a blank.
        values = self._lemmas.get(lemma)
        if values is None:
            return ()
        return tuple((value[0], int(value[1:])) for value in values.split(" "))

    def noun_offsets(self) -> list[int]:
        """Return the offsets of all noun synsets, ascending."""
        return sorted(map(int, set(_NOUN_OFFSET.findall(bytes(self._lemmas)))))

    def nouns(self) -> Iterator[str]:
        """Yield all nouns in alphabetical order; blanks stand between their words."""
        for line in self._lemmas.lines():
            lemma, _, values = line.partition(b"\t")
            if any(value.startswith(b"n") for value in values.split()):
                yield lemma.decode().replace("_", " ")

    def get_syn_sets(self, word: str) -> frozenset[int]:
        """Return the ids listed for the word exactly as given."""
        return frozenset(offset for _, offset in self.senses(word))

    def get_stem_syn_sets(self, word: str) -> frozenset[int]:
        """Return the ids of the word's base forms: exceptions first, then suffixes."""
        bases = self._exceptions.get(word)
        if bases is not None:
            sets = (self.get_syn_sets(base[2:]) for base in bases.split(" "))
            return _NONE.union(*sets)
        if word.endswith("ss") or len(word) <= 2:
            return self.get_syn_sets(word)
        for suffix, replacement in SUFFIXES:
            if word.endswith(suffix):
                ids = self.get_syn_sets(word.removesuffix(suffix) + replacement)
                if ids:
                    return ids
        return _NONE

    def base_forms(self, word: str, part: str) -> tuple[str, ...]:
        """Return the lemmas of an inflected word, the word itself first if it is one.

        Unlike `get_stem_syn_sets`, which has METEOR's rules, these are the rules of
        Morphy: one part of speech ("n", "v", "a" or "r"), exceptions before suffixes,
        every suffix that gives a lemma, and suffixes again of what gave none.

        Source: Miller 1995, WordNet, morphy(7WN); outputs compared with NLTK's
        `WordNetLemmatizer`.
        """
        irregular = (self._exceptions.get(word) or "").split(" ")
        bases = [base[2:] for base in irregular if base.startswith(f"{part}:")]
        if bases:
            return self._lemmas_among((word, *bases), part)
        forms = _detached([word], part)
        if lemmas := self._lemmas_among((word, *forms), part):
            return lemmas
        while forms:
            forms = _detached(forms, part)
            if lemmas := self._lemmas_among(forms, part):
                return lemmas
        return ()

    def _lemmas_among(self, words: Iterable[str], part: str) -> tuple[str, ...]:
        lemmas = (w for w in words if any(p == part for p, _ in self.senses(w)))
        return tuple(dict.fromkeys(lemmas))

    def exact_ids(self, word: str) -> frozenset[int]:
        """Return both of the above for a word exactly as given: METEOR's token."""
        ids = self._ids.get(word)
        if ids is None:
            ids = self.get_syn_sets(word) | self.get_stem_syn_sets(word)
            self._ids[word] = ids
        return ids

    def synset_ids(self, word: str) -> frozenset[int]:
        """Return the offsets of all synsets, of any part of speech, of a word."""
        return self.exact_ids(word.strip(_BLANKS).lower().replace(" ", "_"))


def _detached(words: Sequence[str], part: str) -> list[str]:
    return [
        word.removesuffix(suffix) + replacement
        for word in words
        for suffix, replacement in MORPHY[part]
        if word.endswith(suffix)
    ]


class ExactWords:
    """No synonyms: words match only themselves (SPICE-exact)."""

    signature = "none"

    def synset_ids(self, word: str) -> frozenset[int]:
        """Return the empty set."""
        return _NONE


_NOUN_OFFSET: Final = re.compile(rb"(?<=[\t ])n(\d+)")
_NAME: Final = "wordnet-3.0"
_NLTK: Final = "nltk-wordnet"


def load_synonyms(source: str = "bundled") -> Synonyms:
    """Return the synonyms of a named source, loaded once per process."""
    # The source is "bundled" (WordNet 3.0), "nltk" (the user's NLTK `wordnet` corpus),
    # "none" (no synonyms), or their name in a signature, which must be that of the
    # corpus.
    if source == "none":
        return ExactWords()
    if source in ("bundled", _NAME):
        return load_wordnet("bundled")
    name, digest = without_digest(source)
    if source != "nltk" and not (digest and name == _NLTK):
        raise InputError(
            f"unknown synonym source {source!r}: give bundled, nltk or none"
        )
    words = load_wordnet("nltk")
    if digest and words.signature != source:
        raise InputError(
            f"NLTK's corpus is {words.signature}, not {source}: install that one, or "
            "give nltk"
        )
    return words


def load_wordnet(source: Source = "bundled") -> WordNet:
    """Return the bundled WordNet 3.0, or the user's NLTK corpus; load it once."""
    return _load(source)


@cache
def _load(source: Source) -> WordNet:
    if source == "nltk":
        return _from_nltk()
    return WordNet(*_bundled(), signature=_NAME, source="bundled")


def _bundled() -> tuple[bytes, bytes]:
    data = resources.files(__package__)
    lemmas, exceptions = (
        (data / f"wordnet-3.0.{name}.tsv").read_bytes()
        for name in ("lemmas", "exceptions")
    )
    return lemmas, exceptions


def _from_nltk() -> WordNet:
    """Read NLTK's copy; it keeps the bundled name if it is the same data."""
    nltk = required("nltk", "NLTK's WordNet")

    for name in ("corpora/wordnet", "corpora/wordnet.zip/wordnet/"):
        try:
            folder = nltk.data.find(name)
            break
        except LookupError:
            continue
    else:
        raise ResourceError(
            "NLTK's wordnet corpus is not installed: run "
            "`python -m nltk.downloader wordnet`, or use the bundled WordNet"
        )

    def lines(name: str) -> list[str]:
        with folder.join(name).open() as file:
            text = file.read()
        return (text if isinstance(text, str) else text.decode()).splitlines()

    tables = (
        lemma_table((part, lines(f"index.{part}")) for part in PARTS),
        exception_table((part, lines(f"{part}.exc")) for part in PARTS),
    )
    if tables == _bundled():
        return WordNet(*tables, signature=_NAME, source="nltk")
    digest = hashlib.sha256(b"".join(tables)).hexdigest()[:8]
    return WordNet(*tables, signature=f"{_NLTK}@{digest}", source="nltk")


# The noun hierarchy: the kinds of each WordNet synset, and what it is a kind of.
#
# "dog" → dog.n.01 → canine (1) → carnivore (2) → …
#
# Source: Miller 1995, WordNet; the data is WordNet 3.0's.


class Hierarchy:
    """Noun synsets and their hypernyms."""

    # The lines of the table are the synsets of `wordnet`'s nouns in ascending order.

    def __init__(self, wordnet: WordNet, table: bytes) -> None:
        self._wordnet = wordnet
        self._offsets = wordnet.noun_offsets()
        self._ranks = {offset: rank for rank, offset in enumerate(self._offsets)}
        self._rows = table.split(b"\n")
        self._synsets: dict[str, tuple[int, ...]] = {}
        self._above: dict[int, Mapping[int, int]] = {}
        self._only: dict[str, bool] = {}

    def synsets(self, noun: str) -> tuple[int, ...]:
        """Return the synsets (offsets) of a noun, the most frequent sense first."""
        offsets = self._synsets.get(noun)
        if offsets is None:
            senses = self._wordnet.senses(noun.replace(" ", "_"))
            offsets = tuple(offset for part, offset in senses if part == "n")
            self._synsets[noun] = offsets
        return offsets

    def is_only_noun(self, word: str) -> bool:
        """Return whether all synsets of a word that has any are nouns."""
        if word not in self._only:
            senses = self._wordnet.senses(word.replace(" ", "_"))
            self._only[word] = bool(senses) and all(part == "n" for part, _ in senses)
        return self._only[word]

    def hypernyms(self, synset: int) -> list[int]:
        """Return the synsets right above a synset."""
        rank = self._ranks[synset]
        return [self._offsets[rank + int(far)] for far in self._rows[rank].split()]

    def above(self, synset: int) -> Mapping[int, int]:
        """Return the synset and everything above it, each with its least distance."""
        distances = self._above.get(synset)
        if distances is None:
            distances = {synset: 0}
            for hypernym in self.hypernyms(synset):
                for higher, distance in self.above(hypernym).items():
                    distances[higher] = min(distance + 1, distances.get(higher, 1_000))
            self._above[synset] = distances
        return distances

    def depth(self, synset: int) -> int:
        """Return the steps from a synset to the top of the hierarchy, "entity"."""
        return max(self.above(synset).values())


@cache
def load_hierarchy() -> Hierarchy:
    """Return the noun hierarchy of WordNet 3.0, loaded once per process."""
    table = resources.files(__package__) / "wordnet-3.0.hypernyms.tsv"
    return Hierarchy(load_wordnet(), table.read_bytes())


def is_below(noun: str, tops: Iterable[str], number: int | None = 1) -> bool:
    """Return whether one of the first senses of a noun is a kind of a general one."""
    hierarchy = load_hierarchy()
    senses = hierarchy.synsets(noun.replace("children", "child"))[:number]
    wanted = {hierarchy.synsets(top)[0] for top in tops}
    return any(not wanted.isdisjoint(hierarchy.above(sense)) for sense in senses)
