"""State that threads share: one lock, caches, and values made once per process.

Code that changes shared state holds one lock. A thread holds it only while it fills a
cache, never while it parses or scores.
"""

import gc
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from threading import RLock
from typing import Final, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

LOCK: Final = RLock()
"""Held while something that threads share changes.

It belongs to the module, not to the objects, so that these can be pickled.
"""

if hasattr(os, "register_at_fork"):  # A child must not wait for threads it has not.
    os.register_at_fork(
        before=LOCK.acquire, after_in_parent=LOCK.release, after_in_child=LOCK.release
    )


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class ReferenceCountedSetup:
    """A process-wide setting that the first user switches on and the last one off."""

    # `begin` switches it on and returns the function that switches it off.

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


class LRUCache(Generic[K, V]):
    """A cache of the `most` values that were used last; those of one call are kept."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: dict[K, V] = {}

    def get(self, keys: Iterable[K]) -> dict[K, V]:
        """Return the values of those keys that are cached."""
        with LOCK:
            found = {key: self._values.pop(key) for key in keys if key in self._values}
            self._values.update(found)  # The last used are at the end.
            return found

    def made(self, key: K, make: Callable[[], V]) -> V:
        """Return a key's value; others wait while `make` makes what is missing."""
        with LOCK:
            if key in self._values:
                value = self._values[key] = self._values.pop(key)  # the last used
            else:
                value = self._values[key] = make()
                self._drop_oldest(1)
            return value

    def keep(self, values: Mapping[K, V]) -> None:
        """Keep values as the latest, and drop those used longest ago."""
        with LOCK:
            for key in values:
                self._values.pop(key, None)
            self._values.update(values)
            self._drop_oldest(len(values))

    def _drop_oldest(self, latest: int) -> None:
        """Drop the values used longest ago, but none of so many latest ones."""
        while len(self._values) > max(self.most, latest):
            del self._values[next(iter(self._values))]


# Python's collector of cyclic garbage, switched off during long loops.
#
# Loops that make many objects, most of them kept and few in a cycle, run
# faster without the collector, which would scan all of them again and again.

_MAX_PAUSE: Final = 120.0
"""CPU seconds after which the collector runs anyway: a job
without end would keep those of all its captions."""

_last = time.process_time()


def _switch_off() -> Callable[[], None]:
    was_on = gc.isenabled()
    gc.disable()
    return _switch_on if was_on else gc.disable


def _switch_on() -> None:
    """Switch the collector on; objects made meanwhile count as old."""
    # Otherwise its next run would scan all of them, which takes a tenth of the time of
    # a run whose captions are in the cache.
    global _last
    if time.process_time() - _last > _MAX_PAUSE:
        gc.collect()
        _last = time.process_time()
    elif not gc.get_freeze_count():  # no other code has frozen anything
        gc.freeze()
        gc.unfreeze()
    gc.enable()


no_collector: Final = ReferenceCountedSetup(_switch_off)
"""Switch the collector off in a `with` block; afterwards it is on or off as before."""
