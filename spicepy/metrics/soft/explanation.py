"""Which concept found which partner: a score of spice-soft taken apart.

In: a metric, a candidate and its references, tokenised. Out: an `Explanation`: for
every concept of both sides its weight, its best partner and how alike they are. Its
precision and recalls are the metric's own, so the parts add up to the score.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, NamedTuple

from spicepy.common.plain import plain
from spicepy.common.tables import Cell, Table
from spicepy.metrics.base import Metric
from spicepy.metrics.soft.concepts import Concept
from spicepy.metrics.soft.matching import Encoded, Matches, Side, encode, match
from spicepy.metrics.soft.metric import SpiceSoft, Texts, batches
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


class Partners(NamedTuple):
    """What the concepts of a candidate, and of each reference, found."""

    candidate: tuple[Match, ...]
    references: tuple[tuple[Match, ...], ...]


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

    def to_dict(self) -> dict[str, Any]:
        """Plain values; concepts in words, references numbered from 0."""
        return {
            "scores": plain(self.scores),
            "candidate": list(map(_plain, self.candidate)),
            "references": [list(map(_plain, found)) for found in self.references],
        }

    def tables(self) -> tuple[Table, ...]:
        """The scores, then what the concepts of each caption found."""
        scores: list[tuple[Cell, ...]] = list(self.scores.items())
        found = [Table("spice-soft", ("score", "value"), tuple(scores))]
        found.append(_table("Concepts of the candidate", self.candidate, "precision"))
        for number, matches in enumerate(self.references, 1):
            found.append(_table(f"Concepts of reference {number}", matches, "recall"))
        return tuple(found)


def explain(
    metric: SpiceSoft, candidate: str, references: Sequence[str]
) -> Explanation:
    """Take the score of a candidate apart.

    Args:
        metric: The metric.
        candidate: A tokenised caption.
        references: At least one tokenised caption.
    """
    return explain_sample(metric, TokenisedSample(0, candidate, tuple(references)))


def explain_sample(metric: SpiceSoft, sample: TokenisedSample) -> Explanation:
    """`explain` for a sample."""
    [scores] = metric.image_scores(metric.count([sample]).rows).tolist()
    [found] = partners(metric, [sample])
    return Explanation(dict(zip(metric.keys, scores)), *found)


def soft_among(metrics: Iterable[Metric]) -> SpiceSoft | None:
    """The first spice-soft of several metrics."""
    return next((m for m in metrics if isinstance(m, SpiceSoft)), None)


def partners(
    metric: SpiceSoft, samples: Sequence[TokenisedSample]
) -> Iterator[Partners]:
    """Which concepts found which, sample by sample."""
    texts = list(map(metric.pipeline.texts, samples))
    known = metric.describe(text for own, others in texts for text in (own, *others))
    for batch in batches(texts):
        places: dict[str, int] = {}
        for own, others in texts[batch]:
            for text in (own, *others):
                places.setdefault(text, len(places))
        captions = [known[text] for text in places]
        encoded = encode(captions, metric.table)
        concepts = [concept for caption in captions for concept in caption.concepts]
        yield from _matched(encoded, concepts, places, texts[batch])


def _matched(
    encoded: Encoded,
    concepts: Sequence[Concept],
    places: Mapping[str, int],
    texts: Sequence[Texts],
) -> Iterator[Partners]:
    """The partners of a batch, whose captions stand at `places`."""
    candidates = [places[own] for own, _ in texts]
    references = [[places[text] for text in others] for _, others in texts]
    found = match(encoded, candidates, references)
    first = 0
    for row, others in enumerate(references):
        yield _partners(found, row, concepts, range(first, first + len(others)))
        first += len(others)


def _partners(
    matches: Matches, row: int, concepts: Sequence[Concept], numbers: range
) -> Partners:
    """One image's partners; its references are numbered `numbers` in the batch."""
    candidate_side, reference_side = matches.candidate, matches.reference
    own = _found(candidate_side, row, concepts, reference_side)
    back = _found(reference_side, row, concepts, candidate_side)
    owner = [number - numbers.start for number in matches.owner[row].tolist()]
    partner = candidate_side.partner[row].tolist()
    return Partners(
        _matches(own, [owner[place] if owner else None for place in partner]),
        tuple(
            _matches([f for f, k in zip(back, owner) if k == number], repeat(number))
            for number in range(len(numbers))
        ),
    )


class _Found(NamedTuple):
    concept: Concept
    weight: float
    partner: Concept | None
    similarity: float


def _found(
    own: Side, row: int, concepts: Sequence[Concept], other: Side
) -> list[_Found]:
    """What each concept of one side of an image found on the other."""
    size = int(own.present[row].sum())
    numbers, others = own.concept[row].tolist()[:size], other.concept[row].tolist()
    columns = zip(
        own.weight[row].tolist(), own.partner[row].tolist(), own.best[row].tolist()
    )
    return [
        _Found(concepts[n], weight, concepts[others[at]] if best else None, best)
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


def _plain(found: Match) -> dict[str, Any]:
    """A match as plain values."""
    return {
        "concept": str(found.concept),
        "kind": found.concept.kind.name.lower(),
        "weight": found.weight,
        "partner": None if found.partner is None else str(found.partner),
        "reference": found.reference,
        "similarity": found.similarity,
    }


def _table(title: str, matches: Sequence[Match], share: str) -> Table:
    """A row a concept; `share` is what the last column adds up to."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            *(str(m.concept), m.concept.kind.name.lower(), m.weight),
            None if m.partner is None else str(m.partner),
            *(m.similarity, m.weight * m.similarity),
        )
        for m in matches
    )
    columns = ("concept", "kind", "weight", "partner", "alike", share)
    whole = sum(m.weight * m.similarity for m in matches)
    return Table(title, columns, rows, (f"{share} of the graph: {whole:.3f}",))
