"""A pool of processes, which work on parts and give their results.

    this process ─ start ─▶ a server (Linux) that loads the parser, while this one
                            reads and tokenises captions
                 ─ run ───▶ workers, forked from the server (elsewhere: spawned);
                            they stay for the next call

Each worker has its own pipe to this process and gets a part when it has returned the
one before, so neither side can block on a full pipe: no queue
and no thread can wait for a worker that has ended. A worker ends with its parent, even
if that is killed; a worker that is killed or cannot begin is reported as a one-line
error.
"""

import os
import pickle
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from multiprocessing import current_process, get_context
from multiprocessing import parent_process as _parent
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from os.path import exists
from threading import Thread
from typing import Any, Final, TypeVar

from spicepy.common import errors
from spicepy.common.files import fill_standard_files
from spicepy.common.threads import LOCK, processors

In = TypeVar("In")
Out = TypeVar("Out")

_KILLED: Final = (
    "a process that parses ended unexpectedly; perhaps there was too little memory: "
    "try again with fewer processes"
)
_LEFT: Final = (
    "a process that parses ended unexpectedly, with exit code {}; each of them runs "
    'your script again: put what it does under `if __name__ == "__main__":`, or parse '
    "in one process"
)
_UNGUARDED: Final = (
    "the processes that parse cannot begin: each of them runs your script again; put "
    'the calls of spicepy under `if __name__ == "__main__":`, or parse in one process'
)
_NO_SCRIPT: Final = (
    "the processes that parse cannot begin: each of them runs your program again, and "
    "{} is not a file (it may have come from standard input); save the program as a "
    "file, or parse in one process"
)
_RUNS_THE_SCRIPT: Final = 77
"""The exit code of a worker that was about to start workers itself."""
_METHOD: Final = "forkserver" if sys.platform == "linux" else "spawn"
_PRELOADED: Final[list[str]] = []  # The modules that the server imports (`preload`)
_FILES: Final = 24
"""The number of files that are open at once, beside those of the workers: twice what
was measured."""
_FILES_EACH: Final = 4  # The number of files that are open for each worker
_OWN_SIGNAL: Final = 0.2
"""Seconds to wait for a group-wide signal to reach this process."""


@dataclass(slots=True)
class _Worker:
    """A process that works."""

    process: BaseProcess
    pipe: Connection  # Parts go in, results come out
    work: bytes = b""  # The pickled function that it applies to parts at present
    number: int = -1  # The number of the part that it works on

    def give(self, work: bytes, number: int, part: object) -> None:
        """Send a part; the worker must have returned the one before."""
        message = b"" if work == self.work else work, part
        self.work, self.number = work, number
        self.pipe.send_bytes(pickle.dumps(message))

    def answer(self) -> tuple[Any, Exception | None]:
        """Wait for the result of its part, or the error that it has raised."""
        answer: tuple[Any, Exception | None] = pickle.loads(self.pipe.recv_bytes())
        return answer


_IDLE: Final[list[_Worker]] = []  # Workers that wait for the next call
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_IDLE.clear)  # they are the parent's


def _can_open_files_for(processes: int) -> bool:
    """Return whether this process and the server may open the files they need."""
    # The server would end in a traceback of its own.
    try:
        from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit
    except ImportError:  # Windows
        return True
    limit = getrlimit(RLIMIT_NOFILE)[0]
    return limit == RLIM_INFINITY or limit >= _FILES + _FILES_EACH * processes


def preload(module: str) -> None:
    """Add a module to those that new workers load before they begin."""
    if module not in _PRELOADED:
        _PRELOADED.append(module)


def start() -> None:
    """Start a server that loads the preloaded modules and forks workers later."""
    # It costs this process nothing and ends with it. Where workers cannot be forked,
    # nothing happens.
    worker = _parent() is not None or _runs_the_script()
    fit = processors() > 1 and _can_open_files_for(2)
    if _METHOD == "forkserver" and fit and not worker:
        from multiprocessing import forkserver

        fill_standard_files()
        with LOCK, _without_interrupts():
            forkserver.set_forkserver_preload(_PRELOADED)
            forkserver.ensure_running()


def run(
    work: Callable[[In], Out], parts: Iterable[In], processes: int
) -> Iterator[Out]:
    """Yield what `work` returns for each part, in order; both go to other processes."""
    # The workers keep `work` from one part, and one call, to the next. A script without
    # a main guard is an `InputError`, a process that was killed a `ResourceError`.
    following, early = 0, dict[int, Out]()
    for number, result in run_unordered(work, parts, processes):
        early[number] = result
        while following in early:
            yield early.pop(following)
            following += 1


def run_unordered(
    work: Callable[[In], Out], parts: Iterable[In], processes: int
) -> Iterator[tuple[int, Out]]:
    """Yield the number of each part and its result, as they come (see `run`)."""
    # Parts may be without end; they are read only a little ahead. In a process that
    # must not start others (a worker, or any other daemon), nothing goes elsewhere.
    if _runs_the_script():
        os._exit(_RUNS_THE_SCRIPT)
    if current_process().daemon:
        yield from enumerate(map(work, parts))
        return
    arriving = iter(parts)
    first = list(islice(arriving, processes))
    workers: list[_Worker] = []
    try:
        _engage(workers, len(first))
        yield from _results(workers, pickle.dumps(work), chain(first, arriving))
    except BaseException:  # Ctrl-C, or the other results are not needed
        _end(workers)
        raise
    with LOCK:
        _IDLE.extend(workers)


def _results(
    workers: list[_Worker], work: bytes, parts: Iterable[Any]
) -> Iterator[tuple[int, Any]]:
    """Keep workers busy; yield numbers and results as they come."""
    left = enumerate(parts)
    for worker, (number, part) in zip(workers, left):
        with _alive(worker):
            worker.give(work, number, part)
    busy: dict[Any, _Worker] = {worker.pipe: worker for worker in workers}
    following = next(left, None)
    while busy:
        for pipe in wait(list(busy)):
            worker = busy[pipe]
            with _alive(worker):
                done, (result, error) = worker.number, worker.answer()
            if error is not None:
                raise error
            if following is not None:
                with _alive(worker):
                    worker.give(work, *following)
            else:
                del busy[pipe]
            following = next(left, None)
            yield done, result


@contextmanager
def _alive(worker: _Worker) -> Iterator[None]:
    """Raise the right error if a worker's pipe ends during the `with` block."""
    try:
        yield
    except (EOFError, OSError):  # OSError: within a message
        worker.process.join(1)
        code = worker.process.exitcode
        if code == _RUNS_THE_SCRIPT:
            raise errors.InputError(_UNGUARDED) from None
        raise _ended(code) from None


def _ended(code: int | None = None) -> errors.ResourceError:
    """Return the error for a worker that has ended, unless this process is to end."""
    # Its exit code is above 0 if it has ended itself, below if it was killed.
    time.sleep(_OWN_SIGNAL)
    return errors.ResourceError(_LEFT.format(code) if code and code > 0 else _KILLED)


def _engage(workers: list[_Worker], processes: int) -> None:
    """Add workers up to a number: idle ones first, then new ones."""
    with LOCK:
        while _IDLE and len(workers) < processes:
            worker = _IDLE.pop()
            if worker.process.is_alive():
                workers.append(worker)
    if len(workers) == processes:
        return
    if not _can_open_files_for(processes):
        raise errors.ResourceError(errors.OUT_OF_FILES)
    _check_script()
    start()

    begun: Future[None] = Future()
    # In a thread, since signals interrupt the main one, and a worker that is half begun
    # would be lost. Nothing waits for a thread that is interrupted.
    Thread(target=_begin, args=(workers, processes, begun), daemon=True).start()
    try:
        begun.result()
    except (EOFError, OSError) as error:
        if errors.is_out_of_files(error):
            raise errors.ResourceError(errors.OUT_OF_FILES) from None
        raise _ended() from None
    finally:
        with LOCK:
            begun.cancel()


def _check_script() -> None:
    """Refuse a main program that workers cannot run as multiprocessing makes them."""
    # It is not a file: `python - < program.py`, or it was deleted.
    main = sys.modules["__main__"]
    script = getattr(main, "__file__", None)
    if script and getattr(main, "__spec__", None) is None and not exists(script):
        raise errors.InputError(_NO_SCRIPT.format(errors.brief(script)))


def _begin(workers: list[_Worker], processes: int, begun: Future[None]) -> None:
    """Add new workers until there are as many, or `begun` is cancelled."""
    try:
        with _without_interrupts():
            while len(workers) < processes:
                worker = _begun()
                with LOCK:
                    if begun.cancelled():
                        _end([worker])
                        return
                    workers.append(worker)
    except BaseException as error:
        if begun.set_running_or_notify_cancel():
            begun.set_exception(error)
    else:
        if begun.set_running_or_notify_cancel():
            begun.set_result(None)


def _begun() -> _Worker:
    context: Any = get_context(_METHOD)
    connection, other = context.Pipe()
    with other:  # only the worker has it: when that ends, so does the pipe
        process = context.Process(target=_serve, args=(other,), daemon=True)
        process.start()
    return _Worker(process, connection)


def end_idle() -> None:
    """End the workers that wait for the next call, and close the files they hold."""
    with LOCK:
        idle = list(_IDLE)
        _IDLE.clear()
    _end(idle)


def _end(workers: list[_Worker]) -> None:
    """End workers at once, whatever they are doing."""
    for worker in workers:
        worker.process.kill()
        worker.pipe.close()
    for worker in workers:
        worker.process.join(1)


def _runs_the_script() -> bool:
    """Return whether this worker still runs the script and so must start no others."""
    return getattr(current_process(), "_inheriting", False)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Start processes in the `with` block so that Ctrl-C reaches this one alone."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection) -> None:
    """Do parts of the work in a worker until the parent closes the pipe, or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent alone answers Ctrl-C
    Thread(target=_end_with_parent, daemon=True).start()
    work = b""
    with suppress(EOFError, OSError):
        while True:
            message = pipe.recv_bytes()
            work, answer = _answer(message, work)
            pipe.send_bytes(answer)


def _answer(message: bytes, work: bytes) -> tuple[bytes, bytes]:
    """Return the work of a worker from now on, and its result or error."""
    try:
        given, part = pickle.loads(message)
        work = given or work
        return work, pickle.dumps((_unpickled(work)(part), None))
    except errors.SpicepyError as error:
        return work, pickle.dumps((None, error))
    except Exception as error:
        error.add_note("".join(traceback.format_exception(error)))
        try:
            return work, pickle.dumps((None, error))
        except Exception:  # it holds what cannot travel
            return work, pickle.dumps((None, RuntimeError(repr(error))))


@lru_cache(maxsize=4)
def _unpickled(work: bytes) -> Callable[[Any], Any]:
    function: Callable[[Any], Any] = pickle.loads(work)
    return function


def _end_with_parent() -> None:
    parent = _parent()
    if parent is not None:
        parent.join()
        os._exit(1)
