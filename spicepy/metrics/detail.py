"""Long captions and objects by meaning: scores after CAPTURE and ALOHa.

Captions are read by the grammar spicepy-1; nouns that do not name a thing ("view",
"background") do not count. Both follow the papers' definitions with the parser, WordNet
and word vectors of spicepy in place of a trained parser, a language model and sentence
vectors, so that their numbers are not those of the papers.

    capture-like  what is equal, then what is synonymous, counts 1; of the rest, each
                  counts as much as the most similar of the other side's rest
    aloha-like    each object of the candidate gets a partner of its own among the
                  references' objects; the least similar pair is the score

Source: Dong et al. 2024, Benchmarking and Improving Detail Image Caption (CAPTURE);
Petryk et al. 2024, ALOHa: A New Measure for Hallucination in Captioning Models.
"""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np

from spicepy.common.threads import no_collector
from spicepy.graph.exchange import GraphSample
from spicepy.metrics.base import Array, Statistics, defined_row, number
from spicepy.metrics.content import ByMeaning, load_words
from spicepy.metrics.soft.bags import likeness
from spicepy.metrics.soft.matching import described
from spicepy.metrics.soft.metric import harmonic_mean
from spicepy.rules.tuples import SemanticTuple
from spicepy.tokenization.samples import TokenisedSample

KINDS: Final = ("objects", "attributes", "relations")
WEIGHTS: Final = (5, 5, 2)  # How much each kind weighs in capture-like, as published

Concepts = list[list[tuple[str, ...]]]
"""For each kind the distinct (object), (object, value), (subject, relation, object)."""


class _OfConcepts(ByMeaning):
    """The part that both metrics share: captions as concepts that count."""

    def count(self, samples: Sequence[TokenisedSample]) -> Statistics:
        """Parse and match: one row per image, with two columns for each key."""
        return self.count_graphs(self.pipeline.propose_samples(samples))

    def count_graphs(self, samples: Sequence[GraphSample]) -> Statistics:
        """Match given tuples, as `count` does with captions."""
        with no_collector():
            found = [
                self._measure(_concepts([s.candidate]), _concepts(s.references))
                for s in samples
            ]
        rows = np.array([defined_row(scores) for scores, _ in found])
        return Statistics(
            tuple(sample.image_id for sample in samples),
            rows.reshape(len(samples), 2 * len(self.keys)),
            tuple(detail for _, detail in found),
        )

    @abstractmethod
    def _measure(
        self, own: Concepts, others: Concepts
    ) -> tuple[Sequence[float | None], Any]:
        """Return the scores of an image, None for an undefined one, and its details."""

    def _synonymous(self, one: Sequence[str], other: Sequence[str]) -> bool:
        find = self.pipeline.lexicon
        return all(find[a].keys & find[b].keys for a, b in zip(one, other))


def _concepts(captions: Iterable[Iterable[SemanticTuple]]) -> Concepts:
    """Return the concepts of all captions that count, each once."""
    uncounted = load_words("uncounted")
    kinds: list[dict[tuple[str, ...], None]] = [{}, {}, {}]
    for caption in captions:
        for kind, term, source, target in described((), caption).concepts:
            if uncounted.isdisjoint((source, target)):
                members = [(source,), (source, term), (source, term, target)]
                kinds[kind][members[kind]] = None
    return [list(kind) for kind in kinds]


class CaptureLike(_OfConcepts):
    """F of objects, attributes and relations, weighted 5 : 5 : 2; after CAPTURE."""

    name = "capture-like"

    @property
    def keys(self) -> tuple[str, ...]:
        """The score and its parts, all 0-1, each with precision, recall and F."""
        # "-exact" is the score if only equal concepts match, "-synonyms" if synonyms
        # also do.
        whole = ("exact", "synonyms", "precision", "recall")
        parts = (f"{k}{part}" for k in KINDS for part in ("", "-precision", "-recall"))
        return (self.name, *(f"{self.name}-{part}" for part in (*whole, *parts)))

    def _measure(
        self, own: Concepts, others: Concepts
    ) -> tuple[Sequence[float | None], Any]:
        kinds = [self._kind(*sides) for sides in zip(own, others)]
        whole: list[float | None] = [None] * 5
        occurring = [kind for kind in kinds if kind is not None]
        if occurring:
            weights = [w for w, kind in zip(WEIGHTS, kinds) if kind is not None]
            precision, recall, f = np.average(occurring, axis=0, weights=weights)
            whole = [f[2], f[0], f[1], precision[2], recall[2]]
        none = [None] * 3
        parts = (none if k is None else [k[2, 2], k[0, 2], k[1, 2]] for k in kinds)
        return [*whole, *chain.from_iterable(parts)], None

    def _kind(
        self, own: Sequence[tuple[str, ...]], others: Sequence[tuple[str, ...]]
    ) -> Array | None:
        """Return precision, recall and F (rows) of the concepts of one kind."""
        # The columns are: equal concepts alone; also synonyms; also similar ones. None
        # if neither side has any.
        if not own and not others:
            return None
        equal = set(own) & set(others)
        left, right = ([c for c in side if c not in equal] for side in (own, others))
        pairs = [(a, b) for a in left for b in right if self._synonymous(a, b)]
        synonyms = [{a for a, _ in pairs}, {b for _, b in pairs}]
        rest = (
            [" ".join(concept) for concept in side if concept not in same]
            for side, same in zip((left, right), synonyms)
        )
        similar = likeness(next(rest), next(rest), self.table)
        shares = np.zeros((2, 3))
        for at, side in enumerate((own, others)):
            softly = similar.max(axis=1 - at, initial=0).sum()
            matched = np.cumsum([len(equal), len(synonyms[at]), softly])
            shares[at] = matched / max(len(side), 1)
        return np.vstack([shares, harmonic_mean(*shares)])


class AlohaLike(_OfConcepts):
    """The similarity of the least supported object of a caption; after ALOHa."""

    name = "aloha-like"

    @property
    def keys(self) -> tuple[str, ...]:
        """The least and the mean similarity of a candidate's objects, 0-1."""
        return (self.name, f"{self.name}-mean")

    def _measure(
        self, own: Concepts, others: Concepts
    ) -> tuple[Sequence[float | None], Any]:
        stated, named = ([term for (term,) in side[0]] for side in (own, others))
        if not stated:
            return (None, None), ()
        similar = likeness(stated, named, self.table)
        for row, one in zip(similar, stated):
            row[[self._synonymous([one], [other]) for other in named]] = 1
        found = tuple(
            (term, None, 0.0)
            if place is None
            else (term, named[place], float(similar[at, place]))
            for at, (term, place) in enumerate(zip(stated, assign(similar)))
        )
        values = [value for _, _, value in found]
        return (min(values), sum(values) / len(values)), found

    def image_entry(
        self, scores: Array, detail: Any, *, tuples: bool = False
    ) -> dict[str, Any]:
        """Return the scores, and each object with its partner and similarity."""
        entry: dict[str, Any] = dict(zip(self.keys, map(number, scores)))
        return entry | {"aloha-like-objects": [list(pair) for pair in detail or ()]}


def assign(similar: Array) -> list[int | None]:
    """Return a column for each row, each column once, so that the sum is largest."""
    # The Hungarian method; None for rows beyond the number of columns.
    rows, columns = similar.shape
    size = max(rows, columns)
    cost = np.zeros((rows, size))
    cost[:, :columns] = -similar
    owner = np.full(size, -1)
    of_rows, of_columns = np.zeros(rows), np.zeros(size)
    for row in range(rows):
        least, before = np.full(size, np.inf), np.full(size, -1)
        seen = np.zeros(size, np.bool_)
        column, at = -1, row
        while at >= 0:  # until a column is free
            reduced = cost[at] - of_rows[at] - of_columns
            better = ~seen & (reduced < least)
            least[better], before[better] = reduced[better], column
            column = int(np.where(seen, np.inf, least).argmin())
            step = least[column]
            of_rows[[row, *owner[seen]]] += step
            of_columns[seen] -= step
            least[~seen] -= step
            seen[column] = True
            at = int(owner[column])
        while column >= 0:  # each column of the path gets the row before it
            previous = int(before[column])
            owner[column] = owner[previous] if previous >= 0 else row
            column = previous
    place = {int(row): column for column, row in enumerate(owner[:columns])}
    return [place.get(row) for row in range(rows)]
