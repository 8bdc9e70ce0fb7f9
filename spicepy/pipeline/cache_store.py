"""The cache in a folder: rows of results that several processes may read and write.

A row is a packed result by the number of its namespace and its text. A fault of the
file costs time and never changes a result: each row has a check sum, and damaged ones
are skipped.

A file that is damaged, or that another version has made, is deleted and made again; the
database of another program stays, unused. If the file cannot be written, or another
process writes it for too long, it is only read; if the disk is full, the run continues
without writing. Each of these gives one warning.
"""

import atexit
import math
import os
import sqlite3
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from multiprocessing import parent_process
from pathlib import Path
from threading import RLock
from typing import Final, TypeVar

from spicepy.common.errors import InputError, SpicepyWarning, brief
from spicepy.common.processes import end_idle
from spicepy.common.threads import LOCK
from spicepy.pipeline.cache_file import (
    CacheFailure,
    about_of,
    checksum,
    classify_failure,
    connect,
    delete,
    packed,
    raw,
    row_key,
    transaction,
    unpacked,
    used_bytes,
)

NAME: Final = "parses.sqlite"
LIMIT_VARIABLE: Final = "SPICEPY_CACHE_GIB"
"""The environment variable that sets the largest size, in GiB."""
LIMIT_GIB: Final = 2.0
"""The largest size by default, some 6 million captions. The oldest rows go first."""

_KEPT: Final = 0.8  # The share of the limit that is kept when old rows are deleted.
_STEP: Final = 2_000  # The number of rows that are read at once.
_ABANDONED: Final[list[object]] = []  # Connections of the process that forked.

T = TypeVar("T")


def open_store(folder: Path) -> "Store":
    """Return the store of a folder, the same object at each call."""
    with LOCK:
        if folder not in _STORES:
            _STORES[folder] = Store(folder)
        return _STORES[folder]


def _reopen(folder: Path) -> "Store | None":
    """Return the store of a pipeline that was pickled, perhaps elsewhere."""
    with suppress(InputError):
        return open_store(folder)
    return None


class Store:
    """The cache in a folder, which is created; safe in threads and processes."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self.limit = _limit()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"{brief(str(folder))[1:-1]}: this folder for the cache cannot be made "
                f"({error.strerror or error})"
            ) from None
        self._reads = self._writes = True
        self._warned: set[str] = set()
        self._connection: sqlite3.Connection | None = None
        self._opened: object = None  # the identity of the file
        self._renew()
        if _others_write(folder) and parent_process() is None:
            self._warn(
                "is in a folder to which others can write, and so can change scores; "
                "make it private (`chmod 700`)"
            )

    def __reduce__(self) -> tuple[Callable[[Path], "Store | None"], tuple[Path]]:
        """Pickle the folder's name; where it cannot be made, there is no cache."""
        return _reopen, (self.path.parent,)

    def get(self, namespace: int, texts: Iterable[str]) -> dict[str, str]:
        """Return the results of the texts that are known."""
        wanted = {row_key(namespace, text): text for text in map(raw, texts)}
        keys = sorted(wanted)
        results: dict[str, str] = {}

        def read(connection: sqlite3.Connection) -> None:
            for start in range(0, len(keys), _STEP):
                listed = ",".join(map(str, keys[start : start + _STEP]))
                rows = connection.execute(
                    "SELECT key, text, result, checked FROM entries "
                    f"WHERE key IN ({listed})"
                )
                for key, text, result, checked in rows:
                    row = unpacked(namespace, text, result, checked)
                    if row and text == wanted.get(key):
                        results[row[0]] = row[1]

        if self._reads:
            self._do(read)
        return results

    def put(self, namespace: int, about: str, results: Mapping[str, str]) -> None:
        """Keep results, all or none; let the oldest go if there are too many."""
        # `about` is all that the results of the namespace depend on, as JSON.
        rows = [
            packed(namespace, raw(text), raw(made)) for text, made in results.items()
        ]
        row = namespace, raw(about), checksum(namespace, raw(about), b"")

        def write(connection: sqlite3.Connection) -> None:
            with transaction(connection):
                connection.execute(
                    "INSERT OR REPLACE INTO namespaces VALUES (?, ?, ?)", row
                )
                connection.executemany(
                    "INSERT OR REPLACE INTO entries (key, namespace, text, result, "
                    "checked) VALUES (?, ?, ?, ?, ?)",
                    rows,
                )
            if used_bytes(connection) > self.limit:
                self._shrink(connection)

        if rows and self._writes:
            self._do(write, writing=True)

    def clear(self) -> int:
        """Delete all results; return how many there were."""

        def write(connection: sqlite3.Connection) -> int:
            with transaction(connection):
                [many] = connection.execute("SELECT count(*) FROM entries").fetchone()
                connection.execute("DELETE FROM entries")
                connection.execute("DELETE FROM namespaces")
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return int(many)

        return self._do(write, writing=True) or 0

    def namespaces(self) -> dict[int, tuple[dict[str, str] | None, int]]:
        """Return what each namespace depends on (None: damaged), and its results."""
        rows = self._do(
            lambda c: c.execute(
                "SELECT namespace, about, checked, ifnull(many, 0) FROM namespaces "
                "LEFT JOIN (SELECT namespace, count(*) AS many FROM entries "
                "GROUP BY namespace) USING (namespace)"
            ).fetchall()
        )
        return {row[0]: (about_of(*row[:3]), row[3]) for row in rows or ()}

    def size(self) -> int:
        """Return the size of the rows and their index, in bytes."""
        return self._do(used_bytes) or 0

    def leave(self) -> None:
        """Close the file at the end of the process."""
        # The last one who closes it makes SQLite's own files beside it part of it: a
        # copy of it is whole, and a folder that can only be read needs no others.
        if self._process == os.getpid() and parent_process() is None:
            with self._lock, suppress(sqlite3.Error, ValueError, OSError):
                if self._writes and os.path.exists(f"{self.path}-wal"):
                    end_idle()  # they may have it open
                    if self._connection is None:  # the others have written
                        self._connect()
            self._close()

    def _do(
        self, action: Callable[[sqlite3.Connection], T], *, writing: bool = False
    ) -> T | None:
        """Run an action on the file; if it fails, warn and return None."""
        if self._process != os.getpid():
            self._renew()
        with self._lock:
            try:
                return action(self._connection or self._connect())
            except (sqlite3.Error, ValueError) as error:
                return self._answer(error, action, writing)
            except OSError as error:  # no new file can be made
                self._stop(f"cannot be used ({error.strerror or error})")
        return None

    def _connect(self) -> sqlite3.Connection:
        self._opened = _identity(self.path)
        connection = connect(self.path, read_only=not self._writes)
        self._connection, self._opened = connection, _identity(self.path)
        return connection

    def _answer(
        self, error: Exception, action: Callable[[sqlite3.Connection], T], writing: bool
    ) -> T | None:
        trouble = classify_failure(error)
        if trouble is CacheFailure.BUSY and writing:
            self._writes = False  # waiting again would slow down every batch
            self._warn("is being written by another process; it is only read")
        elif trouble is CacheFailure.BUSY:
            self._stop("is in use by another process")
        elif trouble is CacheFailure.FULL:
            self._writes = False
            self._warn(f"takes no more results ({error}); the run goes on without")
        elif trouble is CacheFailure.UNWRITABLE and self._writes and self.path.exists():
            self._close()
            self._writes = False
            self._warn("cannot be written; it is only read")
            return None if writing else self._do(action)
        elif trouble is CacheFailure.DAMAGED:
            self._delete(error)
        else:
            self._stop(f"cannot be used ({error})")
        return None

    def _delete(self, error: Exception) -> None:
        self._close()
        if not self._writes:
            self._stop(f"cannot be read ({error})")
            return
        if self._opened and self._opened != _identity(self.path):
            return  # another process did it
        try:
            delete(self.path)
        except OSError:
            self._stop(f"cannot be read ({error})")
        else:
            self._warn(f"cannot be read ({error}); it will be rebuilt")

    def _shrink(self, connection: sqlite3.Connection) -> None:
        """Delete the oldest rows."""
        with transaction(connection):
            size = used_bytes(connection)
            if size > self.limit:  # no other process did it
                [many] = connection.execute("SELECT count(*) FROM entries").fetchone()
                excess = many * (1 - _KEPT * self.limit / size)
                connection.execute(
                    "DELETE FROM entries WHERE id IN "
                    "(SELECT id FROM entries ORDER BY id LIMIT ?)",
                    (math.ceil(excess),),
                )

    def _stop(self, why: str) -> None:
        self._close()
        self._reads = self._writes = False
        self._warn(f"{why}; the run goes on without it")

    def _warn(self, what: str) -> None:
        kind = what.split("(")[0]
        if kind not in self._warned:
            self._warned.add(kind)
            message = f"the cache {brief(str(self.path))[1:-1]} {what}"
            warnings.warn(message, SpicepyWarning, stacklevel=2)

    def _renew(self) -> None:
        """Begin without a connection: one must not be used, or closed, after a fork."""
        _ABANDONED.append(self._connection)
        self._connection = None
        self._lock = RLock()
        self._process = os.getpid()

    def _close(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None


def _limit() -> float:
    """Return the largest size in bytes."""
    given = os.environ.get(LIMIT_VARIABLE) or LIMIT_GIB
    try:
        limit = float(given)
        if not 0 < limit < float("inf"):
            raise ValueError
    except ValueError:
        raise InputError(
            f"{LIMIT_VARIABLE} is {brief(given)}; it must be a number of GiB above 0"
        ) from None
    return limit * 2**30


def _others_write(folder: Path) -> bool:
    """Return whether other users are known to be able to write into a folder."""
    if os.name != "posix":
        return False
    with suppress(OSError):
        status = folder.stat()
        return bool(status.st_mode & 0o022) or status.st_uid not in (0, os.getuid())
    return False


def _identity(path: Path) -> object:
    """Return what distinguishes a file from another one that has taken its name."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


_STORES: Final[dict[Path, Store]] = {}


@atexit.register
def _leave() -> None:
    for store in _STORES.values():
        store.leave()
