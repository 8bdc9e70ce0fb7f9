"""The correlation of metrics with ratings by people, by caption and by system.

These choices can change the numbers more than the metrics do, and are in the protocol:
the treatment of several raters, whether a candidate stays among its own references, the
document set of CIDEr, and the coefficient.

Source: Anderson et al. 2016, SPICE, section 4; Vedantam et al. 2015, CIDEr.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isnan
from typing import Any

import numpy as np

from spicepy.common.errors import InputError, brief, find_name, unknown
from spicepy.common.progress import advance
from spicepy.common.settings import SEED, Equal, Raters, check_settings
from spicepy.common.tables import Cells, Table
from spicepy.evaluation.evaluation import Evaluation, metrics_of
from spicepy.evaluation.pairwise import check_comparable, rows_by_metric
from spicepy.metrics.base import Array, Metric
from spicepy.metrics.significance import corpus, resampled_scores
from spicepy.study import datasets
from spicepy.study import systems as system_level
from spicepy.study.captions import (
    Agreement,
    Correlation,
    Settings,
    agreement,
    agreement_table,
    caption_table,
    correlate_captions,
)
from spicepy.study.scoring import StudyResult, score
from spicepy.tokenization.samples import tokenised


@dataclass(frozen=True, slots=True, repr=False)
class Correlations(StudyResult):
    """All metrics against all human columns.

    `captions` is empty if whole systems were rated and no captions; `removed` has the
    number of references equal to a candidate, by system.
    """

    study = "correlate"

    protocol: Mapping[str, Any]
    signatures: tuple[str, ...]
    captions: tuple[Correlation, ...]
    agreement: tuple[Agreement, ...]
    systems: tuple[system_level.SystemCorrelation, ...]
    differences: tuple[system_level.MetricDifference, ...]
    removed: tuple[datasets.Removed, ...] = ()
    warnings: tuple[str, ...] = ()

    def caption(self, key: str, human: str | None = None) -> Correlation:
        """Return the caption-level correlation of one key (and human column)."""
        if human not in (None, *(c.human for c in self.captions)):
            raise unknown("human column", human, (c.human for c in self.captions))
        key = find_name("score", key, (c.key for c in self.captions))
        return next(
            each
            for each in self.captions
            if each.key == key and human in (None, each.human)
        )

    def tables(self) -> tuple[Table, ...]:
        """Return tables of captions, raters, systems, Williams tests, removals."""
        tables = (
            caption_table(self.captions, self.notes),
            agreement_table(self.agreement),
            system_level.system_table(self.systems),
            *system_level.difference_tables(self.differences),
            datasets.removed_table(self.removed),
        )
        return tuple(table for table in tables if table.rows)


def correlate(
    judgments: Sequence[datasets.Judgment],
    *,
    metrics: Sequence[str | Metric],
    raters: Raters = "average",
    equal: Equal = "own",
    samples: int = 1000,
    level: float = 0.95,
    seed: int = SEED,
    system_ratings: system_level.SystemRatings | None = None,
) -> Correlations:
    """Correlate metrics with human scores.

    Args:
        judgments: Rated captions; all must have the same human columns (none are
            needed if whole systems were rated).
        metrics: Registry names or metrics.
        raters: "average" correlates with the mean rating of a caption,
            "flatten" makes every rating a point.
        equal: The treatment of a reference equal to a candidate: "own" removes
            it from that candidate's references, "image" from the references of
            all the image's candidates (so that all have the same), "keep" none.
            A caption left without references is left out and counted.
        samples: Resamples (of images) for the intervals; 0 for none.
        level: Confidence level of the intervals, 0-1.
        seed: Random seed of the resamples.
        system_ratings: Ratings of whole systems by people, beside the captions'
            ratings; each system must have captions and each caption's system ratings.

    Raises:
        InputError: No judgment is left, columns or systems differ or an option is
            wrong.
    """
    names = _checked(judgments, raters, equal, samples, level, seed)
    given = system_ratings or {}
    system_level.check_systems(given, judgments, names)
    scorers = list(metrics_of(metrics))
    words = tokenised([c for j in judgments for c in (j.candidate, *j.references)])
    samples_of = datasets.scored_samples(judgments, words, equal)
    kept = samples_of.judgments
    documents = {j.image_id: j.references for j in judgments}
    scores = score(
        scorers,
        samples_of.samples,
        documents=[tuple(words[c] for c in texts) for texts in documents.values()],
    )
    settings = Settings(raters, samples, level, seed)
    systems = [system_level.system_means(kept, scores, name) for name in names]
    systems += [
        system_level.rated_systems(kept, scores, name, given[name]) for name in given
    ]
    lost = datasets.uneven(samples_of.removed) if equal == "own" else None
    return Correlations(
        _protocol(judgments, kept, equal, settings),
        scores.signatures,
        tuple(correlate_captions(kept, scores.keys, scores.values, names, settings)),
        tuple(a for n in names if (a := agreement(n, [j.ratings[n] for j in kept]))),
        tuple(c for means in systems for c in system_level.correlate_systems(means)),
        tuple(d for means in systems for d in system_level.metric_differences(means)),
        samples_of.removed,
        (*filter(None, (lost,)), *_constant(kept, names, given)),
    )


def _constant(
    judgments: Sequence[datasets.Judgment],
    names: Sequence[str],
    given: system_level.SystemRatings,
) -> Iterator[str]:
    """Yield a sentence on each human column in which all ratings are equal."""
    ratings = {name: {r for j in judgments for r in j.ratings[name]} for name in names}
    ratings |= {name: set(of_systems.values()) for name, of_systems in given.items()}
    for name, values in ratings.items():
        if len(values) == 1:
            yield (
                f"all ratings in the column {brief(name)} are {values.pop():g}: no "
                "correlation with them is defined"
            )


def _checked(
    judgments: Sequence[datasets.Judgment],
    raters: str,
    equal: str,
    samples: int,
    level: float,
    seed: int,
) -> tuple[str, ...]:
    if not judgments:
        raise InputError("no judgments")
    if raters not in ("average", "flatten"):
        raise InputError(
            f"raters is {brief(raters)}; it must be 'average' or 'flatten'"
        )
    if equal not in datasets.EQUAL:
        raise InputError(
            f"equal is {brief(equal)}; it must be one of {', '.join(datasets.EQUAL)}"
        )
    check_settings(samples or 2, level, seed)
    names = tuple(judgments[0].ratings)
    for judgment in judgments:
        if tuple(judgment.ratings) != names:
            raise InputError(
                f"image {brief(judgment.image_id)} has the human columns "
                f"{', '.join(judgment.ratings)}, the first judgment has "
                f"{', '.join(names)}"
            )
    for name in names:
        if not any(judgment.ratings[name] for judgment in judgments):
            raise InputError(f"no caption has a rating in the column {brief(name)}")
    return names


def _protocol(
    judgments: Sequence[datasets.Judgment],
    kept: Sequence[datasets.Judgment],
    equal: str,
    settings: Settings,
) -> dict[str, Any]:
    ways = {"average": "mean of raters", "flatten": "every rating is a point"}
    return {
        "captions": len(kept),
        "captions left without references": len(judgments) - len(kept),
        "images": len({j.image_id for j in kept}),
        "raters": f"{settings.raters} ({ways[settings.raters]})",
        "candidate equal to a reference": datasets.EQUAL[equal],
        "document frequencies": "one document per image, from all its references",
        "interval": f"percentile bootstrap over images, {settings.samples} samples"
        if settings.samples
        else "none",
        "level": settings.level,
        "seed": settings.seed,
    }


# The number of images that a stable ranking of systems needs: learning curves.
#
# Images are drawn with replacement, since the whole set stands for the population: even
# a sample of the same size differs from it, as another test set would.
#
# Source: Voorhees 2000, Variations in Relevance Judgments and the Measurement of
# Retrieval Effectiveness (rankings with a τ of 0.9 or more are taken for equivalent).

STABLE_TAU = 0.9
_TIE = 1e-12  # Scores closer than this are equal, since sums are rounded.
_ROUND = (1, 2, 5)
_MAX_IMAGES = 1_000_000  # images of a sample


@dataclass(frozen=True, slots=True)
class RankAgreement:
    """The ranking by one key on `images` images against that on all images."""

    # `tau` is the mean τ-b over the samples (-1 to 1), `sd` its standard deviation, and
    # `low` the value that 95 % of the samples reach; `same` is the share of samples
    # (0-1) with all systems in the same order. NaN if all systems have the same score.
    key: str
    images: int
    tau: float
    sd: float
    low: float
    same: float


@dataclass(frozen=True, slots=True, repr=False)
class Stability(StudyResult):
    """The learning curves of all keys."""

    study = "stability"

    protocol: Mapping[str, Any]
    signatures: tuple[str, ...]
    systems: tuple[str, ...]
    agreements: tuple[RankAgreement, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The scores, in order."""
        return tuple(dict.fromkeys(a.key for a in self.agreements))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of images, in order."""
        return tuple(dict.fromkeys(a.images for a in self.agreements))

    def curve(self, key: str) -> tuple[RankAgreement, ...]:
        """Return the agreements of one key by number of images."""
        key = find_name("score", key, self.keys)
        return tuple(a for a in self.agreements if a.key == key)

    def enough(self, key: str) -> int | None:
        """Return the least number at which the mean τ-b reaches 0.9, if any."""
        images = None
        for each in reversed(self.curve(key)):
            if not each.tau >= STABLE_TAU:
                break
            images = each.images
        return images

    def tables(self) -> tuple[Table, ...]:
        """Return mean τ-b, then the share of samples with the same order, by images."""
        notes = (
            "mean τ-b between the ranking of the systems on a sample and on all images",
            *self.notes,
        )
        sizes = tuple(f"{size:,}" for size in self.sizes)
        taus: list[Cells] = [
            (key, *(a.tau for a in self.curve(key)), self._enough(key))
            for key in self.keys
        ]
        same: list[Cells] = [
            (key, *(a.same for a in self.curve(key))) for key in self.keys
        ]
        return (
            Table(
                "Stability of the ranking by number of images",
                ("metric", *sizes, f"images for {STABLE_TAU}"),
                taus,
                notes,
            ),
            Table("Share of samples with the same order", ("metric", *sizes), same),
        )

    def _enough(self, key: str) -> str | None:
        if all(isnan(each.tau) for each in self.curve(key)):
            return None
        size = self.enough(key)
        return f"> {self.sizes[-1]:,}" if size is None else f"{size:,}"


def stability(
    systems: Mapping[str, Evaluation],
    *,
    sizes: Sequence[int] | None = None,
    samples: int = 1000,
    seed: int = SEED,
) -> Stability:
    """Rank systems on samples of the images.

    Args:
        systems: The evaluation of each system by its name.
        sizes: Numbers of images to draw; by default 10, 20, 50, 100 … and all.
        samples: Samples of each size.
        seed: Random seed of the samples.

    Raises:
        InputError: Fewer than two systems, other metrics or images, or a wrong option.
    """
    check_settings(samples, 0.95, seed)
    names = tuple(systems)
    if len(names) < 2:
        raise InputError(f"a ranking needs two systems or more, found {len(names)}")
    check_comparable(systems)
    first = systems[names[0]]
    total = len(first.samples)
    wanted = _sizes(total) if sizes is None else sorted(set(sizes))
    if not wanted or not 1 <= wanted[0] <= wanted[-1] <= _MAX_IMAGES:
        raise InputError(
            f"numbers of images are {brief(list(wanted))}; they must be from 1 to "
            f"{_MAX_IMAGES:,}"
        )
    agreements: list[RankAgreement] = []
    for column, (metric, rows) in enumerate(rows_by_metric(systems)):
        advance("ranking", column, len(first.measured))
        whole = np.stack([corpus(metric, each) for each in rows])
        drawn = {
            n: np.stack(resampled_scores(metric, rows, samples, seed, drawn=n))
            for n in wanted
        }
        for k, key in enumerate(metric.keys):
            agreements += [
                _agreement(key, n, *_taus(whole[:, k], drawn[n][:, :, k]))
                for n in wanted
            ]
    advance("ranking", len(first.measured), len(first.measured))
    protocol = {
        "systems": len(names),
        "images": total,
        "samples": f"{samples} of each size, drawn with replacement",
        "document frequencies": "those of all images",
        "seed": seed,
    }
    signatures = tuple(measured.signature for measured in first.measured)
    return Stability(protocol, signatures, names, tuple(agreements))


def _sizes(total: int) -> list[int]:
    """Return 10, 20, 50, 100 … below the number of images, and that number."""
    sizes = [k * 10**e for e in range(1, 10) for k in _ROUND]
    return [*(n for n in sizes if n < total), total]


def _taus(whole: Array, drawn: Array) -> tuple[Array, Array]:
    """Return τ-b of each sample and whether it has the same order: both (samples,)."""
    # `whole` are the systems' scores on all images, `drawn` (systems, samples) on
    # samples. scipy's kendalltau takes one pair of rankings at a time, which is slow
    # for thousands.
    pairs = list(combinations(range(len(whole)), 2))
    own = np.array([_sign(whole[a] - whole[b]) for a, b in pairs])
    other = np.array([_sign(drawn[a] - drawn[b]) for a, b in pairs])
    with np.errstate(invalid="ignore", divide="ignore"):
        untied = np.sqrt((own**2).sum() * (other**2).sum(axis=0))
        return own @ other / untied, (own[:, None] == other).all(axis=0)


def _sign(difference: Array) -> Array:
    sign: Array = np.where(np.abs(difference) <= _TIE, 0.0, np.sign(difference))
    return sign


def _agreement(key: str, images: int, taus: Array, same: Array) -> RankAgreement:
    known = taus[~np.isnan(taus)]
    if not known.size:
        return RankAgreement(key, images, *([float("nan")] * 4))
    sd = float(known.std(ddof=1)) if known.size > 1 else float("nan")
    low = float(np.quantile(known, 0.05))
    return RankAgreement(key, images, float(known.mean()), sd, low, float(same.mean()))
