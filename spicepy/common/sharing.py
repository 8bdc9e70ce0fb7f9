"""What threads share: one lock, and states of the process that they need together.

In: code that changes something all threads see. Out: the same, one thread at a time.
Whoever fills a memory holds the lock while doing so, never while parsing or scoring.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Final

LOCK: Final = RLock()
"""Held while something that threads share changes.

It belongs to the module, not to the objects, so that these can be pickled.
"""

if hasattr(os, "register_at_fork"):  # A child must not wait for threads it has not.
    os.register_at_fork(
        before=LOCK.acquire,
        after_in_parent=LOCK.release,
        after_in_child=LOCK.release,
    )


class WhileUsed:
    """A state of the process that begins with its first user and ends with its last.

    Args:
        begin: Brings the state about and returns what ends it.
    """

    def __init__(self, begin: Callable[[], Callable[[], object]]) -> None:
        self._begin = begin
        self._users = 0

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Use the state; uses may overlap and nest."""
        with LOCK:
            if not self._users:
                self._end = self._begin()
            self._users += 1
        try:
            yield
        finally:
            with LOCK:
                self._users -= 1
                if not self._users:
                    self._end()
