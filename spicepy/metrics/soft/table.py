"""Word vectors: the table by which spice-soft compares the meanings of words.

A file is text with a word and its numbers on each line (GloVe, word2vec, fastText; gzip
if the name ends in .gz), or npz with the arrays `words` (n,) and `vectors` (n,
dimensions) and optionally the numbers `unknown` and `minor` (see `Short`).

The direction of a vector is the meaning of the word, its length the weight of the word.
Numbers are rounded to whole ones, so that sums and products of vectors are exact and do
not depend on their order or batch.
"""

import gzip
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from spicepy.common.errors import (
    InputError,
    ResourceError,
    check_kind,
    counted,
    reason_of,
)
from spicepy.common.files import read_arrays, readable, without_digest
from spicepy.metrics.base import Array

BUNDLED = "captions-3"
"""Name of the bundled table, made by `training/words/word_table.py`."""

MAX_NUMBER = 511
"""Numbers of a file are scaled to whole ones up to this: for captions of usual length
all sums of products stay below 2 ** 53, hence exact."""

Short = tuple[float, float]
"""The length of an unknown word, and the length below which a word matters little."""

_LENGTHS = ("unknown", "minor")
_SHORT = 0.5
"""The vector of a word in a file is short if it is below this times the median."""


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Vectors of words."""

    rows: Mapping[str, int]  # Word -> row of `vectors`
    # (words + 1, dimensions), whole numbers; the last row is 0, for words that are
    # not in the table.
    vectors: Array
    unknown: float  # Length, in the vectors' unit, that such a word is taken to have
    # Whether the word of a row matters little, such as an article.
    minor: NDArray[np.bool_]
    name: str  # The table's part of the signature: name and digest of the numbers

    @classmethod
    def of(
        cls, words: Iterable[str], vectors: NDArray[Any], short: Short | None, name: str
    ) -> "WordVectors":
        """Return a table of whole numbers."""
        # `short` is by default half of the median length for both.
        rows = {word: row for row, word in enumerate(words)}
        whole = np.vstack([vectors, np.zeros((1, vectors.shape[1]))]).astype(np.float64)
        lengths = np.sqrt((whole[:-1] ** 2).sum(axis=1))
        unknown, least = short or (_SHORT * float(np.median(lengths)),) * 2
        minor = np.append(lengths < least, False)
        digest = hashlib.sha256("\n".join(rows).encode())
        digest.update(whole.astype("<i2").tobytes() + repr((unknown, least)).encode())
        return cls(rows, whole, unknown, minor, f"{name}@{digest.hexdigest()[:8]}")


def load_table(path: str | Path | None = None) -> WordVectors:
    """Return the bundled table, or that of a file, or of a name in a signature."""
    # The digest in a signature must be that of the table.
    check_kind("vectors are", path, str | Path | None, "give a path, or None")
    if path is None:
        return bundled_table()
    name, digest = without_digest(path)
    if not digest or Path(path).exists():
        return read_table(Path(path))
    table = bundled_table() if name == BUNDLED else read_table(Path(name))
    if not table.name.endswith(f"@{digest}"):
        raise InputError(f"the vectors of {name} are {table.name} now, not {path}")
    return table


@cache
def bundled_table() -> WordVectors:
    """Return the table that is part of the package, loaded once per process."""
    source = resources.files(__package__) / f"word-vectors-{BUNDLED}.npz"
    try:
        with resources.as_file(source) as path:
            return WordVectors.of(*_read_arrays(path), BUNDLED)
    except (OSError, InputError) as error:
        raise ResourceError(
            f"the word table {source} is unusable: {reason_of(error)}"
        ) from error


def read_table(path: Path) -> WordVectors:
    """Return a table from a file of vectors (see the module)."""
    read = _read_arrays if path.suffix == ".npz" else _read_text
    with readable(path, "word vectors"):
        return WordVectors.of(*read(path), path.name)


def _read_arrays(path: Path) -> tuple[list[str], Array, Short | None]:
    """Return `words`, `vectors` and the lengths `unknown` and `minor`, if present."""
    arrays = read_arrays(path, ("words", "vectors"), _LENGTHS)
    words, vectors = arrays["words"], arrays["vectors"]
    if vectors.dtype.kind == "U":
        raise InputError(f"{path}: `vectors` must be numbers, not texts")
    values = vectors.astype(np.float64)
    lengths = [_length(arrays[name], name, path) for name in _LENGTHS if name in arrays]
    if words.ndim != 1 or words.dtype.kind != "U":
        raise InputError(f"{path}: `words` must be a list of strings, one per row")
    if values.ndim != 2 or len(values) != len(words) or not values.size:
        raise InputError(
            f"{path}: `vectors` has the shape {values.shape}; "
            f"({len(words)}, dimensions) is needed, a row for each word"
        )
    names: list[str] = words.tolist()
    if len(set(names)) < len(names):
        twice = next(w for w, count in Counter(names).items() if count > 1)
        raise InputError(f"{path}: the word {twice[:200]!r} has two vectors")
    bad = np.flatnonzero(~np.isfinite(values).all(axis=1))
    if len(bad):
        raise InputError(
            f"{path}: the vector of {names[bad[0]][:200]!r} has a number "
            "that is not finite"
        )
    scale = 1.0 if vectors.dtype == np.int8 else _scale(values, path)
    short = (lengths[0] * scale, lengths[1] * scale) if len(lengths) == 2 else None
    return names, np.rint(values * scale), short


def _length(value: NDArray[Any], name: str, path: Path) -> float:
    if value.shape or value.dtype.kind == "U" or not 0 <= float(value) < np.inf:
        raise InputError(f"{path}: `{name}` must be one number, 0 or more")
    return float(value)


def _scale(values: Array, path: Path) -> float:
    highest = float(np.abs(values).max())
    if not highest:
        raise InputError(f"{path}: all vectors are 0; at least one must not be")
    return MAX_NUMBER / highest


def _read_text(path: Path) -> tuple[list[str], Array, None]:
    """Return lines `word number number …`; the first may be `words dimensions`."""
    vectors: dict[str, NDArray[np.float32]] = {}
    size = 0
    with _open(path) as file:
        for number, line in _lines(file):
            parts = line.split(" ")
            if not size:
                if number == 1 and len(parts) == 2 and all(map(str.isdecimal, parts)):
                    size = int(parts[1])
                    continue
                size = len(parts) - 1
            where = f"{path}, line {number}"
            # A word of GloVe may hold blanks: the numbers are counted from the end.
            word, values = " ".join(parts[:-size]), parts[-size:]
            if not size or not word:
                raise InputError(
                    f"{where}: {line[:200]!r} has {counted(len(parts) - 1, 'number')}; "
                    f"a word and {size or 'its'} numbers are needed"
                )
            if word in vectors:
                raise InputError(f"{where}: {word[:200]!r} already has a vector")
            vectors[word] = _numbers(values, word, where)
    if not vectors:
        raise InputError(f"{path}: no word vectors in it; one per line is needed")
    array = np.array(list(vectors.values()), np.float64)
    return list(vectors), np.rint(array * _scale(array, path)), None


def _open(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", newline="\n")
    return path.open(encoding="utf-8", newline="\n")


def _lines(file: IO[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(file, 1):
        text = line.rstrip(" \r\n")
        if text:
            yield number, text


def _numbers(values: list[str], word: str, where: str) -> NDArray[np.float32]:
    try:
        vector = np.array(values, np.float32)
    except ValueError as error:
        raise InputError(
            f"{where}: the vector of {word[:200]!r} has a value that is "
            f"not a number: {str(error)[:200]}"
        ) from error
    if not np.isfinite(vector).all():
        raise InputError(
            f"{where}: the vector of {word[:200]!r} has a number that is not finite"
        )
    return vector
