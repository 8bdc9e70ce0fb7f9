"""Items of a corpus, samples or captions, cut into blocks that can be worked on apart.

Blocks of samples have the text that the tokeniser reads beyond their ends, so that
their tokens are those of the whole. `SAMPLES` and `CAPTIONS` say how items of the kind
are read from records, cut into blocks and counted.
"""

import hashlib
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Generic, Self, TypeVar

import numpy as np

from spicepy.captions import sample as checks
from spicepy.captions.records import LocatedRecord
from spicepy.captions.sample import ImageId, Sample
from spicepy.common.errors import InputError, brief
from spicepy.common.progress import advance
from spicepy.scale.folder import fits_parquet
from spicepy.tokenization.ptb import Following
from spicepy.tokenization.samples import After

_KEYS: Final = ("caption", "candidate", "test")


@dataclass(frozen=True, slots=True)
class Captioned:
    """A caption, and its image if that is known."""

    caption: str
    image_id: ImageId | None = None


def read_captions(records: Iterable[LocatedRecord]) -> Iterator[tuple[str, Captioned]]:
    """Yield records with a caption under the names that files have for it."""
    for where, record in records:
        key = next((key for key in _KEYS if key in record), None)
        if key is None:
            raise InputError(f"{where}: no key 'caption' ({checks.keys_of(record)})")
        value = record.get("image_id", checks.MISSING)
        image_id = None if value is checks.MISSING else checks.check_id(value, where)
        yield (
            where,
            Captioned(checks.check_caption(record[key], "caption", where), image_id),
        )


# Facts about all items, gathered before the slow work.
#
# The surveys of all blocks, added in order, are the survey of the corpus: facts that
# need all items, and a digest that identifies the input.


@dataclass
class Survey:
    """Facts about items of any kind."""

    sizes: "array[int]"  # The number of captions of each block
    captions: int  # The sum of the sizes
    # An image id of more bits than Parquet can hold, if there is one.
    too_large: int | None
    digest: str  # A digest of all ids and captions, in the order of the blocks
    digests: list[str] = field(init=False, repr=False)  # That of each block

    def __post_init__(self) -> None:
        """Begin with one block."""
        self.digests = [self.digest]

    def add(self, following: Self) -> None:
        """Add the survey of the blocks that follow."""
        self.digests += following.digests
        self.sizes.extend(following.sizes)
        self.captions += following.captions
        if self.too_large is None:
            self.too_large = following.too_large
        self.digest = _digest([self.digest, following.digest])


@dataclass
class SampleSurvey(Survey):
    """Facts about samples."""

    images: int  # The number of images
    # fewest, most: The smallest and the largest number of references of an image.
    fewest: int
    most: int
    integers: int  # The number of image ids that are integers
    # 64 bits of every image id, in their order.
    hashes: "array[int]" = field(repr=False)

    def add(self, following: Self) -> None:
        """Add the survey of the blocks that follow."""
        super().add(following)
        self.images += following.images
        self.fewest = min(self.fewest, following.fewest)
        self.most = max(self.most, following.most)
        self.integers += following.integers
        self.hashes.extend(following.hashes)

    @property
    def references(self) -> str:
        """The number of references of an image as signatures have it: "4", "4-9"."""
        low, high = self.fewest, self.most
        return str(low) if low == high else f"{low}-{high}"


@dataclass
class CaptionSurvey(Survey):
    """Facts about captions."""

    ids: frozenset[str]  # The types of the image ids: "int", "str", "NoneType"

    def add(self, following: Self) -> None:
        """Add the survey of the blocks that follow."""
        super().add(following)
        self.ids |= following.ids


S = TypeVar("S", bound=Survey)


def joined(surveys: Iterable[S]) -> S | None:
    """Return the survey of the whole from those of its blocks, if there are any."""
    # The first one is added to, so that memory is that of the whole.
    whole: S | None = None
    for survey in surveys:
        if whole is None:
            whole = survey
        else:
            whole.add(survey)
        advance("reading captions", whole.captions, 0)
    return whole


def survey_samples(samples: Sequence[Sample]) -> SampleSurvey:
    """Return the survey of one block, which has at least one sample."""
    references = [len(sample.references) for sample in samples]
    captions = len(samples) + sum(references)
    return SampleSurvey(
        sizes=array("q", [captions]),
        captions=captions,
        too_large=_too_large(sample.image_id for sample in samples),
        digest=_digest((s.image_id, s.candidate, s.references) for s in samples),
        images=len(samples),
        fewest=min(references),
        most=max(references),
        integers=sum(isinstance(sample.image_id, int) for sample in samples),
        hashes=array("Q", (id_hash(sample.image_id) for sample in samples)),
    )


def survey_captions(items: Sequence[Captioned]) -> CaptionSurvey:
    """Return the survey of one block of captions."""
    return CaptionSurvey(
        sizes=array("q", [len(items)]),
        captions=len(items),
        too_large=_too_large(item.image_id for item in items),
        digest=_digest((item.image_id, item.caption) for item in items),
        ids=frozenset(type(item.image_id).__name__ for item in items),
    )


def _too_large(image_ids: Iterable[ImageId | None]) -> int | None:
    """Return the first image id that Parquet cannot hold."""
    return next((int(i) for i in image_ids if i and not fits_parquet(i)), None)


def _digest(values: Iterable[object]) -> str:
    content = hashlib.sha256()
    for value in values:
        content.update(repr(value).encode())
    return content.hexdigest()


def id_hash(image_id: ImageId) -> int:
    """Return 64 bits of a hash of an image id; 1 and "1" differ."""
    digest = hashlib.blake2b(repr(image_id).encode(), digest_size=8)
    return int.from_bytes(digest.digest())


def check_unique(
    survey: SampleSurvey, samples: Callable[[], Iterator[tuple[str, Sample]]]
) -> None:
    """Refuse an image that occurs twice; names the image and both places."""
    # Memory is 8 bytes per image: only images whose hashes collide are looked at.
    hashes = np.frombuffer(survey.hashes, np.uint64).copy()
    hashes.sort()
    twice = set(hashes[1:][hashes[1:] == hashes[:-1]].tolist())
    if not twice:
        return
    seen: dict[ImageId, tuple[str, Sample]] = {}
    for where, sample in samples():
        if id_hash(sample.image_id) not in twice:
            continue
        if sample.image_id in seen:
            first, other = seen[sample.image_id]
            same = "the same" if sample == other else "different"
            raise InputError(
                f"{where}: image {brief(sample.image_id)} occurs twice, with {same} "
                f"captions; first in {first}"
            )
        seen[sample.image_id] = where, sample


SIZE: Final = 10_000
"""The number of captions of a block, about; bounds memory and what a killed run does
twice."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Block(Generic[T]):
    """Some neighbouring items."""

    number: int  # The place of the block, from 0
    items: tuple[T, ...]  # The samples or captions, at least one
    captions: int  # The number of captions, candidates and references together
    # The text after the candidates and the references of a block of samples.
    after: After = (None, None)


@dataclass(frozen=True, slots=True)
class ItemKind(Generic[T, S]):
    """The functions that turn items of one kind into blocks; can be pickled."""

    # A function from records to checked items with their places.
    read: Callable[[Iterable[LocatedRecord]], Iterator[tuple[str, T]]]
    # Cuts items into blocks of about a given number of captions, in order.
    cut: Callable[[Iterable[T], int], Iterator[Block[T]]]
    # Makes a block of its number and items; looks at the items that follow only as
    # far as necessary.
    block: Callable[[int, Sequence[T], Iterable[T]], Block[T]]
    survey: Callable[[Sequence[T]], S]  # Counts the items of a block


def cut_samples(samples: Iterable[Sample], size: int = SIZE) -> Iterator[Block[Sample]]:
    """Cut samples, reading a little ahead, into blocks of about `size` captions."""
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


def cut_captions(items: Iterable[Captioned], size: int) -> Iterator[Block[Captioned]]:
    """Cut captions into blocks, in order."""
    arriving = iter(items)
    parts = iter(lambda: tuple(islice(arriving, size)), ())
    return (caption_block(number, part) for number, part in enumerate(parts))


def caption_block(
    number: int, items: Sequence[Captioned], following: Iterable[Captioned] = ()
) -> Block[Captioned]:
    """Return a block of captions, each of which is parsed by itself."""
    return Block(number, tuple(items), len(items))


def _read_samples(records: Iterable[LocatedRecord]) -> Iterator[tuple[str, Sample]]:
    return ((where, checks.sample_from(record, where)) for where, record in records)


SAMPLES: Final[ItemKind[Sample, SampleSurvey]] = ItemKind(
    _read_samples, cut_samples, sample_block, survey_samples
)
CAPTIONS: Final[ItemKind[Captioned, CaptionSurvey]] = ItemKind(
    read_captions, cut_captions, caption_block, survey_captions
)
