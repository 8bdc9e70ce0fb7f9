"""Records of captions from JSON lines, CSV, Parquet, and tables in Python.

Records come one by one, so that a file of any size takes little memory. Keys are as in
the file; only columns get spicepy's names (`ColumnNames`).
"""

import csv
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final

from spicepy.captions.sample import as_list, is_sequence, keys_of, missing_id
from spicepy.common import files
from spicepy.common.errors import InputError, brief, counted, unknown
from spicepy.common.resources import required

_IDS: Final = (
    *("file_name", "_id", "video_id", "videoID", "audio_id"),
    *("image_name", "youtube_id", "cocoid", "imgid", "filename"),
)
_BARE: Final = {"image", "caption"}
"""The columns of Flickr8k's captions.txt, whose "image" is an id; elsewhere it may be a
picture."""
_CANDIDATE: Final = frozenset(["candidate", "candidates", "test", "caption"])
_REFERENCES: Final = frozenset(["references", "refs", "caption"])
_DELIMITERS: Final = (",", ";", "\t", "|")
_REFERENCE: Final = re.compile(r"caption_(?:reference_)?(\d+)")


@dataclass(frozen=True, slots=True)
class ColumnNames:
    """The columns or keys of a file, as far as a user has named them."""

    image_id: str | None = None  # The column of image ids; found by its name if None
    candidate: str | None = None  # The column of candidates; found by its name if None
    # The columns of references (texts or lists); found by name if empty.
    references: tuple[str, ...] = ()
    # candidate_id, reference_id: The columns of image ids in a file of candidates or
    # of references alone, if they differ.
    candidate_id: str | None = None
    reference_id: str | None = None
    split: str | None = None  # The split of the references that is taken; all if None
    once: bool = False  # Whether a row that is repeated identically is kept once

    def __post_init__(self) -> None:
        """Refuse a column of references that is named twice, and would count twice."""
        for name in self.references:
            if self.references.count(name) > 1:
                raise InputError(
                    f"the column of references {brief(name)} is named twice"
                )

    def of_rows(self) -> "ColumnNames":
        """Return the names for rows of a table whose ids have been renamed."""
        return replace(self, image_id=None)

    def of_candidates(self) -> "ColumnNames":
        """Return the names for a file of candidates alone."""
        return replace(self, references=(), image_id=self.candidate_id or self.image_id)

    def of_references(self) -> "ColumnNames":
        """Return the names for a file of references alone."""
        return replace(
            self, candidate=None, image_id=self.reference_id or self.image_id
        )


DEFAULT_COLUMNS: Final = ColumnNames()  # No column has a name of its own


def header_names(
    header: Sequence[str], where: str, naming: ColumnNames = DEFAULT_COLUMNS
) -> list[str]:
    """Return the columns of a CSV file by spicepy's names."""
    id_column = _id_of(header, where, naming.image_id)
    chosen = {naming.candidate, *naming.references} - {id_column}
    return [
        name
        if name in chosen or (name == "image_id" and id_column in (None, name))
        else _own_name(name, id_column)
        for name in header
    ]


def rename_columns(
    record: Mapping[str, Any], where: str, naming: ColumnNames = DEFAULT_COLUMNS
) -> dict[str, Any]:
    """Return a JSON record by spicepy's names; one of `candidates` is the candidate."""
    id_column = _id_of(list(record), where, naming.image_id)
    renamed = {
        "image_id" if id_column and k == id_column else k: v for k, v in record.items()
    }
    if naming.candidate or naming.references:
        renamed = _chosen(renamed, where, naming)
    several = renamed.get("candidates")
    if isinstance(several, list) and not {"candidate", "test", "caption"} & set(
        renamed
    ):
        if len(several) != 1:
            raise InputError(
                f"{where} (image {brief(renamed.get('image_id'))}): {len(several)} "
                f"candidates, {brief(several)}; a metric scores one (see "
                "spicepy.evaluation.multi_candidate for the best of several)"
            )
        renamed["candidate"] = several[0]
    return renamed


def _chosen(record: dict[str, Any], where: str, naming: ColumnNames) -> dict[str, Any]:
    """Return a record with the captions of the columns that the user has named."""
    chosen: dict[str, Any] = {}
    hidden: set[str] = set()
    if naming.candidate:
        chosen["candidate"] = _value(record, naming.candidate, where, "candidate")
        hidden |= _CANDIDATE
    if naming.references:
        values = [_value(record, c, where, "references") for c in naming.references]
        lists = (v if isinstance(v, list) else [v] for v in values if v != "")
        chosen["references"] = [text for texts in lists for text in texts]
        hidden |= _REFERENCES | {n for n in record if n.startswith("reference")}
    kept = {name: value for name, value in record.items() if name not in hidden}
    return kept | chosen


def _value(record: Mapping[str, Any], name: str, where: str, what: str) -> Any:
    if name not in record:
        raise InputError(
            f"{where}: no {brief(name)} for the {what} ({keys_of(record)})"
        )
    return record[name]


def _id_of(names: Sequence[str], where: str, wanted: str | None) -> str | None:
    if wanted is not None:
        if wanted not in names:
            raise InputError(
                f"{where}: no {brief(wanted)} for the image id ({keys_of(names)})"
            )
        return wanted
    if "image_id" in names:
        return None
    if set(names) == _BARE:
        return "image"
    return next((name for name in _IDS if name in names), None)


def _own_name(name: str, id_column: str | None) -> str:
    if name == id_column:
        return "image_id"
    if name == "image_id":
        return "image_id (not the id column)"
    if name == "caption_predicted":
        return "candidate"
    if id_column is None:
        return name
    if name == "comment":
        return "caption"
    if match := _REFERENCE.fullmatch(name):
        return f"reference_{match[1]}"
    return name


LocatedRecord = tuple[str, Mapping[str, Any]]
"""A record and its location: "refs.json, entry 3"."""

PARQUET: Final = "Parquet"
_BATCH: Final = 4096
"""The number of rows of a Parquet file that are converted to Python values at once."""


def json_lines(lines: Iterable[str], name: str) -> Iterator[LocatedRecord]:
    """Yield the object on each line; empty lines are passed over."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield an_object(
                files.load_json(line, name, number), f"{name}, line {number}"
            )


def an_object(record: Any, where: str) -> LocatedRecord:
    """Return a record, which must be a JSON object, and its place."""
    if not isinstance(record, dict):
        raise InputError(f"{where}: expected an object, found {brief(record)}")
    return where, record


def csv_rows(
    lines: Iterable[str],
    name: str,
    delimiter: str,
    naming: ColumnNames = DEFAULT_COLUMNS,
    needed: str = "image_id",
) -> Iterator[LocatedRecord]:
    """Yield the rows below a header; all values are text, references a list."""
    # The header must have the column `needed` and none twice, and each row as many
    # cells.
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    lines = iter(lines)
    first = next(lines, "")
    delimiter = _delimiter(first, delimiter)
    lines = chain([first], lines)
    if delimiter == "|":  # quotes are part of the captions of Flickr30k
        reader = csv.reader(lines, delimiter="|", quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
    before = 0  # the line at which the last row ends
    try:
        given = [cell.strip() for cell in next(reader, [])]
        before = reader.line_num
        header = header_names(given, f"{name}, line 1", naming)
        numbered = "caption_predicted" in given and "image_id" not in header
        if numbered:  # aac-metrics' files have no ids: a row is a recording
            header = [_AUDIO_REFERENCE.sub("reference", column) for column in header]
        _check_header(["image_id", *header] if numbered else header, name, needed)
        for number, row in enumerate(reader, 1):
            before = reader.line_num
            if not any(row):
                continue
            where = f"{name}, line {reader.line_num}"
            if delimiter == "|":
                row = _bars(row, len(header))
            if numbered:
                yield where, merged({"image_id": str(number), **dict(zip(header, row))})
                continue
            if len(row) != len(header):
                raise InputError(
                    f"{where}: {counted(len(row), 'cell')}, but the header has "
                    f"{len(header)}"
                )
            yield where, merged(dict(zip(header, row)), naming)
    except csv.Error as error:
        # Python's words for a quote that is open at the end of the file.
        fault = str(error).replace("unexpected end of data", "a quote is not closed")
        line = reader.line_num if fault == str(error) else before + 1
        raise InputError(f"{name}, line {line}: {fault}") from None


_AUDIO_REFERENCE: Final = re.compile(
    r"^(mult_references|caption(_reference)?)(?=_\d+$)"
)


def header_cells(line: str, delimiter: str) -> list[str]:
    """Return the columns of a header, cut at the delimiter that it has."""
    cells = line.strip().split(_delimiter(line, delimiter))
    return [cell.strip().strip('"') for cell in cells]


def has_columns(header: Sequence[str]) -> bool:
    """Return whether the first line of a text is the header of a table of captions."""
    known = "image_id" in header or set(header) == _BARE or set(header) & set(_IDS)
    return len(header) > 1 and bool(known)


def _delimiter(header: str, usual: str) -> str:
    """Return the delimiter in a header: the usual one, or the first other it has."""
    if usual in header:
        return usual
    return next((mark for mark in _DELIMITERS if mark in header), usual)


def _bars(row: list[str], columns: int) -> list[str]:
    """Return the cells of a row of Flickr30k, in whose file one bar is missing."""
    cells = [cell.strip() for cell in row]
    if len(cells) == columns - 1 and (found := _NUMBERED.fullmatch(cells[-1])):
        return [*cells[:-1], *found.groups()]
    return cells


_NUMBERED: Final = re.compile(r"(\d+)\s+(.+)")


def _check_header(header: list[str], name: str, needed: str) -> None:
    if needed and needed not in header:
        where, what = f"{name}, line 1", f"column {needed!r}"
        if needed == "image_id":
            raise missing_id(header, where, what)
        raise InputError(f"{where}: no {what} ({keys_of(header)})")
    check_repeats(header, f"{name}, line 1")


def check_repeats(header: Sequence[str], where: str) -> None:
    """Refuse a column that occurs twice."""
    for column in header:
        if column and header.count(column) > 1:
            raise InputError(f"{where}: the column {brief(column)} occurs twice")


def is_whole(text: Any) -> bool:
    """Return whether a cell is an integer as Python or pandas (42.0) writes it."""
    return isinstance(text, str) and plain_integer(text.removesuffix(".0"))


def whole(text: str) -> int:
    """Return the integer of a cell for which `is_whole` holds."""
    return int(text.removesuffix(".0"))


def plain_integer(text: str) -> bool:
    """Return whether a CSV file's text is an integer as Python writes it."""
    digits = text.removeprefix("-")
    plain = digits.isascii() and digits.isdigit()
    return plain and (digits == "0" or digits[0] != "0") and len(digits) < 19


def merged(
    record: dict[str, Any], naming: ColumnNames = DEFAULT_COLUMNS
) -> dict[str, Any]:
    """Join the reference columns of a row into one list, unless the user names some."""
    if naming.references:
        return record
    columns = [k for k in record if k.startswith(("reference", "refs"))]
    if not columns or isinstance(record[columns[0]], list):
        return record
    kept = {k: v for k, v in record.items() if k not in columns}
    return kept | {"references": [record[k] for k in columns if record[k]]}


def parquet_rows(
    path: str | Path, naming: ColumnNames = DEFAULT_COLUMNS
) -> Iterator[LocatedRecord]:
    """Yield the rows of a Parquet file; references are lists, or several columns."""
    file = open_parquet(path)
    with files.readable(path, PARQUET):
        batches = file.iter_batches(batch_size=_BATCH)
    number = 0
    for batch in files.each_readable(batches, path, PARQUET):
        for record in named_rows(batch, path, naming):
            number += 1
            yield f"{path}, row {number}", record


def named_rows(
    batch: Any, path: str | Path, naming: ColumnNames = DEFAULT_COLUMNS
) -> Iterator[dict[str, Any]]:
    """Yield the rows of an Arrow table from the file `path`, by spicepy's names."""
    with files.readable(path, PARQUET):  # texts are made now, and may be no UTF-8
        names = header_names(batch.schema.names, f"{path}, header", naming)
        check_repeats(names, f"{path}, header")
        columns = [column.to_pylist() for column in batch.columns]
    for values in zip(*columns):
        yield merged(dict(zip(names, values)), naming)


def open_parquet(path: str | Path) -> Any:
    """Return a file of `pyarrow.parquet`."""
    if files.is_read_once(path):
        raise InputError(
            f"{files.name_of(path)}: is a pipe or a device, and Parquet is not read "
            "from its beginning to its end; write it to a file first"
        )
    parquet = required("pyarrow.parquet", "a Parquet file")
    with files.readable(path, PARQUET):
        return parquet.ParquetFile(path)


# Tables as Python has them, and the names that a user gives to their columns.


def named_columns(columns: Mapping[str, str | Sequence[str]] | None) -> ColumnNames:
    """Return the user's names: {"candidate": "cap", "references": ["a", "b"]}."""
    if columns is None:
        return DEFAULT_COLUMNS
    if not isinstance(columns, Mapping):
        raise InputError(
            f"columns: found {brief(columns)}; a mapping is expected, such as "
            "{'candidate': 'cap'}"
        )
    ids = ("candidate_id", "reference_id")
    known = ("image_id", "candidate", "references", *ids, "split")
    for own, theirs in columns.items():
        if own not in known:
            raise unknown("column", str(own), known)
        several = own == "references" and is_sequence(theirs)
        if not all(isinstance(n, str) for n in (theirs if several else [theirs])):
            raise InputError(f"columns: {own} is {brief(theirs)}; a name is expected")
    named: dict[str, Any] = dict(columns)
    references = named.pop("references", ())
    listed = (references,) if isinstance(references, str) else tuple(references)
    return ColumnNames(references=listed, **named)


def _rows_of(table: Any) -> list[Mapping[str, Any]] | None:
    """Return the rows of a table of a library, or of a dictionary of columns."""
    # Other values, that are no table, give None.
    rows: list[Mapping[str, Any]] | None = None
    if hasattr(table, "collect_schema") and not hasattr(table, "to_dicts"):
        raise InputError("samples: a LazyFrame has no rows yet; give its `.collect()`")
    if isinstance(table, Mapping) and table and all(map(is_sequence, table.values())):
        sizes = {str(name): len(column) for name, column in table.items()}
        if len(set(sizes.values())) > 1:
            raise InputError(f"samples: columns of different lengths, {brief(sizes)}")
        return [dict(zip(sizes, row)) for row in zip(*table.values())]
    if hasattr(table, "to_pylist") and hasattr(table, "column_names"):  # pyarrow
        rows = table.to_pylist()
    elif hasattr(table, "to_dicts"):
        rows = table.to_dicts()
    elif hasattr(table, "to_dict") and hasattr(table, "columns"):
        # A row would have but one of two columns of the same name.
        check_repeats([str(name) for name in table.columns], "the table")
        # NaN, NaT and pandas' NA are all None then.
        rows = table.astype(object).where(table.notna(), None).to_dict("records")
    return rows


def table_records(table: Any, naming: ColumnNames) -> list[dict[str, Any]] | None:
    """Return the rows of a table as records, None if it is no table."""
    # Ids without a column are the index, or from 0.
    rows, index = _rows_of(table), getattr(table, "index", None)
    if rows is None:
        return None
    header = [str(name) for name in (rows[0] if rows else ())]
    if naming.image_id not in header and naming.image_id == getattr(index, "name", ""):
        naming = replace(naming, image_id=None)
    names = header_names(header, "the table", naming)
    check_repeats(names, "the table")
    ids = range(len(rows)) if index is None or "image_id" in names else index.tolist()
    if len(set(ids)) < len(rows):
        raise InputError(
            "the index of the table is taken for image ids and has one twice; give a "
            "column image_id, or number the rows: table.reset_index(drop=True)"
        )
    records = (
        {"image_id": image_id, **merged(dict(zip(names, map(as_list, row.values()))))}
        for image_id, row in zip(ids, rows)
    )
    return [as_renamed(r, i, naming.of_rows()) for i, r in enumerate(records, 1)]


def as_renamed(sample: Any, number: int, naming: ColumnNames) -> Any:
    """Return a sample given as a mapping by spicepy's names, any other one as it is."""
    if naming == DEFAULT_COLUMNS or not isinstance(sample, Mapping):
        return sample
    return rename_columns(sample, f"sample {number}", naming)
