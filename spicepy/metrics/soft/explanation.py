"""Which concept found which partner: a score of spice-soft taken apart.

In: a metric, a candidate and its references, tokenised. Out: an `Explanation`: for
every concept of both sides its weight, its best partner and how alike they are. Its
precision and recalls are the metric's own, so the parts add up to the score.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import NamedTuple

from spicepy.metrics.soft.concepts import Concept
from spicepy.metrics.soft.matching import Side, encode, match
from spicepy.metrics.soft.metric import SpiceSoft
from spicepy.tokenization.samples import TokenisedSample


@dataclass(frozen=True, slots=True)
class Match:
    """A concept and what it found on the other side.

    Attributes:
        concept: The concept.
        reference: The reference (from 0) that the partner, or the concept, is in;
            None without a partner.
        weight: Its share of the weight of its caption, 0-1.
        partner: The most similar concept of the other side; None if nothing is.
        similarity: How alike they are, 0-1, the objects they belong to included.
    """

    concept: Concept
    reference: int | None
    weight: float
    partner: Concept | None
    similarity: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """A score and the matches it is made of.

    Attributes:
        scores: The metric's keys and their values for this candidate.
        candidate: The candidate's concepts. Their similarities, weighted, add up
            to the precision.
        references: Those of each reference. Their sums are its recall; that of the
            score is (best + mean) / 2 of them.
    """

    scores: Mapping[str, float]
    candidate: tuple[Match, ...]
    references: tuple[tuple[Match, ...], ...]


def explain(
    metric: SpiceSoft, candidate: str, references: Sequence[str]
) -> Explanation:
    """Take the score of a candidate apart.

    Args:
        metric: The metric.
        candidate: A tokenised caption.
        references: At least one tokenised caption.
    """
    sample = TokenisedSample(0, candidate, tuple(references))
    [scores] = metric.image_scores(metric.count([sample]).rows).tolist()
    texts = [candidate, *references]
    known = metric.describe(texts)
    captions = [known[text] for text in texts]
    encoded = encode(captions, metric.table)
    matches = match(encoded, [0], [range(1, len(texts))])
    concepts = [concept for caption in captions for concept in caption.concepts]
    candidate_side, reference_side = matches.candidate, matches.reference
    own = _found(candidate_side, concepts, reference_side)
    back = _found(reference_side, concepts, candidate_side)
    owner = matches.owner[0].tolist()
    partner = candidate_side.partner[0].tolist()
    return Explanation(
        dict(zip(metric.keys, scores)),
        _matches(own, [owner[place] if owner else None for place in partner]),
        tuple(
            _matches([f for f, k in zip(back, owner) if k == number], repeat(number))
            for number in range(len(references))
        ),
    )


class _Found(NamedTuple):
    concept: Concept
    weight: float
    partner: Concept | None
    similarity: float


def _found(own: Side, concepts: Sequence[Concept], other: Side) -> list[_Found]:
    """What each concept of one side (of the only image) found on the other."""
    numbers, partners = own.concept[0].tolist(), other.concept[0].tolist()
    columns = zip(own.weight[0].tolist(), own.partner[0].tolist(), own.best[0].tolist())
    return [
        _Found(concepts[n], weight, concepts[partners[at]] if best else None, best)
        for n, (weight, at, best) in zip(numbers, columns)
    ]


def _matches(
    found: Sequence[_Found], references: Iterable[int | None]
) -> tuple[Match, ...]:
    """Matches of one caption's concepts, their weights as shares."""
    whole = sum(one.weight for one in found) or 1
    return tuple(
        Match(
            one.concept,
            reference if one.partner else None,
            one.weight / whole,
            one.partner,
            one.similarity,
        )
        for one, reference in zip(found, references)
    )
