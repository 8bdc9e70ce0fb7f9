"""One reading of all captions before the slow work, which checks and counts them.

In: blocks of samples. Out: a `Survey`: what depends on the whole, and a digest that
tells one input from another. Every mistake of the input shows here.
"""

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from spicepy.common.errors import InputError, shown
from spicepy.common.progress import advance
from spicepy.metrics.documents import WordForm
from spicepy.metrics.ngrams.hashed import HashedFrequencies, count_hashed
from spicepy.samples.sample import ImageId, Sample
from spicepy.scale.blocks import Block, count_captions
from spicepy.scale.rows import fits_parquet
from spicepy.tokenization.samples import TokenisedSample, tokenised_samples

Samples = Callable[[], Iterator[tuple[str, Sample]]]
"""All samples with their places, again at each call."""


@dataclass(slots=True)
class Survey:
    """Facts about all samples; what is found in parts adds up (`add`).

    Attributes:
        images: How many there are.
        captions: Candidates and references.
        fewest, most: References of an image.
        integers: How many image ids are integers.
        too_large: An image id of more bits than Parquet can hold, if there is one.
        hashes: 64 bits of every image id, in their order.
    """

    images: int = 0
    captions: int = 0
    fewest: int = 0
    most: int = 0
    integers: int = 0
    too_large: int | None = None
    hashes: "array[int]" = field(default_factory=lambda: array("Q"), repr=False)
    _content: Any = field(default_factory=hashlib.sha256, repr=False)

    def add(self, block: Block) -> None:
        """Count a block that follows those counted."""
        if not block.samples:
            return
        counts = [len(sample.references) for sample in block.samples]
        self.fewest = min(counts) if not self.images else min(self.fewest, *counts)
        self.most = max(self.most, *counts)
        self.images += len(counts)
        self.captions += count_captions(block.samples)
        self.integers += sum(isinstance(s.image_id, int) for s in block.samples)
        large = (s.image_id for s in block.samples if not fits_parquet(s.image_id))
        if self.too_large is None and (first := next(large, None)) is not None:
            self.too_large = int(first)
        self.hashes.extend(id_hash(s.image_id) for s in block.samples)
        for s in block.samples:
            one = repr((s.image_id, s.candidate, s.references))
            self._content.update(one.encode())

    def to_dict(self) -> dict[str, Any]:
        """Return what is found, as plain values that can travel."""
        plain = {name: getattr(self, name) for name in _NAMES}
        return {**plain, "hashes": self.hashes.tobytes(), "digest": self.digest}

    @classmethod
    def joined(cls, parts: Iterable[Mapping[str, Any]]) -> "Survey":
        """Return the survey of the whole from `to_dict` of its parts, in order."""
        whole = cls()
        for part in parts:
            if part["images"]:
                low = (
                    [whole.fewest, part["fewest"]] if whole.images else [part["fewest"]]
                )
                whole.fewest = min(low)
                whole.most = max(whole.most, part["most"])
            for name in ("images", "captions", "integers"):
                setattr(whole, name, getattr(whole, name) + part[name])
            if whole.too_large is None:
                whole.too_large = part["too_large"]
            whole.hashes.frombytes(part["hashes"])
            whole._content.update(part["digest"].encode())
        return whole

    @property
    def digest(self) -> str:
        """Of all ids and captions, in their order."""
        return str(self._content.hexdigest())

    @property
    def references(self) -> str:
        """The number of references of an image as signatures have it: "4", "4-9"."""
        low, high = self.fewest, self.most
        return str(low) if low == high else f"{low}-{high}"


_NAMES: Final = ("images", "captions", "fewest", "most", "integers", "too_large")


def id_hash(image_id: ImageId) -> int:
    """64 bits of an image id; 1 and "1" differ."""
    found = hashlib.blake2b(repr(image_id).encode(), digest_size=8)
    return int.from_bytes(found.digest())


def survey_samples(blocks: Iterable[Block]) -> Survey:
    """Read all blocks."""
    found = Survey()
    for block in blocks:
        found.add(block)
        advance("reading captions", found.captions, 0)
    return found


def check_unique(found: Survey, samples: Samples) -> None:
    """Refuse an image that occurs twice.

    Memory is 8 bytes an image: only images whose hashes collide are looked at.

    Raises:
        InputError: Naming the image and both places.
    """
    hashes = np.frombuffer(found.hashes, np.uint64).copy()
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
            same = "the same" if sample == other else "other"
            raise InputError(
                f"{where}: image {shown(sample.image_id)} occurs twice, with {same} "
                f"captions; first in {first}"
            )
        seen[sample.image_id] = where, sample


def frequencies_of(
    blocks: Callable[[], Iterable[Block]], forms: Iterable[WordForm], captions: int
) -> dict[WordForm, HashedFrequencies]:
    """Return document frequencies of the references, of words, stems or both."""

    def tokens() -> Iterator[list[TokenisedSample]]:
        done = 0
        for block in blocks():
            yield tokenised_samples(block.samples, block.after)
            done += block.captions
            advance("counting n-grams", done, captions)

    return {
        form: count_hashed(tokens(), stemming=form is WordForm.STEMS) for form in forms
    }
