"""The correlation of metrics with ratings by people, by caption and by system.

In: `Judgment` values. Out: a `Correlations` with its protocol, since these choices can
change the numbers more than the metrics do: the treatment of several raters, whether a
candidate stays among its own references, the document set of CIDEr, and the
coefficient.

Source: Anderson et al. 2016, SPICE, section 4; Vedantam et al. 2015, CIDEr.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from spicepy.common.errors import InputError, brief, unknown
from spicepy.common.json_values import plain
from spicepy.common.settings import SEED, Equal, Raters, check_settings
from spicepy.common.tables import Table
from spicepy.evaluation.evaluation import metrics_of
from spicepy.metrics.base import Metric
from spicepy.study.captions import (
    Agreement,
    Correlation,
    Settings,
    agreement,
    agreement_table,
    caption_table,
    correlate_captions,
)
from spicepy.study.datasets import (
    EQUAL,
    Judgment,
    Removed,
    removed_table,
    scored_samples,
    uneven,
)
from spicepy.study.scoring import score
from spicepy.study.systems import (
    MetricDifference,
    SystemCorrelation,
    SystemRatings,
    check_systems,
    correlate_systems,
    difference_tables,
    metric_differences,
    rated_systems,
    system_means,
    system_table,
)
from spicepy.tokenization.samples import tokenised


@dataclass(frozen=True, slots=True)
class Correlations:
    """All metrics against all human columns.

    `captions` is empty if whole systems were rated and no captions; `removed` has the
    number of references equal to a candidate, by system.
    """

    protocol: Mapping[str, Any]
    signatures: tuple[str, ...]
    captions: tuple[Correlation, ...]
    agreement: tuple[Agreement, ...]
    systems: tuple[SystemCorrelation, ...]
    differences: tuple[MetricDifference, ...]
    removed: tuple[Removed, ...] = ()
    warnings: tuple[str, ...] = ()

    def caption(self, key: str, human: str | None = None) -> Correlation:
        """Return the caption-level correlation of one key (and human column)."""
        for each in self.captions:
            if each.key == key and human in (None, each.human):
                return each
        if human not in (None, *(c.human for c in self.captions)):
            raise unknown("human column", human, (c.human for c in self.captions))
        raise unknown("score", key, (c.key for c in self.captions))

    def tables(self) -> tuple[Table, ...]:
        """Return tables of captions, raters, systems, Williams tests, removals."""
        tables = (
            caption_table(self.captions, self.protocol),
            agreement_table(self.agreement),
            system_table(self.systems),
            *difference_tables(self.differences),
            removed_table(self.removed),
        )
        return tuple(table for table in tables if table.rows)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, `None` where undefined."""
        return {"study": "correlate", **plain(self)}


def correlate(
    judgments: Sequence[Judgment],
    *,
    metrics: Sequence[str | Metric],
    raters: Raters = "average",
    equal: Equal = "own",
    samples: int = 1000,
    level: float = 0.95,
    seed: int = SEED,
    system_ratings: SystemRatings | None = None,
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
    check_systems(given, judgments, names)
    scorers = list(metrics_of(metrics))
    words = tokenised([c for j in judgments for c in (j.candidate, *j.references)])
    samples_of = scored_samples(judgments, words, equal)
    kept = samples_of.judgments
    documents = {j.image_id: j.references for j in judgments}
    scores = score(
        scorers,
        samples_of.samples,
        documents=[tuple(words[c] for c in texts) for texts in documents.values()],
    )
    settings = Settings(raters, samples, level, seed)
    systems = [system_means(kept, scores, name) for name in names]
    systems += [rated_systems(kept, scores, name, given[name]) for name in given]
    lost = uneven(samples_of.removed) if equal == "own" else None
    return Correlations(
        _protocol(judgments, kept, equal, settings),
        scores.signatures,
        tuple(correlate_captions(kept, scores.keys, scores.values, names, settings)),
        tuple(a for n in names if (a := agreement(n, [j.ratings[n] for j in kept]))),
        tuple(c for means in systems for c in correlate_systems(means)),
        tuple(d for means in systems for d in metric_differences(means)),
        samples_of.removed,
        (lost,) if lost else (),
    )


def _checked(
    judgments: Sequence[Judgment],
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
    if equal not in EQUAL:
        raise InputError(
            f"equal is {brief(equal)}; it must be one of {', '.join(EQUAL)}"
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
    judgments: Sequence[Judgment],
    kept: Sequence[Judgment],
    equal: str,
    settings: Settings,
) -> dict[str, Any]:
    ways = {"average": "mean of raters", "flatten": "every rating is a point"}
    return {
        "captions": len(kept),
        "captions left without references": len(judgments) - len(kept),
        "images": len({j.image_id for j in kept}),
        "raters": f"{settings.raters} ({ways[settings.raters]})",
        "candidate equal to a reference": EQUAL[equal],
        "document frequencies": "one document an image, from all its references",
        "interval": f"percentile bootstrap over images, {settings.samples} samples"
        if settings.samples
        else "none",
        "level": settings.level,
        "seed": settings.seed,
    }
