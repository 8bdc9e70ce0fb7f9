"""How well metrics agree with people, caption by caption and system by system.

In: `Judgment` values. Out: a `Correlations` with the protocol spelled out, since
the choices below change the numbers more than the metrics do: what happens to
several raters, whether a candidate stays among its own references, what counts
as the document set of CIDEr, and the coefficient.

Source: Anderson et al. 2016, SPICE, section 4; Vedantam et al. 2015, CIDEr.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from spicepy.common.errors import InputError, shown, unknown
from spicepy.common.plain import plain
from spicepy.common.progress import advance
from spicepy.common.tables import Cell, Table
from spicepy.evaluation.evaluation import metrics_of
from spicepy.evaluation.significance import SEED, check_settings
from spicepy.metrics.base import Array, Metric
from spicepy.study.coefficients import (
    COEFFICIENTS,
    Coefficient,
    coefficient,
    tied_pairs,
)
from spicepy.study.intervals import intervals
from spicepy.study.judgments import EQUAL, Equal, Judgment, scored_samples
from spicepy.study.raters import Agreement, agreement, agreement_table
from spicepy.study.scoring import score
from spicepy.study.systems import (
    MetricDifference,
    SystemCorrelation,
    correlate_systems,
    difference_table,
    metric_differences,
    system_means,
    system_table,
)
from spicepy.tokenization.samples import tokenised

Raters = Literal["average", "flatten"]


@dataclass(frozen=True, slots=True)
class Correlation:
    """One metric against one human column over all captions.

    `items` captions have a score and ratings, `points` enter the coefficients
    (more than items when raters are flattened). `ties` and `human_ties` are the
    shares of tied pairs of items, `zeros` is the share of items scored 0.
    """

    human: str
    key: str
    items: int
    points: int
    ties: float
    human_ties: float
    zeros: float
    coefficients: tuple[Coefficient, ...]

    def __getitem__(self, name: str) -> Coefficient:
        for each in self.coefficients:
            if each.name == name:
                return each
        raise unknown("coefficient", name, (c.name for c in self.coefficients))


@dataclass(frozen=True, slots=True)
class Correlations:
    """All metrics against all human columns."""

    protocol: Mapping[str, Any]
    signatures: tuple[str, ...]
    captions: tuple[Correlation, ...]
    agreement: tuple[Agreement, ...]
    systems: tuple[SystemCorrelation, ...]
    differences: tuple[MetricDifference, ...]

    def caption(self, key: str, human: str | None = None) -> Correlation:
        """The caption-level correlation of one key (and human column)."""
        for each in self.captions:
            if each.key == key and human in (None, each.human):
                return each
        if human not in (None, *(c.human for c in self.captions)):
            raise unknown("human column", human, (c.human for c in self.captions))
        raise unknown("score", key, (c.key for c in self.captions))

    def tables(self) -> tuple[Table, ...]:
        """Caption level; then raters, systems and Williams test where given."""
        found = (
            _caption_table(self.captions, self.protocol),
            agreement_table(self.agreement),
            system_table(self.systems),
            difference_table(self.differences),
        )
        return found[0], *(table for table in found[1:] if table.rows)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, `None` where undefined."""
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
) -> Correlations:
    """Correlate metrics with human scores.

    Args:
        judgments: Rated captions; all must have the same human columns.
        metrics: Registry names or metrics.
        raters: "average" correlates with the mean rating of a caption,
            "flatten" makes every rating a point.
        equal: What happens to a reference that equals a candidate: "own" removes
            it from that candidate's references, "image" from the references of
            all the image's candidates (so that all have the same), "keep" none.
            A caption left without references is left out and counted.
        samples: Resamples (of images) for the intervals; 0 for none.
        level: Of the intervals, 0-1.
        seed: Of the resamples.

    Raises:
        InputError: No judgment is left, columns differ or an option is wrong.
    """
    names = _checked(judgments, raters, equal, samples, level, seed)
    scorers = list(metrics_of(metrics))
    words = tokenised([c for j in judgments for c in (j.candidate, *j.references)])
    kept, scored = scored_samples(judgments, words, equal)
    documents = {j.image_id: j.references for j in judgments}
    found = score(
        scorers,
        scored,
        documents=[tuple(words[c] for c in own) for own in documents.values()],
    )
    settings = _Settings(raters, samples, level, seed)
    systems = [system_means(kept, found, name) for name in names]
    return Correlations(
        _protocol(judgments, kept, equal, settings),
        found.signatures,
        tuple(_captions(kept, found.keys, found.values, names, settings)),
        tuple(a for n in names if (a := agreement(n, [j.ratings[n] for j in kept]))),
        tuple(c for means in systems for c in correlate_systems(means)),
        tuple(d for means in systems for d in metric_differences(means)),
    )


@dataclass(frozen=True, slots=True)
class _Settings:
    raters: Raters
    samples: int
    level: float
    seed: int


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
            f"raters is {shown(raters)}; it must be 'average' or 'flatten'"
        )
    if equal not in EQUAL:
        raise InputError(
            f"equal is {shown(equal)}; it must be one of {', '.join(EQUAL)}"
        )
    check_settings(samples or 2, level, seed)
    names = tuple(judgments[0].ratings)
    for judgment in judgments:
        if tuple(judgment.ratings) != names:
            raise InputError(
                f"image {shown(judgment.image_id)} has the human columns "
                f"{', '.join(judgment.ratings)}, the first judgment has "
                f"{', '.join(names)}"
            )
    for name in names:
        if not any(judgment.ratings[name] for judgment in judgments):
            raise InputError(f"no caption has a rating in the column {shown(name)}")
    return names


def _captions(
    judgments: Sequence[Judgment],
    keys: Sequence[str],
    values: Array,
    names: Sequence[str],
    settings: _Settings,
) -> Iterator[Correlation]:
    total = len(names) * len(keys)
    for i, human in enumerate(names):
        for k, key in enumerate(keys):
            advance("correlating", i * len(keys) + k, total)
            yield _correlation(human, key, values[:, k], judgments, settings)
    advance("correlating", total, total)


def _correlation(
    human: str,
    key: str,
    scores: Array,
    judgments: Sequence[Judgment],
    settings: _Settings,
) -> Correlation:
    both = zip(judgments, scores.tolist(), strict=True)
    judged = [(j, s) for j, s in both if s == s and j.ratings[human]]
    scored = np.array([s for _, s in judged])
    means = np.array([np.mean(j.ratings[human]) for j, _ in judged])
    x, y, images = scored, means, [j.image_id for j, _ in judged]
    if settings.raters == "flatten":
        counts = [len(j.ratings[human]) for j, _ in judged]
        x = np.repeat(scored, counts)
        y = np.array([r for j, _ in judged for r in j.ratings[human]])
        images = [j.image_id for j, _ in judged for _ in j.ratings[human]]
    coefficients = [coefficient(name, x, y) for name in COEFFICIENTS]
    if settings.samples:
        found = intervals(
            x,
            y,
            images,
            samples=settings.samples,
            level=settings.level,
            seed=settings.seed,
        )
        coefficients = [
            replace(c, low=low, high=high)
            for c, (low, high) in zip(coefficients, found, strict=True)
        ]
    return Correlation(
        human,
        key,
        len(scored),
        len(x),
        tied_pairs(scored),
        tied_pairs(means),
        float((scored == 0).mean()) if len(scored) else float("nan"),
        tuple(coefficients),
    )


def _protocol(
    judgments: Sequence[Judgment],
    kept: Sequence[Judgment],
    equal: str,
    settings: _Settings,
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


def _caption_table(
    correlations: Sequence[Correlation], protocol: Mapping[str, Any]
) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for c in correlations:
        first, *others = c.coefficients
        bounds = (first.value, first.low, first.high)
        counts = (c.items, c.points, c.ties, c.human_ties, c.zeros)
        rows.append((c.human, c.key, *bounds, *(f.value for f in others), *counts))
    columns = (
        *("human", "metric", "τ-b", "low", "high", "τ-c", "ρ", "r"),
        *("captions", "points", "ties", "human ties", "zeros"),
    )
    notes = tuple(f"{name}: {value}" for name, value in protocol.items())
    return Table("Correlation with people, captions", columns, tuple(rows), notes)
