"""Who works on the blocks: this process, or several.

In: what to do with a block, and the blocks. Out: finished blocks in a folder.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

from spicepy.common.processes import run_unordered
from spicepy.common.progress import advance, listening
from spicepy.scale.block_files import Done
from spicepy.scale.folder import Folder


class Numbered(Protocol):
    """A block, whatever it holds."""

    @property
    def number(self) -> int:
        """Its place among the blocks."""
        ...

    @property
    def captions(self) -> int:
        """How many captions it has."""
        ...


B = TypeVar("B", bound=Numbered)
Work = Callable[[B], Done]
Engine = Callable[[Any, Folder, Iterable[Any]], Iterator[int]]
"""Works on the blocks that a folder lacks; yields how many captions are done."""


class Keeping:
    """Works on a block and keeps the result; can be pickled.

    Args:
        work: What is done with a block.
        folder: Where its result goes.
    """

    def __init__(self, work: Work[Any], folder: Folder) -> None:
        self.work, self.folder = work, folder

    def __call__(self, block: Numbered) -> int:
        """Return the number of captions done."""
        with listening(lambda *_: None):
            self.folder.keep(self.work(block))
        return block.captions


def in_processes(
    work: Work[B], folder: Folder, blocks: Iterable[B], processes: int = 1
) -> Iterator[int]:
    """Work on the blocks that the folder lacks; yield captions as they are done.

    Raises:
        InputError: A result cannot be written.
        ResourceError: A process was killed.
    """
    there = folder.numbers()
    keeping = Keeping(work, folder)
    missing = (block for block in blocks if block.number not in there)
    if processes > 1:
        yield from (done for _, done in run_unordered(keeping, missing, processes))
    else:
        yield from map(keeping, missing)


def work_through(
    work: Work[B],
    folder: Folder,
    blocks: Iterable[B],
    *,
    stage: str,
    captions: int,
    engine: Engine,
) -> int:
    """Work on all blocks that the folder lacks, and report progress.

    Returns:
        How many blocks there are.
    """
    done = count = 0

    def counted() -> Iterator[B]:
        nonlocal done, count
        there = folder.numbers()
        for block in blocks:
            count += 1
            if block.number in there:
                done += block.captions
            yield block

    for more in engine(work, folder, counted()):
        done += more
        advance(stage, done, captions)
    return count
