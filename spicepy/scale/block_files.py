"""The two files of a finished block: its rows, and its sums with a seal.

In: a finished block and the digest of its run. Out: files, each written whole or not at
all, the rows last; and whether existing files were written by this run. The seal is the
SHA-256 of the run, the block's number, its facts, its sums and its rows.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from spicepy.common.damage import readable
from spicepy.common.errors import InputError
from spicepy.common.writing import written
from spicepy.metrics.base import Array


@dataclass(frozen=True, slots=True)
class Done:
    """A finished block.

    Attributes:
        number: Its place among the blocks.
        rows: Its part of the output, as bytes of a file of its own.
        sums: Rows of statistics, one array a metric.
        facts: Further facts for the result, ready for JSON.
    """

    number: int
    rows: bytes
    sums: Sequence[Array] = ()
    facts: Any = None


def save(done: Done, rows: Path, sums: Path, run: bytes) -> None:
    """Write the files of a block.

    Args:
        done: The block.
        rows: The file of its rows.
        sums: The file of its sums, facts and seal.
        run: A digest of the run.

    Raises:
        InputError: A file cannot be written; the disk may be full.
    """
    seal = np.frombuffer(_seal(done, run), np.uint8)
    with written(sums) as file:
        np.savez(file, *done.sums, facts=_bytes_of(done.facts), seal=seal)
    with written(rows) as file:
        file.write(done.rows)


def is_sound(number: int, rows: Path, sums: Path, run: bytes) -> bool:
    """Return whether these are files that `save` has written of that block and run."""
    try:
        with readable(sums, "npz"), np.load(sums, allow_pickle=False) as file:
            arrays = [file[f"arr_{at}"] for at in range(len(file.files) - 2)]
            facts = json.loads(file["facts"].tobytes())
            seal: bytes = file["seal"].tobytes()
            done = Done(number, rows.read_bytes(), arrays, facts)
            return _seal(done, run) == seal
    except InputError:  # a damaged file has anything in it, such as no arrays
        return False


def load_sums(sums: Path, metric: int) -> Array:
    """Return a metric's rows of statistics.

    Raises:
        InputError: The file has been damaged since it was written.
    """
    return _load(sums, f"arr_{metric}")


def load_facts(sums: Path) -> Any:
    """Return the facts of the block.

    Raises:
        InputError: The file has been damaged since it was written.
    """
    return json.loads(_load(sums, "facts").tobytes())


def _load(sums: Path, name: str) -> Array:
    try:
        with readable(sums, "npz"), np.load(sums, allow_pickle=False) as file:
            array: Array = file[name]
            if not isinstance(array, np.ndarray):
                raise ValueError(f"{name} is no array")
    except InputError as error:
        raise InputError(
            f"{error}; run the same command again to compute the block anew"
        ) from None
    return array


def _seal(done: Done, run: bytes) -> bytes:
    digest = hashlib.sha256(run)
    shapes = [(str(array.dtype), array.shape) for array in done.sums]
    digest.update(repr((done.number, shapes, len(done.rows))).encode())
    for array in (_bytes_of(done.facts), *done.sums):
        digest.update(np.ascontiguousarray(array).tobytes())
    digest.update(done.rows)
    return digest.digest()


def _bytes_of(facts: Any) -> Array:
    return np.frombuffer(json.dumps(facts).encode(), np.uint8)
