"""Matching: each concept's best partner on the other side, and their similarity.

The similarity of two concepts is the cosine of their terms, 1 for the same term. For
labels (attributes, relations) it is multiplied by the similarity of the objects that
they belong to: brown in (shirt, brown) has no full partner in (hat, brown). Concepts of
different kinds may be partners, since a parser may take a word for a verb in one
caption and for a noun in another.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spicepy.metrics.base import Array
from spicepy.metrics.soft.table import WordVectors
from spicepy.rules.tuples import SemanticTuple

# Bags of words: sums of the words' vectors, and the cosine of two sums.
#
# A word that is not in the table is orthogonal to all other words: it is similar to
# itself only. Of such words, only the number of occurrences is kept.
#
# Vectors are whole numbers and cosines are rounded (`fixed`), so that no sum depends on
# its order: a score is the same alone and in any batch, process and thread.

Ints = NDArray[np.int64]

_STEP = 2.0**-24


def fixed(values: Array) -> Array:
    """Round numbers to multiples of 2 ** -24, whose sums are exact."""
    rounded: Array = np.rint(values / _STEP) * _STEP
    return rounded


@dataclass(frozen=True, slots=True)
class Bags:
    """Sums of word vectors."""

    sums: Array  # (bags, dimensions)
    squares: Array  # Squared lengths, unknown words included, (bags,)
    # Bag -> how often each word occurs that the table does not have.
    unknown: Mapping[int, Counter[str]]
    unit: int  # Squared length of an unknown word, a whole number

    def together(self, members: Ints, sizes: Ints) -> "Bags":
        """Return a bag of each `sizes[i]` consecutive members, numbers of bags."""
        sums = _summed(self.sums[members], sizes)
        unknown: dict[int, Counter[str]] = {}
        if self.unknown:
            groups = np.repeat(np.arange(len(sizes)), sizes)
            for group, member in zip(groups.tolist(), members.tolist()):
                if member in self.unknown:
                    unknown.setdefault(group, Counter()).update(self.unknown[member])
        return Bags.of(sums, unknown, self.unit)

    @classmethod
    def of(cls, sums: Array, unknown: dict[int, Counter[str]], unit: int) -> "Bags":
        """Return bags from sums of known words and counts of unknown ones."""
        squares = np.einsum("ij,ij->i", sums, sums)
        for bag, counts in unknown.items():
            squares[bag] += unit * sum(count**2 for count in counts.values())
        return cls(sums, squares, unknown, unit)


def cosines(left: Bags, lefts: Ints, right: Bags, rights: Ints) -> Array:
    """Return cosines of pairs of bags, 0-1 (negative ones are 0); 0 for empty bags."""
    dots = np.einsum("ij,ij->i", left.sums[lefts], right.sums[rights])
    if left.unknown and right.unknown:
        for place, (one, other) in enumerate(zip(lefts.tolist(), rights.tolist())):
            common = _common(left.unknown.get(one), right.unknown.get(other))
            dots[place] += left.unit * common
    lengths = np.sqrt(left.squares[lefts] * right.squares[rights])
    return fixed(np.maximum(dots, 0) / np.maximum(lengths, 1))


def likeness(own: Sequence[str], other: Sequence[str], table: WordVectors) -> Array:
    """Return similarities of words or phrases, 0-1, 1 for equal ones: (own, other)."""
    phrases = [[phrase.split(" ") for phrase in side] for side in (own, other)]
    left, right = (word_bags(look_up(side, table)) for side in phrases)
    rows, columns = np.indices((len(own), len(other))).reshape(2, -1)
    similar = cosines(left, rows, right, columns).reshape(len(own), len(other))
    equal: Array = np.array([[one == two for two in other] for one in own], float)
    return np.maximum(similar, equal.reshape(similar.shape))


def _common(one: Counter[str] | None, other: Counter[str] | None) -> int:
    """Return the product of two bags of unknown words, in units of a word's square."""
    if one is None or other is None:
        return 0
    return sum(count * other[word] for word, count in one.items())


@dataclass(frozen=True, slots=True)
class Texts:
    """Words of texts as rows of a table."""

    rows: Ints  # Rows of all texts, one after the other
    sizes: Ints  # Words of each text
    unknown: Mapping[int, str]  # Place in `rows` -> a word that the table does not have
    table: WordVectors


def look_up(texts: Sequence[Sequence[str]], table: WordVectors) -> Texts:
    """Return texts with their words' rows."""
    words = [word for text in texts for word in text]
    find, last = table.rows.get, len(table.rows)
    rows = np.array([find(word, last) for word in words], np.int64)
    unknown = {place: words[place] for place in np.flatnonzero(rows == last).tolist()}
    sizes = np.array([len(text) for text in texts], np.int64)
    return Texts(rows, sizes, unknown, table)


def word_bags(texts: Texts) -> Bags:
    """Return one bag for each text."""
    table = texts.table
    unknown: dict[int, Counter[str]] = {}
    if texts.unknown:
        owner = np.repeat(np.arange(len(texts.sizes)), texts.sizes)
        for place, word in texts.unknown.items():
            unknown.setdefault(int(owner[place]), Counter())[word] += 1
    sums = _summed(table.vectors[texts.rows], texts.sizes)
    return Bags.of(sums, unknown, round(table.unknown**2))


def _summed(values: Array, sizes: Ints) -> Array:
    """Return sums of `sizes[i]` consecutive rows each; 0 where there are none."""
    sums = np.zeros((len(sizes), values.shape[1]))
    some = sizes > 0
    if some.any():
        sums[some] = np.add.reduceat(values, (np.cumsum(sizes) - sizes)[some])
    return sums


# The order of words: the similarity of two captions' pairs of neighbouring words.
#
# Both are the share of the longer caption's pairs that the other caption has as well,
# so that repeated and added words cost.
#
# By meaning, words of little weight (articles, prepositions) are left out: the
# neighbours in "a dog chases a cat" are dog chase, chase cat. With S the products of
# word vectors, the product of two captions is the sum of S[i, j] S[i + 1, j + 1] over
# all places i, j: that of their bags of pairs, if a pair is the tensor product of its
# two words. Captions with exchanged roles or repeated words have the right words but
# other neighbours. Word for word, all lemmas count: a list of keywords lacks the words
# between them.


Alike = Callable[[Ints, Ints, Array], Array]
"""From the numbers of captions, two by two, to their similarity, 0-1; the third array
is the similarity of two captions neither of which has a pair of words."""


def alike_by_meaning(texts: Texts) -> Alike:
    """Return the similarity of texts by the pairs of their words that have weight."""
    table, last = texts.table, len(texts.table.rows)
    matters = ~table.minor[texts.rows]
    owner = np.repeat(np.arange(len(texts.sizes)), texts.sizes)
    sizes = np.bincount(owner[matters], minlength=len(texts.sizes))
    filled = np.arange(sizes.max(initial=0)) < sizes[:, None]
    rows = np.full(filled.shape, last)
    rows[filled] = texts.rows[matters]
    # Numbers from 1 for words that the table does not have, 0 for all others.
    unknown = np.zeros(filled.shape, np.int64)
    if texts.unknown:
        numbers: dict[str, int] = {}
        flat = np.zeros(len(texts.rows), np.int64)
        for place, word in texts.unknown.items():
            flat[place] = numbers.setdefault(word, len(numbers) + 1)
        unknown[filled] = flat[matters]
    vectors, unit = table.vectors[rows], round(table.unknown**2)

    def products(left: Ints, right: Ints) -> Array:
        words = vectors[left] @ vectors[right].swapaxes(1, 2)
        if unknown.any():
            one, other = unknown[left][:, :, None], unknown[right][:, None]
            words += unit * ((one == other) & (one > 0))
        shared: Array = (words[:, :-1, :-1] * words[:, 1:, 1:]).sum(axis=(1, 2))
        return shared

    def alike(left: Ints, right: Ints, otherwise: Array) -> Array:
        places = np.arange(len(vectors))
        squares = products(places, places)
        longer = np.maximum(squares[left], squares[right])
        shares = fixed(np.maximum(products(left, right), 0) / np.maximum(longer, 1))
        return np.where(longer > 0, shares, otherwise)

    return alike


def alike_word_for_word(texts: Sequence[Sequence[str]]) -> Alike:
    """Return the similarity of texts by their pairs of neighbouring words."""
    # A pair that a text has twice has two numbers, so that none has a number twice.
    numbers: dict[tuple[tuple[str, str], int], int] = {}
    rows = []
    for words in texts:
        seen: Counter[tuple[str, str]] = Counter()
        row = []
        for pair in pairwise(words):
            seen[pair] += 1
            row.append(numbers.setdefault((pair, seen[pair]), len(numbers) + 1))
        rows.append(row)
    sizes = np.array(list(map(len, rows)), np.int64)
    pairs = np.zeros((len(rows), sizes.max(initial=0)), np.int64)
    pairs[np.arange(pairs.shape[1]) < sizes[:, None]] = [n for row in rows for n in row]

    def alike(left: Ints, right: Ints, otherwise: Array) -> Array:
        longer = np.maximum(sizes[left], sizes[right])
        own, other = pairs[left][:, :, None], pairs[right][:, None]
        common = ((own == other) & (own > 0)).sum(axis=(1, 2))
        return np.where(longer > 0, fixed(common / np.maximum(longer, 1)), otherwise)

    return alike


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
