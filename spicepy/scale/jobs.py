"""A job of any size: the output of a corpus, by way of a folder of finished blocks.

    corpus ─ survey ─▶ facts about the whole ─ job.about ─▶ Folder.begin
    blocks ─ job.work ─▶ Done ─▶ Folder ─ job.result ─▶ output files

A `Job` defines the work, and a `Corpus` does it in this process, in several or on a Ray
cluster (`ray_cluster`). A job that was killed resumes with the blocks that are not
finished.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from spicepy.common import __version__
from spicepy.common.errors import InputError, SpicepyError
from spicepy.common.processes import run_unordered
from spicepy.common.progress import advance, listening
from spicepy.scale.blocks import SIZE, Block, Survey, T, cut_blocks, joined, survey
from spicepy.scale.folder import DIGEST, BlockResult, Folder, check_ids

RESUMING: Final = "resuming"
"""The stage that reports how many blocks an earlier run has finished, if any."""

R = TypeVar("R")
Result = TypeVar("Result", covariant=True)
Work = Callable[[Block[T]], BlockResult]  # A function of a block; can be pickled
Run = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]
"""A function that yields what a function returns for each part, as it comes."""


class ChangedError(SpicepyError):
    """A block is not the one that was surveyed; `number` is its place."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@dataclass(frozen=True, slots=True)
class StoringWork(Generic[T]):
    """Works on a block and keeps the result; can be pickled."""

    work: Work[T]  # The function of a block
    folder: Folder  # The folder of its results
    digests: Sequence[str]  # The digest of each block when the corpus was surveyed

    def __call__(self, block: Block[T]) -> int:
        """Return the number of captions done; refuse a block that has changed."""
        expected = self.digests[block.number : block.number + 1]
        if list(expected) != [survey(block.items).digest]:
            raise ChangedError(block.number)
        with listening(lambda *_: None):
            self.folder.keep(self.work(block))
        return block.captions


@dataclass(frozen=True)
class Corpus(Generic[T]):
    """Items that can be read repeatedly, and who works on them."""

    # All items with their places, again at each call.
    items: Callable[[], Iterator[tuple[str, T]]]
    # The number of processes here, each of which works on blocks of its own.
    processes: int = 1
    cut: int = SIZE  # Captions of a block, about; a job with others is not resumed
    # What works on the blocks elsewhere, None for these processes.
    run: Run | None = None

    def survey(self) -> Survey | None:
        """Read, check and count all items; None if there are none."""
        return joined(survey(block.items) for block in self.blocks())

    def blocks(self) -> Iterator[Block[T]]:
        """Yield all blocks."""
        return cut_blocks((item for _, item in self.items()), self.cut)

    def place(self, number: int) -> str:
        """Return where a block begins, at present: a file, and perhaps its line."""
        with suppress(InputError):  # it may be half written at present
            begin = sum(len(block.items) for block in islice(self.blocks(), number))
            reached = deque(islice(self.items(), begin + 1), 1)
            return "".join(where for where, _ in reached) or "the input"
        return "the input"

    def work(self, keeping: StoringWork[T], present: Collection[int]) -> Iterator[int]:
        """Work on all blocks not present; yield the number of captions of each."""
        missing = (block for block in self.blocks() if block.number not in present)
        if self.run is not None:
            return self.run(keeping, missing)
        if self.processes == 1:
            return map(keeping, missing)
        unordered = run_unordered(keeping, missing, self.processes)
        return (captions for _, captions in unordered)


class Job(Protocol[T, Result]):
    """Work on all blocks of a corpus."""

    stage: str  # The name of the work on progress bars
    nothing: str  # The message for a corpus without items

    def about(
        self, survey: Survey, corpus: Corpus[T], ending: str
    ) -> Mapping[str, Any]:
        """Check the survey; return what the output depends on beside the captions."""

    def work(self, survey: Survey, corpus: Corpus[T], ending: str) -> Work[T]:
        """Return the function of each block."""

    def result(
        self, survey: Survey, folder: Folder, blocks: int
    ) -> tuple[Result, str | None]:
        """Return the result, and the JSON text of the scores of the corpus, if any."""


def run_job(job: Job[T, R], corpus: Corpus[T], output: str | Path) -> R:
    """Run a job, or resume it; the output is as for `evaluate_stream`."""
    folder = Folder(Path(output))
    with folder.alone():
        facts = corpus.survey()
        if facts is None:
            raise InputError(job.nothing)
        if folder.ending == ".parquet":
            check_ids(facts.too_large)
        about = {"captions of a block": corpus.cut, "spicepy": __version__}
        about |= job.about(facts, corpus, folder.ending)
        about |= {"captions": facts.captions, DIGEST: facts.digest}
        folder.begin(about)
        work = job.work(facts, corpus, folder.ending)
        present = folder.numbers()
        sizes = facts.sizes
        if present:
            advance(RESUMING, len(present), len(sizes))
        done = sum(sizes[number] for number in present if number < len(sizes))
        # Workers elsewhere have another directory.
        kept = Folder(folder.output.absolute())
        keeping = StoringWork(work, kept, facts.digests)
        try:
            for captions in corpus.work(keeping, present):
                done += captions
                advance(job.stage, done, facts.captions)
            if missing := set(range(len(sizes))) - folder.numbers():
                raise ChangedError(min(missing))
        except ChangedError as error:
            raise InputError(
                f"{corpus.place(error.number)}: the captions have changed since this "
                f"run has begun; its finished blocks are kept in {folder.path}: give "
                "the captions as they were, or remove the folder"
            ) from None
        result, scores = job.result(facts, folder, len(sizes))
        folder.finish(len(sizes), scores)
        return result
