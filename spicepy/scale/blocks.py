"""Items of a corpus, samples or captions to parse, cut into blocks.

Blocks of samples have the text that the tokeniser reads beyond their ends, so that
their tokens are those of the whole.
"""

import hashlib
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

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
    """A caption to parse, and its image if that is known."""

    # Named as in a `Sample`, so that items of both kinds are cut and counted alike.
    candidate: str
    image_id: ImageId | None = None
    references: tuple[str, ...] = ()


T = TypeVar("T", bound=Sample | Captioned)


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
    """Facts about items."""

    sizes: "array[int]"  # The number of captions of each block
    captions: int  # The sum of the sizes
    images: int  # The number of items
    # fewest, most: The smallest and the largest number of references of an image.
    fewest: int
    most: int
    # Type of the image ids ("int", "str", "NoneType") -> their number
    ids: Counter[str]
    # An image id of more bits than Parquet can hold, if there is one.
    too_large: int | None
    digest: str  # A digest of all ids and captions, in the order of the blocks
    # 64 bits of the image id of every sample, in their order.
    hashes: "array[int]" = field(repr=False)
    digests: list[str] = field(init=False, repr=False)  # That of each block

    def __post_init__(self) -> None:
        """Begin with one block."""
        self.digests = [self.digest]

    def add(self, following: "Survey") -> None:
        """Add the survey of the blocks that follow."""
        self.digests += following.digests
        self.sizes.extend(following.sizes)
        self.captions += following.captions
        self.images += following.images
        self.fewest = min(self.fewest, following.fewest)
        self.most = max(self.most, following.most)
        self.ids += following.ids
        self.hashes.extend(following.hashes)
        if self.too_large is None:
            self.too_large = following.too_large
        self.digest = _digest([self.digest, following.digest])

    @property
    def references(self) -> str:
        """The number of references of an image as signatures have it: "4", "4-9"."""
        low, high = self.fewest, self.most
        return str(low) if low == high else f"{low}-{high}"


def survey(items: Sequence[Sample | Captioned]) -> Survey:
    """Return the survey of one block, which has at least one item."""
    references = [len(item.references) for item in items]
    captions = len(items) + sum(references)
    ids = [item.image_id for item in items]
    sampled = (item.image_id for item in items if isinstance(item, Sample))
    return Survey(
        sizes=array("q", [captions]),
        captions=captions,
        images=len(items),
        fewest=min(references),
        most=max(references),
        ids=Counter(type(i).__name__ for i in ids),
        too_large=next((int(i) for i in ids if i and not fits_parquet(i)), None),
        digest=_digest((i.image_id, i.candidate, i.references) for i in items),
        hashes=array("Q", map(id_hash, sampled)),
    )


def joined(surveys: Iterable[Survey]) -> Survey | None:
    """Return the survey of the whole from those of its blocks, if there are any."""
    # The first one is added to, so that memory is that of the whole.
    whole: Survey | None = None
    for each in surveys:
        if whole is None:
            whole = each
        else:
            whole.add(each)
        advance("reading captions", whole.captions, 0)
    return whole


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
    survey: Survey, samples: Callable[[], Iterator[tuple[str, Sample]]]
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


@dataclass(frozen=True, slots=True)
class Block(Generic[T]):
    """Some neighbouring items."""

    number: int  # The place of the block, from 0
    items: tuple[T, ...]  # The samples or captions, at least one
    captions: int  # The number of captions, candidates and references together
    # The text after the candidates and the references of a block of samples.
    after: After = (None, None)


def cut_blocks(items: Iterable[T], size: int = SIZE) -> Iterator[Block[T]]:
    """Cut items, reading a little ahead, into blocks of about `size` captions."""
    waiting: deque[_OpenBlock[T]] = deque()
    for number, part in enumerate(_parts(items, size)):
        for block in waiting:
            block.look(part)
        while waiting and waiting[0].decided:
            yield waiting.popleft().block
        waiting.append(_OpenBlock(number, part))
    yield from (block.block for block in waiting)


def _parts(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    part: list[T] = []
    captions = 0
    for item in items:
        part.append(item)
        captions += 1 + len(item.references)
        if captions >= size:
            yield tuple(part)
            part, captions = [], 0
    if part:
        yield tuple(part)


class _OpenBlock(Generic[T]):
    """A block, and as much of the following text as the tokens of samples need."""

    def __init__(self, number: int, items: tuple[T, ...]) -> None:
        self._number, self._items = number, items
        texts: list[list[str]] = []
        if isinstance(items[0], Sample):  # A caption to parse is tokenised by itself.
            texts.append([item.candidate for item in items])
            texts.append([text for item in items for text in item.references])
        self._sides = list(map(Following, texts))

    @property
    def decided(self) -> bool:
        return all(side.decided for side in self._sides)

    @property
    def block(self) -> Block[T]:
        captions = sum(1 + len(item.references) for item in self._items)
        candidates, references = [side.text for side in self._sides] or (None, None)
        return Block(self._number, self._items, captions, (candidates, references))

    def look(self, items: Iterable[T]) -> None:
        if self.decided:
            return
        candidates, references = self._sides
        for item in items:
            candidates.add([item.candidate])
            references.add(item.references)
            if self.decided:
                return
