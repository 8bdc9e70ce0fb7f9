"""Results as files; the extension names the form.

In: a result with tables and a path. Out: the file. `.json` has everything, `.csv` one
table a file (`x.csv`, then `x-2.csv` …), `.md` and `.tex` (booktabs) all tables.
Results with pictures have further forms (`spicepy.study.figures`).
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from spicepy.common.errors import InputError
from spicepy.common.tables import Table, render
from spicepy.common.version import __version__
from spicepy.common.writing import (
    STANDARD,
    check_path,
    check_unread,
    check_writable,
    write_text,
)


class Result(Protocol):
    """A result that can be printed and written."""

    def tables(self) -> Iterable[Table]:
        """Return the tables, in the order in which they are shown."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        ...


R = TypeVar("R", bound=Result)
FileForm = Callable[[R], Iterable[str] | Mapping[str, str]]
"""The text of each file that a result is written to: `x.csv`, `x-2.csv` …, or by
name: "" for `x.csv`, "images" for `x-images.csv`."""


def check_output(
    path: Path,
    forms: Iterable[str] = (),
    inputs: Sequence[object] = (),
    tables: Iterable[str] = (),
) -> Path:
    """Return the path, if a result can be written there.

    Args:
        path: The file to write.
        forms: Extensions known beside those of this module.
        inputs: Files that are read, which must not be overwritten.
        tables: Names of tables that are written beside it (`x-images.csv`).

    Raises:
        InputError: See `spicepy.common.writing.check_path`; or an input is a file
            that further tables of the result might overwrite (`x-2.csv`), or such a
            file cannot be written.
    """
    check_path(path, dict.fromkeys((*FORMS, *forms)), inputs)
    if str(path) == STANDARD:
        return path
    further = _further(path, tables)
    others = [other for other in path.parent.iterdir() if further(other.name)]
    check_unread(others, inputs)
    for other in others:
        check_writable(other)
    return path


def check_distinct(paths: Sequence[Path], tables: Iterable[str] = ()) -> None:
    """Refuse outputs of which one would overwrite another, or a table beside it.

    Raises:
        InputError: Naming both.
    """
    places = [Path(os.path.realpath(path)) for path in paths]
    for path, resolved in zip(paths, places):
        further = _further(resolved, tables)
        for other, place in zip(paths, places):
            beside = place.parent == resolved.parent and further(place.name)
            if beside or (resolved == place and path is not other):
                raise InputError(
                    f"{other} is written twice, also for {path}; give another name"
                )


def _further(path: Path, tables: Iterable[str]) -> Callable[[str], object]:
    """Return a test of whether further tables of a result might take a file's name."""
    stem, suffix = re.escape(path.stem), re.escape(path.suffix)
    names = "|".join((r"\d+", *map(re.escape, tables)))
    return re.compile(rf"{stem}-({names}){suffix}").fullmatch


def write(
    result: R, path: Path, forms: Mapping[str, FileForm[R]] | None = None
) -> list[Path]:
    """Write a result in the form that the extension names.

    Args:
        result: The result to write.
        path: The (first) file.
        forms: Further forms, or other ones for known extensions.

    Returns:
        The files written.

    Raises:
        InputError: See `check_output`; a file cannot be written; or the result has
            nothing of this form, such as no picture.
    """
    known: dict[str, FileForm[R]] = {**FORMS, **(forms or {})}
    suffix = check_output(path, known).suffix.lower() or ".json"  # standard output
    texts = known[suffix](result)
    if not isinstance(texts, Mapping):
        texts = {str(i) if i > 1 else "": text for i, text in enumerate(texts, 1)}
    written = []
    for name, text in texts.items():
        file = path.with_stem(f"{path.stem}-{name}") if name else path
        write_text(file, text)
        written.append(file)
    return written


def _json(result: Result) -> Iterator[str]:
    values = {"spicepy": __version__, **result.to_dict()}
    yield json.dumps(values, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _csv(result: Result) -> Iterator[str]:
    for table in result.tables():
        yield render(table, "csv")


def _markdown(result: Result) -> Iterator[str]:
    yield "\n".join(render(table, "markdown") for table in result.tables())


def _latex(result: Result) -> Iterator[str]:
    yield "\n".join(render(table, "latex") for table in result.tables())


FORMS: Mapping[str, FileForm[Result]] = {
    ".json": _json,
    ".csv": _csv,
    ".md": _markdown,
    ".tex": _latex,
}
"""The forms of every result."""
