"""A corpus that this machine works on, in one process or several.

In: items that can be read again. Out: a `Corpus`.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Generic

from spicepy.common.errors import InputError
from spicepy.common.processes import run_unordered
from spicepy.scale.blocks import SIZE, Block, Contents, T
from spicepy.scale.jobs import Keeping
from spicepy.scale.surveys import S, joined


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

    def work(self, keeping: Keeping[T], present: Collection[int]) -> Iterator[int]:
        """See `Corpus`."""
        missing = (block for block in self.blocks() if block.number not in present)
        if self.processes == 1:
            return map(keeping, missing)
        unordered = run_unordered(keeping, missing, self.processes)
        return (captions for _, captions in unordered)
