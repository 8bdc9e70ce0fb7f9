"""Document frequencies of corpora of any size.

`HashedFrequencies` stand in for `DocumentFrequencies`. N-grams are identified by a hash
of 64 bits, counts are gathered on disk, and n-grams of a single image are dropped,
since unknown n-grams count as occurring in one image. The frequencies of ten million
captions take some 200 MB, and counting takes less. Two n-grams of such a corpus share a
hash with a probability of one in ten thousand; otherwise, scores have the same bits.
"""

import hashlib
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spicepy.metrics.ngrams.frequencies import (
    image_counts,
    inverse_of,
    looked_up,
    porter_stem,
)
from spicepy.metrics.ngrams.grams import (
    ORDERS,
    CaptionTable,
    Floats,
    GramTable,
    GramVocabulary,
    Ints,
    chunks,
    encode,
)
from spicepy.tokenization.samples import TokenisedSample

Hashes = NDArray[np.uint64]

_ROW: Final = np.dtype([("hash", "<u8"), ("count", "<u4")])
_HELD: Final = 1 << 21
"""The number of counts in memory (12 bytes each) before they are written to disk."""
_PARTS_BITS: Final = 7
_FACTORS: Final = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)  # SplitMix64's


@dataclass(frozen=True, eq=False)
class HashedFrequencies:
    """The number of images with each n-gram (orders 1-4) in their references.

    Attributes:
        images: The number of images counted.
        stemming: Whether words were reduced to Porter stems.
        hashes: Sorted hashes of the n-grams of at least two images.
        counts: The frequency of each.
    """

    images: int
    stemming: bool
    hashes: Hashes
    counts: NDArray[np.uint32]

    @property
    def label(self) -> str:
        """The name in signatures."""
        return f"hashed({self.images} images)"

    def table(self, samples: Sequence[TokenisedSample]) -> CaptionTable:
        """Return samples as arrays."""
        return _table(samples, self.stemming)

    def idf(self, table: CaptionTable, grams: GramTable, n: int) -> Floats:
        """Return log(images / frequency) of every row of n-grams."""
        hashes = gram_hashes(table.vocabulary, grams.codes, n)
        frequency = looked_up(hashes, self.hashes, self.counts)
        rows: Floats = inverse_of(frequency, self.images)[grams.gram]
        return rows


def count_hashed(
    blocks: Iterable[Sequence[TokenisedSample]], *, stemming: bool
) -> HashedFrequencies:
    """Count the references of samples that come in blocks."""
    images = 0
    with tempfile.TemporaryDirectory(prefix="spicepy-") as folder:
        store = _Store(Path(folder))
        for block in blocks:
            for part in chunks(block):
                table = _table(part, stemming)
                images += len(part)
                for n in ORDERS:
                    codes, counts = image_counts(table, n)
                    store.add(gram_hashes(table.vocabulary, codes, n), counts)
        rows = np.concatenate([np.empty(0, _ROW), *store.repeated()])
    return HashedFrequencies(
        images, stemming, rows["hash"].copy(), rows["count"].copy()
    )


def gram_hashes(vocabulary: GramVocabulary, codes: Ints, n: int) -> Hashes:
    """Return a hash of 64 bits of each n-gram, from its words alone."""
    hashes = np.full(len(codes), n, np.uint64)
    for column in vocabulary.columns(codes, n):
        ids, inverse = np.unique(column, return_inverse=True)
        words = [_word_hash(vocabulary.words[i]) for i in ids.tolist()]
        hashes = _mixed(hashes ^ np.array(words, np.uint64)[inverse])
    return hashes


def _table(samples: Sequence[TokenisedSample], stemming: bool) -> CaptionTable:
    return encode(samples, GramVocabulary(porter_stem) if stemming else None)


def _word_hash(word: str) -> int:
    digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
    return int.from_bytes(digest)


def _mixed(values: Hashes) -> Hashes:
    for factor, shift in zip(_FACTORS, (30, 27)):
        values = (values ^ (values >> np.uint64(shift))) * np.uint64(factor)
    mixed: Hashes = values ^ (values >> np.uint64(31))
    return mixed


class _Store:
    """Counts on disk, in files by the first bits of the hash."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: list[NDArray[np.void]] = []
        self._size = 0

    def add(self, hashes: Hashes, counts: Ints) -> None:
        rows = np.empty(len(hashes), _ROW)
        rows["hash"], rows["count"] = hashes, counts
        self._held.append(rows)
        self._size += len(rows)
        if self._size >= _HELD:
            self._write()

    def repeated(self) -> Iterator[NDArray[np.void]]:
        """Yield the sums that are at least 2, sorted by hash."""
        self._write()
        for path in sorted(self._folder.iterdir()):
            rows = _summed(np.fromfile(path, _ROW))
            yield rows[rows["count"] > 1]

    def _write(self) -> None:
        if not self._held:
            return
        rows = _summed(np.concatenate(self._held))
        self._held, self._size = [], 0
        part = (rows["hash"] >> np.uint64(64 - _PARTS_BITS)).astype(np.int64)
        ends = np.searchsorted(part, np.arange(1 << _PARTS_BITS), side="right")
        for number, chunk in enumerate(np.split(rows, ends[:-1])):
            with (self._folder / f"{number:03}").open("ab") as file:
                chunk.tofile(file)


def _summed(rows: NDArray[np.void]) -> NDArray[np.void]:
    """Return counts of equal hashes added up, sorted by hash."""
    rows = rows[np.argsort(rows["hash"], kind="stable")]
    new = np.ones(len(rows), bool)
    new[1:] = rows["hash"][1:] != rows["hash"][:-1]
    starts = np.flatnonzero(new)
    sums = rows[starts]
    if len(starts):
        sums["count"] = np.add.reduceat(rows["count"], starts)
    return sums
