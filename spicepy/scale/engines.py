"""Who works on the blocks: this process, or several.

In: what to do with a block, and the blocks. Out: finished blocks in a folder.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

from spicepy.common.progress import listening
from spicepy.parsing.processes import run_stream
from spicepy.scale.folder import Done, Folder


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


class Keeping:
    """Works on a block and keeps the result; can be pickled.

    Args:
        work: What is done with a block.
        folder: Where its result goes.
    """

    def __init__(self, work: Callable[[B], Done], folder: Folder) -> None:
        self.work, self.folder = work, folder

    def __call__(self, block: B) -> int:
        """The number of captions done."""
        with listening(lambda *_: None):
            self.folder.keep(self.work(block))  # type: ignore[arg-type]
        return block.captions


def in_processes(
    work: Callable[[B], Done], folder: Folder, blocks: Iterable[B], processes: int = 1
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
        yield from run_stream(keeping, missing, processes)
    else:
        yield from map(keeping, missing)
