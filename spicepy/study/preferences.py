"""Preference files: pairs of captions with the one that people preferred.

JSON lines, JSON or CSV, one record per pair of captions:

    {"image_id": 7, "candidate_a": "…", "candidate_b": "…", "preferred": "a",
     "category": "HC", "references": ["…", "…"]}

`preferred` is "a" or "b"; without it `votes_a` and `votes_b` decide. `category` is
optional, and so are `system_a` and `system_b`, the systems that wrote the captions. Or
one record per vote on a triplet:

    {"pair": 0, "A": "a reference", "B": "…", "C": "…", "rating": 1}

Rating 1 says that B is closer to A, -1 that C is. The votes of a pair are
gathered: their A are the references, the majority names the preferred caption.

Pairs without a majority are left out; `read_pairs` counts them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, nan
from pathlib import Path
from typing import Any, Literal

import numpy as np

from spicepy.captions import sample as checks
from spicepy.captions.reading import read_records
from spicepy.captions.records import LocatedRecord
from spicepy.common.errors import InputError, brief
from spicepy.common.resources import LazyModule
from spicepy.common.tables import csv_text
from spicepy.metrics.base import Array

Preference = Literal["a", "b"]

_RATINGS = (1, -1, "1", "-1", "1.0", "-1.0")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two candidates for one image and the one that people preferred.

    `votes` are the numbers of votes for each, `systems` the systems that wrote them,
    where these are known.
    """

    image_id: checks.ImageId
    first: str
    second: str
    preferred: Preference
    references: tuple[str, ...]
    category: str = ""
    votes: tuple[int, int] | None = None
    systems: tuple[str, str] | None = None


def read_pairs(path: str | Path) -> tuple[list[Pair], int]:
    """Read a file of pairs or of triplet votes.

    Returns:
        The pairs, and how many were left out because the votes were even.

    Raises:
        InputError: A record is wrong; the message names file, record and value.
    """
    records = read_records(path)
    if {"A", "B", "C", "rating"} <= records[0][1].keys():
        return from_triplets(records)
    located = [_pair(record, where, n) for n, (where, record) in enumerate(records, 1)]
    pairs = [pair for pair in located if pair is not None]
    return pairs, len(located) - len(pairs)


def from_triplets(records: Iterable[LocatedRecord]) -> tuple[list[Pair], int]:
    """Gather triplet votes into pairs by majority, by their first votes."""
    # The second value is how many had as many votes for one caption as for the other.
    votes: dict[tuple[checks.ImageId, str, str], list[tuple[str, int]]] = {}
    for where, record in records:
        names = {"A", "B", "C", "rating"} - record.keys()
        if names:
            raise InputError(f"{where}: no key {', '.join(sorted(names))}")
        a, b, c = (checks.check_caption(record[n], n, where) for n in "ABC")
        image_id = checks.check_id(
            record.get("pair", record.get("image_id", f"{b}|{c}")), where
        )
        rating = _rating(record["rating"], where)
        votes.setdefault((image_id, b, c), []).append((a, rating))
    pairs = []
    for (image_id, b, c), cast in votes.items():
        balance = sum(rating for _, rating in cast)
        references = tuple(a for a, _ in cast)
        if balance:
            side: Preference = "a" if balance > 0 else "b"
            won = (len(cast) + balance) // 2
            counts = (won, len(cast) - won)
            pairs.append(Pair(image_id, b, c, side, references, votes=counts))
    return pairs, len(votes) - len(pairs)


def _pair(record: Mapping[str, Any], where: str, number: int) -> Pair | None:
    missing = {"candidate_a", "candidate_b", "references"} - record.keys()
    if missing:
        raise InputError(
            f"{where}: no key {', '.join(map(repr, sorted(missing)))} "
            f"({checks.keys_of(record)})"
        )
    image_id = checks.check_id(record.get("image_id", number), where)
    where = f"{where} (image {brief(image_id)})"
    side = _preferred(record, where)
    if side is None:
        return None
    return Pair(
        image_id,
        checks.check_caption(record["candidate_a"], "candidate_a", where),
        checks.check_caption(record["candidate_b"], "candidate_b", where),
        side,
        checks.check_references(record["references"], where),
        _text(record.get("category"), "category", where),
        _votes(record),
        _systems(record, where),
    )


def _preferred(record: Mapping[str, Any], where: str) -> Preference | None:
    if "preferred" in record:
        value = record["preferred"]
        if isinstance(value, str) and value.lower() in ("a", "b"):
            return "a" if value.lower() == "a" else "b"
        raise InputError(f"{where}: preferred is {brief(value)}; it must be 'a' or 'b'")
    try:
        balance = float(record["votes_a"]) - float(record["votes_b"])
    except (KeyError, TypeError, ValueError, OverflowError):
        balance = nan
    if not isfinite(balance):
        raise InputError(
            f"{where}: no 'preferred' ('a' or 'b') and no numbers 'votes_a', 'votes_b'"
        )
    return None if balance == 0 else "a" if balance > 0 else "b"


def _votes(record: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the votes for either caption; None without valid ones."""
    try:
        a, b = (float(record[name]) for name in ("votes_a", "votes_b"))
        counts = int(a), int(b)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return counts if counts == (a, b) and min(counts) >= 0 else None


def _systems(record: Mapping[str, Any], where: str) -> tuple[str, str] | None:
    a, b = (_text(record.get(n), n, where) for n in ("system_a", "system_b"))
    return (a, b) if a and b else None


def _text(value: Any, name: str, where: str) -> str:
    if isinstance(value, str | int) or value is None:
        return checks.clean("" if value is None else str(value))
    raise InputError(f"{where}: {name} is {brief(value)}; it must be a text")


def _rating(value: Any, where: str) -> int:
    number = isinstance(value, str | int | float) and not isinstance(value, bool)
    if number and value in _RATINGS:
        return int(float(value))
    raise InputError(
        f"{where}: rating is {brief(value)}; "
        "it must be 1 (B is closer) or -1 (C is closer)"
    )


# The captions of every image, ranked by people and by each metric.
#
# Source: Vedantam et al. 2015, CIDEr, appendix II (captions ranked by consensus).

stats = LazyModule("scipy.stats", "a ranking of captions")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A caption with its ranks among the image's captions, and their numbers."""

    # `won` is the share of its `pairs` in which people preferred it; `scores` (means
    # over its pairs) and `ranks` are in the order of keys. Rank 1 is best; equal
    # captions share a rank.
    image_id: checks.ImageId
    caption: str
    system: str
    pairs: int
    won: float
    people: int
    scores: tuple[float, ...]
    ranks: tuple[int, ...]


def ranked_pairs(preferences: Sequence[Pair], scores: Array) -> list[Ranked]:
    """Rank captions of each image by scores (pairs, 2, keys), undefined ones last."""
    images: dict[checks.ImageId, dict[tuple[str, str], list[tuple[bool, Array]]]] = {}
    for pair, both in zip(preferences, scores, strict=True):
        systems = pair.systems or ("", "")
        captions = (pair.first, pair.second)
        for k, side in enumerate("ab"):
            places = images.setdefault(pair.image_id, {})
            place = places.setdefault((captions[k], systems[k]), [])
            place.append((pair.preferred == side, both[k]))
    return [r for image, places in images.items() for r in _ranked(image, places)]


def _ranked(
    image: checks.ImageId, candidates: dict[tuple[str, str], list[tuple[bool, Array]]]
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
    """Return one row per caption: the image's best by people first."""
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
