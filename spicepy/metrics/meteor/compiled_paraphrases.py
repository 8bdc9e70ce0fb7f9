"""METEOR's paraphrase table, compiled: the same entries in a form that loads quickly.

In: the user's `paraphrase-en.gz` (five million entries, seconds to read). Out: a file
of 53 MB in the user's folder, and from it the entries that can match within some
captions, the same as those of the original file and in its order.

A phrase is known by a hash of 64 bits, made of those of its words. The file has the
hashes of all phrases, ascending, and of each phrase the numbers of those that it may be
rewritten as. No two phrases of the table have the same hash, and one of ten million
other phrases has the hash of one of them with a probability of one in a million.
"""

import gzip
import hashlib
import zipfile
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from operator import ge
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spicepy.common.errors import ResourceError
from spicepy.common.user_data import data_folder
from spicepy.common.writing import written
from spicepy.metrics.ngrams.hashed import Hashes, mixed, word_hash

SUFFIX: Final = ".paraphrases"
LONGEST: Final = 7
"""The number of words of the longest phrase."""

_END: Final = "\n"
"""A separator behind each caption; no word contains it."""

Numbers = NDArray[np.int64]
Entry = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class CompiledTable:
    """A compiled table.

    Attributes:
        digest: The first eight characters of the SHA-256 of the file it was made from.
        hashes: The hash of each phrase, ascending.
        starts: For each phrase, where its rewritings begin; one more at the end.
        rewritings: The numbers of the phrases that phrases may be rewritten as.
    """

    digest: str
    hashes: Hashes
    starts: Numbers
    rewritings: NDArray[np.int32]

    def entries(self, captions: Iterable[Sequence[str]]) -> list[Entry]:
        """Return the entries with both phrases in the captions, in order."""
        found = self._found(dict.fromkeys(map(tuple, captions)))
        lefts = np.fromiter(found, np.int64, len(found))
        present = np.zeros(len(self.hashes), bool)
        present[lefts] = True
        entries: list[Entry] = []
        for left in lefts.tolist():
            rights = self.rewritings[self.starts[left] : self.starts[left + 1]]
            entries += [
                (found[left], found[n]) for n in rights[present[rights]].tolist()
            ]
        return sorted(entries)

    def _found(self, captions: Iterable[Sequence[str]]) -> dict[int, bytes]:
        """Return the phrases in captions: number -> text."""
        words = [word for caption in captions for word in (*caption, _END)]
        flat = [word.encode("utf-8", "surrogatepass") for word in words]
        found: dict[int, bytes] = {}
        for size, hashes in enumerate(_runs(flat), 1):
            unique, first = np.unique(hashes, return_index=True)
            numbers = np.searchsorted(self.hashes, unique)
            numbers[numbers == len(self.hashes)] = 0
            known = self.hashes[numbers] == unique
            for number, at in zip(numbers[known].tolist(), first[known].tolist()):
                found[number] = b" ".join(flat[at : at + size])
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
    hashes, number = np.unique(_hashes(phrases), return_inverse=True)
    if len(hashes) < len(phrases) or not phrases:
        what = "two phrases with one hash" if phrases else "no phrases"
        raise ResourceError(f"paraphrase table {path}: has {what}")
    order = np.argsort(number[lefts], kind="stable")
    counts = np.bincount(number[lefts], minlength=len(hashes))
    to.parent.mkdir(parents=True, exist_ok=True)
    with written(to) as output:
        np.savez(
            output,
            digest=np.frombuffer(digest.encode(), np.uint8),
            hashes=hashes,
            counts=counts.astype(np.int32),
            rewritings=number[rights[order]].astype(np.int32),
        )
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
        raise ResourceError(f"paraphrase table {path}: {error}") from error


def _hashes(phrases: Iterable[bytes]) -> Hashes:
    """Return the hash of each phrase."""
    sizes = np.array([phrase.count(b" ") + 1 for phrase in phrases], np.int64)
    if sizes.max(initial=0) > LONGEST:
        raise ResourceError(
            f"a phrase of {sizes.max()} words; METEOR's have at most {LONGEST}"
        )
    begins, hashes = sizes.cumsum() - sizes, np.empty(len(sizes), np.uint64)
    words = (word for phrase in phrases for word in phrase.split(b" "))
    for size, runs in enumerate(_runs(words), 1):
        hashes[sizes == size] = runs[begins[sizes == size]]
    return hashes


def _runs(words: Iterable[bytes]) -> Iterator[Hashes]:
    """Yield the hashes of all runs of one word, of two words … in a row of words."""
    single = np.fromiter(map(cache(word_hash), words), np.uint64)
    hashes = np.zeros(len(single), np.uint64)
    for size in range(1, min(LONGEST, len(single)) + 1):
        hashes = mixed(hashes[: len(single) + 1 - size] ^ single[size - 1 :])
        yield hashes


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
        return CompiledTable(
            arrays["digest"].tobytes().decode("ascii"),
            arrays["hashes"],
            np.r_[0, arrays["counts"].cumsum()],
            arrays["rewritings"],
        )


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
