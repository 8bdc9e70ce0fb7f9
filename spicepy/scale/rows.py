"""Rows of an output as the bytes of a file: JSON lines, Parquet."""

import hashlib
import io
import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from spicepy.captions.records import open_parquet
from spicepy.common.errors import InputError, brief
from spicepy.common.files import readable
from spicepy.common.json_values import json_line
from spicepy.common.resources import required
from spicepy.common.writing import written
from spicepy.metrics.base import Array


def json_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return one object per line."""
    return "".join(f"{json_line(row)}\n" for row in rows).encode()


def fits_parquet(image_id: object) -> bool:
    """Return whether a Parquet column of integers or text can hold an image id."""
    return not isinstance(image_id, int) or -(2**63) <= image_id < 2**63


def check_ids(too_large: int | None) -> None:
    """Refuse an image id that Parquet cannot hold (see `fits_parquet`)."""
    if too_large is not None:
        raise InputError(
            f"the image id {brief(too_large, 60)} has more than the 64 bits that "
            "Parquet holds: write .jsonl, or give the ids as text"
        )


def parquet_bytes(columns: Mapping[str, Any], types: Mapping[str, Any]) -> bytes:
    """Return a Parquet file of columns with their Arrow types; None or NaN is null."""
    arrow = required("pyarrow", "Parquet output")
    arrays = {
        name: arrow.array(values, types[name], from_pandas=True)
        for name, values in columns.items()
    }
    file = io.BytesIO()
    parquet().write_table(arrow.table(arrays), file)
    return file.getvalue()


def join_files(files: Sequence[Path], output: IO[bytes], ending: str) -> None:
    """Write the rows of files into one; `ending` is ".jsonl" or ".parquet"."""
    if ending == ".jsonl":
        for path in files:
            with path.open("rb") as file:
                shutil.copyfileobj(file, output, 1 << 20)
        return
    schema = open_parquet(files[0]).schema_arrow
    with parquet().ParquetWriter(output, schema) as writer:
        for path in files:
            writer.write_table(open_parquet(path).read())


def parquet() -> Any:
    """Return `pyarrow.parquet`."""
    return required("pyarrow.parquet", "Parquet output")


# The two files of a finished block: its rows, and its sums with a seal.
#
# The seal is the SHA-256 of the run, the block's number, its facts, its sums and its
# rows.


@dataclass(frozen=True, slots=True)
class BlockResult:
    """A finished block."""

    number: int  # Its place among the blocks
    rows: bytes  # Its part of the output, as bytes of a file of its own
    sums: Sequence[Array] = ()  # Rows of statistics, one array per metric
    facts: Any = None  # Further facts for the result, ready for JSON


def save(done: BlockResult, rows: Path, sums: Path, run: bytes) -> None:
    """Write the files of a block."""
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
            done = BlockResult(number, rows.read_bytes(), arrays, facts)
            return _seal(done, run) == seal
    except InputError:  # a damaged file has anything in it, such as no arrays
        return False


def load_sums(sums: Path, metric: int) -> Array:
    """Return a metric's rows of statistics, if the file was not damaged."""
    return _load(sums, f"arr_{metric}")


def load_facts(sums: Path) -> Any:
    """Return the facts of the block, if the file was not damaged."""
    return json.loads(_load(sums, "facts").tobytes())


def _load(sums: Path, name: str) -> Array:
    try:
        with readable(sums, "npz"), np.load(sums, allow_pickle=False) as file:
            array: Array = file[name]
            if not isinstance(array, np.ndarray):
                raise ValueError(f"{name} is not an array")
    except InputError as error:
        raise InputError(
            f"{error}; run the same command again to compute the block anew"
        ) from None
    return array


def _seal(done: BlockResult, run: bytes) -> bytes:
    digest = hashlib.sha256(run)
    shapes = [(str(array.dtype), array.shape) for array in done.sums]
    digest.update(repr((done.number, shapes, len(done.rows))).encode())
    for array in (_bytes_of(done.facts), *done.sums):
        digest.update(np.ascontiguousarray(array).tobytes())
    digest.update(done.rows)
    return digest.digest()


def _bytes_of(facts: Any) -> Array:
    return np.frombuffer(json.dumps(facts).encode(), np.uint8)
