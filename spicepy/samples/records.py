"""Records of captions from the lines of a file: JSON lines, CSV, Parquet.

In: lines of text, or a Parquet file. Out: each record with its place, one by one, so
that a file of any size takes little memory. Keys are as in the file; only
columns get spicepy's names (`samples.foreign`).
"""

import csv
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from spicepy.common.damage import each_readable, readable
from spicepy.common.errors import InputError, shown
from spicepy.common.files import is_read_once, load_json, name_of
from spicepy.common.lazy_imports import required
from spicepy.common.plurals import counted
from spicepy.samples.foreign import PLAIN, Naming, header_names
from spicepy.samples.sample import keys_of

Located = tuple[str, Mapping[str, Any]]
"""A record and where it stands: "refs.json, entry 3"."""

PARQUET: Final = "Parquet"
_BATCH: Final = 4096
"""The number of rows of a Parquet file that are converted to Python values at once."""


def json_lines(lines: Iterable[str], name: str) -> Iterator[Located]:
    """Yield the object on each line; empty lines are passed over.

    Raises:
        InputError: A line is not JSON, or not an object.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield an_object(load_json(line, name, number), f"{name}, line {number}")


def an_object(record: Any, where: str) -> Located:
    """Return a record and its place.

    Raises:
        InputError: It is not a JSON object.
    """
    if not isinstance(record, dict):
        raise InputError(f"{where}: expected an object, found {shown(record)}")
    return where, record


def csv_rows(
    lines: Iterable[str],
    name: str,
    delimiter: str,
    naming: Naming = PLAIN,
    needed: str = "image_id",
) -> Iterator[Located]:
    """Yield the rows below a header; all values are text, references a list.

    Raises:
        InputError: The header lacks the column `needed` or has one twice, a row has
            more or fewer cells, or quotes are wrong.
    """
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        header = [cell.strip() for cell in next(reader, [])]
        header = header_names(header, f"{name}, line 1", naming)
        _check_header(header, name, needed)
        for row in reader:
            if not any(row):
                continue
            where = f"{name}, line {reader.line_num}"
            if len(row) != len(header):
                raise InputError(
                    f"{where}: {counted(len(row), 'cell')}, but the header has "
                    f"{len(header)}"
                )
            yield where, merged(dict(zip(header, row)), naming)
    except csv.Error as error:
        # Python's words for a quote that is open at the end of the file.
        fault = str(error).replace("unexpected end of data", "a quote is not closed")
        raise InputError(f"{name}, line {reader.line_num}: {fault}") from None


def _check_header(header: list[str], name: str, needed: str) -> None:
    if needed and needed not in header:
        raise InputError(f"{name}, line 1: no column {needed!r} ({keys_of(header)})")
    check_repeats(header, f"{name}, line 1")


def check_repeats(header: Sequence[str], where: str) -> None:
    """Refuse a column that occurs twice.

    Raises:
        InputError: Names the column.
    """
    for column in header:
        if column and header.count(column) > 1:
            raise InputError(f"{where}: the column {shown(column)} occurs twice")


def plain_integer(text: str) -> bool:
    """Return whether a CSV file's text is an integer as Python writes it."""
    digits = text.removeprefix("-")
    plain = digits.isascii() and digits.isdigit()
    return plain and (digits == "0" or digits[0] != "0") and len(digits) < 19


def merged(record: dict[str, Any], naming: Naming = PLAIN) -> dict[str, Any]:
    """Join the reference columns of a row into one list, unless the user names some."""
    if naming.references:
        return record
    columns = [k for k in record if k.startswith(("reference", "refs"))]
    if not columns or isinstance(record[columns[0]], list):
        return record
    kept = {k: v for k, v in record.items() if k not in columns}
    return kept | {"references": [record[k] for k in columns if record[k]]}


def parquet_rows(path: str | Path, naming: Naming = PLAIN) -> Iterator[Located]:
    """Yield the rows of a Parquet file; references are a column of lists, or several.

    Raises:
        InputError: The file is missing or no Parquet file.
        ResourceError: pyarrow is not installed.
    """
    file = open_parquet(path)
    with readable(path, PARQUET):
        batches = file.iter_batches(batch_size=_BATCH)
    number = 0
    for batch in each_readable(batches, path, PARQUET):
        for record in named_rows(batch, path, naming):
            number += 1
            yield f"{path}, row {number}", record


def named_rows(
    batch: Any, path: str | Path, naming: Naming = PLAIN
) -> Iterator[dict[str, Any]]:
    """Yield the rows of an Arrow table from the file `path`, by spicepy's names.

    Raises:
        InputError: Columns have the same name, or a value cannot be read.
    """
    with readable(path, PARQUET):  # texts are made now, and may be no UTF-8
        names = header_names(batch.schema.names, f"{path}, header", naming)
        check_repeats(names, f"{path}, header")
        columns = [column.to_pylist() for column in batch.columns]
    for values in zip(*columns):
        yield merged(dict(zip(names, values)), naming)


def open_parquet(path: str | Path) -> Any:
    """Return a file of `pyarrow.parquet`.

    Raises:
        InputError: The file is missing or no Parquet file.
        ResourceError: pyarrow is not installed.
    """
    if is_read_once(path):
        raise InputError(
            f"{name_of(path)}: is a pipe or a device, and Parquet is not read from its "
            "beginning to its end; write it to a file first"
        )
    parquet = required("pyarrow.parquet", "a Parquet file")
    with readable(path, PARQUET):
        return parquet.ParquetFile(path)
