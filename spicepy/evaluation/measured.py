"""The statistics that one metric counted, and the signature of its numbers.

In: a metric and the statistics that it counted. Out: scores of images and corpus.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from spicepy.common.version import __version__
from spicepy.metrics.base import Array, Line, Metric, Statistics
from spicepy.metrics.totals import total
from spicepy.samples.sample import Sample
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

    def lines(self) -> list[Line]:
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
