"""The arithmetic of the network, and words as vectors in it."""

import math
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

# Exact arithmetic: the same bits in any batch, on any number of threads, anywhere.
#
# A BLAS adds up in an order that depends on the number of rows, the number of threads
# and the processor, so the same caption could get another last bit in another batch,
# and once in a great many decisions another tree. Here all factors are whole numbers
# times a power of two, so short that every sum of their products is exact: then the
# order cannot matter. What is not a product of matrices uses only +, -, *, / and
# rounding, which IEEE 754 defines to the last bit.
#
#     values                  bits after     largest  multiplied by         summed in
#                             the point
#     a word's table rows     TABLE_BITS     any      VECTOR_BITS           float64
#     a word's vector         TABLE_BITS     1        `exact_weights`       float32
#     LSTM states             STATE_BITS     1        8 bits (`quantized`)  float32
#     hidden layers           HIDDEN_BITS    8        `exact_weights`       float32
#     a word as a dependent   ARC_BITS       any      HIDDEN_BITS           float64
#
# A float32 holds whole numbers up to 2 ** 24 (`EXACT_BITS`), a float64 those up to 2 **
# 53, which no sum of the two rows marked so comes near. In the other rows, either the
# weights are rounded as finely as 24 bits allow for the largest possible sum
# (`exact_weights`), or both factors are whole numbers up to 127, of which 1,040
# products (`MAX_INPUTS`) fit (`Product`).

Floats32 = NDArray[np.float32]
Floats64 = NDArray[np.float64]
Floats = NDArray[np.floating]
Int8s = NDArray[np.int8]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

EXACT_BITS: Final = 24
TABLE_BITS: Final = 8
VECTOR_BITS: Final = 12
STATE_BITS: Final = 7
HIDDEN_BITS: Final = 6
ARC_BITS: Final = 9

MAX_HIDDEN: Final = 8.0  # Hidden layers are cut off here (and at 0)

MAX_BYTE: Final = 127  # The largest absolute value of a whole number of 8 bits

MAX_INPUTS: Final = 2**EXACT_BITS // MAX_BYTE**2

SCALE_BITS: Final = 16
"""The number of bits of a scale: its product with a number of 8 bits is exact."""

ONE: Final = np.float32(1)

MAX_TANH: Final = np.float32(3.0784)
"""Here the approximation of `tanh` is 0.9979, and it is kept so beyond."""

TANH: Final = np.float32(0.129633), np.float32(2.380468), np.float32(2.760888)
"""k, m and n of the approximation x (k + m / (x ^ 2 + n)), its largest error least."""

BLOCK: Final = 512
"""The number of rows that are multiplied at a time: they and their products fit the
cache."""

LINE: Final = 16  # The number of floats in a cache line


def round_to(values: Floats32, bits: int) -> Floats32:
    """Round in place to multiples of 2 ** -bits (values below 2 ** (22 - bits))."""
    # Adding and taking away a large number drops the bits beyond the point.
    shift = np.float32(1.5 * 2 ** (23 - bits))
    values += shift
    values -= shift
    return values


def exact_weights(weights: Floats32, input_bits: int, largest: float) -> Floats32:
    """Round weights (..., inputs, outputs) as finely as exact sums allow."""
    # The inputs have `input_bits` bits after the point and are at most `largest`.
    sums = np.abs(weights).sum(axis=-2, dtype=np.float64).max()
    before_point = math.ceil(math.log2(max(sums, 1.0) * largest * 1.01))
    return round_to(weights.copy(), EXACT_BITS - input_bits - before_point)


def matmul(values: Floats32, weights: Floats32) -> Floats32:
    """Multiply the last axis; one large product instead of one per sentence."""
    product: Floats32 = values.reshape(-1, values.shape[-1]) @ weights
    return product.reshape(*values.shape[:-1], weights.shape[-1])


def rounded_relu(values: Floats32) -> Floats32:
    """Cut off a hidden layer at 0 and at its largest value, and round it."""
    return round_to(values.clip(0, np.float32(MAX_HIDDEN)), HIDDEN_BITS)


def tanh(values: Floats32, scratch: Floats32) -> Floats32:
    """Replace values by their hyperbolic tangents (error below 0.0022)."""
    clip_for_tanh(values, values)
    tanh_factors(values, scratch)
    values *= scratch
    return values


def clip_for_tanh(values: Floats32, out: Floats32) -> None:
    """Put values into `out`, those beyond `MAX_TANH` cut off there."""
    np.clip(values, -MAX_TANH, MAX_TANH, out=out)


def tanh_factors(values: Floats32, factors: Floats32, times: np.float32 = ONE) -> None:
    """Put into `factors` what turns clipped values into `times` their tangents."""
    share, numerator, offset = TANH
    np.multiply(values, values, out=factors)
    factors += offset
    np.divide(numerator * times, factors, out=factors)
    factors += share * times


def quantized(weights: Floats32) -> tuple[Int8s, Floats32]:
    """Return (..., inputs, outputs) whole numbers and scales (..., 1, outputs)."""
    # The weights are about the numbers times the scales. Weights that are so already
    # give the same numbers and scales again.
    largest = np.abs(weights).max(axis=-2, keepdims=True)
    largest = np.where(largest > 0, largest, MAX_BYTE)
    mantissa, exponent = np.frexp(largest / MAX_BYTE)
    rounded = np.ceil(mantissa * 2.0**SCALE_BITS)
    scale = np.ldexp(rounded, exponent - SCALE_BITS).astype(np.float32)
    return np.rint(weights / scale).astype(np.int8), scale


class Product:
    """Matrices of 8-bit whole numbers, (..., inputs, outputs), to multiply by."""

    # They have at most `MAX_INPUTS` inputs; products are multiplied by `scale`,
    # (outputs,) or more.

    def __init__(self, numbers: Int8s, scale: Floats32) -> None:
        if numbers.shape[-2] > MAX_INPUTS:
            raise ValueError(f"{numbers.shape[-2]} inputs; {MAX_INPUTS} add up exactly")
        self.shape = numbers.shape
        self.scale = scale
        self._numbers = np.ascontiguousarray(numbers, np.float32)

    def __call__(self, values: Int8s) -> Floats32:
        """Multiply (rows, inputs) values from -127 to 127 into (rows, outputs)."""
        sums = np.empty((len(values), self.shape[-1]), np.float32)
        for start in range(0, len(values), BLOCK):
            rows = slice(start, start + BLOCK)
            self.sums(values[rows], sums[rows])
            sums[rows] *= self.scale
        return sums

    def sums(self, values: Int8s, out: Floats32) -> None:
        """Put products of `values` (..., rows, inputs) into `out`, unscaled."""
        np.matmul(values.astype(np.float32), self._numbers, out=out)


def aligned(*shape: int) -> Floats32:
    """Return room for numbers that begins at a cache line, where numpy is faster."""
    numbers = np.empty(math.prod(shape) + LINE, np.float32)
    begin = -numbers.ctypes.data // numbers.itemsize % LINE
    return numbers[begin : begin - LINE].reshape(shape)


@dataclass(frozen=True, slots=True)
class ParserThresholds:
    """When an `Analyser` is sure, what it leaves open, and how much it does at a time.

    The first part decides which tree a caption gets; the others decide only time and
    memory.
    """

    # The network is sure of a sentence if the best tag and the best head of each word
    # score so much more than the next best, in nats.
    margin: float = 1.25
    # The grammar decides among what is at most that much worse than the best.
    open_tag: float = 4.5
    open_head: float = 4.0
    # For the words from one place to another, it follows up what is at most that much
    # worse than the best: the parts of a rule so far and what they may become; whole
    # phrases between their neighbours; words between theirs.
    beam: float = 9.0
    phrase_beam: float = 6.0
    word_beam: float = 7.0
    longest_reparsed: int = 40  # Words of a sentence on which the grammar decides
    longest: int = 200  # Words analysed together, in time that grows with their cube

    read_batch: int = 256  # Sentences that the network reads together, for the cache
    length_ratio: float = 1.5  # Of the longest and the shortest, unless they are few
    step_cost: int = 8  # A step from word to word costs as much as so many sentences
    reparse_batch: int = 1024  # Sentences on which the grammar decides together, about
    span_batch: int = 16_000  # Spans of these that are scored together, about
    cached_words: int = 16_000  # Words whose input or whose scores are kept


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
    """The sums that words add to the gates of the first LSTM layer of a `Network`."""

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
        """Return (sentences, words) places in a table, and the table."""
        # The table is (directions, gates, places, width); what is behind the end of a
        # sentence says nothing.
        read_as = self._read_as
        plain = [[read_as.get(word, word) for word in words] for words in sentences]
        places, table = self._learn({word for words in plain for word in words})
        known = ([places[word] for word in words] for words in plain)
        return np.array(list(zip_longest(*known, fillvalue=0))).T, table

    def _learn(self, words: set[str]) -> _Known:
        """Return a table that has these words."""
        # Other threads go on reading the table they got: what is in it stays as it is,
        # and a full table is left to them for a new one.
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
    """Yield the sums that each word in turn adds to the gates, in the same memory."""
    # `table` is (directions, gates, rows, width), `places` (directions, sentences,
    # words).
    directions, gates, _, width = table.shape
    sums = aligned(directions, gates, places.shape[1], width)
    for step in range(places.shape[2]):
        for of_side, rows, out in zip(table, places[:, :, step], sums):
            np.take(of_side, rows, axis=1, out=out, mode="clip")
        yield sums


def by_gate(values: NDArray[Any]) -> NDArray[Any]:
    """Turn (..., 4 x width) of all gates into (4, ..., width)."""
    return np.moveaxis(values.reshape(*values.shape[:-1], 4, -1), -2, 0)
