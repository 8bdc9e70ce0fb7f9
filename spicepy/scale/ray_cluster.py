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
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any

from spicepy.common.errors import ResourceError, SpicepyError, shown
from spicepy.common.lazy_imports import required
from spicepy.common.progress import advance
from spicepy.samples.sample import Sample
from spicepy.scale.blocks import Block
from spicepy.scale.engines import Keeping, Numbered, Work
from spicepy.scale.evaluating import Corpus
from spicepy.scale.file_splits import Reader, cut
from spicepy.scale.folder import Folder
from spicepy.scale.graphs import (
    CaptionBlock,
    CaptionCorpus,
    CaptionSurvey,
    captioned,
)
from spicepy.scale.surveys import Survey


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
        """Connect to the cluster and yield the module `ray`.

        Raises:
            ResourceError: ray is not installed, or cannot begin or be reached.
        """
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it asks the network
        ray = required("ray", "the engine ray")
        required("ray.data", "the engine ray")
        begun = not ray.is_initialized()
        if begun:
            self._begin(ray)
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        context.print_on_execution_start = False
        try:
            yield ray
        finally:
            if begun:
                ray.shutdown()

    def _begin(self, ray: Any) -> None:
        quiet = {"logging_level": "ERROR", "log_to_driver": False}
        try:
            if self.address is None:
                ray.init(num_cpus=self.workers, include_dashboard=False, **quiet)
            else:
                ray.init(self.address, **quiet)
        except Exception as error:  # Ray has no class of its own for these
            reason = str(error).strip().split("\n")[0]
            where = self.address and f"cannot be reached at {shown(self.address)}"
            what = where or "cannot begin on this machine"
            raise ResourceError(f"Ray {what}: {shown(reason)}") from None

    def map(
        self, ray: Any, work: Callable[[int], Any], numbers: Iterable[int]
    ) -> Iterator[Any]:
        """Yield what `work` gives for each number, as it comes.

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
        for row in found.iter_rows():
            result = pickle.loads(row["found"])
            if isinstance(result, SpicepyError):
                raise result
            yield result


class _Actor:
    """Has the work at hand: the parser is loaded once."""

    def __init__(self, work: Any) -> None:
        import ray

        self._work = ray.get(work) if isinstance(work, ray.ObjectRef) else work

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        return {"found": [self._packed(int(number)) for number in batch["number"]]}

    def _packed(self, number: int) -> bytes:
        """Return a result or an error of ours; Ray would make another error of it."""
        try:
            return pickle.dumps(self._work(number))
        except SpicepyError as error:
            return pickle.dumps(error)


@dataclass(frozen=True, slots=True)
class _Samples:
    """Parts of samples."""

    reader: Reader

    def read(self, number: int) -> Block:
        return self.reader.block(number)

    def count(self, number: int) -> dict[str, Any]:
        found = Survey()
        found.add(Block(number, tuple(s for _, s in self.reader.samples(number))))
        return found.to_dict()


@dataclass(frozen=True, slots=True)
class _Captions:
    """Parts of captions to be parsed."""

    reader: Reader

    def read(self, number: int) -> CaptionBlock:
        return CaptionBlock(number, tuple(captioned(self.reader.records(number))))

    def count(self, number: int) -> dict[str, Any]:
        found = CaptionSurvey()
        found.add(self.read(number).items)
        return found.to_dict()


@dataclass(frozen=True, slots=True)
class _Counting:
    """Counts a part, for the survey of the whole."""

    parts: _Samples | _Captions

    def __call__(self, number: int) -> dict[str, Any]:
        return {"number": number, **self.parts.count(number)}


@dataclass(frozen=True)
class _Working:
    """Reads a part, works on it and keeps the result."""

    read: Callable[[int], Any]
    keeping: Keeping

    def __call__(self, number: int) -> int:
        return self.keeping(self.read(number))


class _Parts:
    """Files in parts on a cluster: counted first, then worked on."""

    def __init__(
        self, cluster: Cluster, ray: Any, kind: type[_Samples | _Captions], all_: Reader
    ) -> None:
        self._cluster, self._ray, self._kind, self._all = cluster, ray, kind, all_
        self._used, self._held = all_, list[int]()

    def count(self) -> list[dict[str, Any]]:
        """Return what each part holds that holds something, in order."""
        numbers = range(len(self._all.parts))
        counting = _Counting(self._kind(self._all))
        found: list[dict[str, Any]] = []
        for part in self._cluster.map(self._ray, counting, numbers):
            found.append(part)
            advance("reading parts of files", len(found), len(numbers))
        found = sorted((p for p in found if p["captions"]), key=lambda p: p["number"])
        self._held = [int(part["captions"]) for part in found]
        parts = tuple(self._all.parts[part["number"]] for part in found)
        self._used = Reader(parts, self._all.id_column)
        return found

    def addresses(self) -> Iterator[Address]:
        """Return the blocks, to be read where they are worked on."""
        return (Address(number, held) for number, held in enumerate(self._held))

    def blocks(self) -> Iterator[Any]:
        """Return the blocks, read here."""
        return map(self._kind(self._used).read, range(len(self._held)))

    def work(
        self, work: Work[Any], folder: Folder, blocks: Iterable[Numbered]
    ) -> Iterator[int]:
        """Yield the engine."""
        there = folder.numbers()
        missing = [block.number for block in blocks if block.number not in there]
        folder = Folder(folder.output.absolute())  # actors have another directory
        working = _Working(self._kind(self._used).read, Keeping(work, folder))
        yield from self._cluster.map(self._ray, working, missing)


@contextmanager
def ray_corpus(
    paths: Sequence[str], cluster: Cluster, *, id_column: str | None = None
) -> Iterator[Corpus]:
    """Files of samples as a cluster works on them.

    Args:
        paths: Parquet files, or JSON lines that are not packed, on storage that all
            machines see.
        cluster: Where the work is done.
        id_column: What the files call the image id, if that is another name.

    Raises:
        InputError: A file is missing or of another kind.
        ResourceError: ray is not installed.
    """
    everything = _everything(paths, id_column)

    def samples() -> Iterator[tuple[str, Sample]]:
        numbers = range(len(everything.parts))
        return chain.from_iterable(map(everything.samples, numbers))

    with cluster.running() as ray:
        parts = _Parts(cluster, ray, _Samples, everything)
        yield Corpus(
            lambda: Survey.joined(parts.count()),
            samples,
            parts.blocks,
            parts.addresses,
            parts.work,
            "parts of files",
        )


@contextmanager
def ray_captions(paths: Sequence[str], cluster: Cluster) -> Iterator[CaptionCorpus]:
    """Files of captions as a cluster works on them (see `ray_corpus`).

    Files of other kinds than Parquet and JSON lines have a caption a line.
    """
    everything = _everything(paths, None)
    with cluster.running() as ray:
        parts = _Parts(cluster, ray, _Captions, everything)
        yield CaptionCorpus(
            lambda: CaptionSurvey.joined(parts.count()),
            parts.addresses,
            parts.work,
            "parts of files",
        )


def _everything(paths: Sequence[str], id_column: str | None) -> Reader:
    """Return the parts of files, by names that hold in any directory."""
    return Reader(tuple(cut(os.path.abspath(path) for path in paths)), id_column)
