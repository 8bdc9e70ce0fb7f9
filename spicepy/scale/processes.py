"""Blocks for several processes in, what they return out, as it comes.

Unlike `common.processes.run`, parts may be without end and are read only a little
ahead, and the work, which may be large, goes to each process once.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import active_children, current_process, get_context
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from spicepy.common.errors import InputError, ResourceError
from spicepy.common.processes import _KILLED, _RUNS_THE_SCRIPT, _UNGUARDED, _watch

In = TypeVar("In")
Out = TypeVar("Out")


def run_stream(
    work: Callable[[In], Out], parts: Iterable[In], processes: int
) -> Iterator[Out]:
    """Yield what `work` returns for each part, in no order.

    Raises:
        InputError: A script has no main guard.
        ResourceError: A process was killed.
    """
    if getattr(current_process(), "_inheriting", False):
        sys.exit(_RUNS_THE_SCRIPT)
    workers: list[BaseProcess] = []
    begin = (get_context("spawn"), _watch_and_take, (work,))
    try:
        with ProcessPoolExecutor(processes, *begin) as pool:
            arriving, waiting = iter(parts), set[Future[Out]]()
            try:
                while True:
                    for part in islice(arriving, 2 * processes - len(waiting)):
                        waiting.add(pool.submit(_work_on, part))
                    workers += active_children()
                    if not waiting:
                        return
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
    except BrokenProcessPool:
        if any(worker.exitcode == _RUNS_THE_SCRIPT for worker in workers):
            raise InputError(_UNGUARDED) from None
        raise ResourceError(_KILLED) from None


_TAKEN: list[Callable[..., object]] = []
"""In a worker: what it does with each part."""


def _watch_and_take(work: Callable[..., object]) -> None:
    _watch()
    _TAKEN[:] = [work]


def _work_on(part: In) -> Any:
    return _TAKEN[0](part)
