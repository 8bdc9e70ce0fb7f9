"""Work for several processes in, what they return out, in order.

A worker ends when its parent does, however that ends; a worker that is killed, or
cannot begin, is one clear sentence.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import current_process, get_context, parent_process
from threading import Thread
from typing import Any, Final, TypeVar

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
        sys.exit(_UNGUARDED)
    context = get_context("spawn")
    begun = context.Event()
    try:
        with ProcessPoolExecutor(processes, context, _begin, (begun,)) as pool:
            yield from pool.map(work, parts)
    except BrokenProcessPool:
        if begun.is_set():
            raise ResourceError(_KILLED) from None
        raise InputError(_UNGUARDED) from None


def _begin(begun: Any) -> None:
    """Tell the parent that a worker has begun, and watch the parent."""
    begun.set()
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
