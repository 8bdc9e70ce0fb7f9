"""Captions files of any size, record by record.

JSON lines, CSV, TSV (all three may be gzip) and Parquet are read one by one, from the
beginning at each call; formats and checks are those of `reading`. Other files (JSON
lists, COCO's objects, pipes) are read once, whole, and kept.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

from spicepy.captions.reading import DELIMITERS, TABLES, is_lines, kind_of, read_records
from spicepy.captions.records import (
    DEFAULT_COLUMNS,
    ColumnNames,
    LocatedRecord,
    csv_rows,
    is_whole,
    json_lines,
    parquet_rows,
    rename_columns,
    whole,
)
from spicepy.captions.sample import ImageId, Sample, clean, sample_from
from spicepy.common import files
from spicepy.common.errors import InputError, check_kind


class Source:
    """Captions files, whose records follow each other in the order of the paths."""

    # A CSV file must have the column `needed`, if there is one. No file may be given
    # twice.

    def __init__(
        self,
        paths: Sequence[str | Path],
        *,
        naming: ColumnNames = DEFAULT_COLUMNS,
        needed: str = "image_id",
    ) -> None:
        for path in paths:
            check_kind("file is", path, str | Path, "give a path")
        self.paths = tuple(map(str, paths))
        if not self.paths:
            raise InputError("no file is given")
        files.check_distinct_inputs(self.paths)
        self.naming = naming
        self.needed = needed
        self._whole = cache(partial(read_records, naming=naming))
        self._text = cache(files.read_text)
        self._integers = cache(self._all_integers)

    def records(self) -> Iterator[LocatedRecord]:
        """Yield every record under spicepy's names, with its place."""
        for path in self.paths:
            any_record = False
            left = self.naming.of_rows() if kind_of(path) in TABLES else self.naming
            for where, record in self._of(path):
                any_record = True
                yield where, rename_columns(record, where, left)
            if not any_record:
                raise InputError(f"{files.name_of(path)}: no captions in the file")

    def samples(self) -> Iterator[tuple[str, Sample]]:
        """Yield every record as a checked sample, with its place."""
        seen: dict[ImageId, int] = {}
        for where, record in self.records():
            sample = sample_from(record, where)
            if self.naming.once:
                if seen.get(sample.image_id) == hash(sample):
                    continue
                seen.setdefault(sample.image_id, hash(sample))
            yield where, sample

    def _of(self, path: str) -> Iterator[LocatedRecord]:
        kind = kind_of(path)
        if kind == ".parquet":
            yield from parquet_rows(path, self.naming)
        elif kind in DELIMITERS:
            yield from self._csv(path, self._integers(path))
        elif (
            kind != ".txt" and not files.is_read_once(path) and _holds_lines(path, kind)
        ):
            with open_text(path, "\n") as lines:
                yield from json_lines(lines, path)
        else:
            yield from self._whole(path)

    def _csv(self, path: str, integers: bool) -> Iterator[LocatedRecord]:
        kept = io.StringIO(self._text(path), "") if files.is_read_once(path) else None
        with open_text(path, "") if kept is None else kept as lines:
            delimiter = DELIMITERS[kind_of(path)]
            for where, row in csv_rows(
                lines, path, delimiter, self.naming, self.needed
            ):
                if integers:
                    row = {**row, "image_id": whole(row["image_id"])}
                yield where, row

    def _all_integers(self, path: str) -> bool:
        """Return whether a CSV file, which has no types, has integers for image ids."""
        rows = (row for _, row in self._csv(path, False))
        return all("image_id" in row and is_whole(row["image_id"]) for row in rows)


def text_lines(path: str) -> Iterator[str]:
    """Yield the lines of a text file, without their ends; "-" is standard input."""
    if files.is_read_once(path):
        yield from files.read_text(path).removesuffix("\n").split("\n")
        return
    with open_text(path, "\n") as lines:
        for line in lines:
            yield clean(line.removesuffix("\n"))


def _holds_lines(path: str, kind: str) -> bool:
    """Return whether a file holds one JSON object a line."""
    with open_text(path, "\n") as lines:
        first = ""
        for line in lines:
            first += line
            if first.strip():
                return is_lines(first + next(iter(lines), ""), kind)
    raise InputError(f"{path}: the file is empty")


@contextmanager
def open_text(path: str, newline: str) -> Iterator[Iterable[str]]:
    """Yield the lines of a text file, unpacked if they are gzip."""
    # It is UTF-8, or UTF-16 or UTF-32 with a byte order mark, and unpacks to no more
    # than `unpacked_limit`; `newline` is as for `open`.
    try:
        with files.opened(path) as data:
            code = files.encoding_of(data.peek(4)[:1000], path)
            yield io.TextIOWrapper(data, encoding=code, newline=newline)
    except UnicodeDecodeError as error:
        _find_wrong_byte(path)
        code = error.encoding.upper()
        raise InputError(
            f"{path}: is not {code} text ({error.reason}); save the file as UTF-8"
        ) from None


def _find_wrong_byte(path: str) -> None:
    """Raise the error that names the line of the first byte that is not UTF-8."""
    # Nothing is raised for other encodings, whose lines cannot be decoded one by one.
    with files.opened(path) as lines:
        if files.encoding_of(lines.peek(4)[:4], path) != "utf-8-sig":
            return
        for number, line in enumerate(lines, 1):
            files.decode(line, path, number)
