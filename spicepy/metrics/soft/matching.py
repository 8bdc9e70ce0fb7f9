"""Matching: each concept's best partner on the other side, and their similarity.

The similarity of two concepts is the cosine of their terms, 1 for the same term. For
labels (attributes, relations) it is multiplied by the similarity of the objects that
they belong to: brown in (shirt, brown) has no full partner in (hat, brown). Concepts of
different kinds may be partners, since a parser may take a word for a verb in one
caption and for a noun in another.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spicepy.metrics.base import Array
from spicepy.metrics.soft.bags import (
    Alike,
    Bags,
    Ints,
    alike_by_meaning,
    alike_word_for_word,
    fixed,
    look_up,
    word_bags,
)
from spicepy.metrics.soft.table import WordVectors
from spicepy.rules.tuples import SemanticTuple

# Concepts: the statements of a caption, each once, with their objects.
#
# Unlike the scene graph of SPICE, no words are merged: the word table says what is
# similar.
#
#     (dog) (dog, brown) (dog, chase, cat)
#       ─▶ object dog · object cat · attribute brown of dog · relation chase, dog → cat


class ConceptKind(IntEnum):
    """The kind of a concept; the value is the length of its tuple minus one."""

    OBJECT = 0
    ATTRIBUTE = 1
    RELATION = 2


class SoftConcept(NamedTuple):
    """One word, or phrase, of a scene graph."""

    # `source` and `target` are the objects that a relation holds between; both are the
    # object of an attribute, and an object itself.
    kind: ConceptKind
    term: str
    source: str
    target: str

    def __str__(self) -> str:
        if self.kind is ConceptKind.OBJECT:
            return self.term
        if self.kind is ConceptKind.ATTRIBUTE:
            return f"{self.term} ({self.source})"
        return f"{self.source} {self.term} {self.target}"


@dataclass(frozen=True, slots=True)
class CaptionConcepts:
    """A caption's lemmas in order, and its distinct concepts, objects first."""

    lemmas: tuple[str, ...]
    concepts: tuple[SoftConcept, ...]


def described(
    lemmas: Sequence[str], proposals: Iterable[SemanticTuple]
) -> CaptionConcepts:
    """Return a caption from its lemmas and proposed tuples."""
    objects: dict[str, None] = {}
    labels: dict[SoftConcept, None] = {}
    for tuple_ in proposals:
        members = tuple_.members
        source = members[0]
        objects[source] = None
        if len(members) == 2:
            labels[SoftConcept(ConceptKind.ATTRIBUTE, members[1], source, source)] = (
                None
            )
        elif len(members) == 3:
            target = members[2]
            objects[target] = None
            # As in SPICE's graph: "be on" and "on" are the same relation.
            relation = members[1].removeprefix("be ")
            labels[SoftConcept(ConceptKind.RELATION, relation, source, target)] = None
    things = (SoftConcept(ConceptKind.OBJECT, term, term, term) for term in objects)
    return CaptionConcepts(tuple(lemmas), (*things, *labels))


_TURNED = 0.5  # The weight of a relation whose partner has source and target exchanged


@dataclass(frozen=True, slots=True)
class Encoded:
    """Captions in numbers; caption i has the concepts `starts[i]:starts[i + 1]`."""

    words: Bags  # The lemmas of each caption
    order: Alike  # The similarity of their order, by meaning
    wording: Alike  # The same, word for word
    graphs: Bags  # The words of each caption's concepts
    terms: Bags  # The bag of each distinct term
    names: tuple[str, ...]  # The distinct terms
    starts: Ints  # (captions + 1,)
    term: Ints  # The term of each concept
    # source, target: Their places among the caption's concepts, for each concept.
    source: Ints
    target: Ints
    kind: Ints  # The kind of each concept


@dataclass(frozen=True, slots=True)
class Side:
    """The concepts of a batch of images, (images, concepts), padded with 0."""

    present: NDArray[np.bool_]  # Whether there is a concept
    concept: Ints  # Its place in `Encoded`
    weight: Array  # The length of its term's vector; 0 where there is none
    best: Array  # The similarity of its best partner, 0-1
    partner: Ints  # The column of that partner on the other side


@dataclass(frozen=True, slots=True)
class Matches:
    """Partners of the candidates' concepts and of all their references'."""

    # `owner` numbers the references of all images through; it has the shape of
    # `reference` and says whose concept it is.
    candidate: Side
    reference: Side
    owner: Ints


def encode(captions: Sequence[CaptionConcepts], table: WordVectors) -> Encoded:
    """Return captions, their concepts and terms in numbers."""
    numbers: dict[str, int] = {}
    number = numbers.setdefault
    rows: list[tuple[int, int, int, int]] = []
    starts = [0]
    for caption in captions:
        places: dict[str, int] = {}
        for kind, term, source, target in caption.concepts:  # objects come first
            if not kind:
                places[term] = len(places)
            row = number(term, len(numbers)), places[source], places[target], kind
            rows.append(row)
        starts.append(len(rows))
    columns = np.array(rows, np.int64).reshape(-1, 4).T
    lemmas = look_up([caption.lemmas for caption in captions], table)
    terms = word_bags(look_up([name.split(" ") for name in numbers], table))
    return Encoded(
        word_bags(lemmas),
        alike_by_meaning(lemmas),
        alike_word_for_word([caption.lemmas for caption in captions]),
        terms.together(columns[0], np.diff(starts)),
        terms,
        tuple(numbers),
        np.array(starts, np.int64),
        *columns,
    )


def match(
    encoded: Encoded, candidates: Sequence[int], references: Sequence[Sequence[int]]
) -> Matches:
    """Match each candidate's concepts with those of all its references."""
    own, _ = _lay_out(encoded, [[caption] for caption in candidates])
    other, owner = _lay_out(encoded, references)
    similarity = _cosines(encoded, own, other)
    similarity *= _gates(encoded, own, other, similarity)
    similarity *= own.present[:, :, None] & other.present[:, None, :]
    similarity = fixed(similarity)
    return Matches(
        _side(encoded, own, similarity),
        _side(encoded, other, similarity.swapaxes(1, 2)),
        owner,
    )


@dataclass(frozen=True, slots=True)
class _Grid:
    """Concepts of each image in a row; `start`: where their caption's begin."""

    present: NDArray[np.bool_]
    concept: Ints
    start: Ints


def _lay_out(encoded: Encoded, groups: Sequence[Sequence[int]]) -> tuple[_Grid, Ints]:
    """Return the concepts of each group of captions in a row, and their captions."""
    captions = np.array([caption for group in groups for caption in group], np.int64)
    sizes = np.array([len(group) for group in groups], np.int64)
    counts = encoded.starts[captions + 1] - encoded.starts[captions]
    begins = np.cumsum(counts) - counts
    first = begins[np.cumsum(sizes) - sizes]
    row = np.repeat(np.repeat(np.arange(len(groups)), sizes), counts)
    at = np.arange(len(row))
    column = at - first[row]
    shape = (len(groups), int(column.max(initial=-1)) + 1)
    grids = [np.zeros(shape, np.int64) for _ in range(3)]
    values = (
        np.repeat(encoded.starts[captions] - begins, counts) + at,
        np.repeat(begins, counts) - first[row],
        np.repeat(np.arange(len(captions)), counts),
    )
    for array, flat in zip(grids, values):
        array[row, column] = flat
    present = np.zeros(shape, np.bool_)
    present[row, column] = True
    concept, start, owner = grids
    return _Grid(present, concept, start), owner


def _cosines(encoded: Encoded, own: _Grid, other: _Grid) -> Array:
    """Return the cosines of terms, (images, own concepts, other concepts)."""
    terms = encoded.terms
    left, right = encoded.term[own.concept], encoded.term[other.concept]
    dots = terms.sums[left] @ terms.sums[right].swapaxes(1, 2)
    squares = terms.squares[left][:, :, None] * terms.squares[right][:, None, :]
    cosines = np.maximum(dots, 0) / np.sqrt(np.maximum(squares, 1))
    cosines[left[:, :, None] == right[:, None, :]] = 1
    return cosines


def _gates(encoded: Encoded, own: _Grid, other: _Grid, similarity: Array) -> Array:
    """Return the similarity of the objects that two labels belong to; 1 for objects."""
    # Source by source and target by target for two relations, or half of that with
    # source and target exchanged; the best pair if one is an attribute.
    by_source = _rows(similarity, encoded.source[own.concept] + own.start)
    by_target = _rows(similarity, encoded.target[own.concept] + own.start)
    source = encoded.source[other.concept] + other.start
    target = encoded.target[other.concept] + other.start
    straight = _columns(by_source, source), _columns(by_target, target)
    turned = _columns(by_source, target), _columns(by_target, source)
    relations = np.maximum(straight[0] * straight[1], _TURNED * (turned[0] * turned[1]))
    attributes = np.maximum(np.maximum(*straight), np.maximum(*turned))
    left = encoded.kind[own.concept][:, :, None]
    right = encoded.kind[other.concept][:, None, :]
    gates = np.where(
        (left == ConceptKind.RELATION) & (right == ConceptKind.RELATION),
        relations,
        attributes,
    )
    gates[(left == ConceptKind.OBJECT) | (right == ConceptKind.OBJECT)] = 1
    return gates


def _rows(values: Array, rows: Ints) -> Array:
    return np.take_along_axis(values, rows[:, :, None], 1)


def _columns(values: Array, columns: Ints) -> Array:
    return np.take_along_axis(values, columns[:, None, :], 2)


def _side(encoded: Encoded, own: _Grid, similarity: Array) -> Side:
    """Return best partners of one side's concepts: the second axis of `similarity`."""
    squares = encoded.terms.squares[encoded.term[own.concept]]
    weight = fixed(np.sqrt(squares)) * own.present
    if not similarity.shape[2]:
        nothing = np.zeros(similarity.shape[:2])
        return Side(own.present, own.concept, weight, nothing, nothing.astype(np.int64))
    partner = similarity.argmax(axis=2)
    best = np.take_along_axis(similarity, partner[:, :, None], 2)[:, :, 0]
    return Side(own.present, own.concept, weight, best, partner)
