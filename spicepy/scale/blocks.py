"""Samples cut into blocks that can be scored apart.

In: samples, one by one. Out: `Block`s, which know what the tokeniser sees beyond
their ends, so that their tokens are those of the whole.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from spicepy.samples.sample import Sample
from spicepy.tokenization.lookahead import Following
from spicepy.tokenization.samples import After

CAPTIONS: Final = 10_000
"""Captions of a block, about; bounds memory and what a killed run does twice."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some neighbouring samples.

    Attributes:
        number: Its place among the blocks, from 0.
        samples: Whole images.
        after: What follows its candidates and its references.
    """

    number: int
    samples: tuple[Sample, ...]
    after: After = (None, None)

    @property
    def captions(self) -> int:
        """How many captions it has."""
        return count_captions(self.samples)


def count_captions(samples: Iterable[Sample]) -> int:
    """Candidates and references together."""
    return sum(1 + len(sample.references) for sample in samples)


def cut_blocks(samples: Iterable[Sample], captions: int = CAPTIONS) -> Iterator[Block]:
    """Cut samples into blocks, in order.

    Args:
        samples: All of them; they are read a little further than the block given.
        captions: A block is full when it has as many.
    """
    waiting: deque[_Waiting] = deque()
    for number, part in enumerate(_parts(samples, captions)):
        for block in waiting:
            block.look(part)
        while waiting and waiting[0].decided:
            yield waiting.popleft().block
        waiting.append(_Waiting(number, part))
    yield from (block.block for block in waiting)


def _parts(samples: Iterable[Sample], captions: int) -> Iterator[tuple[Sample, ...]]:
    part: list[Sample] = []
    held = 0
    for sample in samples:
        part.append(sample)
        held += 1 + len(sample.references)
        if held >= captions:
            yield tuple(part)
            part, held = [], 0
    if part:
        yield tuple(part)


class _Waiting:
    """A block that may still have to know what follows."""

    def __init__(self, number: int, samples: tuple[Sample, ...]) -> None:
        self._number, self._samples = number, samples
        self._sides = (
            Following([s.candidate for s in samples]),
            Following([r for s in samples for r in s.references]),
        )

    @property
    def decided(self) -> bool:
        return all(side.decided for side in self._sides)

    @property
    def block(self) -> Block:
        candidates, references = self._sides
        return Block(self._number, self._samples, (candidates.text, references.text))

    def look(self, samples: Iterable[Sample]) -> None:
        candidates, references = self._sides
        for sample in samples:
            if self.decided:
                return
            candidates.add([sample.candidate])
            references.add(sample.references)
