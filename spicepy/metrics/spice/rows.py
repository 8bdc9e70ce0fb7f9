"""An image's counts as a row of numbers, computed in this process or in others.

In: images with their proposals. Out: a row for each image, with `FIELDS` for "All" and
for each category; and the counts of a row.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from spicepy.common.collector import no_collector
from spicepy.common.processes import processors, run
from spicepy.common.progress import advance
from spicepy.extraction.packing import Packed
from spicepy.grammar.categories import Category
from spicepy.graph.concepts import ConceptLexicon
from spicepy.graph.matching import Counts
from spicepy.graph.reading import GraphSample
from spicepy.metrics.base import Array
from spicepy.metrics.spice.image import score_proposals

FIELDS: Final = ("tp", "fp", "fn", "precision", "recall", "f", "images")
"""A category's columns: `images` is 1 where it is defined; the three scores
are 0 where it is not."""
PER_PROCESS: Final = 1_000
"""The number of images for which one more process that matches pays off."""

_BLOCK: Final = 250  # images that go to another process together

Texts = tuple[str, tuple[str, ...]]
"""The packed proposals of a candidate and of its references."""


def row_of(counts: Mapping[str, Counts]) -> list[float]:
    """Return the row of an image's counts."""
    return [value for counted in counts.values() for value in _fields(counted)]


def counts_of(row: Sequence[float], names: Iterable[str]) -> dict[str, Counts]:
    """Return the counts of an image's row, by category."""
    parts = (row[at : at + len(FIELDS)] for at in range(0, len(row), len(FIELDS)))
    return {
        name: Counts(int(tp), int(fp), int(fn), defined=bool(images))
        for name, (tp, fp, fn, *_, images) in zip(names, parts, strict=True)
    }


def processes_for(samples: Sequence[GraphSample], jobs: int) -> int:
    """Return how many processes should match these images.

    More than one pays off only for packed proposals, which are quickly sent.
    """
    most = min(jobs, processors(), len(samples) // PER_PROCESS)
    packed = most > 1 and all(
        isinstance(x, Packed) for s in samples for x in (s.candidate, *s.references)
    )
    return most if packed else 1


def rows_away(
    samples: Sequence[GraphSample],
    lexicon: ConceptLexicon,
    categories: Sequence[Category],
    processes: int,
) -> Array:
    """Return the rows of images with `Packed` proposals, from other processes."""
    texts = [(_text(s.candidate), tuple(map(_text, s.references))) for s in samples]
    blocks = [texts[at : at + _BLOCK] for at in range(0, len(texts), _BLOCK)]
    work = partial(_rows, lexicon=lexicon, categories=categories)
    rows = []
    for block in run(work, blocks, processes):
        rows.append(block)
        advance("matching scene graphs", len(rows) * _BLOCK, len(samples))
    return np.concatenate(rows)


def _rows(
    images: Sequence[Texts], lexicon: ConceptLexicon, categories: Sequence[Category]
) -> Array:
    with no_collector():
        scores = (
            score_proposals(Packed(candidate), map(Packed, others), lexicon, categories)
            for candidate, others in images
        )
        return np.array([row_of(score.counts) for score in scores], dtype=float)


def _text(proposals: object) -> str:
    assert isinstance(proposals, Packed)
    return proposals.text


def _fields(counts: Counts) -> tuple[float, ...]:
    """Return one category's columns (`FIELDS`)."""
    if not counts.defined:
        return (counts.tp, counts.fp, counts.fn, 0.0, 0.0, 0.0, 0)
    precision, recall = counts.precision or 0.0, counts.recall or 0.0
    return (counts.tp, counts.fp, counts.fn, precision, recall, counts.f or 0.0, 1)
