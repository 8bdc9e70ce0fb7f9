"""The content of files: bytes, its text, its JSON, its arrays.

Any fault of a file is an `InputError` that begins with the file's name; "-" is standard
input.

Compressed files (gzip, bzip2, xz) are recognised by their first bytes, not by their
names. Text is UTF-8; UTF-16 and UTF-32 are read if they begin with a byte order mark.
"""

import codecs
import gzip
import hashlib
import io
import json
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, TypeVar, cast

from spicepy.common.errors import InputError, SpicepyError, brief, reason_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNPACKED_GIB = 4.0
"""Maximum decompressed size in GiB, unless `LIMIT_VARIABLE` says otherwise: a file of
10 MB can hold 10 GB."""
LIMIT_VARIABLE = "SPICEPY_UNPACKED_GIB"

GIB = 2**30
_ARRAY_KINDS: Final = "biufU"  # Numbers and texts

_WITH_DIGEST = re.compile(r"(.+)@([0-9a-f]{8})")

GZIP = b"\x1f\x8b"  # The first bytes of every gzip file
_UNPACKERS = {
    GZIP: "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
}
"""The first bytes of compressed files, with the names of their formats."""
COMPRESSED = (".gz", ".bz2", ".xz")
"""The endings that such a file adds to its name."""
_BINARY = {
    b"PK\x03\x04": "an archive or an Excel workbook; unpack it, or save it as CSV",
    b"PAR1": "a Parquet file; its name must end in .parquet",
    b"\x93NUMPY": "an array of numpy; write its captions as JSON lines or CSV",
    b"\x80": "a pickle; write its captions as JSON lines or CSV",
    **dict.fromkeys((b"\x89PNG", b"\xff\xd8"), "a picture"),
}
"""The first bytes of files that are not text, and what they are."""
_CHUNK = 1 << 20
_BUFFER = 1 << 16
_MARKS = {  # the longer ones first: UTF-32's mark begins like UTF-16's
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def fill_standard_files() -> None:
    """Open the null device in place of closed standard files, if it is still free."""
    # Cron and batch systems close them. The next file or pipe that is opened would take
    # the number, and what processes print, or close, as a standard file would hit it.
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free


def check_distinct_inputs(paths: Iterable[str | Path]) -> None:
    """Refuse a file that is given twice."""
    seen: set[str] = set()
    for path in map(str, paths):
        if path in seen:
            raise InputError(f"{path}: the same file is given twice")
        seen.add(path)


def without_digest(name: str | Path) -> tuple[str, str]:
    """Return the name before the digest of a name from a signature, and the digest.

    >>> without_digest("spice-1.0@ddb3b27c")
    ('spice-1.0', 'ddb3b27c')
    >>> without_digest("spice-1.0")
    ('spice-1.0', '')
    """
    found = _WITH_DIGEST.fullmatch(str(name))
    return (found[1], found[2]) if found else (str(name), "")


def digest_of(paths: Iterable[Path], *parts: str) -> str:
    """Return eight characters that identify the text or bytes of files, and strings."""
    made = hashlib.sha256("\n".join(parts).encode())
    for path in paths:
        made.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return made.hexdigest()[:8]


def check_name(what: str, given: str | None, own: str) -> None:
    """Refuse a name, with or without its digest, that is not `own`, this version's."""
    if given is not None and given not in (own, without_digest(own)[0]):
        raise InputError(f"the {what} is {own} now, not {brief(given)}")


def name_of(path: str | Path) -> str:
    """Return the name of a file in messages; "-" is "standard input"."""
    return "standard input" if str(path) == "-" else str(path)


def is_read_once(path: str | Path) -> bool:
    """Return whether what a file holds is gone once it was read, as that of a pipe."""
    # Such a file must be read whole, and opened only once: nobody may write to it
    # again.
    if str(path) == "-":
        return True
    with suppress(OSError, ValueError):  # ValueError: a NUL in the path
        mode = os.stat(path).st_mode
        return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
    return False


def is_compressed(begin: bytes) -> bool:
    """Return whether a file that begins with these bytes is compressed."""
    return begin.startswith(tuple(_UNPACKERS))


def unpacked_name(path: str | Path) -> str:
    """Return the name that a compressed file has unpacked: "a.json.gz" -> "a.json"."""
    name = str(path)
    return name[: -len(Path(name).suffix)] if name.endswith(COMPRESSED) else name


def read_bytes(path: str | Path) -> bytes:
    """Return all bytes of a file, unpacked if it is compressed."""
    with opened(path) as file:
        return b"".join(iter(partial(file.read, _CHUNK), b""))


@contextmanager
def opened(path: str | Path) -> Iterator[io.BufferedReader]:
    """Open a file, unpacked if it is compressed; errors in the `with` block name it."""
    name = name_of(path)
    try:
        with _standard_input() if str(path) == "-" else open(path, "rb") as file:
            begin = file.peek(6)
            form = next((f for m, f in _UNPACKERS.items() if begin.startswith(m)), None)
            if form is None and name.endswith(COMPRESSED) and begin:
                raise InputError(
                    f"{path}: cannot be read (it is not compressed: rename it without "
                    f"{Path(name).suffix}, or compress it)"
                )
            yield _Unpacked(file, name, form).buffered() if form else file
    except FileNotFoundError:
        raise InputError(f"{name}: no such file") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        if isinstance(error, InputError | UnicodeError):
            raise
        raise InputError(f"{name}: cannot be read ({reason_of(error)})") from None


def _standard_input() -> io.BufferedReader:
    if sys.stdin is None:  # cron and batch systems may start programs without
        raise InputError("standard input is closed; give the name of a file")
    read = io.BytesIO(sys.stdin.buffer.read())
    return io.BufferedReader(cast("io.RawIOBase", read))


class _Unpacked(io.RawIOBase):
    """The bytes of a compressed file, up to the limit."""

    def __init__(self, file: IO[bytes], name: str, form: str) -> None:
        self._name, self._form = name, form
        self._errors: tuple[type[Exception], ...] = (EOFError, OSError, zlib.error)
        self._file: Any
        # Some builds of Python lack bz2 or lzma.
        if form == "gzip":
            self._file = gzip.GzipFile(fileobj=file, mode="rb")
        elif form == "bzip2":
            import bz2

            self._file = bz2.BZ2File(file)
        else:
            import lzma

            self._errors = (EOFError, lzma.LZMAError)
            self._file = lzma.LZMAFile(file)  # noqa: SIM115
        self._limit = unpacked_limit()

    def readable(self) -> bool:
        """Return whether it can be read: always."""
        return True

    def buffered(self) -> io.BufferedReader:
        """Return the bytes as `open` gives them."""
        return io.BufferedReader(self, _BUFFER)

    def readinto(self, buffer: Any) -> int:
        """Read as all files do."""
        try:
            size: int = self._file.readinto(buffer)
        except self._errors as error:
            raise InputError(
                f"{self._name}: cannot be read (damaged {self._form}: {error})"
            ) from None
        if self._file.tell() > self._limit * GIB:
            raise InputError(
                f"{self._name}: unpacks to more than {self._limit:g} GiB; set the "
                f"environment variable {LIMIT_VARIABLE} to allow more"
            )
        return size


def unpacked_limit() -> float:
    """Return the most GiB that a file may unpack to: SPICEPY_UNPACKED_GIB, or 4."""
    text = os.environ.get(LIMIT_VARIABLE, "")
    try:
        limit = float(text) if text else UNPACKED_GIB
    except ValueError:
        limit = 0.0
    if not limit > 0:
        raise InputError(
            f"the environment variable {LIMIT_VARIABLE} is {brief(text)}; "
            "it must be a number of GiB above 0"
        )
    return limit


def read_text(path: str | Path) -> str:
    """Return a file's text: UTF-8, or UTF-16 or -32 with a mark; see `read_bytes`."""
    return decode(read_bytes(path), name_of(path))


def decode(data: bytes, name: str, first_line: int = 1) -> str:
    """Return the bytes of a file, from one of its lines on, as text without a mark."""
    code = encoding_of(data, name) if first_line == 1 else "utf-8"
    try:
        return data.decode(code)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + first_line
        raise InputError(
            f"{name}, line {line}: byte 0x{data[error.start]:02x} is not "
            f"{code.removesuffix('-sig').upper()}; save the file as UTF-8"
        ) from None


def encoding_of(data: bytes, name: str) -> str:
    """Return the encoding of a text that begins with these bytes."""
    for mark, what in _BINARY.items():
        if data.startswith(mark):
            raise InputError(f"{name}: not a text file but {what}")
    marked = (code for mark, code in _MARKS.items() if data.startswith(mark))
    code = next(marked, "utf-8-sig")
    if code == "utf-8-sig" and data[:1000].count(0) * 4 > len(data[:1000]):
        raise InputError(
            f"{name}: this looks like UTF-16 without a byte order mark; "
            "save the file as UTF-8"
        )
    return code


def load_json(text: str, name: str, line: int | None = None) -> Any:
    """Return the value of a JSON text: that of a file, or one line of it."""
    repeated: list[tuple[dict[str, Any], str]] = []

    def checked(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            keys = [key for key, _ in pairs]
            repeated.append((members, next(k for k in keys if keys.count(k) > 1)))
        return members

    where = name if line is None else f"{name}, line {line}"
    try:
        data = json.loads(text, object_pairs_hook=checked)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{name}, line {(line or 1) + error.lineno - 1}, column {error.colno}: "
            f"invalid JSON: {error.msg}"
        ) from None
    except RecursionError:
        raise InputError(f"{where}: the JSON is nested too deeply") from None
    except ValueError:  # int() takes no more digits than this
        raise InputError(
            f"{where}: a number has more than {sys.get_int_max_str_digits():,} digits"
        ) from None
    if repeated:
        owner, key = repeated[-1]
        raise InputError(
            f"{where}{_entry(data, owner)}: the key {brief(key)} occurs twice "
            "in one object"
        )
    return data


def _entry(data: Any, owner: dict[str, Any]) -> str:
    """Return the entry of the outermost list with an object: ", entry 3", or ""."""
    stack: list[tuple[Any, str]] = [(data, "")]
    while stack:
        value, entry = stack.pop()
        if value is owner:
            return entry
        if isinstance(value, dict):
            stack += [(inner, entry) for inner in value.values()]
        elif isinstance(value, list):
            stack += [(v, entry or f", entry {n}") for n, v in enumerate(value, 1)]
    return ""


# Damaged files: any error that a library raises for one becomes a sentence.
#
# Libraries of formats (pyarrow, zipfile, pickle) raise nearly anything at a flipped
# bit, so that no list of types is complete.

Item = TypeVar("Item")
_SHOWN = 200  # The number of characters shown of a library's message.


@contextmanager
def readable(path: str | Path, form: str) -> Iterator[None]:
    """Turn errors in the `with` block into ones that name the file and its format."""
    name = name_of(path)
    try:
        yield
    except SpicepyError:
        raise
    except FileNotFoundError:
        raise InputError(f"{name}: no such file") from None
    except MemoryError:
        raise InputError(
            f"{name}: cannot be read (it needs more memory than there is, or is "
            f"damaged {form})"
        ) from None
    except Exception as error:
        if isinstance(error, OSError) and error.strerror:
            raise InputError(f"{name}: cannot be read ({error.strerror})") from None
        raise InputError(f"{name}: cannot be read ({_reason(error, form)})") from None


def each_readable(items: Iterable[Item], path: str | Path, form: str) -> Iterator[Item]:
    """Pass items on; turn errors in making one into those of `readable`."""
    arriving = iter(items)
    while True:
        with readable(path, form):
            try:
                item = next(arriving)
            except StopIteration:
                return
        yield item


def _reason(error: Exception, form: str) -> str:
    text = str(error).strip().split("\n")[0] or type(error).__name__
    clear = text.encode("utf-8", "backslashreplace").decode()
    clear = clear if clear.isprintable() else brief(clear)
    return f"not {form}, or damaged: {clear[:_SHOWN]}"


def read_arrays(
    path: str | Path, needed: Iterable[str], optional: Iterable[str] = ()
) -> dict[str, "NDArray[Any]"]:
    """Read arrays by name from a `.npz` file; `optional` ones need not be there."""
    import numpy as np  # Other files need none of it.

    wanted = tuple(needed)
    with readable(path, "npz"), np.load(path, allow_pickle=False) as archive:
        for name in wanted:
            if name not in archive.files:
                raise InputError(f"{path}: has no array {name!r}")
        names = [*wanted, *(name for name in optional if name in archive.files)]
        sizes = {info.filename: info.file_size for info in archive.zip.infolist()}
        size = sum(sizes[f"{name}.npy"] for name in names)
        if size > unpacked_limit() * GIB:
            raise InputError(
                f"{path}: unpacks to {size / GIB:,.1f} GiB, more than the limit of "
                f"{unpacked_limit():g} GiB (environment variable SPICEPY_UNPACKED_GIB)"
            )
        arrays = {name: archive[name] for name in names}
    for name, array in arrays.items():
        if array.dtype.kind not in _ARRAY_KINDS:
            kind = str(array.dtype)[:100]
            raise InputError(
                f"{path}: the array {name!r} holds {kind}; numbers are needed"
            )
    return arrays
