"""Results as files; the extension names the form.

In: a result with tables and a path. Out: the file. `.json` holds everything,
`.csv` one table a file (`x.csv`, then `x-2.csv` …), `.md` and `.tex` (booktabs)
all tables. Rooms with pictures add forms of their own (`spicepy.study.output`).
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

from spicepy import __version__
from spicepy.errors import InputError
from spicepy.tables import Table, render


class Result(Protocol):
    """What can be printed and written."""

    def tables(self) -> Iterable[Table]:
        """The tables, in the order in which they are shown."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        ...


R = TypeVar("R", bound=Result)
Form = Callable[[R], Iterable[str] | Mapping[str, str]]
"""The text of each file that a result is written to: `x.csv`, `x-2.csv` …, or by
name: "" for `x.csv`, "images" for `x-images.csv`."""


def check_output(path: Path, forms: Iterable[str] = ()) -> Path:
    """The path, if a result can be written there.

    Args:
        path: The file to write.
        forms: Extensions known beside those of this module.

    Raises:
        InputError: The extension names no form or the folder does not exist.
    """
    known = dict.fromkeys((*FORMS, *forms))
    if path.suffix.lower() not in known:
        raise InputError(f"{path}: unknown extension; known: {', '.join(known)}")
    if path.is_dir() or not path.parent.is_dir():
        raise InputError(f"{path}: the folder {path.parent} does not exist")
    return path


def write(
    result: R, path: Path, forms: Mapping[str, Form[R]] | None = None
) -> list[Path]:
    """Write a result in the form that the extension names.

    Args:
        result: What to write.
        path: The (first) file.
        forms: Further forms, or other ones for known extensions.

    Returns:
        The files written; none if the result has nothing of this form.

    Raises:
        InputError: See `check_output`, or a file cannot be written.
    """
    known: dict[str, Form[R]] = {**FORMS, **(forms or {})}
    found = known[check_output(path, known).suffix.lower()](result)
    if not isinstance(found, Mapping):
        found = {str(i) if i > 1 else "": text for i, text in enumerate(found, 1)}
    written = []
    for name, text in found.items():
        file = path.with_stem(f"{path.stem}-{name}") if name else path
        try:
            file.write_text(text, encoding="utf-8")
        except OSError as error:
            message = f"{file}: cannot be written ({error.strerror})"
            raise InputError(message) from None
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


FORMS: Mapping[str, Form[Result]] = {
    ".json": _json,
    ".csv": _csv,
    ".md": _markdown,
    ".tex": _latex,
}
"""The forms of every result."""
