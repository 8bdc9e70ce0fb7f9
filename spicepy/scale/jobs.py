"""A job of any size: the output of a corpus, by way of a folder of finished blocks.

    corpus ─ survey ─▶ facts about the whole ─ job.about ─▶ Folder.begin
    blocks ─ job.work ─▶ Done ─▶ Folder ─ job.result ─▶ output files

In: a `Job`, which defines the work, and a `Corpus`, which does it in this process, in
several (`local`) or on a Ray cluster (`ray_cluster`). A job that was killed resumes
with the blocks that are not finished.

Sections that belong to it:

* A corpus that this machine works on, in one process or several.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from spicepy.common.errors import InputError, SpicepyError
from spicepy.common.processes import run_unordered
from spicepy.common.progress import advance, listening
from spicepy.scale.blocks import SIZE, Block, Contents, S, Survey, T, joined
from spicepy.scale.folder import Folder
from spicepy.scale.rows import BlockResult

RESUMING: Final = "resuming"
"""The stage that reports how many blocks an earlier run has finished, if any."""

Given = TypeVar("Given", bound=Survey, contravariant=True)
Made = TypeVar("Made", bound=Survey, covariant=True)
R = TypeVar("R")
Result = TypeVar("Result", covariant=True)
Work = Callable[[Block[T]], BlockResult]
"""A function of a block; can be pickled."""


class ChangedError(SpicepyError):
    """A block is not the one that was surveyed; `number` is its place."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@dataclass(frozen=True, slots=True)
class StoringWork(Generic[T]):
    """Works on a block and keeps the result; can be pickled.

    Attributes:
        work: The function of a block.
        folder: The folder of its results.
        survey: Counts the items of a block.
        digests: The digest of each block when the corpus was surveyed.
    """

    work: Work[T]
    folder: Folder
    survey: Callable[[Sequence[T]], Survey]
    digests: Sequence[str]

    def __call__(self, block: Block[T]) -> int:
        """Return the number of captions done.

        Raises:
            ChangedError: The block is another one than when the corpus was surveyed.
        """
        expected = self.digests[block.number : block.number + 1]
        if list(expected) != [self.survey(block.items).digest]:
            raise ChangedError(block.number)
        with listening(lambda *_: None):
            self.folder.keep(self.work(block))
        return block.captions


class Corpus(Protocol[T, Made]):
    """Items that can be read repeatedly, and the processes that work on them."""

    @property
    def contents(self) -> Contents[T, Any]:
        """The functions that cut and count the items."""
        ...

    @property
    def cut(self) -> int | str:
        """The way the corpus is cut; a job with another way is not resumed."""
        ...

    def items(self) -> Iterator[tuple[str, T]]:
        """Yield all items with their places."""
        ...

    def survey(self) -> Made | None:
        """Read, check and count all items; None if there are none.

        Raises:
            InputError: An item is wrong.
        """
        ...

    def place(self, number: int) -> str:
        """Return where a block begins, at present: a file, and perhaps its line."""
        ...

    def blocks(self) -> Iterator[Block[T]]:
        """Yield all blocks, read here; only after `survey`."""
        ...

    def work(self, keeping: StoringWork[T], present: Collection[int]) -> Iterator[int]:
        """Work on all blocks but those that are present; only after `survey`.

        Yields:
            The number of captions of each block that is done.

        Raises:
            InputError: A result cannot be written.
            ResourceError: A process was killed.
        """
        ...


class Job(Protocol[T, Given, Result]):
    """Work on all blocks of a corpus.

    Attributes:
        stage: The name of the work on progress bars.
        nothing: The message for a corpus without items.
    """

    stage: str
    nothing: str

    def about(
        self, survey: Given, corpus: Corpus[T, Given], ending: str
    ) -> Mapping[str, Any]:
        """Check the survey; return all that the output depends on, ready for JSON.

        Args:
            survey: The survey of the corpus.
            corpus: The corpus.
            ending: ".jsonl" or ".parquet", the form of the output.

        Raises:
            InputError: The corpus as a whole is wrong, or does not suit the output.
        """
        ...

    def work(self, survey: Given, corpus: Corpus[T, Given], ending: str) -> Work[T]:
        """Return the function of each block."""
        ...

    def result(
        self, survey: Given, folder: Folder, blocks: int
    ) -> tuple[Result, str | None]:
        """Return the result, and the JSON text of the scores of the corpus, if any."""
        ...


def run_job(job: Job[T, S, R], corpus: Corpus[T, S], output: str | Path) -> R:
    """Run a job, or resume it.

    Args:
        job: The work to be done.
        corpus: All items, and the processes that work on them.
        output: A `.jsonl` or `.parquet` file, or a new folder of Parquet files.

    Raises:
        InputError: An item is wrong (nothing was worked on); the output cannot be
            written, is that of another run, or another process is writing it; or the
            items have changed since they were surveyed.
        ResourceError: A model, WordNet or pyarrow is missing, or a process was killed.
    """
    folder = Folder(Path(output))
    with folder.alone():
        survey = corpus.survey()
        if survey is None:
            raise InputError(job.nothing)
        about = job.about(survey, corpus, folder.ending)
        folder.begin({"captions of a block": corpus.cut, **about})
        work = job.work(survey, corpus, folder.ending)
        present = folder.numbers()
        sizes = survey.sizes
        if present:
            advance(RESUMING, len(present), len(sizes))
        done = sum(sizes[number] for number in present if number < len(sizes))
        keeping = StoringWork(work, folder, corpus.contents.survey, survey.digests)
        try:
            for captions in corpus.work(keeping, present):
                done += captions
                advance(job.stage, done, survey.captions)
            if missing := set(range(len(sizes))) - folder.numbers():
                raise ChangedError(min(missing))
        except ChangedError as error:
            raise InputError(
                f"{corpus.place(error.number)}: the captions have changed since this "
                f"run has begun; its finished blocks are kept in {folder.path}: give "
                "the captions as they were, or remove the folder"
            ) from None
        result, scores = job.result(survey, folder, len(sizes))
        folder.finish(len(sizes), scores)
        return result


# A corpus that this machine works on, in one process or several.
#
# In: items that can be read again. Out: a `Corpus`.


@dataclass(frozen=True)
class LocalCorpus(Generic[T, S]):
    """A corpus that this machine works on.

    Attributes:
        contents: The functions that cut and count the items.
        items: All items with their places, again at each call.
        processes: The number of processes, each of which works on blocks of its own.
        cut: Captions of a block, about.
    """

    contents: Contents[T, S]
    items: Callable[[], Iterator[tuple[str, T]]]
    processes: int = 1
    cut: int = SIZE

    def survey(self) -> S | None:
        """See `Corpus`."""
        return joined(self.contents.survey(block.items) for block in self.blocks())

    def blocks(self) -> Iterator[Block[T]]:
        """See `Corpus`."""
        return self.contents.cut((item for _, item in self.items()), self.cut)

    def place(self, number: int) -> str:
        """See `Corpus`."""
        with suppress(InputError):  # it may be half written at present
            begin = sum(len(block.items) for block in islice(self.blocks(), number))
            reached = deque(islice(self.items(), begin + 1), 1)
            return "".join(where for where, _ in reached) or "the input"
        return "the input"

    def work(self, keeping: StoringWork[T], present: Collection[int]) -> Iterator[int]:
        """See `Corpus`."""
        missing = (block for block in self.blocks() if block.number not in present)
        if self.processes == 1:
            return map(keeping, missing)
        unordered = run_unordered(keeping, missing, self.processes)
        return (captions for _, captions in unordered)
