"""The database file of the cache and its rows: made, opened, checked, deleted.

The consequence of an error for the cache is a `CacheFailure`. Texts are bytes in the
file, since captions may have half of a surrogate pair.

    entries      id (grows: the lowest is the oldest), key (64 bits of a hash of
                 namespace and text), namespace, text, result, checked (CRC-32 of
                 namespace, text and result)
    namespaces   namespace, about (what its results depend on, as JSON), checked
                 (CRC-32 of both)

The schema of a file must be this one, to the letter: a view, or a trigger, could do
anything, and need not end.
"""

import json
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from enum import Enum
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final
from zlib import crc32

WAIT: Final = 30.0  # Seconds to wait for another process that writes

_APPLICATION: Final = 0x53504359  # "SPCY"
_SCHEMA: Final = 3
_TABLES: Final = """
    CREATE TABLE entries (
        id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, namespace INTEGER NOT NULL,
        text BLOB NOT NULL, result BLOB NOT NULL, checked INTEGER NOT NULL
    );
    CREATE TABLE namespaces (
        namespace INTEGER PRIMARY KEY, about BLOB NOT NULL, checked INTEGER NOT NULL
    );
"""


class Foreign(sqlite3.DatabaseError):
    """A database of another program, which stays as it is."""


class Outdated(sqlite3.DatabaseError):
    """A database of another version of spicepy, or with other tables."""


class CacheFailure(Enum):
    """Troubles with the file, each with its codes of SQLite."""

    DAMAGED = (
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_FORMAT,
        sqlite3.SQLITE_ERROR,  # a table or column is missing
    )
    UNWRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
    FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
    BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    OTHER = (-1,)  # an empty value is none in early versions of Python 3.11


def classify_failure(error: Exception) -> CacheFailure:
    """Return what an error of the database means."""
    if isinstance(error, Foreign):
        return CacheFailure.OTHER
    if isinstance(error, Outdated | ValueError):  # ValueError: of SQLite's own tables
        return CacheFailure.DAMAGED
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return next(
        (trouble for trouble in CacheFailure if code in trouble.value),
        CacheFailure.OTHER,
    )


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Open the file, and create it if it is missing."""
    # If `read_only`, its folder cannot be written to, not even by SQLite for its own
    # files. Errors: see `classify_failure`; an `OSError` for a link that leads nowhere.
    if not read_only:
        if not os.path.lexists(path):
            _make(path)
        elif not path.exists():
            raise FileNotFoundError(0, "a link to a file that does not exist")
        return _checked(_opened(f"{path.as_uri()}?mode=rw", uri=True))
    try:
        return _checked(_opened(f"{path.as_uri()}?mode=ro", uri=True))
    except sqlite3.OperationalError:  # SQLite cannot make its own files
        return _checked(_opened(f"{path.as_uri()}?mode=ro&immutable=1", uri=True))


def delete(path: Path) -> None:
    """Delete the file and those that SQLite has beside it."""
    for end in ("-wal", "-shm", ""):  # first: a new database must not find them
        with suppress(FileNotFoundError):
            os.unlink(f"{path}{end}")


def used_bytes(connection: sqlite3.Connection) -> int:
    """Return the size of the rows and their index, in bytes."""
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit all that the `with` block writes, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _opened(name: str, *, uri: bool = False) -> sqlite3.Connection:
    # A thread at a time: `Store` has a lock.
    return sqlite3.connect(
        name, timeout=WAIT, isolation_level=None, check_same_thread=False, uri=uri
    )


def _checked(connection: sqlite3.Connection) -> sqlite3.Connection:
    try:
        # After a power failure the last rows may be gone, but none is damaged.
        connection.execute("PRAGMA synchronous = NORMAL")
        made_by, version, pages = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version", "page_count")
        )
        if made_by != _APPLICATION and pages:  # an empty file is nobody's
            raise Foreign("it belongs to another program")
        if version != _SCHEMA:
            raise Outdated("made by another version of spicepy")
        if connection.execute(_ABOUT_TABLES).fetchall() != _tables():
            raise Outdated("its tables are not those that spicepy makes")
    except BaseException:
        connection.close()
        raise
    return connection


_ABOUT_TABLES: Final = "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"


@cache
def _tables() -> list[tuple[str, str, str]]:
    """Return the tables and indices of a new file, as SQLite describes them."""
    with closing(_opened(":memory:")) as connection:
        connection.executescript(_TABLES)
        return connection.execute(_ABOUT_TABLES).fetchall()


def _make(path: Path) -> None:
    """Make an empty database under another name, so that no half of one is seen."""
    passing = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    try:
        with closing(_opened(str(passing))) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {_SCHEMA}")
            connection.executescript(_TABLES)
        try:
            os.link(passing, path)
        except FileExistsError:
            pass  # another process was faster
        except OSError:  # a file system without links
            os.replace(passing, path)
    finally:
        for end in ("", "-wal", "-shm"):
            with suppress(OSError):
                os.unlink(f"{passing}{end}")


def packed(
    namespace: int, text: bytes, result: bytes
) -> tuple[int, int, bytes, bytes, int]:
    """Return the key, namespace, text, result and check sum of a row in the file."""
    return (
        row_key(namespace, text),
        namespace,
        text,
        result,
        checksum(namespace, text, result),
    )


def unpacked(
    namespace: int, text: bytes, result: bytes, checked: int
) -> tuple[str, str] | None:
    """Return the text and the result of a row of the file, or None if it is damaged."""
    if checksum(namespace, text, result) == checked:
        with suppress(UnicodeDecodeError):
            return (
                text.decode("utf-8", "surrogatepass"),
                result.decode("utf-8", "surrogatepass"),
            )
    return None


def about_of(namespace: int, about: bytes, checked: int) -> dict[str, str] | None:
    """Return what a namespace's results depend on, or None if it is damaged."""
    if checksum(namespace, about, b"") != checked:
        return None
    with suppress(ValueError):
        record = json.loads(about)
        if isinstance(record, dict):
            return {str(name): str(value) for name, value in record.items()}
    return None


def row_key(namespace: int, text: bytes) -> int:
    """Return 64 bits of a hash of namespace and text."""
    salt = namespace.to_bytes(8, "big")
    digest = blake2b(text, digest_size=8, salt=salt).digest()
    return int.from_bytes(digest, "big", signed=True)


def checksum(namespace: int, text: bytes, result: bytes) -> int:
    """Return CRC-32 of namespace, text and result."""
    if isinstance(text, bytes) and isinstance(result, bytes):
        return crc32(result, crc32(text, namespace & 0xFFFFFFFF))
    return -1  # a damaged row may hold values of any type


def raw(text: str) -> bytes:
    """Return a text as bytes of the file."""
    return text.encode("utf-8", "surrogatepass")
