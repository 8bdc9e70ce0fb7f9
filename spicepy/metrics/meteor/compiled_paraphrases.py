"""METEOR's paraphrase table, compiled: the same entries in a form that loads quickly.

In: the user's `paraphrase-en.gz` (61 MB, five million entries, seconds to read). Out: a
file of 19 MB in the user's folder, and from it the entries that can match within some
captions, the same as those of the original file and in its order.

Entries are sorted in the file, so that they are a set of pairs. The phrases are a trie,
level by level: the words of its nodes, each beside how many children it has, and
whether a phrase ends there. Phrases are numbered level by level. Of each phrase the
rewritings are ascending numbers, kept as differences, and these byte by byte, which
packs well.
"""

import gzip
import hashlib
import io
import zipfile
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from operator import ge
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from spicepy.common.errors import ResourceError, reason_of
from spicepy.common.user_data import data_folder
from spicepy.common.writing import written

SUFFIX: Final = ".paraphrases"
LONGEST: Final = 7
"""The number of words of the longest phrase."""
_WORDS: Final = 1 << 16
"""The maximum number of words in a table, which have numbers of 16 bits."""
_NONE: Final = -1
_END: Final = b"\n"
"""A separator after each caption; no word contains it."""
_BYTES: Final = 3
"""The number of bytes of a difference between numbers of phrases."""

Numbers = NDArray[np.int64]
Entry = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class CompiledTable:
    """A compiled table.

    Attributes:
        digest: The first eight characters of the SHA-256 of the file it was made from.
        words: Word -> its number.
        keys: For each level, parent · 65,536 + word of its nodes, ascending.
        phrases: For each level, the number of the phrase that ends at a node, or -1.
        starts: For each phrase, where its rewritings begin; one more at the end.
        rewritings: The numbers of the phrases that phrases may be rewritten as.
    """

    digest: str
    words: dict[bytes, int]
    keys: tuple[Numbers, ...]
    phrases: tuple[Numbers, ...]
    starts: Numbers
    rewritings: NDArray[np.uint32]

    def entries(self, captions: Iterable[Sequence[str]]) -> list[Entry]:
        """Return the entries with both phrases in the captions, in order."""
        texts = dict.fromkeys(" ".join(words) for words in captions)
        listed = [text.encode("utf-8", "surrogatepass").split(b" ") for text in texts]
        found = self._found(listed)
        lefts = np.fromiter(found, np.int64, len(found))
        present = np.zeros(len(self.starts) - 1, bool)
        present[lefts] = True
        counts = self.starts[lefts + 1] - self.starts[lefts]
        ends = counts.cumsum()
        offsets = np.arange(counts.sum()) - np.repeat(ends - counts, counts)
        rights = self.rewritings[np.repeat(self.starts[lefts], counts) + offsets]
        kept = present[rights]
        pairs = zip(np.repeat(lefts, counts)[kept].tolist(), rights[kept].tolist())
        return sorted((found[left], found[right]) for left, right in pairs)

    def _found(self, captions: Sequence[Sequence[bytes]]) -> dict[int, bytes]:
        """Return the phrases in captions: number -> text."""
        flat = [word for words in captions for word in (*words, _END)]
        numbers = np.array([self.words.get(word, _NONE) for word in flat], np.int64)
        at = np.arange(len(flat))
        nodes = np.zeros(len(flat), np.int64)
        found: dict[int, bytes] = {}
        for size, (keys, phrases) in enumerate(zip(self.keys, self.phrases), 1):
            if not len(keys):  # no longer phrases
                break
            inside = at + size <= len(flat)
            at, nodes = at[inside], nodes[inside]
            word = numbers[at + size - 1]
            wanted = nodes * _WORDS + word
            places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            known = (word != _NONE) & (keys[places] == wanted)
            at, nodes = at[known], places[known]
            ended = phrases[nodes]
            unique, first = np.unique(ended, return_index=True)
            for number, begin in zip(unique.tolist(), at[first].tolist()):
                if number != _NONE:
                    found[number] = b" ".join(flat[begin : begin + size])
        return found


def compiled_path() -> Path:
    """Return where the user's compiled table is, or would be."""
    return data_folder() / f"paraphrase-en{SUFFIX}"


def is_compiled(path: Path) -> bool:
    """Return whether a file is a compiled table, by its name."""
    return path.suffix == SUFFIX


def kept_path(path: Path) -> Path:
    """Return the path at which the compiled form of a table is kept for runs in blocks.

    Raises:
        ResourceError: The table cannot be read.
    """
    return data_folder() / f"paraphrases-{table_digest(path)}{SUFFIX}"


def compile_table(path: Path, to: Path) -> int:
    """Compile a table; takes half a minute and 900 MB.

    Args:
        path: METEOR's `paraphrase-en.gz`.
        to: The file to write.

    Returns:
        The number of entries.

    Raises:
        ResourceError: The file is missing, damaged, or no table that can be compiled.
    """
    digest = table_digest(path)
    phrases, lefts, rights = _read(path)
    order = sorted(phrases)
    words = sorted({word for phrase in order for word in phrase.split(b" ")})
    if len(words) > _WORDS or not order:
        raise ResourceError(
            f"paraphrase table {path}: has {len(words):,} words; a table with 1 to "
            f"{_WORDS:,} can be compiled"
        )
    arrays, numbers = _trie(order, {word: k for k, word in enumerate(words)})
    final = np.empty(len(order), np.int64)  # first appearance -> number
    final[[phrases[phrase] for phrase in order]] = numbers
    arrays |= _packed(final[lefts], final[rights], len(order))
    arrays["words"] = np.frombuffer(b"\n".join(words), np.uint8)
    arrays["digest"] = np.frombuffer(digest.encode(), np.uint8)
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **arrays)
    to.parent.mkdir(parents=True, exist_ok=True)
    with written(to) as output:
        output.write(packed.getbuffer())
    return len(lefts)


def _read(path: Path) -> tuple[dict[bytes, int], NDArray[np.int32], NDArray[np.int32]]:
    """Return phrase -> number, by first appearance, and the numbers of all pairs."""
    phrases: dict[bytes, int] = {}
    lefts, rights = array("i"), array("i")
    last = (b"", b"")
    with reading(path), gzip.open(path) as file:
        while lines := [line.rstrip(b"\n") for line in islice(file, 300_000)]:
            if len(lines) % 3 or max(map(len, lines)) > 10_000:
                raise ValueError("expected three lines an entry")
            entries = [last, *zip(lines[1::3], lines[2::3])]
            if any(map(ge, entries, entries[1:])):
                raise ValueError(
                    "its entries are not sorted, so that it stays as it is"
                )
            last = entries[-1]
            lefts.extend([phrases.setdefault(p, len(phrases)) for p in lines[1::3]])
            rights.extend([phrases.setdefault(p, len(phrases)) for p in lines[2::3]])
    return phrases, np.array(lefts), np.array(rights)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Name the table in the message of any error that reading it raises."""
    damaged = (OSError, EOFError, ValueError, KeyError, zlib.error)
    try:
        yield
    except (*damaged, zipfile.BadZipFile) as error:
        raise ResourceError(f"paraphrase table {path}: {reason_of(error)}") from error


def _trie(
    phrases: Sequence[bytes], words: dict[bytes, int]
) -> tuple[dict[str, NDArray[Any]], Numbers]:
    """Return the arrays of a trie, and the numbers of the sorted phrases."""
    lengths = np.array([phrase.count(b" ") + 1 for phrase in phrases])
    if lengths.max() > LONGEST:
        raise ResourceError(
            f"a phrase of {lengths.max()} words; METEOR's have at most {LONGEST}"
        )
    flat = np.fromiter(
        (words[word] for phrase in phrases for word in phrase.split(b" ")), np.int32
    )
    begins = np.r_[0, lengths.cumsum()[:-1]]
    arrays: dict[str, NDArray[Any]] = {}
    parents = np.zeros(len(phrases), np.int64)
    numbers, before = np.empty(len(phrases), np.int64), 0
    nodes = 1
    for level in range(LONGEST):
        long = np.flatnonzero(lengths > level)
        keys = parents[long] * _WORDS + flat[begins[long] + level]
        is_new = np.r_[True, keys[1:] != keys[:-1]][: len(keys)]
        node_of = is_new.cumsum() - 1
        ends = lengths[long] == level + 1
        ended = np.zeros(is_new.sum(), bool)
        ended[node_of[ends]] = True
        unique = keys[is_new]
        children = np.bincount(unique // _WORDS, minlength=nodes)
        arrays[f"words{level}"] = (unique % _WORDS).astype(np.uint16)
        arrays[f"children{level}"] = children.astype(np.int32)
        arrays[f"ends{level}"] = np.packbits(ended)
        numbers[long[ends]] = before + np.arange(ends.sum())
        before += int(ends.sum())
        parents[long] = node_of
        nodes = len(unique)
    return arrays, numbers


def _packed(lefts: Numbers, rights: Numbers, phrases: int) -> dict[str, NDArray[Any]]:
    """Return the rewritings as numbers of each phrase, and bytes of differences."""
    order = np.lexsort((rights, lefts))
    lefts, rights = lefts[order], rights[order]
    gaps = np.diff(rights, prepend=0)
    first = np.diff(lefts, prepend=_NONE) != 0
    gaps[first] = rights[first]
    return {
        "counts": np.bincount(lefts, minlength=phrases).astype(np.int32),
        **{f"gaps{k}": (gaps >> 8 * k).astype(np.uint8) for k in range(_BYTES)},
    }


@lru_cache(maxsize=1)
def load_table(path: Path, changed: int) -> CompiledTable:
    """Return a compiled table, which is loaded once per process.

    Args:
        path: The file.
        changed: The time of its last change, so that a new one is loaded again.

    Raises:
        ResourceError: The file is missing or damaged.
    """
    with reading(path), np.load(path, allow_pickle=False) as arrays:
        keys, phrases, before = [], [], 0
        for level in range(LONGEST):
            own = arrays[f"words{level}"].astype(np.int64)
            children = arrays[f"children{level}"]
            keys.append(np.repeat(np.arange(len(children)) * _WORDS, children) + own)
            ended = np.unpackbits(arrays[f"ends{level}"], count=len(own)).astype(bool)
            numbers = np.full(len(own), _NONE)
            numbers[ended] = before + np.arange(ended.sum())
            before += int(ended.sum())
            phrases.append(numbers)
        starts = np.r_[0, arrays["counts"].cumsum()]
        words = arrays["words"].tobytes().split(b"\n")
        return CompiledTable(
            arrays["digest"].tobytes().decode("ascii"),
            {word: k for k, word in enumerate(words)},
            tuple(keys),
            tuple(phrases),
            starts,
            _unpacked(arrays, starts),
        )


def _unpacked(arrays: Any, starts: Numbers) -> NDArray[np.uint32]:
    """Return the rewritings from their differences.

    Sums run over and begin at 0 again, which their differences do not show.
    """
    gaps = arrays["gaps0"].astype(np.uint32)
    for k in range(1, _BYTES):
        gaps |= arrays[f"gaps{k}"].astype(np.uint32) << 8 * k
    sums = np.cumsum(gaps, dtype=np.uint32)
    before = np.r_[np.uint32(0), sums][starts[:-1]]
    sums -= np.repeat(before, np.diff(starts))
    return sums


def table_digest(path: Path) -> str:
    """Return the digest of a table; for a compiled one, that of its source.

    Raises:
        ResourceError: The file is missing or damaged.
    """
    with reading(path):
        return _digest(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _digest(path: Path, changed: int) -> str:
    """Return `table_digest` of a file that was changed at a given time."""
    if not is_compiled(path):
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:8]
    with np.load(path, allow_pickle=False) as arrays:
        digest: str = arrays["digest"].tobytes().decode("ascii")
        return digest


def compiled_entries(path: Path, captions: Iterable[Sequence[str]]) -> Iterator[Entry]:
    """Yield the entries of a compiled table that can match within captions.

    Raises:
        ResourceError: The file is missing or damaged.
    """
    with reading(path):
        changed = path.stat().st_mtime_ns
    yield from load_table(path, changed).entries(captions)
