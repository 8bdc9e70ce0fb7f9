"""Captions files cut into parts that any machine can read by itself.

In: Parquet files, JSON lines or text, on storage that all machines see. Out:
`FileSplit`s, which are addresses and hold no captions, and a `SplitReader` that turns
them into blocks.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final, Generic

from spicepy.captions.reading import kind_of
from spicepy.captions.records import (
    DEFAULT_COLUMNS,
    PARQUET,
    ColumnNames,
    LocatedRecord,
    json_lines,
    named_rows,
    open_parquet,
    rename_columns,
)
from spicepy.captions.sample import clean
from spicepy.common.errors import InputError
from spicepy.common.files import GZIP, decode, each_readable, is_read_once, readable
from spicepy.scale.blocks import Block, Contents, S, T

ROWS: Final = 5_000
"""The number of rows of Parquet in a part, at most."""
BYTES: Final = 1 << 20
"""Bytes of lines in a part, about, at most."""
_ENDING: Final = 8
"""The final parts shrink to this share of the rest, so workers finish together."""
_OTHERS: Final = (".csv", ".tsv", ".json")


@dataclass(frozen=True, slots=True)
class FileSplit:
    """Some neighbouring records of a file: rows of a group of Parquet, or bytes."""

    path: str
    start: int
    stop: int
    group: int = -1


@dataclass(frozen=True, slots=True)
class _Run:
    """Records of a file that lie one after the other.

    Attributes:
        size: Rows, or bytes.
        most: The size of a large part.
        group: The row group of a Parquet file; -1 for lines.
    """

    path: str
    size: int
    most: int
    group: int = -1


def cut(paths: Iterable[str]) -> list[FileSplit]:
    """Return the parts of files, in order.

    They become smaller towards the end, so that all who work on them end together.

    Raises:
        InputError: A file is missing, or of a kind that is only read from its start.
    """
    runs = [run for path in paths for run in _runs(path)]
    left = sum(run.size / run.most for run in runs)
    parts = []
    for run in runs:
        start = 0
        while start < run.size:
            share = min(max(left / _ENDING, 1 / _ENDING), 1)
            stop = min(start + math.ceil(share * run.most), run.size)
            if run.group < 0:
                stop = _line_end(run.path, stop)
            parts.append(FileSplit(run.path, start, stop, run.group))
            left -= (stop - start) / run.most
            start = stop
    return parts


def _runs(path: str) -> Iterator[_Run]:
    kind = kind_of(path)
    if is_read_once(path):
        raise InputError(
            f"{path}: is a pipe or a device, which a cluster cannot read in parts; "
            "write it to a file first"
        )
    if kind == ".parquet":
        about = open_parquet(path).metadata
        with readable(path, PARQUET):
            groups = [about.row_group(at) for at in range(about.num_row_groups)]
            rows = [group.num_rows for group in groups]
        for at, number in enumerate(rows):
            yield _Run(path, number, ROWS, at)
        return
    try:
        with open(path, "rb") as file:
            if kind in _OTHERS or file.read(2).startswith(GZIP):
                raise InputError(
                    f"{path}: a cluster reads files in parts, which takes Parquet or "
                    "JSON lines that are not packed"
                )
            yield _Run(path, file.seek(0, 2), BYTES)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None


def _line_end(path: str, place: int) -> int:
    """Return where the line ends that a file has at this place."""
    with open(path, "rb") as file:
        file.seek(place)
        file.readline()
        return file.tell()


@dataclass(frozen=True, slots=True)
class SplitReader(Generic[T, S]):
    """Reads parts; small, so that it can travel.

    Attributes:
        contents: The kind of items in the files.
        parts: All parts, in order.
        naming: The files' names for ids and captions, if they are others.
    """

    contents: Contents[T, S]
    parts: Sequence[FileSplit]
    naming: ColumnNames = DEFAULT_COLUMNS

    def items(self, number: int) -> Iterator[tuple[str, T]]:
        """Yield the checked items of a part, with their places.

        Raises:
            InputError: A record is wrong.
        """
        return self.contents.read(self._records(number))

    def survey(self, number: int) -> S | None:
        """Return the survey of a part, or None if it holds no items.

        Raises:
            InputError: A record is wrong.
        """
        items = [item for _, item in self.items(number)]
        return self.contents.survey(items) if items else None

    def block(self, number: int) -> Block[T]:
        """Return a part as a block that knows what follows it.

        Raises:
            InputError: A record is wrong.
        """
        items = [item for _, item in self.items(number)]
        rest = range(number + 1, len(self.parts))
        following = chain.from_iterable(map(self.items, rest))
        return self.contents.block(number, items, (item for _, item in following))

    def _records(self, number: int) -> Iterator[LocatedRecord]:
        """Yield the records of a part under spicepy's names, with their places."""
        part = self.parts[number]
        if part.group >= 0:
            yield from _rows(part, self.naming)
            return
        lines = _lines(part)
        name = f"{part.path}, from byte {part.start:,}"
        if Path(part.path).suffix.lower() in (".jsonl", ".ndjson"):
            for where, record in json_lines(lines, name):
                yield where, rename_columns(record, where, self.naming)
        else:
            for at, line in enumerate(lines, 1):
                yield f"{name}, line {at}", {"caption": clean(line)}


def _rows(part: FileSplit, naming: ColumnNames) -> Iterator[LocatedRecord]:
    row = 0
    name = f"{part.path}, group {part.group + 1}"
    file = open_parquet(part.path)
    with readable(part.path, PARQUET):
        batches = file.iter_batches(batch_size=ROWS, row_groups=[part.group])
    for batch in each_readable(batches, part.path, PARQUET):
        piece = batch.slice(max(part.start - row, 0), max(part.stop - row, 0))
        row += len(batch)
        if row <= part.start:
            continue
        first = max(part.start, row - len(batch))
        rows = named_rows(piece.slice(0, part.stop - first), part.path, naming)
        for at, record in enumerate(rows, first + 1):
            yield f"{name}, row {at}", rename_columns(record, name, naming.of_rows())
        if row >= part.stop:
            return


def _lines(part: FileSplit) -> Iterator[str]:
    with open(part.path, "rb") as file:
        file.seek(part.start)
        while file.tell() < part.stop:
            yield decode(file.readline(), part.path).rstrip("\n")
