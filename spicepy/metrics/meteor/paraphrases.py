"""METEOR's paraphrase table (`paraphrase-en.gz`), an optional file of the user.

The gzip file has five million entries of three lines: a probability (unused), a left
phrase and a right phrase.

The whole table would take a gigabyte. Only entries with both phrases in the captions at
hand can ever match, so those few entries are looked up for a batch of captions, in file
order, in the compiled table.
"""

import hashlib
import io
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.machinery import PathFinder
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
    MAX_WORDS,
    WORDS,
    Numbers,
    compiled,
    reading,
)

# METEOR's paraphrase table, compiled: the same entries in a form that loads quickly.
#
# In: the user's `paraphrase-en.gz` (61 MB, five million entries, seconds to read). Out:
# a file of 19 MB in the user's folder, made at the first use, and from it the entries
# that can match within some captions, the same as those of the original file and in its
# order. A process loads a table once.
#
# Entries are sorted in the file, so that they are a set of pairs. The phrases are a
# trie, level by level: the words of its nodes, each beside how many children it has,
# and whether a phrase ends there. Phrases are numbered level by level. Of each phrase
# the rewritings are ascending numbers, kept as differences, and these byte by byte,
# which packs well.

SUFFIX: Final = ".paraphrases"
_NONE: Final = -1
_END: Final = b"\n"  # A separator after each caption; no word contains it

Entry = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class CompiledTable:
    """A compiled table."""

    # The first eight characters of the SHA-256 of the file it was made from.
    digest: str
    words: dict[bytes, int]  # Word -> its number
    # For each level, parent · 65,536 + word of its nodes, ascending.
    keys: tuple[Numbers, ...]
    # For each level, the number of the phrase that ends at a node, or -1.
    phrases: tuple[Numbers, ...]
    starts: Numbers  # For each phrase, where its rewritings begin; one more at the end
    # The numbers of the phrases that phrases may be rewritten as.
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
            unique, first = np.unique(phrases[nodes], return_index=True)
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


def load_table(path: Path) -> CompiledTable:
    """Return a table in its compiled form, loaded once per process."""
    # At the first use a table (`paraphrase-en.gz`) is compiled, and kept in the user's
    # folder under its digest. Where that cannot be written, each process compiles it.
    with LOCK, reading(path):
        return _load(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=2)
def _load(path: Path, changed: int) -> CompiledTable:
    """Return `load_table` of a file that was changed at a given time."""
    if is_compiled(path):
        return _load_compiled(path)
    kept = data_folder() / f"paraphrases-{table_digest(path)}{SUFFIX}"
    if kept.is_file():
        with suppress(ResourceError):  # damaged: it is made again
            return _load_compiled(kept)
    arrays = compiled(path, table_digest(path))
    with suppress(InputError):
        _save(arrays, prepare(kept))
    return _table(arrays)


def compile_table(path: Path, to: Path) -> int:
    """Compile METEOR's `paraphrase-en.gz`; return the number of entries."""
    # It takes some ten seconds and 600 MB.
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
    """Return the table made of these arrays."""
    keys, phrases, before = [], [], 0
    for level in range(MAX_WORDS):
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
    """Return the rewritings from their differences."""
    # Sums run over and begin at 0 again, which their differences do not show.
    gaps = arrays["gaps0"].astype(np.uint32)
    for k in range(1, BYTES):
        gaps |= arrays[f"gaps{k}"].astype(np.uint32) << 8 * k
    sums = np.cumsum(gaps, dtype=np.uint32)
    before = np.r_[np.uint32(0), sums][starts[:-1]]
    sums -= np.repeat(before, np.diff(starts))
    return sums


def table_digest(path: Path) -> str:
    """Return the digest of a table; for a compiled one, that of its source."""
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


VARIABLE: Final = "SPICEPY_PARAPHRASES"  # Environment variable that names the table

Words = Sequence[str]

Occurrence = tuple[int, int, int]
"""A phrase of the table in a caption: first word, number of words, phrase."""


def find_paraphrases() -> Path | None:
    """Return the path of the user's table, None if there is none."""
    # It is the file in SPICEPY_PARAPHRASES, else the compiled table in the user's
    # folder, else the file of the first package `pycocoevalcap` on the path that has
    # one; the package is not imported.
    if named := os.environ.get(VARIABLE):
        if not Path(named).is_file():
            raise ResourceError(f"{VARIABLE}={named}: no such file")
        return Path(named)
    if (compiled := compiled_path()).is_file():
        return compiled
    return packaged_table()


def packaged_table() -> Path | None:
    """Return the table of an installed package `pycocoevalcap`, if there is one."""
    # Not `find_spec`: `spicepy.compat.install` may stand in for the package. And entry
    # by entry: a copy of the package without the table must not hide another.
    for entry in sys.path:
        spec = PathFinder.find_spec("pycocoevalcap", [entry])
        for folder in (spec and spec.submodule_search_locations) or ():
            path = Path(folder, "meteor", "data", "paraphrase-en.gz")
            if path.is_file():
                return path
    return None


@dataclass(slots=True)
class _Node:
    """A prefix of phrases: the number of the phrase that ends here; next words."""

    phrase: int | None = None
    following: "dict[str, _Node]" = field(default_factory=dict)


class ParaphraseTable:
    """The entries of the table that can match within some captions."""

    # `rewritings` is left phrase -> {right phrase: place in file order}; phrases are
    # numbered.

    def __init__(self, entries: Iterable[tuple[bytes, bytes]]) -> None:
        self.rewritings: dict[int, dict[int, int]] = {}
        self._numbers: dict[bytes, int] = {}
        self._prefixes = _Node()
        for left, right in entries:
            rights = self.rewritings.setdefault(self._number(left), {})
            rights[self._number(right)] = len(rights)

    def _number(self, phrase: bytes) -> int:
        if phrase not in self._numbers:
            node = self._prefixes
            for word in phrase.decode("utf-8", "surrogatepass").split(" "):
                node = node.following.setdefault(word, _Node())
            node.phrase = self._numbers[phrase] = len(self._numbers)
        return self._numbers[phrase]

    def occurrences(self, words: Words) -> list[Occurrence]:
        """Return the phrases in a caption, by first word, shorter ones first."""
        found: list[Occurrence] = []
        for first in range(len(words)):
            node = self._prefixes
            for at in range(first, len(words)):
                if words[at] not in node.following:
                    break
                node = node.following[words[at]]
                if node.phrase is not None:
                    found.append((first, at + 1 - first, node.phrase))
        return found


def read_paraphrases(path: Path, captions: Iterable[Words]) -> ParaphraseTable:
    """Return the entries that can match within these captions; see `load_table`."""
    return ParaphraseTable(load_table(path).entries(captions))
