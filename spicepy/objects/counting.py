"""Numbers in captions compared with the numbers of annotated objects.

An exact claim is scored if its class is annotated and not as a crowd. A crowd is
outlined as one region, so that its number is a lower bound: claims about it are only
consistent or not. A number of a class that the image does not have is a hallucination,
which CHAIR counts.

    exact        said = true
    off by one   |said - true| <= 1
    error        said - true, both at most 12
    coverage     exact claims / pairs of image and class with 2 to 11 objects
    F1           harmonic mean of exact and coverage

Source: Chattopadhyay et al. 2017, Counting Everyday Objects (RMSE); Acharya et al.
2019, TallyQA (accuracy, RMSE); Lin et al. 2014, section 4 (crowds).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from spicepy.captions.sample import ImageId
from spicepy.common.errors import brief
from spicepy.metrics.base import Array, Metric, Statistics
from spicepy.objects.chair import share
from spicepy.objects.claims import Claim, ClaimReader
from spicepy.objects.instances import (
    ImageObjects,
    Instances,
    check_classes,
    digest,
    read_instances,
)
from spicepy.objects.mentions import ParsedReader, load_parsed_reader
from spicepy.objects.vocabulary import CountWords
from spicepy.tokenization.samples import TokenisedSample, raw_samples

Verdict = Literal["scored", "consistent", "refuted", "absent", "uncounted"]

_SINGLE: Final = ("one", "singular")
"""Readings of one object, which leave out others that do not matter."""
PERSON: Final = "person"
MAX_NUMBER: Final = 12  # The largest number; larger ones count as this one
COUNTABLE: Final = range(2, 12)
"""The true numbers that a caption can be expected to state."""
KEYS: Final = (
    *("count-exact", "count-off-by-one", "count-mae", "count-rmse", "count-over"),
    *("count-under", "count-coverage", "count-f1", "count-two"),
)
"""Shares (0-1), except mean absolute error and RMSE (in objects). `count-two` is the
share that would be exact if every claim said "two"."""
WIDTH: Final = 9


@dataclass(frozen=True, slots=True)
class ScoredClaim:
    """A claim beside the truth."""

    claim: Claim  # The claim, as the caption makes it
    tier: str  # "A" (the headline), "B", or "" for classes that are not counted
    true: int  # The number of annotated objects; a lower bound with a crowd
    crowd: bool  # Whether a crowd of the class is annotated
    # `scored` against an exact number; `consistent` or `refuted` against a lower
    # bound; `absent` if the image has no such object; `uncounted` if the class is not
    # counted.
    verdict: Verdict

    @property
    def error(self) -> int:
        """The stated number minus the true one, both capped at `MAX_NUMBER`."""
        return min(self.claim.low, MAX_NUMBER) - min(self.true, MAX_NUMBER)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready values."""
        return {
            "class": self.claim.name,
            "said": self.claim.number,
            "low": self.claim.low,
            "high": self.claim.high,
            "word": self.claim.word,
            "noun": self.claim.noun,
            "kind": self.claim.claim_type,
            "true": self.true,
            "crowd": self.crowd,
            "tier": self.tier,
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True)
class CaptionCounts:
    """The numbers of one caption."""

    image_id: ImageId
    caption: str  # The raw caption
    claims: tuple[ScoredClaim, ...]  # Its claims beside the truth
    # Class -> true number, of tier A, for those a caption might have counted.
    pairs: Mapping[str, int]

    def scored(self, tiers: Collection[str] = ("A",)) -> list[ScoredClaim]:
        """Return the claims of some tiers that are scored against an exact number."""
        return [c for c in self.claims if c.verdict == "scored" and c.tier in tiers]

    @property
    def row(self) -> tuple[float, ...]:
        """The additive row of tier A; see `corpus_scores`."""
        return row_of(self.scored(), len(self.pairs))

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready values."""
        claims = (each.claim for each in self.claims)
        counted = {c.name for c in claims if c.claim_type != "singular"}
        return {
            "image_id": self.image_id,
            "caption": self.caption,
            "claims": [claim.to_dict() for claim in self.claims],
            "unsaid": sorted(self.pairs.keys() - counted),
        }


def row_of(scored: Sequence[ScoredClaim], pairs: int) -> tuple[float, ...]:
    """Return the row of some claims: (9,)."""
    # Number of claims, exact, off by at most one, sums of absolute and squared errors,
    # over, under, pairs that could have been counted, true number two.
    errors = [claim.error for claim in scored]
    near = sum(abs(e) <= 1 for e in errors)
    return (
        *(float(len(errors)), errors.count(0), near),
        *(sum(map(abs, errors)), sum(e * e for e in errors)),
        *(sum(e > 0 for e in errors), sum(e < 0 for e in errors)),
        *(pairs, sum(claim.true == 2 for claim in scored)),
    )


def corpus_scores(totals: Array) -> Array:
    """Return the scores of `KEYS` from sums of rows: (..., 9) -> (..., 9)."""
    # Undefined ones are NaN.
    claims, exact, near, absolute, squared, over, under, pairs, two = np.moveaxis(
        np.asarray(totals, float), -1, 0
    )
    accuracy, coverage = share(exact, claims), share(claims, pairs)
    both = np.nan_to_num(accuracy + coverage)
    f1 = share(2 * np.nan_to_num(accuracy * coverage), both)
    return np.stack(
        [
            *(accuracy, share(near, claims), share(absolute, claims)),
            *(np.sqrt(share(squared, claims)), share(over, claims)),
            *(share(under, claims), coverage, f1, share(two, claims)),
        ],
        axis=-1,
    )


def caption_counts(
    image_id: ImageId,
    caption: str,
    claims: Sequence[Claim],
    objects: ImageObjects,
    words: CountWords,
) -> CaptionCounts:
    """Return the claims of a caption beside the objects of its image."""
    pairs = {
        name: number
        for name, number in objects.counts.items()
        if number in COUNTABLE and name not in objects.crowd and words.tier(name) == "A"
    }
    scored = tuple(_scored(claim, objects, words) for claim in claims)
    return CaptionCounts(image_id, caption, scored, pairs)


def _scored(claim: Claim, objects: ImageObjects, words: CountWords) -> ScoredClaim:
    true, crowd = objects.counts.get(claim.name, 0), claim.name in objects.crowd
    tier = words.tier(claim.name)
    unknown = objects.absent is not None and claim.name not in objects.absent
    if not true and not crowd and unknown:
        return ScoredClaim(claim, tier, true, crowd, "uncounted")
    return ScoredClaim(claim, tier, true, crowd, _verdict(claim, true, crowd, tier))


def _verdict(claim: Claim, true: int, crowd: bool, tier: str) -> Verdict:
    if not tier or claim.claim_type in _SINGLE:
        return "uncounted"
    if not true and not crowd:
        return "absent" if claim.low else "consistent"
    exact = claim.claim_type == "exact"
    if claim.claim_type == "denied":
        return "refuted"
    if crowd:  # any number not below the outlined ones may be right
        most = claim.high if claim.claim_type == "bounded" else None
        least = true if exact else 0
        reached = most is None or most >= true
        return "consistent" if claim.low >= least and reached else "refuted"
    if exact:
        return "scored"
    most = None if claim.claim_type == "subset" else claim.high
    within = claim.low <= true and (most is None or true <= most)
    return "consistent" if within else "refuted"


# Counting as a metric: the numbers that captions say, against annotated objects.
#
# References are not read.


class Counting(Metric):
    """Numbers of objects against annotations; the main scores are of tier A.

    The annotations are read, or files in COCO's format. The reader of nouns that name
    objects is by default `clean` with COCO's classes.
    """

    def __init__(
        self,
        instances: Sequence[str | Path] | Instances,
        reader: ParsedReader | None = None,
    ) -> None:
        self.instances: Instances = (
            instances if isinstance(instances, Instances) else read_instances(instances)
        )
        self.claims = ClaimReader(reader or load_parsed_reader())
        mentions = self.claims.reader
        classes = {name: mentions.class_of(name) for name in self.instances.categories}
        check_classes(self.instances, classes, mentions.vocabulary)
        self._digest = digest(self.instances)
        self._classes = {name: cls for name, cls in classes.items() if cls is not None}

    keys = KEYS
    span = inf  # that of errors in numbers

    amounts = frozenset(["count-mae", "count-rmse"])
    undirected = frozenset(["count-two"])

    @property
    def lower_is_better(self) -> frozenset[str]:
        """The errors."""
        names = ("mae", "rmse", "over", "under")
        return frozenset(f"count-{name}" for name in names)

    def measure(self, captions: Sequence[tuple[ImageId, str]]) -> list[CaptionCounts]:
        """Return the numbers of captions, given as (image id, caption)."""
        read = self.claims.read([caption for _, caption in captions])
        words = self.claims.words
        return [
            caption_counts(
                image_id, caption, read[caption], self._objects(image_id), words
            )
            for image_id, caption in captions
        ]

    def _objects(self, image_id: ImageId) -> ImageObjects:
        """Return the objects of an image by the reader's classes."""
        objects, counts = self.instances.images[image_id], dict[str, int]()
        for name, number in objects.counts.items():
            cls = self._classes[name]
            counts[cls] = counts.get(cls, 0) + number
        crowd = frozenset(self._classes[c] for c in objects.crowd)
        absent = objects.absent and frozenset(self._classes[c] for c in objects.absent)
        return ImageObjects(counts, crowd, absent)

    def count(self, samples: Sequence[TokenisedSample]) -> Statistics:
        """Reduce samples to rows of `CaptionCounts`."""
        find = self.instances.image
        measured = self.measure(
            [
                (find(name, f"image {brief(name)}"), sample.candidate)
                for name, sample in raw_samples(samples, "counting")
            ]
        )
        rows = np.array([c.row for c in measured]).reshape(-1, WIDTH)
        return Statistics(tuple(s.image_id for s in samples), rows, tuple(measured))

    def image_scores(self, rows: Array) -> Array:
        """Return scores, NaN where undefined: (images, 9) -> (images, 9)."""
        return corpus_scores(rows)

    def corpus_scores(self, totals: Array, images: int | Array) -> Array:
        """Return scores of corpora: (..., 9) -> (..., 9)."""
        return corpus_scores(totals)

    def signature(self) -> Mapping[str, str]:
        """Return the reader's parts, the tier and the annotations."""
        parts = self.claims.reader.signature()
        return {"metric": "counting", **parts, "tier": "A", "instances": self._digest}
