"""Blocks worked on by a Ray cluster, or by Ray on this machine.

    driver ─ block ─▶ Ray ─▶ an actor, which works on it and keeps the result
    driver ◀─ number of captions ─

The folder of the output must be on storage that all machines see. Ray replaces an actor
that is killed, and the new one works on the same block: the result is the same.
"""

import logging
import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from spicepy.common.errors import ResourceError, SpicepyError, brief
from spicepy.common.resources import required
from spicepy.scale.jobs import Run

_QUIET: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",  # it asks the network
    "RAY_BACKEND_LOG_LEVEL": "fatal",
}
"""Environment of Ray that keeps it from asking and telling."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """The cluster that does the work."""

    # A running cluster's address ("auto": this machine's); None for Ray's processes
    # on this machine, which end with the work.
    address: str | None = None
    # Actors, with a processor each; None for as many as there are.
    workers: int | None = None

    @contextmanager
    def running(self) -> Iterator[Run]:
        """Connect to the cluster and yield the function that works on blocks there."""
        for variable, value in _QUIET.items():
            os.environ.setdefault(variable, value)
        ray = required("ray", "the engine ray")
        logging.getLogger("ray").setLevel(logging.ERROR)
        begun = not ray.is_initialized()
        if begun:
            self._begin(ray)
        try:
            workers = self.workers or int(ray.cluster_resources().get("CPU", 1))
            yield partial(_run, ray, workers)
        finally:
            if begun:
                ray.shutdown()

    def _begin(self, ray: Any) -> None:
        quiet = {"logging_level": "ERROR", "log_to_driver": False}
        try:
            with _silent():
                if self.address is None:
                    ray.init(num_cpus=self.workers, include_dashboard=False, **quiet)
                else:
                    ray.init(self.address, **quiet)
        except Exception as error:  # Ray has no class of its own for these
            reason = str(error).strip().split("\n")[0]
            where = self.address and f"cannot be reached at {brief(self.address)}"
            what = where or "cannot begin on this machine"
            raise ResourceError(f"Ray {what}: {brief(reason)}") from None


@contextmanager
def _silent() -> Iterator[None]:
    """Keep the messages of Ray's C++ code from standard error."""
    kept = os.dup(2)
    try:
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


class _Actor:
    """An actor that holds the work, so that the parser is loaded once."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._work = work

    def result(self, part: object) -> bytes:
        """Return a result or a `SpicepyError`, which Ray would wrap in another one."""
        try:
            return pickle.dumps(self._work(part))
        except SpicepyError as error:
            return pickle.dumps(error)


def _run(
    ray: Any, workers: int, work: Callable[[Any], Any], parts: Iterable[Any]
) -> Iterator[Any]:
    """Yield what `work` returns for each part, as it comes."""
    # Parts are read only as actors become free. What a killed actor did is done again.
    kept = ray.put(work)
    again = {"num_cpus": 1, "max_restarts": -1, "max_task_retries": -1}
    actors = ray.remote(**again)(_Actor)
    busy: dict[Any, Any] = {}  # Result that is awaited -> its actor
    for part in parts:
        actor = actors.remote(kept) if len(busy) < workers else None
        if actor is None:
            actor, result = _next(ray, busy)
            yield result
        busy[actor.result.remote(part)] = actor
        del actor  # An idle actor ends, so that one that was killed finds a processor.
    while busy:
        yield _next(ray, busy)[1]


def _next(ray: Any, busy: dict[Any, Any]) -> tuple[Any, Any]:
    """Wait for a result; return its actor, which is free again, and the result."""
    [done], _ = ray.wait(list(busy), num_returns=1)
    actor, result = busy.pop(done), pickle.loads(ray.get(done))
    if isinstance(result, SpicepyError):
        raise result
    return actor, result
