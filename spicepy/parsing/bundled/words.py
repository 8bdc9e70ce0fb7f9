"""The sums that words add to the gates of the first LSTM layer.

A word's vector depends on the word alone, so it is made once: of the row of the word in
a table of known words and of the rows of its `AFFIXES` in theirs.

Sections that belong to it:

* The numbers at which the parser decides one way or the other, in one place.
"""

import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spicepy.common.threads import LOCK
from spicepy.parsing.bundled.arithmetic import (
    TABLE_BITS,
    Floats32,
    Ints,
    room,
    round_to,
    tanh,
)

# The numbers at which the parser decides one way or the other, in one place.


@dataclass(frozen=True, slots=True)
class ParserThresholds:
    """When an `Analyser` is sure, what it leaves open, and how much it does at a time.

    The first part decides which tree a caption gets; the others decide only time and
    memory.

    Attributes:
        margin: The network is sure of a sentence if the best tag and the best head of
            each word score so much more than the next best, in nats.
        open_tag, open_head: The grammar decides among tags and heads that are at most
            that much worse than the best.
        beam, phrase_beam, word_beam: For the words from one place to another, it
            follows up what is at most that much worse than the best: the parts of a
            rule so far and what they may become; whole phrases between their
            neighbours; words between theirs.
        longest_reparsed: Words of the longest sentence on which the grammar decides.
        longest: Words that are analysed together; the time grows with their cube. A
            longer sentence is cut into pieces.

        read_batch: Sentences that the network reads together: their numbers fit the
            cache.
        length_ratio: The longest of them may be so many times as long as the shortest,
        step_cost: or longer if they are few: a step from word to word costs as much as
            reading a word of that many sentences.
        reparse_batch: Sentences on which the grammar decides together, about.
        span_batch: Spans of these that are scored together, about.
        cached_words: Words whose input to the network, or whose scores, are kept.
    """

    margin: float = 1.25
    open_tag: float = 4.5
    open_head: float = 4.0
    beam: float = 9.0
    phrase_beam: float = 6.0
    word_beam: float = 7.0
    longest_reparsed: int = 40
    longest: int = 200

    read_batch: int = 256
    length_ratio: float = 1.5
    step_cost: int = 8
    reparse_batch: int = 1024
    span_batch: int = 16_000
    cached_words: int = 16_000


DEFAULT: Final = ParserThresholds()

NUMERAL: Final = re.compile(r"\d+(?:[.,:/]\d+)*")


def _shape(word: str) -> str:
    kinds = ["d" if c.isdigit() else "x" if c.isalpha() else c for c in word[:12]]
    return "".join(
        k for n, k in enumerate(kinds) if kinds[max(n - 3, 0) : n] != [k] * 3
    )


class Affix(NamedTuple):
    """A part of a word that is looked up, by its hash, in a table of `rows` rows."""

    rows: int
    part: Callable[[str], str]


AFFIXES: Final = {
    "last 2": Affix(2000, lambda word: word[-2:]),
    "last 3": Affix(4000, lambda word: word[-3:]),
    "last 4": Affix(6000, lambda word: word[-4:]),
    "first 2": Affix(1000, lambda word: word[:2]),
    "shape": Affix(500, _shape),
}


@lru_cache(DEFAULT.cached_words)
def affix_rows(word: str) -> tuple[int, ...]:
    """Return the rows of a word in the tables of `AFFIXES`."""
    return tuple(
        zlib.crc32(f"{name} {part(word)}".encode("utf-8", "replace")) % rows
        for name, (rows, part) in AFFIXES.items()
    )


class _Known(NamedTuple):
    """The rows of words in the table: (directions, gates, places, width)."""

    places: dict[str, int]
    table: Floats32


class WordInputs:
    """The sums that words add to the gates of the first LSTM layer.

    Args:
        names: "words" and "stand-ins", as a `Network` has them.
        arrays: Its arrays.
        thresholds: The number of words that are kept.
    """

    def __init__(
        self,
        names: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]],
        thresholds: ParserThresholds,
    ) -> None:
        self._arrays = arrays
        self._read_as: dict[str, str] = {
            word: other for other, words in names["stand-ins"].items() for word in words
        }
        # The word that numbers are read as, if words are read as others at all.
        self._numeral = self._read_as.get("2")
        self._rows = {word: row for row, word in enumerate(names["words"])}
        self._most = thresholds.cached_words
        self._known = _Known({}, self._room(0))

    def of(self, sentences: Sequence[Sequence[str]]) -> tuple[Ints, Floats32]:
        """Return (sentences, words) places in a table, and the table.

        The table is (directions, gates, places, width); what is behind the end of a
        sentence says nothing.
        """
        read_as = self._read_as
        plain = [[read_as.get(word, word) for word in words] for words in sentences]
        places, table = self._learn({word for words in plain for word in words})
        known = ([places[word] for word in words] for words in plain)
        return np.array(list(zip_longest(*known, fillvalue=0))).T, table

    def _learn(self, words: set[str]) -> _Known:
        """Return a table that has these words.

        Other threads go on reading the table they got: what is in it stays as it is,
        and a full table is left to them for a new one.
        """
        known = self._known
        if not words.difference(known.places):
            return known
        with LOCK:
            places, table = self._known
            if len(places) + len(words) > table.shape[2]:
                # The system gives no memory for rows that are not used yet.
                places, table = {}, self._room(max(self._most, len(words)))
            new = sorted(words.difference(places))
            if new:
                begin, end = len(places), len(places) + len(new)
                table[:, :, begin:end] = self._inputs(new)
                places.update(zip(new, range(begin, end)))
            self._known = _Known(places, table)
            return self._known

    def _inputs(self, words: Sequence[str]) -> Floats32:
        """Return what words add to the first layer, (2, 4, words, width)."""
        a = self._arrays
        words = [self._as_known(word) for word in words]
        parts = [a["word"][[self._rows.get(word, 0) for word in words]]]
        rows = np.array([affix_rows(word) for word in words])
        parts += [a[name][rows[:, n]] for n, name in enumerate(AFFIXES)]
        # 64 bits hold these sums exactly.
        sums = np.concatenate(parts, axis=1).astype(np.float64) @ a["vector"]
        vectors = (sums + a["vector bias"]).astype(np.float32)
        round_to(tanh(vectors, np.empty_like(vectors)), TABLE_BITS)
        inputs: Floats32 = vectors @ a["words"] + a["bias 0"][:, None]
        return by_gate(inputs).swapaxes(0, 1)

    def _as_known(self, word: str) -> str:
        """Return how a word is read: numerals without a vector like the others."""
        if self._numeral and word not in self._rows and NUMERAL.fullmatch(word):
            return self._numeral
        return word

    def _room(self, words: int) -> Floats32:
        width = self._arrays["bias 0"].shape[1] // 4
        return np.empty((2, 4, words, width), np.float32)


def in_turn(table: Floats32, places: Ints) -> Iterator[Floats32]:
    """Yield the sums that each word in turn adds to the gates, in the same memory.

    Args:
        table: (directions, gates, places, width).
        places: (directions, sentences, words).
    """
    directions, gates, _, width = table.shape
    sums = room(directions, gates, places.shape[1], width)
    for step in range(places.shape[2]):
        for of_side, rows, out in zip(table, places[:, :, step], sums):
            np.take(of_side, rows, axis=1, out=out, mode="clip")
        yield sums


def by_gate(values: NDArray[Any]) -> NDArray[Any]:
    """Turn (..., 4 x width) of all gates into (4, ..., width)."""
    return np.moveaxis(values.reshape(*values.shape[:-1], 4, -1), -2, 0)
