"""The analysis's graph of each candidate, and where the references mention things."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from warnings import warn

from spicepy.asking.answers import AnswerBook
from spicepy.asking.questioning import Question
from spicepy.captions.sample import ImageId
from spicepy.common.errors import SpicepyWarning
from spicepy.diagnosis.analysis import Analysis, expected_number
from spicepy.diagnosis.captions.caption import Scene, Thing
from spicepy.diagnosis.findings import SUPPORT, Fact, Finding, ImageDiagnosis
from spicepy.diagnosis.kinds import is_omission, is_supported
from spicepy.diagnosis.lexicon.aspects import ASPECTS, AspectValues
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.results.answers import AnsweredImages
from spicepy.diagnosis.results.diagnosing import (
    beside_others,
    facts_of,
    habits,
    ranked,
    scenes,
)
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.diagnosis.results.listing import ReferenceComparison, compare_references
from spicepy.evaluation.evaluation import Evaluation
from spicepy.pipeline import Pipeline
from spicepy.tokenization.samples import Span, find_tokens

_BEFORE: Final = 4
"""The number of words before a noun that may give its amount or attributes."""


@dataclass(frozen=True, slots=True)
class ReferenceMentions:
    """The places where the references mention one class of things."""

    names: frozenset[str]  # The nouns (or verbs) that they use
    # A flat list of (reference, start, length), one a mention with its values.
    spans: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """The graph of a candidate in the analysis, and the subjects of its findings."""

    objects: tuple[str, ...]  # The names of its things
    attributes: tuple[tuple[int, str], ...]  # (number of a thing, attribute)
    # (number of a thing, relation, number of a thing).
    relations: tuple[tuple[int, str, int], ...]
    # For each finding the number of the mentions that it is about, -1 if the references
    # mention no such thing.
    about: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Analysed:
    """The analysis of several systems' captions."""

    diagnoses: dict[str, Diagnosis]  # The diagnosis of each system, with all findings
    # System -> one drawing per image, in the diagnosis's order.
    drawings: dict[str, list[Drawing]]
    # Image -> the mentions of its references.
    mentions: dict[ImageId, list[ReferenceMentions]]
    aspects: AspectValues  # The values of words


_Candidate = tuple[ImageDiagnosis, Drawing, tuple[Fact, ...]]
"""The diagnosis, the drawing and the facts of a candidate."""


def analyse(
    systems: Mapping[str, Evaluation],
    pipeline: Pipeline | None = None,
    answers: AnswerBook | None = None,
) -> Analysed:
    """Diagnose systems on the same images, with every finding."""
    # What other systems say is evidence for what a system names (`beside_others`).
    #
    # The reader of the page chooses how many references must have a missed object, and
    # how probable findings must be. A caption that several systems have is analysed
    # once. A vision model's answers confirm and refute findings.
    analysis = Analysis(pipeline=pipeline)
    made = Analysed({}, {}, {}, analysis.lexicon.aspects)
    known: dict[tuple[ImageId, str], _Candidate] = {}
    people: ReferenceComparison | None = None
    asked: dict[ImageId, list[Question]] = {}
    seen = beside_others(
        {name: list(scenes(e, analysis=analysis)) for name, e in systems.items()}
    )
    for name, evaluation in systems.items():
        images, drawings, facts = [], [], []
        looked_at, judge = seen[name], None
        if answers is not None:
            found = (analysis.diagnose(scene, support=1) for scene in looked_at)
            judge = AnsweredImages(evaluation.samples, answers, found)
            for image_id, questions in judge.asked.items():
                asked.setdefault(image_id, []).extend(questions)
        people = compare_references(looked_at, analysis, people)
        for scene in looked_at:
            # Ready-made graphs have no caption.
            key = scene.image_id, scene.candidate.caption or name
            if key not in known:
                known[key] = _candidate(scene, analysis, made.mentions, judge)
            image, drawing, told = known[key]
            images.append(replace(image, counts=scene.counts))
            drawings.append(drawing)
            facts.append(told)
        made.diagnoses[name] = Diagnosis(
            tuple(images),
            analysis.signature(looked_at, others=len(systems) - 1),
            facts=tuple(facts),
            people=people,
            ranked=ranked(images),
            answers=judge.evidence() if judge else None,
            **habits(looked_at, analysis),
        )
        made.drawings[name] = drawings
    for text in answers.check(asked) if answers is not None else ():
        warn(text, SpicepyWarning, stacklevel=2)
    return made


def _candidate(
    scene: Scene,
    analysis: Analysis,
    known: dict[ImageId, list[ReferenceMentions]],
    judge: AnsweredImages | None,
) -> _Candidate:
    """Return the page's values of a candidate; add its image to `known`."""
    found = analysis.diagnose(scene, support=1)
    image = _with_supported_omissions(judge.judged(found) if judge else found)
    if scene.image_id not in known:
        known[scene.image_id] = mentions(scene, analysis)
    drawing = draw(scene, image, known[scene.image_id], analysis)
    return image, drawing, _facts(scene, image, analysis)


def with_usual_omissions(diagnosis: Diagnosis) -> Diagnosis:
    """Return listed findings without the omissions that too few references support."""
    images = (
        replace(i, findings=tuple(f for f in i.findings if _is_supported(f, i)))
        for i in diagnosis.by_image
    )
    return replace(diagnosis, by_image=tuple(images))


def _with_supported_omissions(image: ImageDiagnosis) -> ImageDiagnosis:
    """Return the image with the omissions that enough references support."""
    found = (f for f in image.findings if is_omission(f) and _is_supported(f, image))
    return replace(image, omissions=expected_number(found))


def _is_supported(finding: Finding, image: ImageDiagnosis) -> bool:
    return is_supported(finding, min(SUPPORT, image.references))


def mentions(scene: Scene, analysis: Analysis) -> list[ReferenceMentions]:
    """Return the mentions of each class in the references; verbs come last."""
    spans = [find_tokens(r.caption, " ".join(r.words)) for r in scene.references]
    aligned = analysis.aligner.align(scene, analysis.thresholds)
    found = []
    for group in aligned.classes:
        names = frozenset(thing.name for thing in group.things)
        places = [
            place
            for number, things in enumerate(group.of_reference)
            for thing in things
            for place in _place(number, thing, scene, spans[number], analysis.lexicon)
        ]
        found.append(ReferenceMentions(names, tuple(places)))
    verbs = [
        (number, verb)
        for number, reading in enumerate(scene.references)
        for verb in reading.verbs
    ]
    places = [
        x for n, verb in verbs for x in _span(n, verb.place, verb.place, spans[n])
    ]
    return [
        *found,
        ReferenceMentions(frozenset(verb.lemma for _, verb in verbs), tuple(places)),
    ]


def draw(
    scene: Scene,
    image: ImageDiagnosis,
    found: Sequence[ReferenceMentions],
    analysis: Analysis,
) -> Drawing:
    """Return the graph of a scene's candidate, and the subjects of its findings."""
    reading = scene.candidate
    things = reading.things
    verbs = {verb.lemma for verb in reading.verbs}
    return Drawing(
        tuple(thing.name for thing in things),
        tuple(
            (k, value) for k, thing in enumerate(things) for value in thing.attributes
        ),
        reading.relations,
        tuple(_about(f, verbs, found, analysis) for f in image.findings),
    )


def _facts(scene: Scene, image: ImageDiagnosis, analysis: Analysis) -> tuple[Fact, ...]:
    """Return the facts of a candidate of several sentences; none of a short one."""
    several = len(set(scene.candidate.sentences)) > 1
    return tuple(facts_of(scene, image.findings, analysis)) if several else ()


def _about(
    finding: Finding,
    verbs: set[str],
    found: Sequence[ReferenceMentions],
    analysis: Analysis,
) -> int:
    """Return the number of the mentions that a finding is about, -1 without any."""
    if finding.word in verbs:
        return len(found) - 1
    classes, own_noun = found[:-1], finding.members[0]
    for noun in (str(finding.expected), own_noun):
        for number, mentions in enumerate(classes):
            if noun in mentions.names:
                return number
    same = analysis.aligner.is_same_class
    for number, mentions in enumerate(classes):
        if any(same(own_noun, name) for name in mentions.names):
            return number
    return -1


def _place(
    number: int, thing: Thing, scene: Scene, spans: Sequence[Span], lexicon: Lexicon
) -> Iterator[int]:
    """Yield the place of a thing with the values before it: "two red dogs"."""
    words = scene.references[number].words
    if not 0 < thing.place <= len(words):
        return
    first = thing.place - thing.name.count(" ")
    values = lexicon.aspects.values
    for _ in range(_BEFORE):
        word = words[first - 2] if first > 1 else ""
        known = any(word in values.get(aspect, ()) for aspect in ASPECTS)
        if not (known or word in thing.attributes):
            break
        first -= 1
    yield from _span(number, first, thing.place, spans)


def _span(number: int, first: int, last: int, spans: Sequence[Span]) -> Iterator[int]:
    """Yield (reference, start, length) of words, if they stand in the caption."""
    present = [span for span in spans[max(0, first - 1) : last] if span[1]]
    if present:
        yield from (number, present[0][0], present[-1][1] - present[0][0])
