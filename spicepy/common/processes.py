"""Work for several processes in, what they return out, in order.

    this process ─ start ─▶ a server (Linux) that loads the parser, while this one
                            reads and tokenises captions
                 ─ run ───▶ workers, forked from the server (elsewhere: spawned);
                            they stay for the next call

A worker ends when its parent does, however that ends; a worker that is killed, or
cannot begin, is one clear sentence.
"""

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from multiprocessing import current_process, get_context
from multiprocessing import parent_process as _parent
from threading import Thread
from typing import Any, Final, TypeVar

from spicepy.common.errors import InputError, ResourceError
from spicepy.common.sharing import LOCK

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
_METHOD: Final = "forkserver" if sys.platform == "linux" else "spawn"
_READY: Final = "spicepy.common.ready"
"""The module that the server imports."""

_POOLS: Final[dict[int, ProcessPoolExecutor]] = {}
"""Workers that wait for more, by their number."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_POOLS.clear)  # they are the parent's


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def start() -> None:
    """Load the parser in a process of its own, for workers that may be needed soon.

    It costs this process nothing, and ends with it. Without effect where workers
    cannot be forked.
    """
    worker = _parent() is not None or _runs_the_script()
    if _METHOD == "forkserver" and processors() > 1 and not worker:
        from multiprocessing import forkserver

        with LOCK:
            forkserver.set_forkserver_preload([_READY])
            forkserver.ensure_running()


def run(
    work: Callable[[In], Out], parts: Sequence[In], processes: int
) -> Iterator[Out]:
    """Yield what `work` returns for each part; both go to other processes.

    The workers keep `work` from one part, and one call, to the next.

    Raises:
        InputError: A script has no main guard.
        ResourceError: A process was killed.
    """
    if _runs_the_script():
        os._exit(_RUNS_THE_SCRIPT)
    pool = _pool(processes)
    packed = pickle.dumps(work)
    workers = pool._processes  # with how they ended
    made: list[Future[Out]] = []

    def begin() -> None:
        for part in parts:
            made.append(pool.submit(_call, packed, part))

    try:
        try:
            # In a thread, since signals interrupt the main one: a worker that is
            # half begun is not known to the pool, which then waits for ever.
            with ThreadPoolExecutor(1) as beginning:
                beginning.submit(begin).result()
            for each in made:
                yield each.result()
        except BaseException:  # Ctrl-C: what has not begun need not begin
            for each in made:
                each.cancel()
            raise
    except BrokenProcessPool:
        _POOLS.pop(processes, None)
        for one in [*workers.values()]:
            one.kill()  # the pool forgets one that began while it broke, and waits
        pool.shutdown()  # now all have ended
        if any(one.exitcode == _RUNS_THE_SCRIPT for one in workers.values()):
            raise InputError(_UNGUARDED) from None
        raise ResourceError(_KILLED) from None


def _runs_the_script() -> bool:
    """Is this a worker that still runs the script? It must not start others."""
    return getattr(current_process(), "_inheriting", False)


def _pool(processes: int) -> ProcessPoolExecutor:
    with LOCK:
        if processes not in _POOLS:
            start()
            context = get_context(_METHOD)
            _POOLS[processes] = ProcessPoolExecutor(processes, context, _watch)
        return _POOLS[processes]


def _call(packed: bytes, part: Any) -> Any:
    """In a worker: do a part of the work."""
    return _work(packed)(part)


@lru_cache(maxsize=4)
def _work(packed: bytes) -> Callable[[Any], Any]:
    found: Callable[[Any], Any] = pickle.loads(packed)
    return found


def _watch() -> None:
    """In a worker: watch the parent, who alone answers Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = _parent()
    if parent is not None:
        parent.join()
        os._exit(1)
