"""METEOR's paraphrase table, compiled: the same entries in a form that loads quickly.

In: the user's `paraphrase-en.gz` (61 MB, five million entries, seconds to read). Out: a
file of 19 MB in the user's folder, made at the first use, and from it the entries that
can match within some captions, the same as those of the original file and in its order.
A process loads a table once.

Entries are sorted in the file, so that they are a set of pairs. The phrases are a trie,
level by level: the words of its nodes, each beside how many children it has, and
whether a phrase ends there. Phrases are numbered level by level. Of each phrase the
rewritings are ascending numbers, kept as differences, and these byte by byte, which
packs well.
"""

import hashlib
import io
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from spicepy.common.errors import InputError, ResourceError
from spicepy.common.resources import data_folder, prepare
from spicepy.common.threads import LOCK
from spicepy.common.writing import written
from spicepy.metrics.meteor.paraphrase_compiler import (
    BYTES,
    LONGEST,
    WORDS,
    Numbers,
    compiled,
    reading,
)

SUFFIX: Final = ".paraphrases"
_NONE: Final = -1
_END: Final = b"\n"
"""A separator after each caption; no word contains it."""

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
            wanted = nodes * WORDS + word
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


def load_table(path: Path) -> CompiledTable | None:
    """Return a table in its compiled form, loaded once per process.

    At the first use a table is compiled, and kept in the user's folder under its
    digest. Where that cannot be written, each process compiles it.

    Args:
        path: METEOR's `paraphrase-en.gz`, or a compiled table.

    Returns:
        The table, or None if it has no compiled form: its entries are not sorted, its
        phrases too long, or the file is damaged.

    Raises:
        ResourceError: The file is missing, or a compiled table is damaged.
    """
    with LOCK, reading(path):
        return _load(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=2)
def _load(path: Path, changed: int) -> CompiledTable | None:
    """Return `load_table` of a file that was changed at a given time."""
    if is_compiled(path):
        return _load_compiled(path)
    kept = data_folder() / f"paraphrases-{table_digest(path)}{SUFFIX}"
    if kept.is_file():
        with suppress(ResourceError):  # damaged: it is made again
            return _load_compiled(kept)
    try:
        arrays = compiled(path, table_digest(path))
    except (ResourceError, MemoryError):
        return None
    with suppress(InputError):
        _save(arrays, prepare(kept))
    return _table(arrays)


def compile_table(path: Path, to: Path) -> int:
    """Compile a table; takes some ten seconds and 600 MB.

    Args:
        path: METEOR's `paraphrase-en.gz`.
        to: The file to write.

    Returns:
        The number of entries.

    Raises:
        ResourceError: The file is missing, damaged, or no table that can be compiled.
        InputError: The compiled table cannot be written.
    """
    prepare(to)
    arrays = compiled(path, table_digest(path))
    _save(arrays, to)
    return len(arrays["gaps0"])


def _save(arrays: Mapping[str, NDArray[Any]], to: Path) -> None:
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **arrays)
    with written(to) as output:
        output.write(packed.getbuffer())


def _load_compiled(path: Path) -> CompiledTable:
    with reading(path), np.load(path, allow_pickle=False) as arrays:
        return _table(arrays)


def _table(arrays: Mapping[str, NDArray[Any]]) -> CompiledTable:
    """Return the table of which these are the arrays."""
    keys, phrases, before = [], [], 0
    for level in range(LONGEST):
        own = arrays[f"words{level}"].astype(np.int64)
        children = arrays[f"children{level}"]
        keys.append(np.repeat(np.arange(len(children)) * WORDS, children) + own)
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


def _unpacked(
    arrays: Mapping[str, NDArray[Any]], starts: Numbers
) -> NDArray[np.uint32]:
    """Return the rewritings from their differences.

    Sums run over and begin at 0 again, which their differences do not show.
    """
    gaps = arrays["gaps0"].astype(np.uint32)
    for k in range(1, BYTES):
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
