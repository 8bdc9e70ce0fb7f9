"""Diagnosing a captioner: the scenes of an evaluation, and the errors in them.

In: an evaluation. Out: its scenes, with captions read by the grammar `spicepy-1`; and a
`Diagnosis`, if asked for with every fact that the captions state.

    evaluation ─ scenes ─▶ Scene ─ diagnose ─▶ Diagnosis
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any
from warnings import warn

from spicepy.asking.answers import AnswerBook
from spicepy.captions.sample import ImageId, Sample
from spicepy.common.errors import InputError, SpicepyWarning, brief
from spicepy.common.threads import no_collector
from spicepy.diagnosis.analysis import Analysis
from spicepy.diagnosis.captions.caption import Reading, Scene, Thing
from spicepy.diagnosis.captions.reader import Reader
from spicepy.diagnosis.counting import measure
from spicepy.diagnosis.findings import Fact, FactMembers, Finding, ImageDiagnosis
from spicepy.diagnosis.kinds import IN_NOUN, UNCONFIRMED, WRONG
from spicepy.diagnosis.kinds.detections import CaptionEvidence, Detection
from spicepy.diagnosis.patterns import find_patterns
from spicepy.diagnosis.results.answers import AnsweredImages
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.diagnosis.results.listing import ReferenceComparison, compare_references
from spicepy.evaluation.evaluation import Evaluation
from spicepy.metrics.spice import SpiceScore
from spicepy.objects.vocabulary import Vocabulary
from spicepy.pipeline import Pipeline


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


# Facts: the statements of a caption, and the probability that each is wrong.


def facts_of(
    scene: Scene, findings: Iterable[Finding], analysis: Analysis
) -> list[Fact]:
    """Return the facts of a candidate in its order, each once a sentence."""
    said = list(statements(scene.candidate))
    about = _likeliest(findings, {members for _, members in said})
    doubt = _doubts(scene, analysis)
    made: dict[tuple[int, FactMembers], Fact] = {}
    for thing, members in said:
        sentence = _sentence(scene.candidate, thing)
        worst = _worst(members, about)
        made[sentence, members] = (
            Fact(sentence, members, _chance(worst), worst.kind)
            if worst
            else Fact(sentence, members, doubt(members, thing.place), "")
        )
    return sorted(made.values(), key=lambda fact: fact.sentence)


def revised(facts: Iterable[Fact], findings: Iterable[Finding]) -> Iterator[Fact]:
    """Yield facts after some of the findings about them were refuted or confirmed."""
    # A fact whose finding is refuted, and so not among the `findings`, is right.
    stated = list(facts)
    about = _likeliest(findings, {fact.members for fact in stated})
    for fact in stated:
        worst = _worst(fact.members, about)
        if worst:
            yield replace(fact, wrong=_chance(worst), kind=worst.kind)
        else:
            yield replace(fact, wrong=0.0, kind="") if fact.kind else fact


def statements(reading: Reading) -> Iterator[tuple[Thing, FactMembers]]:
    """Yield the members of each statement with the last thing in it."""
    # Suppositions are not statements.
    things = reading.things
    claimed = [reading.claims(thing) for thing in things]
    for thing, is_claimed in zip(things, claimed):
        if is_claimed:
            yield thing, (thing.name,)
            yield from ((thing, (thing.name, value)) for value in thing.attributes)
    for source, how, target in reading.relations:
        if claimed[source] and claimed[target]:
            yield things[target], (things[source].name, how, things[target].name)


def _sentence(reading: Reading, thing: Thing) -> int:
    at = max(0, thing.place - 1)
    return reading.sentences[at] if at < len(reading.sentences) else 1


def _likeliest(
    findings: Iterable[Finding], said: Set[FactMembers]
) -> dict[FactMembers, Finding]:
    """Return members of a fact -> the most probable finding about it."""
    # `said` are the members of all facts. The number of "three dogs" is a fact of its
    # own; that of "dogs" belongs to the fact (dog).
    about: dict[FactMembers, Finding] = {}
    for finding in findings:
        if finding.kind in WRONG:
            for key in _keys(finding, said):
                known = about.get(key)
                if known is None or _chance(finding) > _chance(known):
                    about[key] = finding
    return about


def _worst(
    members: FactMembers, about: Mapping[FactMembers, Finding]
) -> Finding | None:
    """Return the most probable finding by which a fact is wrong, None without one."""
    # It is about the fact itself or about one of its objects: an object that is not in
    # the picture has no attributes and relations. Findings about an object's number do
    # not make its relations wrong.
    first_word = "".join(members[1:2]).split(" ")[0]
    candidates = [about.get(key) for key in (members, (members[0], first_word))]
    objects = [about.get(key) for key in (members[:1], members[2:])]
    candidates += [f for f in objects if f is not None and len(f.members) == 1]
    return max(filter(None, candidates), key=_chance, default=None)


def _keys(finding: Finding, said: Set[FactMembers]) -> Iterator[FactMembers]:
    """Yield the members of the facts that a finding is about."""
    members = finding.members
    if finding.kind in IN_NOUN and members not in said:
        yield members[:1]
    yield members
    if len(members) > 1:
        yield members[0], members[1].split(" ")[0]


def _chance(finding: Finding) -> float:
    """Return the probability of a finding, 0 if it has none."""
    return finding.probability or 0.0


def _doubts(scene: Scene, analysis: Analysis) -> Callable[[FactMembers, int], float]:
    """Return statement without a finding -> the probability that it is wrong, 0-1."""
    # This is the probability that a finding "no reference confirms it" would have,
    # times 1 minus the cosine to the references' most similar word.
    lexicon = analysis.lexicon
    aligned = analysis.aligner.align(scene, analysis.thresholds)
    evidence, near = CaptionEvidence(aligned), aligned.pooled.near
    support = {t.name: group.support for group in aligned.classes for t in group.said}

    def doubt(members: FactMembers, place: int) -> float:
        if len(members) == 2 and members[1] in lexicon.names.no_properties:
            return 0.0  # Attributes such as "visible" are true of every object.
        kind = UNCONFIRMED[len(members)]
        finding = Finding(scene.image_id, kind, members)
        mentions = support.get(members[0], 0)
        agree = mentions if len(members) == 1 else 0
        detection = Detection(finding, place=place, mentions=mentions, agree=agree)
        features = evidence.features(detection, finding)
        chance = lexicon.weights.probability(kind, features) or 0.0
        return chance * (1 - near(finding.word or members[0].rpartition(" ")[2]))

    return doubt
