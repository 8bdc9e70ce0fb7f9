"""The captions of every image, ranked by people and by each metric.

In: pairs as read, and the scores of their captions. Out: `Ranked` values, one a
caption, and the same as CSV.

Source: Vedantam et al. 2015, CIDEr, appendix II (captions ranked by consensus).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from spicepy.common.lazy_imports import LazyModule
from spicepy.common.tables import csv_text
from spicepy.metrics.base import Array
from spicepy.samples.sample import ImageId
from spicepy.study.preferences import Pair

stats = LazyModule("scipy.stats", "a ranking of captions")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A caption with its ranks among the image's captions, and their numbers.

    `won` is the share of its `pairs` in which people preferred it; `scores` (means over
    its pairs) and `ranks` are in the order of keys. Rank 1 is best; equal captions
    share a rank.
    """

    image_id: ImageId
    caption: str
    system: str
    pairs: int
    won: float
    people: int
    scores: tuple[float, ...]
    ranks: tuple[int, ...]


def ranked_pairs(preferences: Sequence[Pair], scores: Array) -> list[Ranked]:
    """Rank the captions of each image.

    Args:
        preferences: Pairs as written.
        scores: Scores of both captions, (pairs, 2, keys); an undefined one ranks last.
    """
    images: dict[ImageId, dict[tuple[str, str], list[tuple[bool, Array]]]] = {}
    for pair, both in zip(preferences, scores, strict=True):
        systems = pair.systems or ("", "")
        captions = (pair.first, pair.second)
        for k, side in enumerate("ab"):
            places = images.setdefault(pair.image_id, {})
            place = places.setdefault((captions[k], systems[k]), [])
            place.append((pair.preferred == side, both[k]))
    return [r for image, places in images.items() for r in _ranked(image, places)]


def _ranked(
    image: ImageId, candidates: dict[tuple[str, str], list[tuple[bool, Array]]]
) -> Iterator[Ranked]:
    won = np.array([np.mean([w for w, _ in cast]) for cast in candidates.values()])
    means = np.array(
        [np.mean([s for _, s in cast], axis=0) for cast in candidates.values()]
    )
    people, ranks = _ranks(won), np.column_stack([_ranks(m) for m in means.T])
    for i, ((caption, system), cast) in enumerate(candidates.items()):
        yield Ranked(
            *(image, caption, system, len(cast), float(won[i]), int(people[i])),
            tuple(means[i].tolist()),
            tuple(ranks[i].tolist()),
        )


def _ranks(values: Array) -> Array:
    """Return ranks, 1 for the largest value."""
    known = np.where(np.isnan(values), -np.inf, values)
    ranks: Array = stats.rankdata(-known, method="min").astype(int)
    return ranks


def rankings_csv(ranked: Sequence[Ranked], keys: Sequence[str]) -> str:
    """Return one row a caption: the image's best by people first."""
    numbers = {image: i for i, image in enumerate({r.image_id: 0 for r in ranked})}
    ordered = sorted(ranked, key=lambda r: (numbers[r.image_id], r.people))
    header = ("image_id", "caption", "system", "pairs", "won", "rank by people")
    columns = [name for key in keys for name in (key, f"rank by {key}")]
    rows = (
        (
            *(r.image_id, r.caption, r.system, r.pairs, r.won, r.people),
            *(v for both in zip(r.scores, r.ranks, strict=True) for v in both),
        )
        for r in ordered
    )
    return csv_text((*header, *columns), rows)
