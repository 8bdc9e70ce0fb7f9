"""The compiling of METEOR's paraphrase table: its text to the arrays of a trie.

The compiled form is explained and read in `paraphrases`.
"""

import gzip
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import compress
from operator import ge, ne
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from spicepy.common.errors import ResourceError, reason_of
from spicepy.common.progress import advance

MAX_WORDS: Final = 7  # The number of words of the longest phrase
WORDS: Final = 1 << 16
"""More words than a table may have, which have numbers of 16 bits."""
BYTES: Final = 3  # The number of bytes of a difference between numbers of phrases
_CHUNK: Final = 1 << 19  # The number of bytes of a table that are compiled at a time

Numbers = NDArray[np.int64]
Arrays = dict[str, NDArray[Any]]
Phrases = NDArray[np.uint16]
"""A row per phrase: the numbers of its words, from 1, and 0 after them."""
_NO_PHRASES: Final[Phrases] = np.empty((0, MAX_WORDS), np.uint16)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Name the table in the message of any error that reading it raises."""
    damaged = (OSError, EOFError, ValueError, KeyError, zlib.error)
    try:
        yield
    except (*damaged, zipfile.BadZipFile) as error:
        raise ResourceError(f"paraphrase table {path}: {reason_of(error)}") from error


def compiled(path: Path, digest: str) -> Arrays:
    """Return the arrays of the compiled form of METEOR's `paraphrase-en.gz`."""
    # The compiled form carries the digest of the file.
    numbers = _Numbering()
    with reading(path), gzip.open(path) as file:
        try:
            phrases, repeats = _read(_entries(file), numbers)
        except _UnsortedError:  # METEOR's own table is sorted
            file.seek(0)
            lines = [line for part in _entries(file) for line in part]
            pairs = sorted(set(zip(lines[1::3], lines[2::3])))
            numbers = _Numbering()
            phrases, repeats = _read([[x for p in pairs for x in (b"", *p)]], numbers)
    words = sorted(numbers)
    if not 0 < len(words) < WORDS:
        raise ResourceError(
            f"paraphrase table {path}: has {len(words):,} words; a table with 1 to "
            f"{WORDS - 1:,} can be compiled"
        )
    final = np.zeros(len(words) + 1, np.uint16)  # first appearance -> number
    final[[numbers[word] for word in words]] = np.arange(1, len(words) + 1)
    phrases, which = _unique(final[phrases])
    arrays, order = _trie(phrases)
    lefts, rights = np.split(order[which], [len(repeats)])
    arrays |= _packed(np.repeat(lefts, repeats), rights, len(phrases))
    arrays["words"] = np.frombuffer(b"\n".join(words), np.uint8)
    arrays["digest"] = np.frombuffer(digest.encode(), np.uint8)
    return arrays


class _UnsortedError(Exception):
    pass


class _Numbering(dict[bytes, int]):
    """Numbers of words, from 1, in the order in which they are asked for."""

    def __missing__(self, word: bytes) -> int:
        return self.setdefault(word, len(self) + 1)


def _read(parts: Iterable[list[bytes]], numbers: _Numbering) -> tuple[Phrases, Numbers]:
    """Return the phrases, and how many entries each left phrase has."""
    # The different left phrases come first, then the right one of each entry.
    lefts, rights, starts = [_NO_PHRASES], [_NO_PHRASES], [np.empty(0, np.int64)]
    entries, last = 0, (b"", b"")
    for lines in parts:
        left, right = [last[0], *lines[1::3]], [last[1], *lines[2::3]]
        if any(map(ge, zip(left, right), zip(left[1:], right[1:]))):
            raise _UnsortedError
        last = left[-1], right[-1]
        is_new = list(map(ne, left, left[1:]))
        is_new[0] |= not entries
        lefts.append(_words_of(list(compress(left[1:], is_new)), numbers))
        rights.append(_words_of(right[1:], numbers))
        starts.append(np.flatnonzero(is_new) + entries)
        entries += len(is_new)
        advance("compiling METEOR's paraphrases", entries, 0)
    repeats: Numbers = np.diff(np.r_[(*starts, entries)])
    return np.concatenate([*lefts, *rights]), repeats


def _entries(file: gzip.GzipFile) -> Iterator[list[bytes]]:
    """Yield the lines of some whole entries at a time."""
    left: list[bytes] = [b""]
    while chunk := file.read(_CHUNK):
        first, *others = chunk.split(b"\n")
        lines = [*left[:-1], left[-1] + first, *others]
        whole = (len(lines) - 1) // 3 * 3
        if max(map(len, lines)) > 10_000:
            raise ValueError("expected three lines an entry")
        left = lines[whole:]
        if whole:
            yield lines[:whole]
    if left[-1]:  # the last line without an end
        left.append(b"")
    if len(left) not in (1, 4):
        raise ValueError("expected three lines an entry")
    if left[:-1]:
        yield left[:-1]


def _words_of(phrases: Sequence[bytes], numbers: _Numbering) -> Phrases:
    """Return phrases as numbers of words."""
    if not phrases:
        return _NO_PHRASES
    spaces = np.array([phrase.count(b" ") for phrase in phrases])
    if spaces.max() >= MAX_WORDS:
        raise ResourceError(
            f"a phrase of {spaces.max() + 1} words; METEOR's have at most {MAX_WORDS}"
        )
    words = b" ".join(phrases).split(b" ")
    numbered = np.fromiter(map(numbers.__getitem__, words), np.int64, len(words))
    rows = np.zeros((len(phrases), MAX_WORDS), np.uint16)
    rows[np.arange(MAX_WORDS) <= spaces[:, None]] = numbered  # too many: refused later
    return rows


def _unique(phrases: Phrases) -> tuple[Phrases, Numbers]:
    """Return the different phrases, sorted by their words, and which one each is."""
    first, second = np.zeros((2, len(phrases)), np.uint64)
    for keys, columns in ((first, phrases.T[:4]), (second, phrases.T[4:])):
        for words in columns:
            keys <<= np.uint64(16)
            keys |= words
    order = np.lexsort([second, first])
    is_new = np.ones(len(phrases), bool)
    is_new[1:] = np.diff(first[order]) != 0
    is_new[1:] |= np.diff(second[order]) != 0
    which = np.empty(len(phrases), np.int64)
    which[order] = is_new.cumsum() - 1
    return phrases[order[is_new]], which


def _trie(phrases: Phrases) -> tuple[Arrays, Numbers]:
    """Return the arrays of a trie, and the numbers of the sorted phrases."""
    lengths = (phrases != 0).sum(axis=1)
    arrays: Arrays = {}
    parents = np.zeros(len(phrases), np.int64)
    numbers, before = np.empty(len(phrases), np.int64), 0
    nodes = 1
    for level in range(MAX_WORDS):
        long = np.flatnonzero(lengths > level)
        keys = parents[long] * WORDS + phrases[long, level] - 1
        is_new = np.r_[True, keys[1:] != keys[:-1]][: len(keys)]
        node_of = is_new.cumsum() - 1
        ends = lengths[long] == level + 1
        ended = np.zeros(is_new.sum(), bool)
        ended[node_of[ends]] = True
        unique = keys[is_new]
        children = np.bincount(unique // WORDS, minlength=nodes)
        arrays[f"words{level}"] = (unique % WORDS).astype(np.uint16)
        arrays[f"children{level}"] = children.astype(np.int32)
        arrays[f"ends{level}"] = np.packbits(ended)
        numbers[long[ends]] = before + np.arange(ends.sum())
        before += int(ends.sum())
        parents[long] = node_of
        nodes = len(unique)
    return arrays, numbers


def _packed(lefts: Numbers, rights: Numbers, phrases: int) -> Arrays:
    """Return the rewritings as numbers of each phrase, and bytes of differences."""
    entries = lefts << 32 | rights
    entries.sort()
    lefts, rights = entries >> 32, entries & 0xFFFFFFFF
    gaps = np.diff(rights, prepend=0)
    first = np.diff(lefts, prepend=-1) != 0
    gaps[first] = rights[first]
    return {
        "counts": np.bincount(lefts, minlength=phrases).astype(np.int32),
        **{f"gaps{k}": (gaps >> 8 * k).astype(np.uint8) for k in range(BYTES)},
    }
