"""Diagnosis: what a captioner gets wrong, image by image.

In: the scene graphs of candidate and references, as SPICE scored them. Out: a
`Diagnosis`: for every number, colour and size that the references give an
object, what the candidate said of it, and a list of errors (missed and invented
objects, wrong values, attributes on the wrong object, relations with swapped
arguments).

    Scene ─ similar objects ─▶ observations ─▶ findings

An object's numbers (colours, sizes) are compared only where the candidate has a
similar object; an object that is not mentioned is a missed object, not a wrong
number. Where references disagree ("two dogs", "three dogs"), either is right.
Objects are similar as in SPICE: they share a word or a WordNet synset.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from spicepy.common.errors import InputError
from spicepy.diagnosis import rows
from spicepy.diagnosis.findings import find, similar_objects
from spicepy.diagnosis.observations import observe
from spicepy.diagnosis.tables import (
    Row,
    categories,
    classes,
    confusions,
    most_frequent,
    summarise,
    tables,
)
from spicepy.diagnosis.values import (
    KINDS,
    Finding,
    ImageDiagnosis,
    Kind,
    Observation,
    Scene,
    Verdict,
)
from spicepy.diagnosis.words import ASPECTS, Aspect, Value, load_words
from spicepy.evaluation.evaluation import Evaluation
from spicepy.metrics.spice.image import SpiceScore
from spicepy.metrics.spice.metric import CategoryScore
from spicepy.results.plain import plain
from spicepy.results.tables import Table

__all__ = ["ASPECTS", "KINDS", "Aspect", "CategoryScore", "Diagnosis", "Finding"]
__all__ += ["ImageDiagnosis", "Kind", "Observation", "Scene", "Value", "Verdict"]
__all__ += ["diagnose", "scenes"]


@dataclass(frozen=True)
class Diagnosis:
    """What was found, by image, and what it adds up to."""

    by_image: tuple[ImageDiagnosis, ...]
    signature: str = ""

    @property
    def images(self) -> int:
        """The number of images."""
        return len(self.by_image)

    @cached_property
    def observations(self) -> tuple[Observation, ...]:
        """All images' observations."""
        return tuple(o for image in self.by_image for o in image.observations)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All images' errors."""
        return tuple(f for image in self.by_image for f in image.findings)

    def of(self, aspect: Aspect) -> list[Observation]:
        """The observations of counts, colours or sizes."""
        return [o for o in self.observations if o.aspect == aspect]

    def categories(self) -> dict[str, CategoryScore]:
        """Precision, recall, F (means over images, as SPICE) by category."""
        return categories([image.counts for image in self.by_image])

    def confusion(self, aspect: Aspect) -> dict[tuple[Value, Value], int]:
        """(references' value, candidate's value) -> how often, where both gave one."""
        return confusions(self.of(aspect))

    def summary(self, aspect: Aspect) -> Row:
        """Verdicts, accuracy where a value was given, mean absolute error (counts).

        "unsaid" and "absent" together are the objects whose value was not said.
        """
        return summarise(self.of(aspect))

    def by_object(self, aspect: Aspect) -> dict[str, Row]:
        """`summary` for each object class, the most frequent first."""
        return classes(self.of(aspect))

    def most_frequent(
        self, kind: Kind, limit: int | None = 20
    ) -> list[tuple[str, int]]:
        """The most frequent tuples of a kind of error, with their numbers."""
        return most_frequent(self.findings, kind)[:limit]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values: what it adds up to, then every image."""
        result: dict[str, Any] = {"signature": self.signature, "images": self.images}
        result["categories"] = plain(self.categories())
        for aspect in ASPECTS:
            result[aspect] = {
                **self.summary(aspect),
                "confusion": [
                    {"expected": e, "said": s, "number": n}
                    for (e, s), n in self.confusion(aspect).items()
                ],
                "by_object": self.by_object(aspect),
            }
        result["errors"] = {
            kind: [
                {"tuple": name, "number": n}
                for name, n in self.most_frequent(kind, None)
            ]
            for kind in KINDS
        }
        result["by_image"] = [_image(image) for image in self.by_image]
        return result

    def tables(self) -> tuple[Table, ...]:
        """Categories, verdicts, object classes, confusions, rankings."""
        return tables(self.categories(), self.observations, self.findings)

    def errors(self) -> Table:
        """A row an error: image, kind, tuple, expected and said value."""
        return rows.errors(self.findings)

    def rows(self) -> dict[str, Table]:
        """Everything as plain rows, by name.

        "errors" a row an error, "values" a number (colour, size) of an object,
        "images" an image, "categories" a category, "objects" an object class,
        "confusion" a pair of values, "ranking" an erroneous tuple.
        """
        return {
            "errors": self.errors(),
            "values": rows.values(self.observations),
            "images": rows.images(self.by_image),
            "categories": rows.categories(self.categories()),
            "objects": rows.objects(self.observations),
            "confusion": rows.confusion(self.observations),
            "ranking": rows.ranking(self.findings),
        }


def diagnose(
    scenes: Iterable[Scene], *, quantities: bool = False, signature: str = ""
) -> Diagnosis:
    """Find what the candidates got wrong.

    Args:
        scenes: The scored images.
        quantities: Read "a couple of", "a pair of" and "a dozen" as 2, 2 and 12.
        signature: Of the evaluation, kept with the result.

    Raises:
        ResourceError: The word lists (`grammars/diagnosis.toml`) are missing.
    """
    load_words()
    return Diagnosis(tuple(_diagnose(scene, quantities) for scene in scenes), signature)


def scenes(evaluation: Evaluation) -> Iterator[Scene]:
    """The scenes that SPICE scored in an evaluation.

    Raises:
        InputError: SPICE is not among its metrics.
    """
    measured = evaluation.with_details(SpiceScore)
    if measured is None:
        raise InputError("a diagnosis needs SPICE among the metrics")
    details = measured.statistics.details
    for sample, score in zip(evaluation.tokenised, details, strict=True):
        yield Scene(
            image_id=sample.image_id,
            candidate=score.candidate,
            reference=score.reference,
            candidate_caption=sample.candidate,
            references=sample.references,
            counts=score.counts,
        )


def _diagnose(scene: Scene, quantities: bool) -> ImageDiagnosis:
    partners = similar_objects(scene.reference, scene.candidate)
    observed = [
        observation
        for aspect in ASPECTS
        for observation in observe(scene, aspect, partners, quantities=quantities)
    ]
    found = find(scene, partners, observed)
    return ImageDiagnosis(scene.image_id, scene.counts, tuple(observed), tuple(found))


def _image(image: ImageDiagnosis) -> dict[str, Any]:
    """An image as plain values, without what is None."""

    def shown(found: Sequence[Observation | Finding]) -> list[dict[str, Any]]:
        hidden = ("image_id", "node")
        return [
            {k: v for k, v in plain(x).items() if v is not None and k not in hidden}
            for x in found
        ]

    return {
        "image_id": image.image_id,
        "categories": {name: c.to_dict() for name, c in image.counts.items()},
        "observations": shown(image.observations),
        "errors": shown(image.findings),
    }
