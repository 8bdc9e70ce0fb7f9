"""Concepts: the statements of a caption, each once, with their objects.

In: the proposed tuples and the lemmas of a caption. Out: `CaptionConcepts`. Unlike the
scene graph of SPICE, no words are merged: the word table says what is similar.

    (dog) (dog, brown) (dog, chase, cat)
      ─▶ object dog · object cat · attribute brown of dog · relation chase, dog → cat
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from spicepy.extraction.tuples import SemanticTuple


class ConceptKind(IntEnum):
    """The kind of a concept; the value is the length of its tuple minus one."""

    OBJECT = 0
    ATTRIBUTE = 1
    RELATION = 2


class SoftConcept(NamedTuple):
    """One word, or phrase, of a scene graph.

    `source` and `target` are the objects that a relation holds between; both
    are the object of an attribute, and an object itself.
    """

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
