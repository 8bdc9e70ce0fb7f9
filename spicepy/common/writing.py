"""Writing files whole or not at all, and refusing a wrong place before the work.

What is written stands first in a temporary file of the same folder and takes the path's
place only when it is complete, so that a reader never meets half a file and a full disk
leaves the older one whole.
"""

import gzip
import io
import json
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol, TypeVar

from spicepy.common import __version__
from spicepy.common.errors import InputError, brief, counted, reason_of, shortened
from spicepy.common.files import is_read_once
from spicepy.common.progress import advance
from spicepy.common.tables import Table, html_of, render
from spicepy.common.threads import no_collector

STANDARD: Final = "-"  # The name of standard output
SCHEMA_VERSION: Final = 1
"""The version of JSON outputs: higher when a key is removed, renamed or means something
else. `results.schema.json` beside this module describes them."""
_STREAMS = ("/dev/std", "/dev/fd/", "/proc/")  # names of files that are open


def check_path(
    path: Path, extensions: Iterable[str] = (), inputs: Iterable[object] = ()
) -> Path:
    """Return the path ("-" is standard output) if a file can be written there."""
    # `extensions` are those allowed, in lower case with their dots.
    known = list(extensions)
    if str(path) == STANDARD and ".json" in known:
        return path
    name = brief(str(path))[1:-1]
    if known and not str(path).lower().endswith(tuple(known)):
        plain = [kind for kind in known if not kind.endswith(".gz")]
        listed = " or ".join(filter(None, (", ".join(plain[:-1]), plain[-1])))
        page = " (`spicepy report` writes HTML)" if name.endswith(".html") else ""
        raise InputError(f"{name}: unsupported file type; use {listed}{page}")
    if path.is_dir():
        raise InputError(f"{name} is a folder; give the name of a file")
    if not path.parent.is_dir():
        raise InputError(f"{name}: the folder {path.parent} does not exist")
    check_unread([path], inputs)
    check_writable(path)
    return path


def check_unread(written: Iterable[Path], inputs: Iterable[object]) -> None:
    """Refuse to write files that are read, through links and standard input as well."""
    identities = {_identity(str(each)) for each in inputs if each is not None}
    for path in written:
        if (identity := _identity(str(path))) and identity in identities:
            raise InputError(
                f"{brief(str(path))[1:-1]} is read as input and would be overwritten; "
                "write to another file"
            )


def check_writable(path: str | Path) -> None:
    """Refuse a place that cannot be written, by writing a file beside it."""
    # Standard output, devices and pipes are passed over: whoever reads them would take
    # it for the output.
    if not _is_stream(path):
        with _explained(path):
            replacement = _Replacement(path)
            try:
                replacement.file.write(b"\n")
                replacement.complete()
            finally:
                replacement.discard()


@contextmanager
def written(path: str | Path) -> Iterator[BinaryIO]:
    """Open a binary file that becomes `path` at the end of the `with` block.

    Links are followed, and the permissions are those that `open` would give. A
    failure of any kind leaves an older file unchanged and nothing beside it.
    "-" is standard output; it, devices and pipes are written to directly.

    Raises:
        InputError: The file cannot be written.
    """
    if not _is_stream(path):
        with written_together([path]) as [file]:
            yield file
        return
    with _explained(path), _direct(path) as file:
        yield file


@contextmanager
def written_together(paths: Sequence[str | Path]) -> Iterator[list[BinaryIO]]:
    """Open files that replace older ones at the end of the block, all or none."""
    replacements: list[_Replacement] = []
    try:
        for path in paths:
            with _explained(path):
                replacements.append(_Replacement(path))
        with _explained(paths[0]):
            yield [each.file for each in replacements]
        for each in replacements:
            with _explained(each.path):
                each.complete()
        for each in replacements:
            with _explained(each.path):
                each.replace(keep=len(replacements) > 1)
    except BaseException:
        for each in replacements:
            each.undo()
        raise
    finally:
        for each in replacements:
            each.discard()


@contextmanager
def _explained(path: str | Path) -> Iterator[None]:
    """Name the file in the message of any error that writing it raises."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        name = "standard output" if str(path) == STANDARD else path
        raise InputError(f"{name}: cannot be written ({reason_of(error)})") from None


class _Replacement:
    """A file that takes the place of an older one, if there is one."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self._target = os.path.realpath(path)
        if os.path.isdir(self._target):
            raise IsADirectoryError(0, "is a folder")
        if os.path.lexists(self._target) and not os.access(self._target, os.W_OK):
            raise PermissionError(0, "permission denied")  # `open` would also refuse it
        self._passing, self._older = self._name_beside(), self._name_beside()
        self._replaced = False
        descriptor = os.open(self._passing, _NEW, 0o666)  # the umask is taken off
        self.file: BinaryIO = open(descriptor, "wb")  # noqa: SIM115

    def _name_beside(self) -> str:
        folder = os.path.dirname(self._target)
        return os.path.join(folder, f".spicepy-{secrets.token_hex(8)}")

    def complete(self) -> None:
        """Let the disk have all of it."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()  # Windows moves no file that is open
        with suppress(FileNotFoundError):
            os.chmod(self._passing, stat.S_IMODE(os.stat(self._target).st_mode))

    def replace(self, *, keep: bool) -> None:
        """Take the place; an older file can be kept aside until `discard`."""
        if keep:
            with suppress(OSError):  # there is none, or no links on this disk
                os.link(self._target, self._older)
        os.replace(self._passing, self._target)
        self._replaced = True

    def undo(self) -> None:
        """Give the place back, if it was taken."""
        with suppress(OSError):
            if self._replaced and os.path.lexists(self._older):
                os.replace(self._older, self._target)
            elif self._replaced:
                os.unlink(self._target)

    def discard(self) -> None:
        """Remove what stands beside the place."""
        for name in (self._passing, self._older):
            with suppress(OSError):
                self.file.close()
            with suppress(OSError):
                os.unlink(name)


def write_text(path: str | Path, text: str | Iterable[str]) -> None:
    """Write UTF-8 text or its parts (see `written`), gzipped if named `.gz`."""
    parts = [text] if isinstance(text, str) else text
    with written(path) as file:
        try:
            if str(path).endswith(".gz"):
                with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                    packed.writelines(part.encode("utf-8") for part in parts)
            else:
                file.writelines(part.encode("utf-8") for part in parts)
        except UnicodeEncodeError as error:
            bad = brief(error.object[error.start : error.end])
            raise InputError(f"{path}: UTF-8 cannot hold {bad}") from None


def _is_stream(path: str | Path) -> bool:
    return is_read_once(path) or os.path.abspath(path).startswith(_STREAMS)


@contextmanager
def _direct(path: str | Path) -> Iterator[BinaryIO]:
    if str(path) == STANDARD:
        if sys.stdout is None:  # closed by `>&-`
            raise InputError("standard output is closed, and the result goes there")
        sys.stdout.flush()
        if not hasattr(sys.stdout, "buffer"):  # as in notebooks: it takes text alone
            data = io.BytesIO()
            yield data
            sys.stdout.write(data.getvalue().decode("utf-8"))
        elif isinstance(sys.stdout.buffer, io.RawIOBase):
            # PYTHONUNBUFFERED: it would take a part of the data and drop the rest.
            with open(sys.stdout.fileno(), "wb", closefd=False) as file:
                yield file
        else:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
    else:
        with open(path, "wb") as file:
            yield file


_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def _identity(path: str) -> tuple[int, int] | None:
    """Return the device and inode of a plain file, otherwise None."""
    with suppress(OSError, ValueError):
        status = os.fstat(0) if path == "-" else os.stat(path)
        if stat.S_ISREG(status.st_mode):
            return status.st_dev, status.st_ino
    return None


class Displayed:
    """A result whose representations fit a screen, however many images it has."""

    __slots__ = ()

    def tables(self) -> Iterable[Table]:
        """Return the tables, in the order in which they are shown."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """Return the titles of the tables and their numbers of rows."""
        shown = [f"{t.title}: {counted(len(t.rows), 'row')}" for t in self.tables()]
        return shortened(f"{type(self).__name__}({'; '.join(shown)}", 500) + ")"

    def _repr_html_(self) -> str:
        """Return the first rows of the first tables, for notebooks."""
        return html_of(list(self.tables()))

    def write(self, path: str | Path) -> list[Path]:
        """Write the result in the form that the extension names.

        Args:
            path: A file: .json has everything, .csv the rows of data or else a table a
                file, .md and .tex (booktabs) the tables.

        Returns:
            The files written.

        Raises:
            InputError: The extension is another, or the file cannot be written.
        """
        return write(self, Path(path))


R = TypeVar("R", bound=Displayed)
Text = str | Iterator[str]  # A text, or its parts
FileForm = Callable[[R], Iterable[Text] | Mapping[str, str] | Mapping[str, bytes]]
"""The content of each file that a result is written to: `x.csv`, `x-2.csv` …, or by
name: "" for `x.csv`, "images" for `x-images.csv`."""


def check_output(
    path: Path,
    forms: Iterable[str] = (),
    inputs: Sequence[object] = (),
    tables: Iterable[str] = (),
) -> Path:
    """Return the path if a result, and tables beside it (`x-2.csv`), can be written."""
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
    """Refuse outputs if one would overwrite another, or a table beside it."""
    targets = [Path(os.path.realpath(path)) for path in paths]
    for path, resolved in zip(paths, targets):
        further = _further(resolved, tables)
        for other, target in zip(paths, targets):
            beside = target.parent == resolved.parent and further(target.name)
            if beside or (resolved == target and path is not other):
                raise InputError(
                    f"{other} is written twice, also for {path}; give another name"
                )


def _further(path: Path, tables: Iterable[str]) -> Callable[[str], object]:
    """Return a test of whether further tables of a result might take a file's name."""
    stem, suffix = re.escape(path.stem), re.escape(path.suffix)
    names = "|".join((r"\d+", *map(re.escape, tables)))
    return re.compile(rf"{stem}-({names}){suffix}").fullmatch


@no_collector()  # no object of a result is in a cycle
def write(
    result: R, path: Path, forms: Mapping[str, FileForm[R]] | None = None
) -> list[Path]:
    """Write a result in the form that the extension names; return the files written.

    Raises:
        InputError: See `check_output`; a file cannot be written; or the result has
            nothing of this form, such as no picture.
    """
    # `forms` are further forms, or other ones for known extensions.
    known: dict[str, FileForm[R]] = {**FORMS, **(forms or {})}
    name = str(check_output(path, known)).lower()
    kind = next((kind for kind in known if name.endswith(kind)), ".json")  # or "-"
    contents = known[kind](result)
    if not isinstance(contents, Mapping):
        contents = {str(i) if i > 1 else "": x for i, x in enumerate(contents, 1)}
    files = []
    for beside, content in contents.items():
        file = path.with_stem(f"{path.stem}-{beside}") if beside else path
        if isinstance(content, bytes):
            with written(file) as opened:
                opened.write(content)
        else:
            write_text(file, content)
        files.append(file)
    return files


def result_json(values: Mapping[str, Any]) -> list[Iterator[str]]:
    """Return the one JSON file of a result, its text in parts."""
    return [json_parts({"spicepy": __version__, **values})]


def json_parts(value: Any) -> Iterator[str]:
    """Yield JSON text, long lists item by item; objects get a `schema_version`."""
    if _is_map(value):
        value = {"schema_version": SCHEMA_VERSION, **value}
    lists = [v for v in value.values() if isinstance(v, list)] if _is_map(value) else []
    total, done = sum(map(len, lists)), 0
    if not total:
        yield _indented(value) + "\n"
        return
    before = "{"
    for key, item in value.items():
        yield f"{before}\n {json.dumps(str(key), ensure_ascii=False)}: "
        before = ","
        if not isinstance(item, list) or not item:
            yield _indented(item, 1)
            continue
        opening = "["
        for each in item:
            yield f"{opening}\n  {_indented(each, 2)}"
            opening = ","
            done += 1
            advance("writing", done, total)
        yield "\n ]"
    yield "\n}\n"


def _indented(value: Any, depth: int = 0) -> str:
    """Return JSON text of a value that is nested in `depth` lists or mappings."""
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    return text.replace("\n", "\n" + " " * depth)


def _is_map(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(key, str) for key in value)


class RowResult(Protocol):
    """A result with rows of data beside its tables."""

    @property
    def signature(self) -> str:
        """Everything that can change the rows."""

    def rows(self) -> Mapping[str, Table]:
        """Return the rows by name; "errors" or "" are the main ones."""


def csv_files(result: RowResult, *, mark: bool = False) -> dict[str, str]:
    """Return the main rows as CSV, and the tables beside them (`x-images.csv`)."""
    # With `mark`, each file begins with a byte order mark, by which Excel knows UTF-8.
    return {
        "" if name == "errors" else name: "\ufeff" * mark
        + render(replace(table, signature=result.signature), "csv")
        for name, table in result.rows().items()
    }


def _csv(result: Any) -> Iterable[str] | Mapping[str, str]:
    if hasattr(result, "rows"):
        return csv_files(result)
    return [render(table, "csv") for table in result.tables()]


def _all_tables(result: Displayed, format: str) -> list[str]:
    return ["\n".join(render(table, format) for table in result.tables())]


FORMS: Mapping[str, FileForm[Displayed]] = {
    ".json": lambda result: result_json(result.to_dict()),
    ".csv": _csv,
    ".md": lambda result: _all_tables(result, "markdown"),
    ".tex": lambda result: _all_tables(result, "latex"),
}
"""The forms of every result."""
