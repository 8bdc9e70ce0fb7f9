"""Work for several processes in, what they return out, in order.

A worker ends when its parent does, however that ends; a worker that is killed, or
cannot begin, is one clear sentence.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import (
    active_children,
    current_process,
    get_context,
    parent_process,
)
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Final, TypeVar

from spicepy.common.errors import InputError, ResourceError

In = TypeVar("In")
Out = TypeVar("Out")

_KILLED: Final = (
    "a process that parses ended unexpectedly; perhaps there was too little memory: "
    "try again with fewer processes"
)
_UNGUARDED: Final = (
    "the processes that parse cannot begin: each of them runs your script again; put "
    'the calls of spicepy under `if __name__ == "__main__":`, or parse in one process'
)
_RUNS_THE_SCRIPT: Final = 77
"""How a worker exits that was about to start workers itself."""


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(
    work: Callable[[In], Out], parts: Sequence[In], processes: int
) -> Iterator[Out]:
    """Yield what `work` returns for each part; both go to other processes.

    Raises:
        InputError: A script has no main guard.
        ResourceError: A process was killed.
    """
    if getattr(current_process(), "_inheriting", False):
        # This is a worker that still runs the script, and must not start others.
        sys.exit(_RUNS_THE_SCRIPT)
    workers: list[BaseProcess] = []
    try:
        with ProcessPoolExecutor(processes, get_context("spawn"), _watch) as pool:
            made = pool.map(work, parts)
            workers += active_children()
            try:
                yield from made
            except BaseException:  # Ctrl-C: what has not begun need not begin
                pool.shutdown(cancel_futures=True)
                raise
    except BrokenProcessPool:
        if any(worker.exitcode == _RUNS_THE_SCRIPT for worker in workers):
            raise InputError(_UNGUARDED) from None
        raise ResourceError(_KILLED) from None


def _watch() -> None:
    """Watch the parent from a worker."""
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
