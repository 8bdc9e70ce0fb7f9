"""Blocks worked on by a Ray cluster, or by Ray on this machine.

    driver ─ numbers of parts ─▶ Ray Data ─ map_batches ─▶ actors, which read their
                                                           part, work, and keep the
    driver ◀─ numbers, counts ──────────────────────────── result in the folder

In: a `Reader` of files, and what is done with a block. Captions never pass through the
driver; the folder of the output must be on storage that all machines see. An actor
that is killed, with its machine or without, is replaced by Ray, and its part is read
and worked on again: the result is the same, and takes the place of the first.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from spicepy.common.errors import SpicepyError
from spicepy.common.optional import required
from spicepy.scale.engines import Keeping, Work
from spicepy.scale.folder import Folder
from spicepy.scale.parts import Reader
from spicepy.scale.survey import Survey


@dataclass(frozen=True, slots=True)
class Address:
    """A block that is read where it is worked on."""

    number: int
    captions: int


@dataclass(frozen=True, slots=True)
class Cluster:
    """Where the work is done.

    Attributes:
        address: Of a running cluster ("auto": this machine's); None for Ray's
            processes on this machine, which end with the work.
        workers: Actors, with a processor each; None for as many as there are.
    """

    address: str | None = None
    workers: int | None = None

    @contextmanager
    def running(self) -> Iterator[Any]:
        """The module `ray`, connected.

        Raises:
            ResourceError: ray is not installed.
        """
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it asks the network
        ray = required("ray", "the engine ray")
        required("ray.data", "the engine ray")
        begun = not ray.is_initialized()
        if begun and self.address is None:
            ray.init(
                num_cpus=self.workers,
                include_dashboard=False,
                logging_level="ERROR",
                log_to_driver=False,
            )
        elif begun:
            ray.init(self.address, logging_level="ERROR", log_to_driver=False)
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        context.print_on_execution_start = False
        try:
            yield ray
        finally:
            if begun:
                ray.shutdown()

    def map(
        self, ray: Any, work: Callable[[int], Any], numbers: Iterable[int]
    ) -> Iterator[Any]:
        """What `work` gives for each number, as it comes.

        Raises:
            SpicepyError: What the work raised.
        """
        items = [{"number": number} for number in numbers]
        if not items:
            return
        workers = self.workers or int(ray.cluster_resources().get("CPU", 1))
        found = ray.data.from_items(items, override_num_blocks=len(items)).map_batches(
            _Actor,
            fn_constructor_args=(ray.put(work),),
            batch_size=1,
            compute=ray.data.ActorPoolStrategy(size=min(workers, len(items))),
            num_cpus=1,
        )
        try:
            for row in found.iter_rows():
                yield row["found"]
        except Exception as error:
            raise _own(error) from None


class _Actor:
    """Has the work at hand: the parser is loaded once."""

    def __init__(self, work: Any) -> None:
        import ray

        self._work = ray.get(work) if isinstance(work, ray.ObjectRef) else work

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        return {"found": [self._work(int(number)) for number in batch["number"]]}


def _own(error: BaseException) -> BaseException:
    """The error of ours behind one of Ray's."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, SpicepyError):
            return type(seen)(*seen.args)
        seen = getattr(seen, "cause", None) or seen.__cause__
    return error


@dataclass(frozen=True, slots=True)
class SurveyPart:
    """Counts a part, for the survey of the whole."""

    reader: Reader

    def __call__(self, number: int) -> dict[str, Any]:
        """The part's survey as plain values."""
        found = Survey()
        found.add(self.reader.block(number))
        return {"number": number, **found.to_dict()}


@dataclass(frozen=True)
class WorkOnPart:
    """Works on a part and keeps the result."""

    read: Callable[[int], Any]
    keeping: Keeping

    def __call__(self, number: int) -> int:
        """The number of captions done."""
        return self.keeping(self.read(number))


def ray_engine(
    cluster: Cluster, ray: Any, read: Callable[[int], Any]
) -> Callable[[Work[Any], Folder, Iterable[Address]], Iterator[int]]:
    """An engine whose blocks are read by `read` where they are worked on."""

    def run(
        work: Work[Any], folder: Folder, blocks: Iterable[Address]
    ) -> Iterator[int]:
        there = folder.numbers()
        missing = [block.number for block in blocks if block.number not in there]
        yield from cluster.map(ray, WorkOnPart(read, Keeping(work, folder)), missing)

    return run
