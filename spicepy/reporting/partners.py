"""Partners in spice-soft: the data of the lines between concepts.

In: evaluations with spice-soft among the metrics. Out: JSON-ready columns, one entry
an image:

    concepts    the references' distinct concepts, flat (word, kind, weight)
    candidate   a system's concepts, flat (word, kind, weight, partner, similarity)
    references  for each of the references' concepts, flat (partner, similarity)

Weights are shares of the weight of the candidate, or of all references together, in
percent; similarities are in percent. A partner is a place among the other side's
concepts, -1 without one.
"""

from collections.abc import Callable, Mapping
from typing import Any

from spicepy.evaluation.evaluation import Evaluation
from spicepy.metrics.soft.concepts import SoftConcept
from spicepy.metrics.soft.explanation import Partners, partners, soft_among
from spicepy.metrics.soft.metric import SpiceSoft

Number = Callable[[object], int]
"""The place of a string in the page's table of strings."""


def soft_metric(evaluation: Evaluation) -> SpiceSoft | None:
    """Return the metric spice-soft, if it is among the metrics."""
    return soft_among(measured.metric for measured in evaluation.measured)


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
