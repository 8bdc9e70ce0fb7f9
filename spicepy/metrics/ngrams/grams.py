"""Words, word pairs and n-grams as numbers: exact, and never renumbered."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import is_
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spicepy.common.errors import InputError, brief
from spicepy.common.threads import LOCK
from spicepy.tokenization.samples import TokenisedSample

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

ORDERS = (1, 2, 3, 4)  # The lengths of the n-grams that document frequencies count

HALF = 31
"""The number of bits of each half of an n-gram number: the number is exact, never a
hash."""


class GramVocabulary:
    """Numbers for words, pairs of words and n-grams; grows, never renumbers."""

    # `normalise` maps a word to the form that is counted (a stemmer); it is called once
    # for each distinct word.

    def __init__(self, normalise: Callable[[str], str] | None = None) -> None:
        self.words: list[str] = []
        self.pairs: list[int] = []
        self._normalise = normalise
        self._forms: dict[str, int] = {}
        self._ids = _Numbers(self._number)
        self._pair_ids: dict[int, int] = {}

    @classmethod
    def restored(cls, words: list[str], pairs: Ints) -> "GramVocabulary":
        """Return the vocabulary of words and pairs (no stems), in their order."""
        made = cls()
        made.words, made.pairs = words, pairs.tolist()
        made._forms = {word: number for number, word in enumerate(words)}
        made._pair_ids = {pair: number for number, pair in enumerate(made.pairs)}
        return made

    @property
    def repeats(self) -> bool:
        """Whether a word or a pair has two numbers, which only damage brings about."""
        words, pairs = len(self._forms), len(self._pair_ids)
        return words < len(self.words) or pairs < len(self.pairs)

    def word_ids(self, tokens: list[str]) -> Ints:
        """Return numbers of words, new words included."""
        return np.fromiter(map(self._ids.__getitem__, tokens), np.int64, len(tokens))

    def _number(self, token: str) -> int:
        with LOCK:
            return self._intern(self._normalise(token) if self._normalise else token)

    def _intern(self, form: str) -> int:
        if form not in self._forms:
            self._forms[form] = len(self.words)
            self.words.append(form)
        return self._forms[form]

    def form_ids(self, forms: list[str]) -> Ints:
        """Return numbers of words that are in the counted form already."""
        with LOCK:
            return np.array([self._intern(form) for form in forms], np.int64)

    def pair_ids(self, first: Ints, second: Ints) -> Ints:
        """Return numbers of word pairs, new pairs included."""
        codes, inverse = np.unique(first << HALF | second, return_inverse=True)
        return self.numbered_pairs(codes)[inverse]

    def numbered_pairs(self, codes: Ints) -> Ints:
        """Return the numbers of distinct word pairs (bigrams), which may be new."""
        known, pairs = self._pair_ids, codes.tolist()
        with LOCK:
            new = [pair for pair in pairs if pair not in known]
            numbers = range(len(known), len(known) + len(new))
            known.update(zip(new, numbers))
            self.pairs.extend(new)
        if len(new) == len(pairs):  # a new vocabulary: nothing to look up
            return np.arange(numbers.start, numbers.stop)
        return np.fromiter(map(known.__getitem__, pairs), np.int64, len(pairs))

    def gram_codes(self, words: Ints) -> Ints:
        """Return the numbers of n-grams of word numbers, shape (n-grams, n), n 1-4."""
        return _gram_codes(words, self.pair_ids)

    def known_codes(self, grams: Sequence[tuple[str, ...]]) -> Ints:
        """Return the numbers of n-grams of one order (1-4); -1 for new ones."""
        forms, n = self._forms, len(grams[0]) if grams else 1
        numbers = [forms.get(word, -1) for gram in grams for word in gram]
        return _gram_codes(
            np.array(numbers, np.int64).reshape(-1, n), self._known_pairs
        )

    def _known_pairs(self, first: Ints, second: Ints) -> Ints:
        codes, known = first << HALF | second, self._pair_ids  # below 0: a new word
        return np.array([known.get(code, -1) for code in codes.tolist()], np.int64)

    def spell(self, codes: Ints, n: int) -> list[str]:
        """Return the n-grams of such numbers, words joined by single spaces."""
        columns = self.columns(codes, n)
        named = [[self.words[i] for i in column.tolist()] for column in columns]
        return [" ".join(gram) for gram in zip(*named)]

    def columns(self, codes: Ints, n: int) -> list[Ints]:
        """Return the numbers of the words of n-grams: n arrays."""
        high, low = _halves(codes)
        pairs = np.array(self.pairs, np.int64)
        columns = [low] if n == 1 else [high, low]
        if n > 2:
            columns[:1] = _halves(pairs[high])
        if n == 4:
            columns[2:] = _halves(pairs[low])
        return columns


class _Numbers(dict[str, int]):
    """Numbers of words, which are made when they are first asked for."""

    def __init__(self, number: Callable[[str], int]) -> None:
        self._number = number

    def __missing__(self, token: str) -> int:
        number = self[token] = self._number(token)
        return number

    def __reduce__(self) -> tuple[type["_Numbers"], tuple[Callable[[str], int]]]:
        return type(self), (self._number,)


def _gram_codes(words: Ints, pair_ids: Callable[[Ints, Ints], Ints]) -> Ints:
    """Return the numbers of n-grams from those of words and pairs, or -1."""
    n = words.shape[1]
    high, low = words[:, 0], words[:, n - 1]
    if n == 1:
        return low
    if n > 2:
        high = pair_ids(words[:, 0], words[:, 1])
    if n == 4:
        low = pair_ids(words[:, 2], words[:, 3])
    return np.where((high < 0) | (low < 0), -1, high << HALF | low)


def _halves(codes: Ints) -> tuple[Ints, Ints]:
    return codes >> HALF, codes & (1 << HALF) - 1


# Captions as arrays of word numbers, and their n-grams counted in bulk.
#
# In: samples with tokenised captions. Out: a `CaptionTable` (every word of every
# caption in one flat array) and, for each order of n-grams, a `GramTable`: the n-grams
# of each caption with their counts, ordered so that the rows of one n-gram within one
# image are neighbours, the candidate's first. BLEU, ROUGE and CIDEr are sums over these
# rows. Two captions of one image, "a dog" (candidate) and "a big dog":
#
#     words    a dog a big dog        positions 0 1 | 2 3 4
#     n = 1    (a: 0 2) (dog: 1 4) (big: 3)
#     n = 2    (a dog: 0) (a big: 2) (big dog: 3)
#
# Every sum runs in the order of the words, so an image's figures do not depend on the
# other images it is scored with.

CHUNK = 50_000
"""The number of captions held as arrays at once; bounds memory whatever the corpus
size."""

_ODD_SPACES = ("  ", *(c for c in map(chr, range(0x3001)) if c.isspace() and c != " "))

_CUT = 1_000  # The number of captions that are cut into words at once

Expand = Callable[[Ints], Ints]

_COMPACT = 40
"""The number of bits an n-gram number may take beside a word's position in one 64-bit
key."""


def chunks(samples: Sequence[TokenisedSample]) -> Iterator[Sequence[TokenisedSample]]:
    """Cut samples, which must have references, into runs of about `CHUNK` captions."""
    start = captions = 0
    for stop, sample in enumerate(samples, 1):
        if not sample.references:
            raise InputError(
                f"image {brief(sample.image_id)}: no references; every image needs one"
            )
        captions += 1 + len(sample.references)
        if captions >= CHUNK or stop == len(samples):
            yield samples[start:stop]
            start, captions = stop, 0


@dataclass(frozen=True, slots=True, eq=False)
class CaptionTable:
    """All captions of some samples as arrays."""

    # Caption order: of each image the candidate, then its references.
    words: Ints  # Word numbers of all captions, end to end
    caption: Ints  # The caption of each word
    starts: Ints  # Index of each caption's first word (captions + 1 long)
    image: Ints  # The image of each caption
    candidates: Ints  # The caption number of each image's candidate
    vocabulary: GramVocabulary  # The meaning of the numbers

    @property
    def lengths(self) -> Ints:
        """Words in each caption."""
        return np.diff(self.starts)

    @property
    def is_candidate(self) -> NDArray[np.bool_]:
        """Whether each caption is a candidate (else a reference)."""
        mask = np.zeros(len(self.image), bool)
        mask[self.candidates] = True
        return mask

    @property
    def references(self) -> Ints:
        """The caption numbers of all references, in order."""
        return np.flatnonzero(~self.is_candidate)

    @property
    def reference_starts(self) -> Ints:
        """The start of each image's references in `references`."""
        return self.candidates - np.arange(len(self.candidates))


def encode(
    samples: Sequence[TokenisedSample],
    vocabulary: GramVocabulary | None = None,
    separator: str | None = None,
) -> CaptionTable:
    """Encode the words of samples as numbers, those of `vocabulary` first."""
    # `separator` is as in `str.split`: any white space (the default) or every " ". The
    # last table asked for with defaults is cached, as several metrics count the same
    # samples.
    if vocabulary is None and separator is None:
        return _encode_again(tuple(samples))
    return _encode(samples, vocabulary or GramVocabulary(), separator)


_LAST: list[tuple[tuple[TokenisedSample, ...], CaptionTable]] = []
"""The samples encoded last, if any, and their table."""


def _encode_again(samples: tuple[TokenisedSample, ...]) -> CaptionTable:
    for known, table in _LAST:
        # The same objects: to compare and hash thousands of captions takes longer.
        if len(known) == len(samples) and all(map(is_, known, samples)):
            return table
    made = _encode(samples, GramVocabulary(), None)
    _LAST[:] = [(samples, made)]
    return made


def _encode(
    samples: Sequence[TokenisedSample],
    vocabulary: GramVocabulary,
    separator: str | None,
) -> CaptionTable:
    captions = list(chain.from_iterable((s.candidate, *s.references) for s in samples))
    sizes = np.fromiter((1 + len(s.references) for s in samples), np.int64)
    words, lengths = _split(captions, vocabulary, separator)
    return CaptionTable(
        words=words,
        caption=np.repeat(np.arange(len(captions)), lengths),
        starts=_offsets(lengths),
        image=np.repeat(np.arange(len(sizes)), sizes),
        candidates=_offsets(sizes)[:-1],
        vocabulary=vocabulary,
    )


def _split(
    captions: list[str], vocabulary: GramVocabulary, separator: str | None
) -> tuple[Ints, Ints]:
    """Return the word numbers of all captions end to end, and their lengths."""
    # Cutting a long text is several times faster than many short ones; but not all of
    # them at once, so that words stay in the processor's caches.
    end, text = "\0", "\n".join(captions)
    while end in text:
        end += "\0"
    between = f" {end} "
    parts = [
        f"{between.join(captions[at : at + _CUT])} {end}"
        for at in range(0, len(captions), _CUT)
    ]
    ids = [vocabulary.word_ids(part.split(separator)) for part in parts]
    words = np.concatenate([np.empty(0, np.int64), *ids])
    is_end = words == vocabulary.word_ids([end])
    return words[~is_end], np.diff(np.flatnonzero(is_end), prepend=-1) - 1


def odd_spacing(samples: Sequence[TokenisedSample]) -> list[int]:
    """Return images with a caption that cutting at every " " would cut differently."""
    text = " \0 ".join(c for s in samples for c in (s.candidate, *s.references))
    # The spaces around the \0 double those at a caption's ends.
    odd = [space for space in _ODD_SPACES if space in f" {text} "]
    if not odd:
        return []
    return [
        index
        for index, s in enumerate(samples)
        if any(o in f" {c} " for c in (s.candidate, *s.references) for o in odd)
    ]


def _offsets(lengths: Ints) -> Ints:
    return np.concatenate(([0], np.cumsum(lengths)))


@dataclass(frozen=True, slots=True, eq=False)
class GramTable:
    """Distinct n-grams of each caption, sorted by n-gram, then caption."""

    codes: Ints  # The distinct n-grams, sorted, as vocabulary numbers
    gram: Ints  # Index into `codes` of each row
    caption: Ints  # Caption of each row
    count: Ints  # The number of times that the caption has the n-gram (term frequency)
    position: Ints  # The first place of the n-gram in `words`
    # The rows of references that share an n-gram with the candidate of their image, and
    # the candidate's row for each of them
    reference_rows: Ints
    candidate_rows: Ints


@lru_cache(maxsize=4)
def count_grams(table: CaptionTable, n: int) -> GramTable:
    """Count the n-grams of each caption, n 1-4; the last few tables are cached."""
    if n == 2:
        return _tabulated(table, *_sorted_pairs(table))
    words, at = table.words, positions(table, n)
    if n == 1:
        return tabulate(table, np.zeros_like(at), words[at], at)
    pairs = _pairs(table)
    return tabulate(table, pairs[at], (words if n == 3 else pairs)[at + 2], at)


@lru_cache(maxsize=1)
def _pairs(table: CaptionTable) -> Ints:
    """Return the number of the word pair at each position, -1 at a caption's end."""
    pairs = np.full(len(table.words), -1)
    keys, at, expand = _sorted_pairs(table)
    new = _changes(keys)
    ids = table.vocabulary.numbered_pairs(expand(keys[new]))
    pairs[at] = ids[np.cumsum(new) - 1]
    return pairs


@lru_cache(maxsize=1)
def _sorted_pairs(table: CaptionTable) -> tuple[Ints, Ints, Expand]:
    """Return `_in_order` of the word pairs, to count or to number them."""
    at = positions(table, 2)
    return _in_order(table.words[at], table.words[at + 1], at)


def positions(table: CaptionTable, span: int) -> Ints:
    """Return positions at which `span` words of one caption begin."""
    first, last = table.caption[: len(table.words) + 1 - span], table.caption
    return np.flatnonzero(first == last[span - 1 :])


def tabulate(table: CaptionTable, high: Ints, low: Ints, at: Ints) -> GramTable:
    """Sort n-grams and count equal ones of a caption together."""
    # `high` and `low` are the parts of each n-gram's number (`high` is a pair or a
    # word, 0 for words), `at` the position of its first word.
    return _tabulated(table, *_in_order(high, low, at))


def _in_order(high: Ints, low: Ints, at: Ints) -> tuple[Ints, Ints, Expand]:
    """Return compact n-grams, sorted, their positions, and the way back to numbers."""
    keys, expand = _compact(high, low)
    if max(_bits(high), _bits(low)) <= 16 and (at[1:] > at[:-1]).all():
        order = _radix_order(high, low)
        return keys[order], at[order], expand
    shift = _bits(at)
    keys = np.sort(keys << shift | at)
    return keys >> shift, keys & (1 << shift) - 1, expand


def _radix_order(high: Ints, low: Ints) -> NDArray[np.intp]:
    """Return the stable order of pairs of numbers of 16 bits."""
    # numpy sorts such numbers by their digits, in half the time that whole keys take.
    order = np.argsort(low.astype(np.uint16), kind="stable")
    if high.any():
        order = order[np.argsort(high[order].astype(np.uint16), kind="stable")]
    return order


def _tabulated(table: CaptionTable, keys: Ints, at: Ints, expand: Expand) -> GramTable:
    caption = table.caption[at]
    new_gram = _changes(keys)
    rows = np.flatnonzero(new_gram | _changes(caption))
    caption, new_gram = caption[rows], new_gram[rows]
    starts = np.flatnonzero(new_gram | _changes(table.image[caption]))
    lead = np.repeat(starts, np.diff(starts, append=len(rows)))
    matched = table.is_candidate[caption[lead]]
    matched[starts] = False
    return GramTable(
        codes=expand(keys[rows[new_gram]]),
        gram=np.cumsum(new_gram) - 1,
        caption=caption,
        count=np.diff(rows, append=len(keys)),
        position=at[rows],
        candidate_rows=lead[matched],
        reference_rows=np.flatnonzero(matched),
    )


def _compact(high: Ints, low: Ints) -> tuple[Ints, Expand]:
    """Return n-gram numbers of few bits in the same order, and the way back."""
    shift = _bits(low)
    if _bits(high) + shift <= _COMPACT:
        mask = (1 << shift) - 1
        return high << shift | low, lambda keys: keys >> shift << HALF | keys & mask
    distinct, keys = np.unique(high << HALF | low, return_inverse=True)
    return keys, lambda keys: distinct[keys]


def _bits(values: Ints) -> int:
    return int(values.max(initial=0)).bit_length()


def _changes(values: Ints) -> NDArray[np.bool_]:
    """Return where a value differs from the one before it (the first does)."""
    changed = np.ones(len(values), bool)
    np.not_equal(values[1:], values[:-1], out=changed[1:])
    return changed


BITS: Final = 64  # The number of words of a candidate that a mask can hold

Masks = NDArray[np.uint64]


@lru_cache(maxsize=1)
def word_masks(table: CaptionTable) -> Masks:
    """Return the positions in its image's candidate that hold each word."""
    # Bit p stands for position p, from 0; later ones than 63 are left out. The masks of
    # the last table are cached.
    candidate = table.candidates[table.image]  # of each caption
    lengths = np.minimum(table.lengths[candidate], BITS)[table.caption]
    # Words of the longest candidates first: those left at a position are a slice.
    order = np.argsort((BITS - lengths).astype(np.uint8), kind="stable")
    left = np.cumsum(np.bincount(lengths, minlength=BITS + 1)[::-1])[::-1]
    words, starts = table.words[order], table.starts[candidate][table.caption][order]
    masks = np.zeros(len(order), np.uint64)
    for position in range(int(lengths.max(initial=0))):
        reaching = int(left[position + 1])
        same = table.words[starts[:reaching] + position] == words[:reaching]
        masks[:reaching] |= same.astype(np.uint64) << np.uint64(position)
    sorted_masks = np.empty_like(masks)
    sorted_masks[order] = masks
    sorted_masks.flags.writeable = False
    return sorted_masks
