"""A score of spice-soft, explained by its concepts and their partners.

The contributions of the concepts add up to the metric's precision and recall.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from spicepy.common.json_values import plain
from spicepy.common.tables import Cell, Table
from spicepy.common.writing import Displayed
from spicepy.metrics.soft.matching import Matches, Side, SoftConcept
from spicepy.metrics.soft.metric import SHARES, SpiceSoft, batches, distinct
from spicepy.tokenization.samples import TokenisedSample


@dataclass(frozen=True, slots=True)
class Match:
    """A concept and its partner on the other side."""

    concept: SoftConcept
    # The reference (from 0) that the partner, or the concept, is in; None without a
    # partner.
    reference: int | None
    # Its share of the weight of its side (the candidate, or all references together),
    # 0-1.
    weight: float
    # The most similar concept of the other side; None if nothing is.
    partner: SoftConcept | None
    # Their similarity, 0-1, which includes the objects they belong to.
    similarity: float


class Partners(NamedTuple):
    """The matches of the concepts of a candidate, and of those of each reference."""

    candidate: tuple[Match, ...]
    references: tuple[tuple[Match, ...], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Displayed):
    """A score and the matches it is made of."""

    scores: Mapping[str, float]  # The metric's keys and their values for this candidate
    # The parts of the score and their values; `scores.SHARES` says how much of it
    # each is.
    parts: Mapping[str, float]
    # The candidate's concepts. Their similarities, weighted, add up to the precision.
    candidate: tuple[Match, ...]
    # The concepts of each reference. Their similarities, weighted, add up to the
    # recall.
    references: tuple[tuple[Match, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; concepts in words, references numbered from 0."""
        return {
            "scores": plain(self.scores),
            "parts": plain(self.parts),
            "candidate": list(map(_plain, self.candidate)),
            "references": [list(map(_plain, terms)) for terms in self.references],
        }

    def tables(self) -> tuple[Table, ...]:
        """Return the scores, their parts, and the partners of each concept, as text."""
        scores: list[tuple[Cell, ...]] = list(self.scores.items())
        tables = [Table("spice-soft", ("score", "value"), scores)]
        parts = tuple(
            (name, SHARES[name], value, SHARES[name] * value)
            for name, value in self.parts.items()
        )
        columns = ("part", "share", "value", "adds")
        tables.append(Table("What the score is made of", columns, parts))
        whole = _share(self.candidate)
        note = f"precision of the graph: {whole:.3f}"
        title = "Concepts of the candidate"
        tables.append(_table(title, self.candidate, "precision", note))
        whole = sum(map(_share, self.references))
        for number, matches in enumerate(self.references, 1):
            note = f"{_share(matches):.3f} of {whole:.3f}, the recall of the graph"
            title = f"Concepts of reference {number}"
            tables.append(_table(title, matches, "recall", note))
        return tuple(tables)


def explain(
    metric: SpiceSoft, candidate: str, references: Sequence[str]
) -> Explanation:
    """Explain the score of a tokenised candidate by its concepts."""
    return explain_sample(metric, TokenisedSample(0, candidate, tuple(references)))


def explain_sample(metric: SpiceSoft, sample: TokenisedSample) -> Explanation:
    """Explain the score of a tokenised candidate by its concepts."""
    [scores] = metric.image_scores(metric.count([sample]).rows).tolist()
    parts = {name: float(values[0]) for name, values in metric.parts([sample]).items()}
    [partners_of] = partners(metric, [sample])
    return Explanation(dict(zip(metric.keys, scores)), parts, *partners_of)


def partners(
    metric: SpiceSoft, samples: Sequence[TokenisedSample]
) -> Iterator[Partners]:
    """Yield the partners of the concepts of each sample."""
    texts = list(map(metric.pipeline.texts, samples))
    known = metric.describe(t for text, others in texts for t in (text, *others))
    for batch in batches(texts):
        chosen = texts[batch]
        _, layout, matches = metric.matched(chosen, known)
        concepts = [c for text in distinct(chosen) for c in known[text].concepts]
        for row, first in enumerate(layout.starts.tolist()):
            numbers = range(first, first + int(layout.sizes[row]))
            yield _partners(matches, row, concepts, numbers)


def _partners(
    matches: Matches, row: int, concepts: Sequence[SoftConcept], numbers: range
) -> Partners:
    """Return one image's partners; `numbers` are its references in the batch."""
    own, other = matches.candidate, matches.reference
    owner = [number - numbers.start for number in matches.owner[row].tolist()]
    partner = own.partner[row].tolist()
    candidate_of = [owner[place] if owner else None for place in partner]
    others = list(zip(_matches(other, own, row, concepts, owner), owner))
    return Partners(
        _matches(own, other, row, concepts, candidate_of),
        tuple(
            tuple(match for match, k in others if k == number)
            for number in range(len(numbers))
        ),
    )


def _matches(
    own: Side,
    other: Side,
    row: int,
    concepts: Sequence[SoftConcept],
    references: Iterable[int | None],
) -> tuple[Match, ...]:
    """Return the match of each concept that one side of an image has on the other."""
    size = int(own.present[row].sum())
    numbers, others = own.concept[row].tolist()[:size], other.concept[row].tolist()
    weights = own.weight[row].tolist()[:size]
    whole = sum(weights) or 1
    partners_of = zip(own.partner[row].tolist(), own.best[row].tolist())
    return tuple(
        Match(
            concepts[number],
            reference if best else None,
            weight / whole,
            concepts[others[at]] if best else None,
            best,
        )
        for number, weight, (at, best), reference in zip(
            numbers, weights, partners_of, references
        )
    )


def _plain(match: Match) -> dict[str, Any]:
    """Return a match as plain values."""
    return {
        "concept": str(match.concept),
        "kind": match.concept.kind.name.lower(),
        "weight": match.weight,
        "partner": None if match.partner is None else str(match.partner),
        "reference": match.reference,
        "similarity": match.similarity,
    }


def _share(matches: Sequence[Match]) -> float:
    """Return the part of these concepts in the precision or the recall."""
    return sum(match.weight * match.similarity for match in matches)


def _table(title: str, matches: Sequence[Match], share: str, note: str) -> Table:
    """Return a row for each concept; its last column contributes to the `share`."""
    rows = [
        (
            *(str(m.concept), m.concept.kind.name.lower(), m.weight),
            None if m.partner is None else str(m.partner),
            *(m.similarity, m.weight * m.similarity),
        )
        for m in matches
    ]
    columns = ("concept", "kind", "weight", "partner", "alike", share)
    return Table(title, columns, rows, (note,))
