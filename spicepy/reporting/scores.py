"""Overview: the scores and their distributions as the page draws them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from spicepy.diagnosis.findings import Finding, Kind
from spicepy.diagnosis.kinds import MISSING, WRONG
from spicepy.diagnosis.lexicon.aspects import AspectValues
from spicepy.evaluation.comparison import Comparison
from spicepy.evaluation.evaluation import Evaluation
from spicepy.graph.matching import Counts, Matching
from spicepy.graph.scene import ConceptTuple
from spicepy.metrics.soft.explanation import Partners, partners
from spicepy.metrics.soft.matching import SoftConcept
from spicepy.metrics.soft.metric import SpiceSoft

BINS = 20


@dataclass(frozen=True, slots=True)
class Histogram:
    """One score's distribution: `shares[system][bin]` of its defined images."""

    title: str
    high: float
    shares: tuple[tuple[float, ...], ...]
    defined: tuple[int, ...]

    @property
    def top(self) -> float:
        """The largest share, for the scale."""
        return max((s for row in self.shares for s in row), default=0.0) or 1.0


def titles(comparison: Comparison) -> dict[str, str]:
    """Return every score's key and its title, in the paper's order."""
    return {
        key: comparison.titles.get(key, key.upper()) for key in comparison.intervals
    }


def without(comparison: Comparison, keys: Collection[str]) -> Comparison:
    """Return a comparison without some scores."""
    return replace(
        comparison,
        intervals={k: v for k, v in comparison.intervals.items() if k not in keys},
        tests=tuple(test for test in comparison.tests if test.key not in keys),
    )


def axis(high: float) -> tuple[float, tuple[float, ...]]:
    """Return a round upper end of a scale from 0, and its ticks."""
    steps = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
    step = next((s for s in steps if high / s <= 6), 10)
    count = max(1, int(np.ceil(high / step - 1e-9)))
    return count * step, tuple(k * step for k in range(count + 1))


def bars(comparison: Comparison) -> dict[str, Any]:
    """Return SPICE's categories, or else all scores, with their intervals."""
    named = titles(comparison)
    intervals = {
        named[key]: comparison.intervals[key]
        for key in comparison.titles or comparison.intervals
        if any(i.score == i.score for i in comparison.intervals[key])
    }
    finite = [i.high for each in intervals.values() for i in each if i.high == i.high]
    high, ticks = axis(max(finite, default=1.0) or 1.0)
    return {"groups": intervals, "high": high, "ticks": ticks}


def histograms(
    systems: Mapping[str, Evaluation], names: Mapping[str, str]
) -> list[Histogram]:
    """Return the distribution of every score over the images."""
    histograms = []
    for key, title in names.items():
        columns = []
        for evaluation in systems.values():
            scores = np.array([*evaluation.image_scores(key).values()], float)
            columns.append(scores[~np.isnan(scores)])
        high = max((float(c.max()) for c in columns if len(c)), default=1.0)
        high = 1.0 if high <= 1 else axis(high)[0]
        shares = tuple(
            tuple((np.histogram(c, BINS, (0, high))[0] / max(1, len(c))).tolist())
            for c in columns
        )
        histograms.append(Histogram(title, high, shares, tuple(map(len, columns))))
    return histograms


# Gains: how much SPICE would rise if the errors of a kind were corrected.
#
# Correcting a wrong statement turns the candidate's unmatched tuples with the wrong
# word into matched ones; correcting an omission adds one matched tuple, if the
# references have an unmatched tuple with the word. No more tuples are matched than the
# references have. Words are compared by lemma, and a number with its word.


def gains_of(
    counts: Counts,
    matching: Matching,
    findings: Iterable[Finding],
    aspects: AspectValues,
) -> dict[Kind, float]:
    """Return how much SPICE's F of an image would rise, 0-1, for each kind found."""
    # `counts` are those over all tuples, `aspects` values of words, as that of "two".
    own, other = matching.flags()
    spurious = _left(matching.candidate, own)
    missing = _left(matching.reference, other)
    by_kind: dict[Kind, list[Finding]] = {}
    for finding in findings:
        if finding.kind in WRONG or finding.kind in MISSING:
            by_kind.setdefault(finding.kind, []).append(finding)
    rises = {}
    for kind, found in by_kind.items():
        left = missing if kind in MISSING else spurious
        named = {t for t in left for f in found if _names(t, f, aspects)}
        number = min(len(named), max(0, counts.fn))
        number = min(number, len(found)) if kind in MISSING else number
        mended = replace(counts, tp=counts.tp + number, fn=counts.fn - number)
        if kind not in MISSING:
            mended = replace(mended, fp=counts.fp - number)
        rises[kind] = mended.f - counts.f
    return rises


def _left(
    tuples: Iterable[ConceptTuple], flags: Sequence[bool]
) -> list[tuple[str, ...]]:
    pairs = zip(tuples, flags)
    return [tuple(map(str, members)) for members, flag in pairs if not flag]


def _names(members: Sequence[str], finding: Finding, aspects: AspectValues) -> bool:
    """Return whether a tuple names the word that a finding is about."""
    noun, *others = finding.members
    if noun not in members:
        return False
    return not others or any(
        word == others[0] or finding.said in aspects.of("count", [word])
        for word in members
        if word != noun
    )


# Partners in spice-soft: the data of the lines between concepts.
#
# In: evaluations with spice-soft among the metrics. Out: JSON-ready columns, one entry
# an image:
#
#     concepts    the references' distinct concepts, flat (word, kind, weight)
#     candidate   a system's concepts, flat (word, kind, weight, partner, similarity)
#     references  for each of the references' concepts, flat (partner, similarity)
#
# Weights are shares of the weight of the candidate, or of all references together, in
# percent; similarities are in percent. A partner is a place among the other side's
# concepts, -1 without one.

Number = Callable[[object], int]  # The place of a string in the page's table of strings


def soft_metric(evaluation: Evaluation) -> SpiceSoft | None:
    """Return the metric spice-soft, if it is among the metrics."""
    metrics = (measured.metric for measured in evaluation.measured)
    return next((m for m in metrics if isinstance(m, SpiceSoft)), None)


def soft_columns(
    evaluation: Evaluation, order: Mapping[Any, int], number: Number
) -> dict[str, Any]:
    """Return a system's columns in the images' order; none without spice-soft."""
    metric = soft_metric(evaluation)
    if metric is None:
        return {}
    names = ("concepts", "candidate", "references")
    columns: dict[str, list[list[int]]] = {name: [[]] * len(order) for name in names}
    samples = evaluation.tokenised
    for sample, matched in zip(samples, partners(metric, samples), strict=True):
        for name, flat in zip(names, _flat(matched, number)):
            columns[name][order[sample.image_id]] = flat
    return columns


def _flat(partners: Partners, number: Number) -> tuple[list[int], list[int], list[int]]:
    """Return an image's partners, from candidate to references and back."""
    places_of = {match.concept: place for place, match in enumerate(partners.candidate)}
    places: dict[SoftConcept, int] = {}
    weights: list[float] = []
    back: list[int] = []
    for match in (match for matches in partners.references for match in matches):
        if match.concept not in places:
            places[match.concept] = len(places)
            weights.append(0.0)
            back += [_place(places_of, match.partner), round(100 * match.similarity)]
        weights[places[match.concept]] += match.weight
    concepts: list[int] = []
    for concept, weight in zip(places, weights):
        concepts += [number(concept), concept.kind, round(100 * weight)]
    candidate: list[int] = []
    for match in partners.candidate:
        concept = match.concept
        candidate += [number(concept), concept.kind, round(100 * match.weight)]
        candidate += [_place(places, match.partner), round(100 * match.similarity)]
    return concepts, candidate, back


def _place(places: Mapping[SoftConcept, int], partner: SoftConcept | None) -> int:
    return -1 if partner is None else places[partner]
