"""Findings of the error analysis compared with annotations: confirmed, refuted or open.

In: a `Diagnosis` with all its findings, and annotated objects. Out: an
`AnnotatedDiagnosis`: the evidence of the annotations for each finding, and the
diagnosis without the findings that they refute.

    invented: dog; annotated: no dog  →  confirmed, and listed
    invented: car; annotated: car (2) →  refuted, and struck out

* An invented or confused object is refuted if its class is annotated, and confirmed if
  it is not, unless the class is seldom outlined (`grammars/counting.toml`). A missed
  object is confirmed if its class is annotated; otherwise it stays open.
* A wrong number is refuted if as many objects are annotated as the caption says.
  Otherwise it is confirmed if the noun means a whole class of tier A without a crowd
  (`objects.counting`). The article in "a dog" is not a number, and too few people are
  not an error, since captions leave out people who do not matter.

A confirmed error is at least as probable as `CONFIRMED`: of 54 statements of large
models on objects that are not annotated, people found 45 wrong (FaithScore, 18 images
of COCO, classes that are seldom outlined left out).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from spicepy.common.errors import brief
from spicepy.common.settings import RELIABLE
from spicepy.common.tables import Cells, Table
from spicepy.common.writing import Displayed
from spicepy.diagnosis.findings import Agreement, Finding, ImageDiagnosis, Pattern
from spicepy.diagnosis.kinds import KINDS, MISSING
from spicepy.diagnosis.lexicon.nouns import Nouns
from spicepy.diagnosis.results.diagnosing import ranked, revised
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.diagnosis.results.listing import Listing
from spicepy.evaluation.evaluation import Evaluation
from spicepy.metrics.base import Metric
from spicepy.metrics.significance import expectation
from spicepy.objects.chair import CaptionObjects, Chair
from spicepy.objects.chair_results import ChairResult
from spicepy.objects.counting import PERSON, CaptionCounts, Counting
from spicepy.objects.counting_results import CountingResult
from spicepy.objects.instances import ImageObjects, Instances, check_classes
from spicepy.objects.mentions import load_parsed_reader
from spicepy.objects.vocabulary import Vocabulary, load_count_words

if TYPE_CHECKING:
    import pandas as pd

Opinion = Literal["confirmed", "refuted", "open"]
CONFIRMED: Final = 0.83  # The minimum probability of an error that annotations confirm
DECIDED: Final = {kind.name: kind.annotations for kind in KINDS if kind.annotations}
"""Kind of finding that annotations can decide -> the claim that they decide."""
OPINIONS: Final[tuple[Opinion, ...]] = ("confirmed", "refuted", "open")


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of the annotations for or against a finding."""

    finding: Finding  # The finding
    name: str  # The object class that it is about
    annotated: int  # The number of annotated objects of the class
    crowd: bool  # Whether a crowd of the class is annotated, so that there are more
    opinion: Opinion  # "confirmed", "refuted" or "open"
    before: float  # The finding's probability without the annotations, 0-1

    @property
    def note(self) -> str:
        """The annotation in words: "annotated: no dog"."""
        number = str(self.annotated or "no")
        if self.crowd:
            number = f"{self.annotated} and a crowd" if self.annotated else "a crowd"
        return f"annotated: {number} {self.name}"

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready values."""
        return {
            "image_id": self.finding.image_id,
            "error": self.finding.kind,
            "tuple": self.finding.text,
            "class": self.name,
            "annotated": self.annotated,
            "crowd": self.crowd,
            "opinion": self.opinion,
        }


@dataclass(frozen=True, repr=False)
class AnnotatedDiagnosis(Displayed):
    """A diagnosis beside annotations."""

    # The diagnosis with all findings, those that are confirmed with a higher
    # probability; the references' findings are judged alike.
    everything: Diagnosis
    # The evidence of the annotations for the findings that they can decide.
    evidence: tuple[Evidence, ...]
    # The probabilities below which findings are not listed, unless the annotations
    # confirm them.
    listing: Listing
    # CHAIR and counting of the same captions, by name, if measured.
    grounded: Mapping[str, ChairResult | CountingResult] = field(default_factory=dict)

    @cached_property
    def diagnosis(self) -> Diagnosis:
        """The findings that are listed: not refuted, and of sufficient probability."""
        refuted = {e.finding for e in self.evidence if e.opinion == "refuted"}
        images = tuple(
            replace(
                image, findings=tuple(f for f in image.findings if f not in refuted)
            )
            for image in self.everything.by_image
        )
        confirmed = {e.finding for e in self.evidence if e.opinion == "confirmed"}
        certain = {
            f for f in confirmed if (f.probability or 0) >= self.listing.precision
        }
        unrefuted = replace(self.everything, by_image=images, ranked=ranked(images))
        return unrefuted.listed_by(self.listing, certain)

    @property
    def signature(self) -> str:
        """The signature of the diagnosis."""
        return self.diagnosis.signature

    @property
    def verdict(self) -> tuple[str, ...]:
        """The verdict of the diagnosis, and that of the boxes on numbers."""
        boxes = (
            result.sentence
            for result in self.grounded.values()
            if isinstance(result, CountingResult)
        )
        return (*self.diagnosis.verdict, *boxes)

    def first_screen(self) -> tuple[Table, ...]:
        """Return the first screen of the diagnosis, and CHAIR and counting."""
        measured = (t for result in self.grounded.values() for t in result.tables()[:1])
        return (*self.diagnosis.first_screen(), *measured)

    def tables(self) -> tuple[Table, ...]:
        """Return the tables of the diagnosis, of the evidence, CHAIR and counting."""
        note = (
            "all findings, improbable ones among them; refuted ones are struck out of "
            "the tables above, and confirmed ones listed"
        )
        table = replace(finding_table({"": self}), notes=(note,))
        measured = (t for result in self.grounded.values() for t in result.tables()[:2])
        return (*self.diagnosis.tables(), table, *measured)

    def rows(self) -> dict[str, Table]:
        """Return the rows of the diagnosis."""
        return self.diagnosis.rows()

    def to_frame(self) -> "pd.DataFrame":
        """Return the findings that are not refuted; see `Diagnosis.to_frame`."""
        return self.diagnosis.to_frame()

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready values: diagnosis, evidence, sums of CHAIR and counting."""
        evidence = [e.to_dict() for e in self.evidence]
        measured = {name: result.to_dict() for name, result in self.grounded.items()}
        for sums in measured.values():
            del sums["captions"]
        annotations = {"annotations": evidence, "against_annotations": measured}
        return {**self.diagnosis.to_dict(), **annotations}


def finding_table(beside: Mapping[str, AnnotatedDiagnosis]) -> Table:
    """Return a table of how many findings annotations confirm and refute, by system."""
    numbers = {
        name: Counter((e.finding.kind, e.opinion) for e in annotated.evidence)
        for name, annotated in beside.items()
    }
    rows: list[Cells] = [
        (kind, *(row[kind, said] for row in numbers.values() for said in OPINIONS))
        for kind in DECIDED
    ]
    heads = (
        f"{name}: {opinion}" if len(beside) > 1 else opinion
        for name in beside
        for opinion in OPINIONS
    )
    return Table("Findings and annotations", ("Error", *heads), rows)


def beside_annotations(
    diagnosis: Diagnosis,
    instances: Instances,
    vocabulary: Vocabulary,
    nouns: Nouns,
    *,
    precision: float = RELIABLE,
) -> AnnotatedDiagnosis:
    """Compare the findings of a diagnosis, improbable ones included, with annotations.

    Raises:
        InputError: An image is not annotated, or a category is not in the vocabulary.
    """
    # Findings below `precision` are not listed in the end.
    known = set(vocabulary.classes.values())
    classes = {c: c if c in known else None for c in instances.categories}
    check_classes(instances, classes, vocabulary.name)

    def judged(image: ImageDiagnosis) -> tuple[ImageDiagnosis, list[Evidence]]:
        where = f"image {brief(image.image_id)}"
        objects = instances.images[instances.image(image.image_id, where)]
        findings = [_evidence(f, objects, vocabulary, nouns) for f in image.findings]
        kept = [e.finding if e else f for e, f in zip(findings, image.findings)]
        said = [e for e in findings if e is not None]
        risk = max(0.0, image.risk + sum(map(_further_risk, said)))
        return replace(image, findings=tuple(kept), risk=risk), said

    evidence: list[Evidence] = []
    images, standing = [], []
    for image, said in map(judged, diagnosis.by_image):
        images.append(image)
        evidence += said
        refuted = {e.finding for e in said if e.opinion == "refuted"}
        standing.append([f for f in image.findings if f not in refuted])
    facts = (tuple(revised(*pair)) for pair in zip(diagnosis.facts, standing))
    people = diagnosis.people
    if people.images:  # The references' figure stands beside the captioner's.
        risks = [judged(image)[0].risk for image in people.images]
        people = replace(people, risk=expectation(risks))
    everything = replace(
        diagnosis,
        by_image=tuple(images),
        facts=tuple(facts),
        people=people,
        ranked=ranked(images),
        patterns=tuple(
            replace(p, agreement=_agreement(p, instances, vocabulary, nouns))
            for p in diagnosis.patterns
        ),
    )
    listing = people.listing(diagnosis.by_image, precision)
    return AnnotatedDiagnosis(everything, tuple(evidence), listing)


def _agreement(
    pattern: Pattern, instances: Instances, vocabulary: Vocabulary, nouns: Nouns
) -> Agreement | None:
    """Return on how many images of a pattern annotations agree; None without any."""
    # They agree if what is invented or said for another thing is not annotated, or what
    # is left out is. An outlined person need not be the man who is left out, and of a
    # class that is seldom outlined annotations could only say that they do not agree.
    missed = pattern.kind == "missed"
    if not missed and pattern.kind not in ("invented", "confused"):
        return None
    kind, noun = (
        ("missed object", pattern.expected)
        if missed
        else ("invented object", pattern.said)
    )
    name = vocabulary.class_of(noun, nouns.is_person)
    words = load_count_words()
    if missed and name and not words.is_whole(noun, name):
        return None
    if not missed and name and name.lower() in words.seldom_outlined:
        return None
    opinions = Counter(
        found.opinion if found.opinion != "open" or not missed else "refuted"
        for image_id in pattern.image_ids
        for found in [
            _evidence(
                Finding(image_id, kind, (noun,)),
                instances.images[instances.image(image_id, "")],
                vocabulary,
                nouns,
            )
        ]
        if found is not None
    )
    judged = opinions["confirmed"] + opinions["refuted"]
    return Agreement(opinions["confirmed"], judged) if judged else None


def _further_risk(evidence: Evidence) -> float:
    """Return the increase of the probability of an error because of the annotations."""
    if evidence.finding.kind in MISSING or evidence.opinion == "open":
        return 0.0
    after = evidence.finding.probability or 0.0
    return (after if evidence.opinion == "confirmed" else 0.0) - evidence.before


def _evidence(
    finding: Finding, objects: ImageObjects, vocabulary: Vocabulary, nouns: Nouns
) -> Evidence | None:
    """Return the evidence for a finding; None if annotations cannot decide its kind."""
    if finding.kind not in DECIDED:
        return None
    name = vocabulary.class_of(finding.members[0], nouns.is_person)
    if name is None:
        return None
    number, crowd = objects.counts.get(name, 0), name in objects.crowd
    opinion = _opinion(finding, name, objects)
    before = finding.probability or 0.0
    if opinion == "confirmed" and finding.kind not in MISSING:
        finding = replace(finding, probability=max(before, CONFIRMED))
    return Evidence(finding, name, number, crowd, opinion, before)


def _opinion(finding: Finding, name: str, objects: ImageObjects) -> Opinion:
    number, crowd, absent = (
        objects.counts.get(name, 0),
        name in objects.crowd,
        objects.absent,
    )
    there, words = number > 0 or crowd, load_count_words()
    if DECIDED[finding.kind] == "said":
        if there:
            return "refuted"
        unknown = absent is not None and name not in absent
        seldom = name.lower() in words.seldom_outlined
        return "open" if unknown or seldom else "confirmed"
    if DECIDED[finding.kind] == "missed":
        return "confirmed" if there else "open"
    said = finding.said
    countable = there and not crowd and words.tier(name) == "A"
    whole = words.is_whole(finding.members[0], name)
    if not countable or not whole or not isinstance(said, int):
        return "open"
    if said == number:
        return "refuted"
    few_people = name == PERSON and said < number
    return "open" if said == 1 or few_people else "confirmed"


# Results of CHAIR and counting from evaluations that have them among their metrics.


def grounding_metrics(
    instances: Instances,
    vocabulary: str,
    jobs: int = 1,
    cache: str | Path | None = None,
) -> list[Metric]:
    """Return CHAIR and counting against annotations."""
    reader = load_parsed_reader(vocabulary, jobs=jobs, cache=cache)
    return [Chair(instances, reader), Counting(instances, reader)]


def grounded(evaluation: Evaluation) -> dict[str, ChairResult | CountingResult]:
    """Return the results of both in an evaluation that has them."""
    alone = {"": evaluation}
    return {"chair": chair_of(alone)[""], "counting": counting_of(alone)[""]}


def chair_of(systems: Mapping[str, Evaluation]) -> dict[str, ChairResult]:
    """Return CHAIR of systems that are measured by it."""
    results = {}
    for name, evaluation in systems.items():
        measured = evaluation.with_details(CaptionObjects)
        if measured is not None and isinstance(measured.metric, Chair):
            details, signed = measured.statistics.details, measured.signature
            results[name] = ChairResult(details, measured.metric, signed)
    return results


def counting_of(systems: Mapping[str, Evaluation]) -> dict[str, CountingResult]:
    """Return the counting of systems that are measured by it, with that of people."""
    # People's numbers are those of the references.
    results = {}
    people: tuple[CaptionCounts, ...] | None = None
    for name, evaluation in systems.items():
        measured = evaluation.with_details(CaptionCounts)
        if measured is None or not isinstance(measured.metric, Counting):
            continue
        if people is None:  # the same for all systems
            instances = measured.metric.instances
            pairs = [
                (instances.image(s.image_id, ""), reference)
                for s in evaluation.samples
                for reference in s.references
            ]
            people = tuple(measured.metric.measure(pairs))
        details, signed = measured.statistics.details, measured.signature
        results[name] = CountingResult(details, measured.metric, signed, people=people)
    return results
