"""Diagnosing a captioner: the scenes of an evaluation, and the errors in them.

In: an evaluation. Out: its scenes, with captions read by the grammar `spicepy-1`; and a
`Diagnosis`.

    evaluation ─ scenes ─▶ Scene ─ diagnose ─▶ Diagnosis
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from warnings import warn

from spicepy.asking.answers import AnswerBook
from spicepy.asking.questioning import Question, Questioner
from spicepy.asking.scenes import SceneQuestions, Statement, ask_scenes, statement_of
from spicepy.captions.sample import ImageId, Sample
from spicepy.common.errors import InputError, SpicepyWarning, brief
from spicepy.common.threads import no_collector
from spicepy.diagnosis.analysis import Analysis, expected_number
from spicepy.diagnosis.captions.caption import Reading, Scene
from spicepy.diagnosis.captions.reader import Reader
from spicepy.diagnosis.counting import measure
from spicepy.diagnosis.findings import Finding, ImageDiagnosis, Kind
from spicepy.diagnosis.kinds import MISSING, REMARKS, WRONG, is_omission
from spicepy.diagnosis.patterns import find_patterns
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.diagnosis.results.facts import (
    MIN_SHARE,
    AnswerEvidence,
    Judge,
    answered,
    facts_of,
    judge_of,
)
from spicepy.diagnosis.results.listing import ReferenceComparison, compare_references
from spicepy.evaluation.evaluation import Evaluation
from spicepy.metrics.spice import SpiceScore
from spicepy.objects.amounts import load_amount_words
from spicepy.objects.vocabulary import Vocabulary
from spicepy.pipeline import Pipeline
from spicepy.words.numerals import find_numerals


def diagnose(
    scenes: Iterable[Scene],
    *,
    support: int | None = None,
    precision: float = 0.0,
    vocabulary: Vocabulary | None = None,
    signature: str = "",
    analysis: Analysis | None = None,
    facts: bool = False,
    known: ReferenceComparison | None = None,
) -> Diagnosis:
    """Return the errors of the candidates.

    Args:
        scenes: The images.
        support: How many references must have an object before the candidate misses it;
            by default `Thresholds.missed`.
        precision: Minimum probability (0-1) of the findings that are listed, see
            `Diagnosis.believed`. `hidden` counts the others; `risk` and `omissions`
            include all. 0 lists all findings, also of kinds that nobody has checked.
        vocabulary: Object classes whose hallucinations are counted as well.
        signature: The signature of the evaluation, kept with that of the analysis.
        analysis: Finds the errors; by default one with the shipped lexicon.
        facts: Whether to list every fact that the candidates state.
        known: The comparison of the references (`Diagnosis.people`) of another system
            on the same images, so that it is not made again.

    Raises:
        InputError: `scenes` is an evaluation; see the function of this name.
        ResourceError: The shipped lexicon (`grammars/diagnosis.toml`) is missing.
    """
    if isinstance(scenes, Evaluation):
        raise InputError("diagnose takes scenes: diagnose(scenes(evaluation))")
    analyser, scenes = analysis or Analysis(), list(scenes)
    images, stated = [], []
    with no_collector():
        for scene in scenes:
            image = analyser.diagnose(scene, support=support, vocabulary=vocabulary)
            images.append(image)
            if facts:
                stated.append(tuple(facts_of(scene, image.findings, analyser)))
        people = compare_references(scenes, analyser, known)
    diagnosis = Diagnosis(
        tuple(images),
        "; ".join(filter(None, (signature, analyser.signature(scenes)))),
        vocabulary.name if vocabulary else "",
        facts=tuple(stated),
        people=people,
        ranked=ranked(images),
        **habits(scenes, analyser),
    )
    return diagnosis.believed(precision) if precision else diagnosis


def ranked(images: Iterable[ImageDiagnosis]) -> tuple[Finding, ...]:
    """Return all findings that have a probability, the most probable first."""
    every = (f for image in images for f in image.findings)
    known = [f for f in every if f.probability is not None]
    return tuple(sorted(known, key=lambda f: -(f.probability or 0.0)))


@no_collector()
def habits(scenes: Sequence[Scene], analysis: Analysis) -> dict[str, Any]:
    """Return the attributes `patterns` and `counting` of a diagnosis."""
    items = [analysis.items(scene) for scene in scenes]
    ids = [scene.image_id for scene in scenes]
    return {
        "patterns": find_patterns(
            scenes, items, analysis.lexicon, analysis.said(scenes)
        ),
        "counting": measure(zip(ids, items), analysis.lexicon),
    }


def scenes(
    evaluation: Evaluation,
    pipeline: Pipeline | None = None,
    *,
    analysis: Analysis | None = None,
) -> Iterator[Scene]:
    """Yield the scenes of an evaluation's images, with SPICE's counts if it was scored.

    Ready-made graphs (`evaluate_graphs`) are not parsed again.

    Args:
        evaluation: An evaluation with any metrics.
        pipeline: Parses the captions; by default `analysis_pipeline()`.
        analysis: Reads the captions with its own pipeline and lexicon; `pipeline` is
            ignored then. One analysis for several systems reads their references once.
    """
    reader = (analysis or Analysis(pipeline=pipeline)).reader
    measured = evaluation.with_details(SpiceScore)
    samples = evaluation.samples
    details = measured.statistics.details if measured else [None] * len(samples)
    if any(sample.raw is None for sample in evaluation.tokenised):
        yield from (
            _ready_made(s.image_id, d, reader) for s, d in zip(samples, details)
        )
        return
    captions = [caption for s in samples for caption in (s.candidate, *s.references)]
    for sample in samples:
        for caption in (sample.candidate, *sample.references):
            reader.pipeline.check(caption, f"image {brief(sample.image_id)}")
    readings = reader.read(captions)
    for sample, score in zip(samples, details, strict=True):
        yield Scene(
            sample.image_id,
            readings[sample.candidate],
            tuple(readings[caption] for caption in sample.references),
            score.counts if score else {},
        )


def beside_others(systems: Mapping[str, Sequence[Scene]]) -> dict[str, list[Scene]]:
    """Return the scenes of several systems, each with the others' captions."""
    # What only one system sees is more probably invented. A caption that repeats
    # another one says nothing new.
    said: dict[ImageId, dict[object, Reading]] = {}
    for name, own in systems.items():
        for scene in own:
            text = scene.candidate.caption or name  # Ready-made graphs have no caption.
            said.setdefault(scene.image_id, {})[text] = scene.candidate
    return {
        name: [
            replace(
                scene,
                others=tuple(
                    reading
                    for text, reading in said[scene.image_id].items()
                    if text != (scene.candidate.caption or name)
                ),
            )
            for scene in own
        ]
        for name, own in systems.items()
    }


def _ready_made(image_id: ImageId, score: SpiceScore, reader: Reader) -> Scene:
    """Return the scene of ready-made graphs."""
    [candidate] = map(reader.read_tuples, score.candidate.captions)
    references = tuple(map(reader.read_tuples, score.reference.captions))
    return Scene(image_id, candidate, references, score.counts)


# Findings of the error analysis beside a vision model's answers about the picture.
#
#     invented: dog; "Is there a dog?" — yes  →  struck out
#     invented: dog; "Is there a dog?" — no   →  more probable
#     missed: dog;   "Is there a dog?" — yes  →  more probable: it is there
#     the caption says a red hat; no finding; "Is the hat red?" — no  →  wrong color
#
# By Bayes' rule: the odds that a statement is true are multiplied by how much more
# often the model gives this answer to true statements than to false ones, which is
# measured on the same pictures (`Judge`). So a model that guesses changes
# nothing, and five people are overruled only by one that is seldom wrong. What no
# finding tells of begins with the share of false statements among those like it, of
# which no finding tells either, estimated from the answers and the model's errors.

_KINDS: Final[Mapping[str, Kind]] = {
    **{"entity": "invented object", "attribute": "unsupported attribute"},
    **{"relation": "unsupported relation", "color": "wrong color"},
    **{"count": "wrong count", "size": "wrong size", "material": "wrong material"},
}
"""Category or detail of a question -> the kind of error if its statement is false."""
_BY_NOUN: Final = frozenset(["wrong gender", "wrong age"])
"""The kinds that are in a noun: the question is whether such a thing is there."""
_ROUNDING: Final = 1e-9
STRUCK: Final = 0.5
"""The probability below which a finding is struck out, if the answer is against it."""


class AnsweredImages:
    """The findings of images as a vision model's answers leave them.

    Args:
        samples: The candidates and references of the images.
        book: The answers of one model.
        images: Their findings, also improbable ones.
    """

    def __init__(
        self,
        samples: Sequence[Sample],
        book: AnswerBook,
        images: Iterable[ImageDiagnosis],
    ) -> None:
        self._book = book
        self._scenes = ask_scenes(samples, Questioner())
        self._of_image = {scene.image_id: scene for scene in self._scenes}
        self.asked = {scene.image_id: scene.all for scene in self._scenes}
        self._judge = judge_of(self._scenes, book)
        self._told = {
            (image.image_id, statement)
            for image in images
            for statement in _told(image, self._of_image[image.image_id])
        }
        self._priors = _priors(self._scenes, book, self._judge, self._told)
        self._refuted = self._found = 0

    def judged(self, image: ImageDiagnosis) -> ImageDiagnosis:
        """Return an image with the findings that stand, and what the picture shows."""
        scene = self._of_image[image.image_id]
        judged = [_judged(f, scene, self._book, self._judge) for f in image.findings]
        standing = [finding for finding in judged if finding is not None]
        new = list(_shown(image, scene, self._book, self._judge, self._priors))
        self._refuted += len(judged) - len(standing)
        self._found += len(new)
        findings = (*standing, *new)
        return replace(
            image,
            findings=findings,
            risk=expected_number(f for f in findings if f.kind in WRONG),
            omissions=expected_number(filter(is_omission, findings)),
        )

    def evidence(self) -> AnswerEvidence:
        """Return what the answers said of the images that were judged."""
        said = (answered(s.own, s.image_id, self._book) for s in self._scenes)
        return AnswerEvidence(
            self._judge,
            sum(len(list(each)) for each in said),
            self._refuted,
            self._found,
            tuple(_numbers(self._scenes, self._book)),
        )


def beside_answers(
    diagnosis: Diagnosis, samples: Sequence[Sample], book: AnswerBook
) -> Diagnosis:
    """Return a diagnosis, improbable findings included, with what answers make of it.

    Raises:
        InputError: No answer belongs to a question about the images.

    Warns:
        SpicepyWarning: Some answers belong to no question about them.
    """
    known = AnsweredImages(samples, book, diagnosis.by_image)
    for text in book.check(known.asked):
        warn(text, SpicepyWarning, stacklevel=2)
    images = tuple(map(known.judged, diagnosis.by_image))
    return replace(
        diagnosis, by_image=images, ranked=ranked(images), answers=known.evidence()
    )


def _told(image: ImageDiagnosis, scene: SceneQuestions) -> Iterator[Statement]:
    """Yield the statements of a candidate of which a finding tells."""
    for finding in image.findings:
        known = _question_of(finding, scene.own)
        if known is not None and finding.kind not in REMARKS:
            yield statement_of(known)


def _priors(
    asked: Iterable[SceneQuestions],
    book: AnswerBook,
    judge: Judge,
    told: Container[tuple[ImageId, Statement]],
) -> dict[tuple[str, bool], float]:
    """Return the share of true statements by category and whether references agree."""
    # Of those of which no finding tells: most that are false have one.
    said: dict[tuple[str, bool], list[bool]] = {}
    for scene in asked:
        for question, yes in answered(scene.own, scene.image_id, book):
            statement = statement_of(question)
            if question.expected == "yes" and (scene.image_id, statement) not in told:
                known = statement in scene.supported
                said.setdefault((question.category, known), []).append(yes)
    return {group: 1 - judge.share_false(answers) for group, answers in said.items()}


def _judged(
    finding: Finding, scene: SceneQuestions, book: AnswerBook, judge: Judge
) -> Finding | None:
    """Return a finding after the answer to its question; None if it is struck out."""
    # A word that no reference supports is an invented object if the picture lacks it.
    if finding.kind in REMARKS:
        return finding
    missing = finding.kind in MISSING
    questions = (*scene.others, *scene.own) if missing else scene.own
    question = _question_of(finding, questions)
    said = next(answered(filter(None, [question]), scene.image_id, book), None)
    if said is None:
        return finding
    asked, yes = said
    if finding.kind == "unsupported word" and asked.category == "entity" and not yes:
        finding = replace(finding, kind=_KINDS[asked.category])
    before = STRUCK if finding.probability is None else finding.probability
    true = judge.truth(before if missing else 1 - before, yes=yes)
    after = true if missing else 1 - true
    # A judge that tells nothing leaves the probability, but for its last digit.
    struck = after < min(before, STRUCK) * (1 - _ROUNDING)
    return None if struck else finding.judged(after)


def _question_of(finding: Finding, questions: Iterable[Question]) -> Question | None:
    """Return the question whether the statement of a finding is true."""
    members = finding.members[:1] if finding.kind in _BY_NOUN else finding.members
    asked = [
        q for q in questions if q.expected == "yes" and len(q.tuple) == len(members)
    ]
    exact = (q for q in asked if q.tuple == members)
    alike = (q for q in asked if _heads(q.tuple) == _heads(members))
    return next(exact, None) or next(alike, None)


def _heads(members: Sequence[str]) -> list[str]:
    """Return the last word of each member, and the first one of a relation."""
    relation = len(members) == 3
    return [
        m.partition(" ")[0] if relation and at == 1 else m.rpartition(" ")[2]
        for at, m in enumerate(members)
    ]


def _shown(
    image: ImageDiagnosis,
    scene: SceneQuestions,
    book: AnswerBook,
    judge: Judge,
    priors: Mapping[tuple[str, bool], float],
) -> Iterator[Finding]:
    """Yield what the picture refutes and no finding tells of."""
    # As in DSG, what presupposes a refuted statement is not told of again.
    told = set(_told(image, scene))
    caption = image.captions[0] if image.captions else ""
    refuted: set[int] = set()
    for question, yes in answered(scene.own, scene.image_id, book):
        kind = _KINDS.get(question.detail) or _KINDS.get(question.category)
        if yes or question.expected != "yes" or kind is None:
            continue
        refuted.add(question.id)
        if statement_of(question) in told or not refuted.isdisjoint(question.parents):
            continue
        group = question.category, statement_of(question) in scene.supported
        prior = priors.get(group, 1 - MIN_SHARE)
        wrong = 1 - judge.truth(prior, yes=False)
        words = caption[question.start : question.end]
        value = question.tuple[-1] if len(question.tuple) > 1 else None
        found = Finding(image.image_id, kind, question.tuple, None, value, 0, words)
        yield found.judged(wrong)


def _numbers(
    asked: Iterable[SceneQuestions], book: AnswerBook
) -> Iterator[tuple[str, int, int]]:
    """Yield how many numbers the captioner and people give, and how many are right."""
    given: dict[str, list[bool]] = {"the captions": [], "references": []}
    for scene in asked:
        counted = {
            question.tuple[0]: number
            for question in scene.numbers
            if (number := _number(book, scene.image_id, question)) is not None
        }
        for who, questions in (
            ("the captions", scene.own),
            ("references", scene.others),
        ):
            given[who] += [
                int(question.tuple[1]) == counted[question.tuple[0]]
                for question in questions
                if question.detail == "count" and question.tuple[1].isdigit()
                if question.tuple[0] in counted
            ]
    for who, right in given.items():
        yield who, len(right), sum(right)


def _number(book: AnswerBook, image_id: ImageId, question: Question) -> int | None:
    """Return the number that answers "How many …?"; None without a single one."""
    answer = book.answer_to(image_id, question)
    if answer is None or not answer.text:
        return 0 if answer is not None and answer.yes is False else None
    words = answer.text.lower().replace(".", " ").replace(",", " ").split()
    if words[:1] in (["no"], ["none"], ["zero"]):
        return 0
    found = find_numerals(words, ("",) * len(words), load_amount_words().numbers)
    return found[0].low if found and found[0].low == found[0].high else None
