"""Matching: pair candidate tuples with similar reference tuples.

Two tuples match if they have the same length and their members are similar one by one.
A reference tuple may match several candidate tuples: recall can exceed 1 and fn can be
negative, as in the original.

Source: Anderson et al. 2016, SPICE, section 3.3; equations 3-5.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from spicepy.graph.concepts import Concept
from spicepy.graph.scene import ConceptTuple, SceneGraph
from spicepy.rules.tuples import MEMBER, Category


@dataclass(frozen=True, slots=True)
class Counts:
    """tp, fp, fn of one category; `fn`, reference tuples less tp, may be negative.

    Precision, recall and F are NaN where undefined: in a category without
    reference tuples.
    """

    tp: int
    fp: int
    fn: int
    defined: bool = True

    @property
    def precision(self) -> float:
        """tp by candidate tuples; 0 if there are none (or no reference tuples)."""
        if not self.defined:
            return math.nan
        candidates, references = self.tp + self.fp, self.tp + self.fn
        return self.tp / candidates if candidates and references else 0.0

    @property
    def recall(self) -> float:
        """tp by reference tuples, may exceed 1; 0 if there are none."""
        if not self.defined:
            return math.nan
        references = self.tp + self.fn
        return self.tp / references if references else 0.0

    @property
    def f(self) -> float:
        """The harmonic mean of precision and recall; may exceed 1."""
        if not self.defined:
            return math.nan
        precision, recall = self.precision, self.recall
        if not precision or not recall:
            return 0.0
        return 2 * precision * recall / (precision + recall)

    def to_dict(self) -> dict[str, float | int | None]:
        """Return f, precision, recall, tp, fp, fn; None where undefined."""
        scores = (self.f, self.precision, self.recall) if self.defined else (None,) * 3
        return {
            **dict(zip(("f", "precision", "recall"), scores)),
            "tp": self.tp,
            "fp": self.fp,
            "fn": self.fn,
        }


@dataclass(frozen=True, slots=True)
class Matching:
    """Tuples of both sides and, for each candidate tuple, all its partners.

    Attributes:
        candidate: The candidate's tuples (`SceneGraph.members`), the shortest first.
        reference: The references' tuples, likewise.
        partners: For each candidate tuple the similar tuples' places in
            `reference`.
    """

    candidate: tuple[ConceptTuple, ...]
    reference: tuple[ConceptTuple, ...]
    partners: tuple[Sequence[int], ...]

    def counts(self, category: Category | None = None) -> Counts:
        """Return counts over all tuples, or within a category.

        In a category both sides are filtered first: a partner outside the
        category does not count.
        """
        if category is None:
            tp = sum(map(bool, self.partners))
            return Counts(tp, len(self.candidate) - tp, len(self.reference) - tp)
        [counts] = self.counts_of([category])
        return counts

    def counts_of(self, categories: Iterable[Category]) -> list[Counts]:
        """Return counts within each of these categories."""
        candidate, reference = _ranges(self.candidate), _ranges(self.reference)
        return [
            self._within(one, candidate[one.length], reference[one.length])
            for one in categories
        ]

    def _within(self, category: Category, own: range, places: range) -> Counts:
        """Count the tuples of a category, which are of one length, at their places."""
        if category.words is None:  # partners have the same length
            tp = sum(map(bool, self.partners[own.start : own.stop]))
            return Counts(tp, len(own) - tp, len(places) - tp, defined=bool(places))
        member = MEMBER[category.length]
        reference, candidate, has = self.reference, self.candidate, category.has
        chosen = {index for index in places if has(reference[index][member].words)}
        inside = [index for index in own if has(candidate[index][member].words)]
        tp = sum(not chosen.isdisjoint(self.partners[index]) for index in inside)
        fn = len(chosen) - tp
        return Counts(tp, len(inside) - tp, fn, defined=bool(chosen))

    def flags(self) -> tuple[list[bool], list[bool]]:
        """Return whether each candidate and each reference tuple is matched.

        Of several partners, the first in printed order is the one marked.
        """
        printed = [tuple(map(str, tuple_)) for tuple_ in self.reference]
        marked = [False] * len(self.reference)
        for partners in self.partners:
            if partners:
                marked[min(partners, key=printed.__getitem__)] = True
        return [bool(partners) for partners in self.partners], marked


def match(candidate: SceneGraph, reference: SceneGraph) -> Matching:
    """Find every candidate tuple's partners among the reference tuples."""
    partners = tuple(_partners(candidate, reference))
    return Matching(candidate.members(), reference.members(), partners)


def counts(candidate: SceneGraph, reference: SceneGraph) -> Counts:
    """Return the counts over all tuples of `match`, without its lists of tuples."""
    tp = sum(map(bool, _partners(candidate, reference)))
    return Counts(tp, len(candidate) - tp, len(reference) - tp)


def _partners(candidate: SceneGraph, reference: SceneGraph) -> list[Sequence[int]]:
    """Return for each candidate tuple its partners' places in `reference.members()`."""
    objects = reference.objects
    attributes, relations = _starts(reference)
    similar = [_similar(concept, objects) for concept in candidate.objects]
    if candidate.heads or reference.heads:
        similar = _by_heads(similar, candidate, reference)
    partners: list[Sequence[int]] = [*similar]
    for node, own in enumerate(candidate.attributes):
        for attribute in own:
            partners_of_one: list[int] = []
            for other in similar[node]:
                start = attributes[other]
                places = _similar(attribute, reference.attributes[other])
                partners_of_one += [start + index for index in places]
            partners.append(partners_of_one)
    for (source, target), own in candidate.relations.items():
        pairs = [
            (relations[s, t], reference.relations[s, t])
            for s in similar[source]
            for t in similar[target]
            if (s, t) in relations
        ]
        for relation in own:
            partners_of_one = []
            for start, others in pairs:
                partners_of_one += [
                    start + index for index in _similar(relation, others)
                ]
            partners.append(partners_of_one)
    return partners


def _ranges(tuples: Sequence[ConceptTuple]) -> dict[int, range]:
    """Return where the tuples of each length begin and end in `members`."""
    second = bisect_left(tuples, 2, key=len)
    third = bisect_left(tuples, 3, second, key=len)
    return {1: range(second), 2: range(second, third), 3: range(third, len(tuples))}


def _similar(concept: Concept, others: Sequence[Concept]) -> list[int]:
    keys = concept.keys
    return [at for at, other in enumerate(others) if not keys.isdisjoint(other.keys)]


def _by_heads(
    similar: list[list[int]], candidate: SceneGraph, reference: SceneGraph
) -> list[list[int]]:
    """Add nodes whose names are kinds of the other name: "stop sign" and "sign"."""
    rows = []
    for node, (concept, places) in enumerate(zip(candidate.objects, similar)):
        heads = candidate.heads.get(node, frozenset())
        more = [
            other
            for other, thing in enumerate(reference.objects)
            if not heads.isdisjoint(thing.keys)
            or not concept.keys.isdisjoint(reference.heads.get(other, ()))
        ]
        rows.append(sorted({*places, *more}))
    return rows


def _starts(graph: SceneGraph) -> tuple[list[int], dict[tuple[int, int], int]]:
    """Return where a node's attributes and a pair's relations begin in `members`."""
    attributes, relations = [], {}
    index = len(graph.objects)
    for concepts in graph.attributes:
        attributes.append(index)
        index += len(concepts)
    for pair, edges in graph.relations.items():
        relations[pair] = index
        index += len(edges)
    return attributes, relations
