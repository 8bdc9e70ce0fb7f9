"""The statistics that one metric counted, and the signature of its numbers.

In: a metric and the statistics that it counted. Out: scores of images and corpus.

Sections that belong to it:

* Captions without words, which are scored, with a warning that has their number.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from spicepy.captions.sample import ImageId, Sample
from spicepy.common import __version__
from spicepy.common.errors import counted
from spicepy.metrics.base import Array, CorpusScoreRow, Metric, Statistics, total
from spicepy.tokenization.ptb import SIGNATURE
from spicepy.tokenization.samples import TokenisedSample


@dataclass(frozen=True)
class Measured:
    """One metric's statistics over the samples, and the scores they give."""

    metric: Metric
    statistics: Statistics
    signature: str

    @cached_property
    def images(self) -> Array:
        """Scores of the images, shape (images, keys); NaN where undefined."""
        return self.metric.image_scores(self.statistics.rows)

    @cached_property
    def corpus(self) -> Array:
        """Scores of the corpus, shape (keys,); NaN where undefined."""
        return self.metric.corpus_scores(*self._totals)

    def corpus_entry(self) -> dict[str, Any]:
        """Return JSON-ready corpus scores; undefined ones are None."""
        return self.metric.corpus_entry(*self._totals)

    def image_entry(self, index: int, *, tuples: bool) -> dict[str, Any]:
        """Return JSON-ready scores of one image; undefined ones are None."""
        details = self.statistics.details
        detail = details[index] if details else None
        return self.metric.image_entry(self.images[index], detail, tuples=tuples)

    def lines(self) -> list[CorpusScoreRow]:
        """Return corpus scores as lines of a table."""
        return self.metric.lines(*self._totals)

    @property
    def _totals(self) -> tuple[Array, int]:
        """The sum of the rows, (columns,), and how many there are."""
        rows = self.statistics.rows
        return total(rows), len(rows)


def signature_string(parts: Mapping[str, str], references: str) -> str:
    """Write "metric|refs:4|key:value|…" from a metric's ordered parts.

    The tokeniser and our version are part of every signature.
    """
    rest = {"tokeniser": SIGNATURE, **parts}
    rest["spicepy"] = rest.pop("spicepy", __version__)
    name = rest.pop("metric")
    return "|".join(
        [name, f"refs:{references}", *(f"{k}:{v}" for k, v in rest.items())]
    )


def reference_count(samples: Sequence[Sample] | Sequence[TokenisedSample]) -> str:
    """Return the number of references of an image, "4" or "4-9"."""
    counts = {len(s.references) for s in samples}
    low, high = min(counts), max(counts)
    return str(low) if low == high else f"{low}-{high}"


# Captions without words, which are scored, with a warning that has their number.
#
# In: tokenised samples. Out: `EmptyCaptions`, which adds up over parts of a corpus.

_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class EmptyCaptions:
    """The candidates and references without words.

    Attributes:
        candidates, references: Their numbers.
        first: The images of the first such candidates.
    """

    candidates: int = 0
    references: int = 0
    first: tuple[ImageId, ...] = ()

    @classmethod
    def among(cls, tokenised: Sequence[TokenisedSample]) -> "EmptyCaptions":
        """Count the captions without words of some samples."""
        empty = [s.image_id for s in tokenised if not _has_words(s.candidate)]
        blank = sum(not _has_words(r) for s in tokenised for r in s.references)
        return cls(len(empty), blank, tuple(empty[:_NAMED]))

    def __add__(self, other: "EmptyCaptions") -> "EmptyCaptions":
        """Return the counts of two parts, in their order."""
        return EmptyCaptions(
            self.candidates + other.candidates,
            self.references + other.references,
            (*self.first, *other.first)[:_NAMED],
        )

    def sentences(self) -> Iterator[str]:
        """Yield the sentences of the warning, if there are any."""
        if count := self.candidates:
            more = ", …" if count > _NAMED else ""
            first = ", ".join(map(repr, self.first)) + more
            many = counted(count, "candidate has", "candidates have")
            yield f"{many} no words and score 0 (image {first})"
        if count := self.references:
            yield f"{counted(count, 'reference has', 'references have')} no words"


def _has_words(tokenised: str) -> bool:
    """Return whether a caption has a letter or digit; "...!!" leaves the token "!!"."""
    return any(map(str.isalnum, tokenised))
