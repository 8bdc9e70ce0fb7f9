"""Findings of the error analysis beside annotations: confirmed, refuted or open.

In: a `Diagnosis` and annotated objects. Out: an `AnnotatedDiagnosis`, without the
findings that annotations refute, and with a list of what they say of each.

    invented: dog; annotated: no dog  →  confirmed
    invented: car; annotated: car (2) →  refuted, and struck out

* An invented or confused object is refuted if its class is annotated, and confirmed if
  it is not. A missed object is confirmed if its class is annotated; that it is not says
  little, since not everything is outlined.
* A wrong number is refuted if as many are annotated as the caption says, and confirmed
  if not; of classes of tier A without a crowd (`annotations.counting`).
"""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from spicepy.annotations.claims import load_count_words
from spicepy.annotations.instances import ImageObjects, Instances, check_classes
from spicepy.common.errors import shown
from spicepy.common.tables import Cell, Table
from spicepy.diagnosis.findings import Finding, Kind
from spicepy.diagnosis.lexicon.nouns import Nouns
from spicepy.diagnosis.lexicon.vocabulary import Vocabulary
from spicepy.diagnosis.results.diagnosis import Diagnosis

Opinion = Literal["confirmed", "refuted", "open"]
_SAID: Final[tuple[Kind, ...]] = ("invented object", "confused object")
_MISSED: Final[Kind] = "missed object"
_COUNT: Final[Kind] = "wrong count"
_JUDGED: Final = (*_SAID, _MISSED, _COUNT)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the annotations say of a finding.

    Attributes:
        finding: The finding.
        name: The object class that it is about.
        annotated: How many of the class are annotated; a lower bound with a crowd.
        opinion: "confirmed", "refuted" or "open".
    """

    finding: Finding
    name: str
    annotated: int
    opinion: Opinion

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready values."""
        return {
            "image_id": self.finding.image_id,
            "error": self.finding.kind,
            "tuple": ", ".join(self.finding.members),
            "class": self.name,
            "annotated": self.annotated,
            "opinion": self.opinion,
        }


@dataclass(frozen=True)
class AnnotatedDiagnosis:
    """A diagnosis without the findings that annotations refute.

    Attributes:
        diagnosis: The diagnosis that is left.
        evidence: What the annotations say of the findings that they bear on.
    """

    diagnosis: Diagnosis
    evidence: tuple[Evidence, ...]

    def tables(self) -> tuple[Table, ...]:
        """Return the tables of the diagnosis, and one of the evidence."""
        numbers = Counter((e.finding.kind, e.opinion) for e in self.evidence)
        opinions: tuple[Opinion, ...] = ("confirmed", "refuted", "open")
        rows: list[tuple[Cell, ...]] = [
            (kind, *(numbers[kind, opinion] for opinion in opinions))
            for kind in _JUDGED
        ]
        note = "refuted ones are struck out of the tables above"
        columns = ("Error", *opinions)
        found = Table("Findings beside annotations", columns, tuple(rows), (note,))
        return (*self.diagnosis.tables(), found)

    def rows(self) -> dict[str, Table]:
        """Return the rows of the diagnosis."""
        return self.diagnosis.rows()

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready values: the diagnosis, and the evidence."""
        evidence = [own.to_dict() for own in self.evidence]
        return {**self.diagnosis.to_dict(), "annotations": evidence}


def beside_annotations(
    diagnosis: Diagnosis, instances: Instances, vocabulary: Vocabulary, nouns: Nouns
) -> AnnotatedDiagnosis:
    """Strike out the findings of a diagnosis that annotations refute.

    Args:
        diagnosis: The diagnosis.
        instances: The annotations of all its images.
        vocabulary: The classes of the annotations and their nouns.
        nouns: What the analysis knows of nouns.

    Raises:
        InputError: An image is not annotated, or a category is not in the vocabulary.
    """
    known = set(vocabulary.classes.values())
    own = {c: c if c in known else None for c in instances.categories}
    check_classes(instances, own, vocabulary.name)
    evidence: list[Evidence] = []
    images = []
    for image in diagnosis.by_image:
        where = f"image {shown(image.image_id)}"
        objects = instances.images[instances.image(image.image_id, where)]
        kept = []
        for finding in image.findings:
            found = _evidence(finding, objects, vocabulary, nouns)
            if found is not None:
                evidence.append(found)
            if found is None or found.opinion != "refuted":
                kept.append(finding)
        images.append(replace(image, findings=tuple(kept)))
    left = replace(diagnosis, by_image=tuple(images))
    return AnnotatedDiagnosis(left, tuple(evidence))


def _evidence(
    finding: Finding, objects: ImageObjects, vocabulary: Vocabulary, nouns: Nouns
) -> Evidence | None:
    """Return what annotations say of a finding, None if it is of no such kind."""
    if finding.kind not in _JUDGED:
        return None
    name = vocabulary.class_of(finding.members[0], nouns)
    if name is None:
        return None
    number, crowd = objects.counts.get(name, 0), name in objects.crowd
    return Evidence(finding, name, number, _opinion(finding, name, number, crowd))


def _opinion(finding: Finding, name: str, number: int, crowd: bool) -> Opinion:
    there = number > 0 or crowd
    if finding.kind in _SAID:
        return "refuted" if there else "confirmed"
    if finding.kind == _MISSED:
        return "confirmed" if there else "open"
    countable = there and not crowd and name in load_count_words().tiers["A"]
    if not countable or not isinstance(finding.said, int):
        return "open"
    return "refuted" if finding.said == number else "confirmed"
