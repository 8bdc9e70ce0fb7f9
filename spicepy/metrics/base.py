"""The one interface of all metrics: additive statistics, then scores.

A metric reduces every image once to a row of numbers (`count`). Image scores,
corpus scores, sub-sets, bootstrap samples and parallel parts are all computed
from those rows and their sums; nothing is counted twice.

A metric that weighs words by how rare they are in documents
(`UsesDocumentFrequencies`) takes these from a data set; a document is all captions of
one image.
"""

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import repeat
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from spicepy.captions.sample import ImageId
from spicepy.common import __version__
from spicepy.common.errors import InputError, brief
from spicepy.graph.exchange import GraphSample
from spicepy.metrics.ngrams.grams import chunks
from spicepy.tokenization.ptb import SIGNATURE
from spicepy.tokenization.samples import TokenisedSample

HeldOutCaption = tuple[str, tuple[str, ...]]
"""A held-out caption and the remaining captions of its image, tokenised."""

Array = NDArray[np.float64]


class CorpusScoreRow(NamedTuple):
    """A line of a table of corpus scores; None where undefined."""

    title: str
    score: float | None
    precision: float | None
    recall: float | None
    images: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """Additive per-image statistics of one metric.

    `rows` has shape (images, columns); row i belongs to `image_ids[i]`.
    `details[i]` is what a metric keeps of image i, if it keeps anything (SPICE: the
    matched, missing and spurious tuples).
    """

    image_ids: tuple[ImageId, ...]
    rows: Array
    details: tuple[Any, ...] = ()


def stack_statistics(
    samples: Sequence[TokenisedSample], parts: Sequence[Array]
) -> Statistics:
    """Return statistics of samples from the rows of consecutive parts of them."""
    rows = np.concatenate(parts) if parts else np.empty((0, 0))
    return Statistics(tuple(sample.image_id for sample in samples), rows)


def combine(parts: Sequence[Statistics]) -> Statistics:
    """Join statistics of one metric counted apart, in the order given.

    Raises:
        InputError: No parts, rows of different metrics, or an image id twice.
    """
    if not parts:
        raise InputError("no statistics to combine")
    if len({part.rows.shape[1] for part in parts}) > 1:
        raise InputError("statistics of different metrics cannot be combined")
    ids = tuple(image_id for part in parts for image_id in part.image_ids)
    if len(set(ids)) < len(ids):
        twice = next(image_id for image_id, n in Counter(ids).items() if n > 1)
        raise InputError(
            f"image {brief(twice)} is in two parts; each image counts once"
        )
    details = tuple(detail for part in parts for detail in part.details)
    return Statistics(ids, np.concatenate([part.rows for part in parts]), details)


def subset(statistics: Statistics, image_ids: Iterable[ImageId]) -> Statistics:
    """Return the statistics of some images, in the order given.

    Raises:
        InputError: An image id that was not counted.
    """
    index = {image_id: i for i, image_id in enumerate(statistics.image_ids)}
    ids = tuple(image_ids)
    missing = [image_id for image_id in ids if image_id not in index]
    if missing:
        raise InputError(f"image {brief(missing[0])} has no statistics")
    chosen = [index[image_id] for image_id in ids]
    details = tuple(statistics.details[i] for i in chosen if statistics.details)
    return Statistics(ids, statistics.rows[chosen], details)


class Metric(ABC):
    """The interface of metrics; `spicepy.METRICS` maps names to factories.

    A metric defines the five abstract members; the other members have defaults for
    metrics of plain numbers.
    """

    span = 1.0  # The difference between the highest and the lowest score

    @property
    @abstractmethod
    def keys(self) -> tuple[str, ...]:
        """The names of its scores, e.g. ("bleu-1", …, "bleu-4").

        Scores are in their usual range (0-1; CIDEr 0-10) and NaN where undefined.
        """

    @abstractmethod
    def count(self, samples: Sequence[TokenisedSample]) -> Statistics:
        """Reduce samples to additive rows, in the samples' order."""

    @abstractmethod
    def image_scores(self, rows: Array) -> Array:
        """Return scores of single images: (images, columns) -> (images, keys)."""

    @abstractmethod
    def corpus_scores(self, totals: Array, images: int | Array) -> Array:
        """Return corpus scores from sums of rows: (..., columns) -> (..., keys).

        `images` is the number of images in each sum (scalar or shape (...)).
        """

    @abstractmethod
    def signature(self) -> Mapping[str, str]:
        """Return everything that can change the numbers, in a stable order."""

    def protocol(self, signature: str) -> str:
        """Return its signature without what differs between systems by nature."""
        return signature

    @property
    def titles(self) -> Mapping[str, str]:
        """Column titles of keys that have one, in the order of the paper."""
        return {}

    @property
    def lower_is_better(self) -> frozenset[str]:
        """The keys whose lower scores are better, such as rates of errors."""
        return frozenset()

    @property
    def amounts(self) -> frozenset[str]:
        """The keys that are numbers of things, such as tokens, not shares."""
        return frozenset()

    @property
    def undirected(self) -> frozenset[str]:
        """The keys of which neither a higher nor a lower score is better."""
        return frozenset()

    def prepare(self, captions: int) -> None:  # noqa: B027  # nothing, by default
        """Do once the work that `count` would repeat for blocks of so many captions."""

    def corpus_entry(self, totals: Array, images: int) -> dict[str, Any]:
        """Return the metric's part of `corpus` in JSON; None where undefined."""
        return {line.title: line.score for line in self.lines(totals, images)}

    def image_entry(
        self, scores: Array, detail: Any, *, tuples: bool = False
    ) -> dict[str, Any]:
        """Return the metric's part of an entry of `images`; None where undefined."""
        # `scores` are (keys,); `tuples` adds those that were compared, if the metric
        # has any.
        return dict(zip(self.keys, map(number, scores)))

    def lines(self, totals: Array, images: int) -> list[CorpusScoreRow]:
        """Return the corpus scores as lines of a table."""
        scores = self.corpus_scores(totals, images)
        return [
            CorpusScoreRow(key, number(score), None, None, images)
            for key, score in zip(self.keys, scores)
        ]

    def count_graphs(self, samples: Sequence[GraphSample]) -> Statistics:
        """Count given scene graphs, as `count` does with captions.

        Raises:
            InputError: The metric compares no scene graphs.
        """
        name = self.signature()["metric"]
        raise InputError(f"{name} scores captions, not scene graphs")


class CountedByChunks(Metric):
    """A metric that counts thousands of captions at once."""

    def count(self, samples: Sequence[TokenisedSample]) -> Statistics:
        """Return rows; an image without references is an `InputError`."""
        parts = [self._rows(chunk) for chunk in chunks(samples)]
        return stack_statistics(samples, parts)

    @abstractmethod
    def _rows(self, samples: Sequence[TokenisedSample]) -> Array:
        """Return the rows of some samples."""


class MeanOfImages(Metric):
    """A metric with image scores as its rows and their mean as the corpus score."""

    def image_scores(self, rows: Array) -> Array:
        """Return the rows themselves: (images, keys) -> (images, keys)."""
        return rows

    def corpus_scores(self, totals: Array, images: int | Array) -> Array:
        """Return the mean over images: (..., keys) -> (..., keys)."""
        scores: Array = totals / np.asarray(images, float)[..., None]
        return scores


class MeanOfDefined(Metric):
    """A metric whose scores are undefined for some images; see `defined_row`."""

    # A corpus score is the mean over the images where it is defined.

    def image_scores(self, rows: Array) -> Array:
        """Return scores, NaN where undefined: (images, 2 keys) -> (images, keys)."""
        return self.corpus_scores(rows, 1)

    def corpus_scores(self, totals: Array, images: int | Array) -> Array:
        """Return means over images that have one: (..., 2 keys) -> (..., keys)."""
        return means_of_defined(totals)

    def lines(self, totals: Array, images: int) -> list[CorpusScoreRow]:
        """Return the corpus scores with the images that have one."""
        lines = super().lines(totals, images)
        defined = totals[1::2].tolist()
        return [line._replace(images=int(n)) for line, n in zip(lines, defined)]


def means_of_defined(totals: Array) -> Array:
    """Return each sum divided by the number after it: (..., 2 keys) -> (..., keys)."""
    sums, defined = totals[..., ::2], totals[..., 1::2]
    with np.errstate(invalid="ignore", divide="ignore"):
        scores: Array = np.where(defined > 0, sums / defined, np.nan)
    return scores


def defined_row(scores: Iterable[float | None]) -> list[float]:
    """Return the score and 1, or 0 and 0 where it is undefined, for each key."""
    pairs = ((0.0, 0.0) if score is None else (score, 1.0) for score in scores)
    return [value for pair in pairs for value in pair]


def number(value: float) -> float | None:
    """Return a score as JSON has it: None where it is undefined (NaN)."""
    return None if math.isnan(value) else float(value)


class WordForm(Enum):
    """The form in which document frequencies count words."""

    WORDS = "words"
    STEMS = "stems"

    @classmethod
    def of(cls, *, stemming: bool) -> "WordForm":
        """Return the form of stemmed or of unstemmed words."""
        return cls.STEMS if stemming else cls.WORDS


class UsesDocumentFrequencies(ABC):
    """A metric whose scores depend on the data set, such as CIDEr."""

    @abstractmethod
    def for_documents(self, documents: Sequence[Sequence[str]]) -> Self:
        """Return the metric with frequencies of images' captions, if it has none."""

    @property
    @abstractmethod
    def required_word_form(self) -> WordForm | None:
        """The form of the document frequencies that it computes from the samples."""
        # If samples are counted in parts, these frequencies are needed beforehand
        # (`with_document_frequencies`). None for a metric that has its own already.

    @abstractmethod
    def with_document_frequencies(self, frequencies: Mapping[WordForm, Any]) -> Self:
        """Return the metric that counts parts with the whole's frequencies."""

    @abstractmethod
    def without_caption(self, left_out: Sequence[HeldOutCaption]) -> Self:
        """Return the metric with frequencies that lack a caption of each sample."""


# The sums of rows of statistics: the one order in which they are added.
#
# Each sum has the bits of `numpy.sum` of that column alone, whatever the other columns
# are. A mean of scores then has the bits of `numpy.mean`, by which pycocoevalcap
# computes the scores of a corpus, and all ways to compute a corpus score (in memory, in
# blocks, by `spicepy.compat`) agree.
#
# numpy adds a column pairwise: it halves the column (the first half a multiple of 8)
# until at most 128 numbers are left.

_LEAF: Final = 1 << 13
"""Numbers that numpy adds at once; any number of at least 128 is right."""


def total(rows: Array) -> Array:
    """Return the sum of rows over all images: (images, columns) -> (columns,)."""
    columns = np.ascontiguousarray(rows.T)
    return np.array([column.sum() for column in columns], np.float64)


def exact_sum_of_blocks(parts: Iterable[Array], images: int) -> Array:
    """Return `total` of all rows, (columns,), with about one part in memory."""
    return _Rows(iter(parts)).pairwise(images)


class _Rows:
    """Rows that arrive in parts."""

    def __init__(self, parts: Iterator[Array]) -> None:
        self._held, self._rest = next(parts), parts

    def pairwise(self, size: int) -> Array:
        """Return the sum of the next `size` rows."""
        if size <= _LEAF:
            return total(self._take(size))
        half = size // 2
        half -= half % 8
        first = self.pairwise(half)
        return first + self.pairwise(size - half)

    def _take(self, size: int) -> Array:
        parts, missing = [self._held[:size]], size - len(self._held)
        self._held = self._held[size:]
        while missing > 0:
            rows = next(self._rest)
            parts.append(rows[:missing])
            self._held = rows[missing:]
            missing -= len(parts[-1])
        return np.concatenate(parts)


# Powers, logarithms and exponentials by the C library, one value at a time.
#
# The functions of numpy have different code for different vector units, whose results
# differ in the last bit, so that a score would depend on the processor. coco-caption
# computes with Python's floats, as this module does.

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_TABLE: Final = 1 << 22
"""The largest count whose logarithm is looked up in a table: 32 MB."""
_FEW: Final = 2048
"""The number of values up to which finding equal ones takes longer than computing."""


def power(values: Floats, exponent: float) -> Floats:
    """Return values, not negative, to the power of a positive exponent."""
    if exponent == 1:
        return values
    return _each(lambda each: map(pow, each, repeat(exponent)), values)


def exponential(values: Floats) -> Floats:
    """Return e to the power of values, at most some 700."""
    return _each(partial(map, math.exp), values)


def logarithm(values: Floats) -> Floats:
    """Return natural logarithms of values that are not negative; -inf for 0."""
    return _each(
        lambda each: [math.log(value) if value else -math.inf for value in each], values
    )


def logarithm_of_counts(counts: Ints) -> Floats:
    """Return natural logarithms of positive whole numbers, equal to `logarithm`."""
    most = int(counts.max(initial=0))
    if most > _TABLE:
        return logarithm(counts.astype(np.float64))
    seen = np.flatnonzero(np.bincount(counts))
    table = np.zeros(most + 1)
    table[seen] = [math.log(count) for count in seen.tolist()]
    logarithms: Floats = table[counts]
    return logarithms


def _each(of_each: Callable[[list[float]], Iterable[float]], values: Floats) -> Floats:
    """Return a function of each value, computed once for equal ones among many."""
    if values.size < _FEW:
        few: Floats = np.array([*of_each(values.ravel().tolist())], float)
        return few.reshape(np.shape(values))
    distinct, places = np.unique(values, return_inverse=True)
    results: Floats = np.array([*of_each(distinct.tolist())], float)
    return results[places].reshape(np.shape(values))


def signature_string(parts: Mapping[str, str], references: str) -> str:
    """Write "metric|refs:4|key:value|…" from a metric's ordered parts."""
    # The tokeniser and our version are part of every signature.
    rest = {"tokeniser": SIGNATURE, **parts}
    rest["spicepy"] = rest.pop("spicepy", __version__)
    name = rest.pop("metric")
    return "|".join(
        [name, f"refs:{references}", *(f"{k}:{v}" for k, v in rest.items())]
    )


def reference_count(samples: Sequence[Any]) -> str:
    """Return the number of references of an image, "4" or "4-9"; "0" without images."""
    counts = {len(s.references) for s in samples} or {0}
    low, high = min(counts), max(counts)
    return str(low) if low == high else f"{low}-{high}"
