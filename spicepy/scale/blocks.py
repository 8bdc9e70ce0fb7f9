"""Items of a corpus, samples or captions, cut into blocks that can be worked on apart.

In: items, one by one. Out: `Block`s; blocks of samples have the text that the tokeniser
reads beyond their ends, so that their tokens are those of the whole. `SAMPLES` and
`CAPTIONS` say how items of the kind are read from records, cut into blocks and counted.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Generic, TypeVar

from spicepy.samples.records import Located
from spicepy.samples.sample import Sample, sample_from
from spicepy.scale.captions import Captioned, read_captions
from spicepy.scale.surveys import (
    CaptionSurvey,
    S,
    SampleSurvey,
    survey_captions,
    survey_samples,
)
from spicepy.tokenization.lookahead import Following
from spicepy.tokenization.samples import After

SIZE: Final = 10_000
"""The number of captions of a block, about; bounds memory and what a killed run does
twice."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Block(Generic[T]):
    """Some neighbouring items.

    Attributes:
        number: The place of the block, from 0.
        items: The samples or captions, at least one.
        captions: The number of captions, candidates and references together.
        after: The text after the candidates and the references of a block of samples.
    """

    number: int
    items: tuple[T, ...]
    captions: int
    after: After = (None, None)


@dataclass(frozen=True, slots=True)
class Contents(Generic[T, S]):
    """The functions that turn items of one kind into blocks; can be pickled.

    Attributes:
        read: A function from records to checked items with their places.
        cut: Cuts items into blocks of about a given number of captions, in order.
        block: Makes a block of its number and items; looks at the items that follow
            only as far as necessary.
        survey: Counts the items of a block.
    """

    read: Callable[[Iterable[Located]], Iterator[tuple[str, T]]]
    cut: Callable[[Iterable[T], int], Iterator[Block[T]]]
    block: Callable[[int, Sequence[T], Iterable[T]], Block[T]]
    survey: Callable[[Sequence[T]], S]


def cut_samples(samples: Iterable[Sample], size: int = SIZE) -> Iterator[Block[Sample]]:
    """Cut samples into blocks, in order.

    Args:
        samples: All samples; they are read a little further than the block given.
        size: A block is full when it has as many captions.
    """
    waiting: deque[_OpenBlock] = deque()
    for number, part in enumerate(_parts(samples, size)):
        for block in waiting:
            block.look(part)
        while waiting and waiting[0].decided:
            yield waiting.popleft().block
        waiting.append(_OpenBlock(number, part))
    yield from (block.block for block in waiting)


def _parts(samples: Iterable[Sample], size: int) -> Iterator[tuple[Sample, ...]]:
    part: list[Sample] = []
    captions = 0
    for sample in samples:
        part.append(sample)
        captions += 1 + len(sample.references)
        if captions >= size:
            yield tuple(part)
            part, captions = [], 0
    if part:
        yield tuple(part)


def sample_block(
    number: int, samples: Sequence[Sample], following: Iterable[Sample]
) -> Block[Sample]:
    """Return a block of samples; as few of the following ones as possible are read."""
    waiting = _OpenBlock(number, tuple(samples))
    waiting.look(following)
    return waiting.block


class _OpenBlock:
    """A block of samples, and as much of the following text as its tokens need."""

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
    def block(self) -> Block[Sample]:
        captions = sum(1 + len(sample.references) for sample in self._samples)
        candidates, references = self._sides
        after = candidates.text, references.text
        return Block(self._number, self._samples, captions, after)

    def look(self, samples: Iterable[Sample]) -> None:
        if self.decided:
            return
        candidates, references = self._sides
        for sample in samples:
            candidates.add([sample.candidate])
            references.add(sample.references)
            if self.decided:
                return


def cut_captions(
    items: Iterable[Captioned], size: int = SIZE
) -> Iterator[Block[Captioned]]:
    """Cut captions into blocks, in order."""
    arriving = iter(items)
    parts = iter(lambda: tuple(islice(arriving, size)), ())
    return (caption_block(number, part) for number, part in enumerate(parts))


def caption_block(
    number: int, items: Sequence[Captioned], following: Iterable[Captioned] = ()
) -> Block[Captioned]:
    """Return a block of captions, each of which is parsed by itself."""
    return Block(number, tuple(items), len(items))


def _read_samples(records: Iterable[Located]) -> Iterator[tuple[str, Sample]]:
    return ((where, sample_from(record, where)) for where, record in records)


SAMPLES: Final[Contents[Sample, SampleSurvey]] = Contents(
    _read_samples, cut_samples, sample_block, survey_samples
)
CAPTIONS: Final[Contents[Captioned, CaptionSurvey]] = Contents(
    read_captions, cut_captions, caption_block, survey_captions
)
