"""Facts about all items, gathered before the slow work.

In: the items of a block. Out: a survey of the block. The surveys of all blocks, added
in order, are the survey of the corpus: facts that need all items, and a digest that
identifies the input.
"""

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self, TypeVar

import numpy as np

from spicepy.common.errors import InputError, shown
from spicepy.common.progress import advance
from spicepy.samples.sample import ImageId, Sample
from spicepy.scale.captions import Captioned
from spicepy.scale.rows import fits_parquet


@dataclass
class Survey:
    """Facts about items of any kind.

    Attributes:
        sizes: The number of captions of each block.
        captions: The sum of the sizes.
        too_large: An image id of more bits than Parquet can hold, if there is one.
        digest: A digest of all ids and captions, in the order of the blocks.
        digests: That of each block.
    """

    sizes: "array[int]"
    captions: int
    too_large: int | None
    digest: str
    digests: list[str] = field(init=False, repr=False)

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
    """Facts about samples.

    Attributes:
        images: The number of images.
        fewest, most: The smallest and the largest number of references of an image.
        integers: The number of image ids that are integers.
        hashes: 64 bits of every image id, in their order.
    """

    images: int
    fewest: int
    most: int
    integers: int
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
    """Facts about captions.

    Attributes:
        ids: The types of the image ids: "int", "str", "NoneType".
    """

    ids: frozenset[str]

    def add(self, following: Self) -> None:
        """Add the survey of the blocks that follow."""
        super().add(following)
        self.ids |= following.ids


S = TypeVar("S", bound=Survey)


def joined(surveys: Iterable[S]) -> S | None:
    """Return the survey of the whole from those of its blocks; None if there are none.

    The first one is added to, so that memory is that of the whole.
    """
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
    """Refuse an image that occurs twice.

    Memory is 8 bytes an image: only images whose hashes collide are looked at.

    Args:
        survey: The survey of all samples.
        samples: All samples with their places, again at each call.

    Raises:
        InputError: An image occurs twice; names the image and both places.
    """
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
                f"{where}: image {shown(sample.image_id)} occurs twice, with {same} "
                f"captions; first in {first}"
            )
        seen[sample.image_id] = where, sample
