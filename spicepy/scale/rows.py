"""Rows of an output as the bytes of a file: JSON lines, Parquet.

In: rows as dictionaries, or columns. Out: bytes, and one file of several.
"""

import io
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from spicepy.common.errors import InputError, shown
from spicepy.common.jsonlines import json_line
from spicepy.common.lazy_imports import required
from spicepy.samples.records import open_parquet


def json_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return an object a line."""
    return "".join(f"{json_line(row)}\n" for row in rows).encode()


def fits_parquet(image_id: object) -> bool:
    """Return whether a Parquet column of integers or text can hold an image id."""
    return not isinstance(image_id, int) or -(2**63) <= image_id < 2**63


def check_ids(too_large: int | None) -> None:
    """Refuse an image id that Parquet cannot hold (see `fits_parquet`).

    Raises:
        InputError: There is one.
    """
    if too_large is not None:
        raise InputError(
            f"the image id {shown(too_large, 60)} has more than the 64 bits that "
            "Parquet holds: write .jsonl, or give the ids as text"
        )


def parquet_bytes(columns: Mapping[str, Any], types: Mapping[str, Any]) -> bytes:
    """Return a Parquet file of these columns.

    Args:
        columns: A list or array a name; None or NaN is null.
        types: The Arrow type of each.
    """
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
    """Return `pyarrow.parquet`.

    Raises:
        ResourceError: pyarrow is not installed.
    """
    return required("pyarrow.parquet", "Parquet output")
