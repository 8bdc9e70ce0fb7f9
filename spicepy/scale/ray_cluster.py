"""Blocks worked on by a Ray cluster, or by Ray on this machine.

    driver ─ numbers of parts ─▶ Ray Data ─ map_batches ─▶ actors, which read their
                                                           part, work, and keep the
    driver ◀─ numbers, counts ──────────────────────────── result in the folder

Captions never pass through the driver; the folder of the output must be on storage that
all machines see. Ray replaces an actor that is killed, and the new actor reads the part
and works on it again: the result is the same.
"""

import logging
import math
import os
import pickle
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, Generic

from spicepy.captions import records
from spicepy.captions.reading import kind_of
from spicepy.captions.sample import clean
from spicepy.common import files
from spicepy.common.errors import InputError, ResourceError, SpicepyError, brief
from spicepy.common.progress import advance
from spicepy.common.resources import required
from spicepy.scale.blocks import Block, Reader, Survey, T, block_of, joined, survey
from spicepy.scale.folder import Folder
from spicepy.scale.jobs import StoringWork

# Captions files cut into parts that any machine can read by itself.

ROWS: Final = 5_000  # The number of rows of Parquet in a part, at most
BYTES: Final = 1 << 20  # Bytes of lines in a part, about, at most
_ENDING: Final = 8
"""The final parts shrink to this share of the rest, so workers finish together."""
_OTHERS: Final = (".csv", ".tsv", ".json")


@dataclass(frozen=True, slots=True)
class FileSplit:
    """Some neighbouring records of a file: rows of a group of Parquet, or bytes."""

    path: str
    start: int
    stop: int
    group: int = -1


@dataclass(frozen=True, slots=True)
class _Run:
    """Records of a file that lie one after the other."""

    path: str
    size: int  # Rows, or bytes
    most: int  # The size of a large part
    group: int = -1  # The row group of a Parquet file; -1 for lines


def cut(paths: Iterable[str]) -> list[FileSplit]:
    """Return the parts of files, in order."""
    # They become smaller towards the end, so that all who work on them end together.
    runs = [run for path in paths for run in _runs(path)]
    left = sum(run.size / run.most for run in runs)
    parts = []
    for run in runs:
        start = 0
        while start < run.size:
            share = min(max(left / _ENDING, 1 / _ENDING), 1)
            stop = min(start + math.ceil(share * run.most), run.size)
            if run.group < 0:
                stop = _line_end(run.path, stop)
            parts.append(FileSplit(run.path, start, stop, run.group))
            left -= (stop - start) / run.most
            start = stop
    return parts


def _runs(path: str) -> Iterator[_Run]:
    kind = kind_of(path)
    if files.is_read_once(path):
        raise InputError(
            f"{path}: is a pipe or a device, which a cluster cannot read in parts; "
            "write it to a file first"
        )
    if kind == ".parquet":
        about = records.open_parquet(path).metadata
        with files.readable(path, records.PARQUET):
            groups = [about.row_group(at) for at in range(about.num_row_groups)]
            rows = [group.num_rows for group in groups]
        for at, number in enumerate(rows):
            yield _Run(path, number, ROWS, at)
        return
    with files.readable(path, "JSON lines"), open(path, "rb") as file:
        if kind in _OTHERS or files.is_compressed(file.read(6)):
            raise InputError(
                f"{path}: a cluster reads files in parts; give Parquet, or JSON lines "
                "that are not compressed"
            )
        size = file.seek(0, 2)
    yield _Run(path, size, BYTES)


def _line_end(path: str, place: int) -> int:
    """Return where the line ends that a file has at this place."""
    with open(path, "rb") as file:
        file.seek(place)
        file.readline()
        return file.tell()


@dataclass(frozen=True, slots=True)
class SplitReader(Generic[T]):
    """Reads parts; small, so that it can travel."""

    read: Reader[T]  # Makes items of records
    parts: Sequence[FileSplit]  # All parts, in order
    # The files' names for ids and captions, if they are others.
    naming: records.ColumnNames = records.DEFAULT_COLUMNS

    def items(self, number: int) -> Iterator[tuple[str, T]]:
        """Yield the checked items of a part, with their places."""
        return self.read(self._records(number))

    def survey(self, number: int) -> Survey | None:
        """Return the survey of a part, or None if it holds no items."""
        items = [item for _, item in self.items(number)]
        return survey(items) if items else None

    def block(self, number: int) -> Block[T]:
        """Return a part as a block that knows what follows it."""
        items = [item for _, item in self.items(number)]
        rest = range(number + 1, len(self.parts))
        following = chain.from_iterable(map(self.items, rest))
        return block_of(number, items, (item for _, item in following))

    def _records(self, number: int) -> Iterator[records.LocatedRecord]:
        """Yield the records of a part under spicepy's names, with their places."""
        part = self.parts[number]
        if part.group >= 0:
            yield from _rows(part, self.naming)
            return
        lines = _lines(part)
        name = f"{part.path}, from byte {part.start:,}"
        if Path(part.path).suffix.lower() in (".jsonl", ".ndjson"):
            for where, record in records.json_lines(lines, name):
                yield where, records.rename_columns(record, where, self.naming)
        else:
            for at, line in enumerate(lines, 1):
                yield f"{name}, line {at}", {"caption": clean(line)}


def _rows(
    part: FileSplit, naming: records.ColumnNames
) -> Iterator[records.LocatedRecord]:
    row = 0
    name = f"{part.path}, group {part.group + 1}"
    file = records.open_parquet(part.path)
    with files.readable(part.path, records.PARQUET):
        batches = file.iter_batches(batch_size=ROWS, row_groups=[part.group])
    for batch in files.each_readable(batches, part.path, records.PARQUET):
        piece = batch.slice(max(part.start - row, 0), max(part.stop - row, 0))
        row += len(batch)
        if row <= part.start:
            continue
        first = max(part.start, row - len(batch))
        rows = records.named_rows(piece.slice(0, part.stop - first), part.path, naming)
        for at, record in enumerate(rows, first + 1):
            yield (
                f"{name}, row {at}",
                records.rename_columns(record, name, naming.of_rows()),
            )
        if row >= part.stop:
            return


def _lines(part: FileSplit) -> Iterator[str]:
    with open(part.path, "rb") as file:
        file.seek(part.start)
        while file.tell() < part.stop:
            yield files.decode(file.readline(), part.path).rstrip("\n")


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
    def running(self) -> Iterator[Any]:
        """Connect to the cluster and yield the module `ray`."""
        for variable, value in _QUIET.items():
            os.environ.setdefault(variable, value)
        ray = required("ray", "the engine ray")
        required("ray.data", "the engine ray")
        for name in ("ray", "ray.data"):  # spicepy shows the progress itself
            logging.getLogger(name).setLevel(logging.ERROR)
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

    def map(
        self, ray: Any, work: Callable[[int], Any], numbers: Iterable[int]
    ) -> Iterator[tuple[int, Any]]:
        """Yield each number and what `work` gives for it, as it comes."""
        items = [{"number": number} for number in numbers]
        if not items:
            return
        workers = self.workers or int(ray.cluster_resources().get("CPU", 1))
        results = ray.data.from_items(
            items, override_num_blocks=len(items)
        ).map_batches(
            _Actor,
            fn_constructor_args=(ray.put(work),),
            batch_size=1,
            compute=ray.data.ActorPoolStrategy(size=min(workers, len(items))),
            num_cpus=1,
        )
        for row in results.iter_rows():
            result = pickle.loads(row["result"])
            if isinstance(result, SpicepyError):
                raise result
            yield int(row["number"]), result


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

    def __init__(self, work: Any) -> None:
        import ray

        self._work = ray.get(work) if isinstance(work, ray.ObjectRef) else work

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        numbers = batch["number"]
        return {
            "number": numbers,
            "result": [self._packed(int(number)) for number in numbers],
        }

    def _packed(self, number: int) -> bytes:
        """Return a result or a `SpicepyError`, which Ray would wrap in another one."""
        try:
            return pickle.dumps(self._work(number))
        except SpicepyError as error:
            return pickle.dumps(error)


def _work_on(
    read: Callable[[int], Block[T]], keeping: StoringWork[T], number: int
) -> int:
    """Read a part, work on it and keep the result."""
    return keeping(read(number))


class RayCorpus(Generic[T]):
    """Files of items, in parts that actors of a cluster read; made by `ray_corpus`."""

    cut = "parts of files"

    def __init__(self, cluster: Cluster, ray: Any, reader: SplitReader[T]) -> None:
        self._cluster, self._ray, self._reader = cluster, ray, reader

    def place(self, number: int) -> str:
        """See `Corpus`."""
        return self._reader.parts[number].path

    def items(self) -> Iterator[tuple[str, T]]:
        """See `Corpus`."""
        numbers = range(len(self._reader.parts))
        return chain.from_iterable(map(self._reader.items, numbers))

    def survey(self) -> Survey | None:
        """See `Corpus`; from now on, parts without items are left out."""
        parts = self._reader.parts
        surveys: dict[int, Survey] = {}
        counted = self._cluster.map(self._ray, self._reader.survey, range(len(parts)))
        for done, (number, facts) in enumerate(counted, 1):
            if facts is not None:
                surveys[number] = facts
            advance("reading parts of files", done, len(parts))
        kept = sorted(surveys)
        parts = tuple(parts[number] for number in kept)
        self._reader = replace(self._reader, parts=parts)
        return joined(surveys[number] for number in kept)

    def blocks(self) -> Iterator[Block[T]]:
        """See `Corpus`."""
        return map(self._reader.block, range(len(self._reader.parts)))

    def work(self, keeping: StoringWork[T], present: Collection[int]) -> Iterator[int]:
        """See `Corpus`."""
        missing = [n for n in range(len(self._reader.parts)) if n not in present]
        # Actors have another directory.
        folder = Folder(keeping.folder.output.absolute())
        kept = replace(keeping, folder=folder)
        working = partial(_work_on, self._reader.block, kept)
        done = self._cluster.map(self._ray, working, missing)
        return (captions for _, captions in done)


@contextmanager
def ray_corpus(
    read: Reader[T],
    paths: Sequence[str],
    cluster: Cluster,
    *,
    naming: records.ColumnNames = records.DEFAULT_COLUMNS,
) -> Iterator[RayCorpus[T]]:
    """Yield files as a cluster works on them."""
    # They are Parquet files, or JSON lines that are not packed, on storage that all
    # machines see; for captions also text with one caption per line.
    parts = cut(os.path.abspath(path) for path in paths)  # actors: another directory
    with cluster.running() as ray:
        yield RayCorpus(cluster, ray, SplitReader(read, tuple(parts), naming))
