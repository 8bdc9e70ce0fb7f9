"""A lock on a folder, so that one process at a time works in it.

In: a folder. Out: a lock that ends with the process, however that ends.
"""

import os
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any


def lock_folder(folder: Path) -> int | None:
    """Open and lock a folder; None where folders cannot be locked.

    Raises:
        BlockingIOError: Another process has locked it.
    """
    try:
        import fcntl
    except ImportError:
        return _locked_file(folder)
    opened = os.open(folder, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(opened)
        raise
    except OSError:  # a file system without locks
        pass
    return opened


def unlock_folder(folder: Path, lock: int | None) -> None:
    """Release a lock."""
    if lock is not None:
        os.close(lock)
        with suppress(OSError):  # only Windows has one
            os.unlink(_lock_file(folder))


def _lock_file(folder: Path) -> str:
    return f"{folder}.lock"


def _locked_file(folder: Path) -> int | None:
    """Open and lock a file beside a folder, as Windows can; None if nothing can be.

    Raises:
        BlockingIOError: Another process has locked it.
    """
    try:
        windows: Any = import_module("msvcrt")
    except ImportError:
        return None
    opened = os.open(_lock_file(folder), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        windows.locking(opened, windows.LK_NBLCK, 1)
    except OSError:
        os.close(opened)
        raise BlockingIOError from None
    return opened
