"""Document frequencies: the number of images with an n-gram in their references.

The frequencies of two sets of images merge into those of both. The file is JSON,
gzip-compressed if its name ends in .gz, with the frequencies of words (CIDEr-D), of
Porter stems (CIDEr) or both:

    {"format": "spicepy document frequencies 1", "name": "my-set", "images": 2,
     "frequencies": {"two dogs": 1, ...}, "stemmed-frequencies": {"two dog": 1, ...}}
"""

import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from json.encoder import encode_basestring_ascii as quoted
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from spicepy.common.errors import InputError
from spicepy.common.resources import required
from spicepy.common.writing import write_text
from spicepy.metrics.base import logarithm, logarithm_of_counts
from spicepy.metrics.ngrams.grams import (
    ORDERS,
    CaptionTable,
    Floats,
    GramTable,
    GramVocabulary,
    Ints,
    chunks,
    count_grams,
    encode,
)
from spicepy.metrics.ngrams.storage import (
    FORMAT,
    KEYS,
    Stored,
    load_arrays,
    read_content,
    read_pickle,
)
from spicepy.tokenization.samples import TokenisedSample

K = TypeVar("K", bound=np.generic)
C = TypeVar("C", bound=np.generic)


@lru_cache(maxsize=1 << 17)
def porter_stem(word: str) -> str:
    """Return a word's Porter stem by nltk's `PorterStemmer()` (NLTK_EXTENSIONS)."""
    return str(_porter().stem(word))


@cache
def _porter() -> Any:
    return required("nltk.stem.porter", "CIDEr of stemmed words").PorterStemmer()


@dataclass(frozen=True, eq=False)
class DocumentFrequencies:
    """The number of images with each n-gram (orders 1-4) in their references.

    Attributes:
        images: The number of images counted.
        stemming: Whether words were reduced to Porter stems.
        name: The name of the set in signatures.
        vocabulary: The meaning of the n-gram numbers; may grow, never changes.
        codes: Sorted n-gram numbers of each order.
        counts: The frequency of each, at least 1.
    """

    images: int
    stemming: bool
    name: str
    vocabulary: GramVocabulary
    codes: tuple[Ints, ...]
    counts: tuple[Ints, ...]

    @classmethod
    def empty(
        cls,
        *,
        stemming: bool = False,
        name: str = "",
        vocabulary: GramVocabulary | None = None,
    ) -> "DocumentFrequencies":
        """Return the frequencies of no images."""
        none = (np.empty(0, np.int64),) * len(ORDERS)
        words = vocabulary or GramVocabulary(porter_stem if stemming else None)
        return cls(0, stemming, name, words, none, none)

    @classmethod
    def restored(cls, stored: Stored) -> "DocumentFrequencies":
        """Return the frequencies of words that a file held."""
        made = cls(
            stored.images,
            False,
            stored.name,
            stored.vocabulary,
            stored.codes,
            stored.counts,
        )
        # Spelling out millions of n-grams for the digest takes seconds.
        made.__dict__["label"] = stored.label
        return made

    @cached_property
    def label(self) -> str:
        """Name, number of images and a digest of the counts, for signatures."""
        counts = self.as_mapping()
        # The same as json.dumps(counts, sort_keys=True), in half the time.
        entries = [f"{quoted(gram)}: {counts[gram]}" for gram in sorted(counts)]
        text = f"{{{', '.join(entries)}}}"
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        return f"{self.name or 'unnamed'}({self.images} images, {digest})"

    @classmethod
    def of(
        cls,
        samples: Sequence[TokenisedSample],
        *,
        stemming: bool = False,
        name: str = "",
    ) -> "DocumentFrequencies":
        """Count the references of samples with tokenised captions.

        Raises:
            InputError: An image has no references.
        """
        total = cls.empty(stemming=stemming, name=name)
        for chunk in chunks(samples):
            total = total.add(encode(chunk, total.vocabulary))
        return total

    def add(self, table: CaptionTable) -> "DocumentFrequencies":
        """Return these frequencies and those of a table of the same vocabulary."""
        counted = [image_counts(table, n) for n in ORDERS]
        return self._plus(len(table.candidates), counted)

    def merge(self, other: "DocumentFrequencies") -> "DocumentFrequencies":
        """Return the frequencies of two sets of images without an image in common.

        Raises:
            InputError: Only one of them is stemmed.
        """
        if self.stemming != other.stemming:
            raise InputError("document frequencies with and without stemming differ")
        if self.vocabulary is other.vocabulary:
            return self._plus(other.images, list(zip(other.codes, other.counts)))
        loaded = _from_mapping(self.vocabulary, other.as_mapping())
        return self._plus(other.images, loaded)

    def _plus(
        self, images: int, counted: Sequence[tuple[Ints, Ints]]
    ) -> "DocumentFrequencies":
        merged = [
            _summed(np.append(codes, new), np.append(counts, new_counts))
            for codes, counts, (new, new_counts) in zip(
                self.codes, self.counts, counted
            )
        ]
        return replace(
            self,
            images=self.images + images,
            codes=tuple(codes for codes, _ in merged),
            counts=tuple(counts for _, counts in merged),
        )

    def table(self, samples: Sequence[TokenisedSample]) -> CaptionTable:
        """Return samples as arrays, with the vocabulary of these frequencies."""
        return encode(samples, self.vocabulary)

    def idf(self, table: CaptionTable, grams: GramTable, n: int) -> Floats:
        """Return the inverse frequency of every row of n-grams."""
        rows: Floats = self.inverse(grams.codes, n)[grams.gram]
        return rows

    def inverse(self, codes: Ints, n: int) -> Floats:
        """Return log(images / frequency) of n-grams; the least frequency is 1."""
        return inverse_of(self.frequency(codes, n), self.images)

    def frequency(self, codes: Ints, n: int) -> Ints:
        """Return the numbers of images with n-grams; 1 for those in none."""
        return looked_up(codes, self.codes[n - 1], self.counts[n - 1])

    def as_mapping(self) -> dict[str, int]:
        """Return n-gram (words joined by spaces) -> frequency."""
        return {
            gram: count
            for n, codes, counts in zip(ORDERS, self.codes, self.counts)
            for gram, count in zip(self.vocabulary.spell(codes, n), counts.tolist())
        }

    def save(self, path: Path | str) -> None:
        """Write a JSON file; a name ending in .gz is compressed."""
        save_frequencies(path, self)

    @classmethod
    def load(
        cls, path: Path | str, *, stemming: bool | None = None
    ) -> "DocumentFrequencies":
        """Read a file written by `save` or `save_frequencies`.

        A `.npz` of `spicepy.metrics.ngrams.storage` loads fastest; `.p`, `.pkl` and
        `.pickle` are read as the pickles of self-critical training.

        Args:
            path: The file.
            stemming: Which frequencies to take from it; None for those of
                words or, without them, those of stems.

        Raises:
            InputError: The file is missing, not such a file, or lacks the
                frequencies asked for; says what is wrong.
        """
        suffix = Path(path).suffix
        if suffix in (".npz", ".p", ".pkl", ".pickle"):
            if stemming:
                raise InputError(
                    f"{path}: holds frequencies of words; CIDEr needs those of stems"
                )
            if suffix == ".npz":
                return cls.restored(load_arrays(path)[0])
            grams, images = read_pickle(path)
            return from_grams(grams, images=images, name=Path(path).name.split(".")[0])
        content = read_content(Path(path))
        if stemming is None:
            stemming = KEYS[False] not in content
        if KEYS[stemming] not in content:
            raise InputError(
                f'{path}: no "{KEYS[stemming]}"; CIDEr-D needs "{KEYS[False]}", '
                f'CIDEr "{KEYS[True]}"'
            )
        name = content.get("name") or Path(path).name.split(".")[0]
        empty = cls.empty(stemming=stemming, name=name)
        loaded = _from_mapping(empty.vocabulary, content[KEYS[stemming]])
        return empty._plus(content["images"], loaded)


def looked_up(grams: NDArray[Any], known: NDArray[Any], counts: NDArray[Any]) -> Ints:
    """Return the frequencies of n-grams, 1 for those that are not among the known."""
    at = np.searchsorted(known, grams)
    frequency = np.ones(len(grams), np.int64)
    found = at < len(known)
    found[found] = known[at[found]] == grams[found]
    frequency[found] = counts[at[found]]
    return frequency


def inverse_of(frequency: Ints, images: int) -> Floats:
    """Return log(images / frequency)."""
    whole = logarithm(np.array(float(images)))
    inverse: Floats = whole - logarithm_of_counts(frequency)
    return inverse


def save_frequencies(path: Path | str, *sets: DocumentFrequencies) -> None:
    """Write frequencies of words, of stems or of both, of the same images."""
    content = {"format": FORMAT, "name": sets[0].name, "images": sets[0].images}
    mappings = {KEYS[part.stemming]: part.as_mapping() for part in sets}
    write_text(path, json.dumps({**content, **mappings}, ensure_ascii=False))


def image_counts(table: CaptionTable, n: int) -> tuple[Ints, Ints]:
    """Return the n-grams of the references and the number of images with each."""
    grams = count_grams(table, n)
    rows = np.flatnonzero(~table.is_candidate[grams.caption])
    gram, image = grams.gram[rows], table.image[grams.caption[rows]]
    new = np.ones(len(rows), bool)
    new[1:] = (gram[1:] != gram[:-1]) | (image[1:] != image[:-1])
    counts = np.bincount(gram[new], minlength=len(grams.codes))
    return grams.codes[counts > 0], counts[counts > 0]


def _summed(keys: NDArray[K], counts: NDArray[C]) -> tuple[NDArray[K], NDArray[C]]:
    """Return distinct keys, sorted, and the sums of their counts."""
    order = np.argsort(keys, kind="stable")  # linear for keys that are sorted in runs
    keys, counts = keys[order], counts[order]
    new = np.ones(len(keys), bool)
    new[1:] = keys[1:] != keys[:-1]
    starts = np.flatnonzero(new)
    return keys[starts], np.add.reduceat(counts, starts) if len(keys) else counts


def from_grams(
    grams: Mapping[tuple[str, ...], int], *, images: int, name: str
) -> DocumentFrequencies:
    """Return frequencies of words from n-grams given as tuples of 1 to 4 words."""
    empty = DocumentFrequencies.empty(name=name)
    loaded = _numbered(empty.vocabulary, [(list(g), c) for g, c in grams.items()])
    return empty._plus(images, loaded)


def _from_mapping(
    vocabulary: GramVocabulary, frequencies: Mapping[str, int]
) -> list[tuple[Ints, Ints]]:
    """Return sorted numbers and counts of each order, from n-grams in words."""
    return _numbered(vocabulary, [(g.split(" "), c) for g, c in frequencies.items()])


def _numbered(
    vocabulary: GramVocabulary, frequencies: list[tuple[list[str], int]]
) -> list[tuple[Ints, Ints]]:
    result = []
    for n in ORDERS:
        grams = [(gram, count) for gram, count in frequencies if len(gram) == n]
        tokens = [word for gram, _ in grams for word in gram]
        codes = vocabulary.gram_codes(vocabulary.form_ids(tokens).reshape(-1, n))
        order = np.argsort(codes)
        counts = np.array([count for _, count in grams], np.int64)
        result.append((codes[order], counts[order]))
    return result


# Document frequencies of corpora of any size.
#
# `HashedFrequencies` stand in for `DocumentFrequencies`. N-grams are identified by a
# hash of 64 bits, counts are gathered on disk, and n-grams of a single image are
# dropped, since unknown n-grams count as occurring in one image. The frequencies of ten
# million captions take some 200 MB, and counting takes less. Two n-grams of such a
# corpus share a hash with a probability of one in ten thousand; otherwise, scores have
# the same bits.

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
        self._held.append(_as_rows(hashes, counts))
        self._size += len(hashes)
        if self._size >= _HELD:
            self._write()

    def repeated(self) -> Iterator[NDArray[np.void]]:
        """Yield the sums that are at least 2, sorted by hash."""
        self._write()
        for path in sorted(self._folder.iterdir()):
            rows = _added_up(np.fromfile(path, _ROW))
            yield rows[rows["count"] > 1]

    def _write(self) -> None:
        if not self._held:
            return
        rows = _added_up(np.concatenate(self._held))
        self._held, self._size = [], 0
        part = (rows["hash"] >> np.uint64(64 - _PARTS_BITS)).astype(np.int64)
        ends = np.searchsorted(part, np.arange(1 << _PARTS_BITS), side="right")
        for number, chunk in enumerate(np.split(rows, ends[:-1])):
            with (self._folder / f"{number:03}").open("ab") as file:
                chunk.tofile(file)


def _added_up(rows: NDArray[np.void]) -> NDArray[np.void]:
    return _as_rows(*_summed(rows["hash"], rows["count"]))


def _as_rows(hashes: Hashes, counts: NDArray[Any]) -> NDArray[np.void]:
    rows = np.empty(len(hashes), _ROW)
    rows["hash"], rows["count"] = hashes, counts
    return rows
